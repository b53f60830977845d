"""A story that turns done or blocked in a plan or log of any format is logged, unless it is seen for the first time."""

from __future__ import annotations

import json
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core.project import find_project
from progress_plugin.log import store
from progress_plugin.usecases.reading import read_project
from progress_plugin.usecases.recording.last_seen import mark_as_seen
from progress_plugin.usecases.recording.record import log_entry, record_all_changes

NOW = datetime(2026, 3, 14, 15, 9, 26, tzinfo=UTC)
FORMATS = json.loads(Path(__file__).with_name("formats.json").read_text("utf-8"))


class Quay:
    """A project whose changes one session makes."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir()
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.email", "agent@example.org")
        self.git("config", "user.name", "agent")

    def git(self, *words: str) -> None:
        subprocess.run(["git", *words], cwd=self.root, check=True, capture_output=True)

    def write(self, path: str, text: str) -> None:
        (self.root / path).write_text(text, "utf-8")

    def commit(self) -> None:
        self.git("add", "-A", "--", ":!.agent-os")
        self.git("commit", "-q", "-m", "work")

    def start(self) -> None:
        mark_as_seen(read_project(find_project(str(self.root))))

    def look(self, session: str = "one") -> list[tuple[str, str | None, str | None]]:
        """Have a hook look, and return type, task and description of what it logged of stories."""
        logged = record_all_changes(find_project(str(self.root)), now=NOW, session=session)
        return [(entry["type"], entry.get("task_id"), entry["data"].get("description")) for entry in logged]

    def log(self, **fields: Any) -> None:
        log_entry(
            find_project(str(self.root)), "task_completed", now=datetime.now(UTC), session="one", **fields
        )

    def completions(self) -> list[dict[str, Any]]:
        entries = store.load(str(self.root / ".agent-os/progress")).entries
        return [entry for entry in entries if entry["type"] == "task_completed"]


@pytest.fixture
def quay(tmp_path: Path) -> Quay:
    return Quay(tmp_path / "quay")


@pytest.mark.parametrize("case", FORMATS, ids=lambda case: case["name"])
def test_what_turned_done_or_blocked_is_an_entry(quay: Quay, case: dict[str, Any]) -> None:
    quay.write(case["path"], case["before"])
    quay.start()
    assert quay.look() == []
    quay.write(case["path"], case["after"])
    found = quay.look()
    assert found == [tuple(entry) for entry in case["entries"]]
    assert quay.look() == []


PLAN = '{{"userStories": [{{"id": "US-1", "title": "Berths", "passes": {}}}, {{"id": "US-2", "title": "Cranes"}}]}}'


def test_what_comes_with_a_checkout_is_no_work_of_this_session(quay: Quay) -> None:
    quay.write("prd.json", PLAN.format("false"))
    quay.commit()
    quay.git("checkout", "-q", "-b", "side")
    quay.write("prd.json", PLAN.format("true"))
    quay.commit()
    quay.git("checkout", "-q", "main")
    quay.start()
    quay.git("checkout", "-q", "side")
    assert quay.look() == []


def test_what_an_own_commit_brings_is_work_with_that_commit(quay: Quay) -> None:
    quay.write("prd.json", PLAN.format("false"))
    quay.commit()
    quay.start()
    quay.write("prd.json", PLAN.format("true"))
    quay.commit()
    assert quay.look() == [("task_completed", "US-1", "Berths")]
    assert quay.completions()[0]["data"]["files_modified"] == ["prd.json"]


def test_a_story_logged_and_then_marked_is_one_completion_and_marked_again_another(quay: Quay) -> None:
    quay.write("prd.json", PLAN.format("false"))
    quay.start()
    quay.log(task_id="us-1", description="Boats moor")
    quay.write("prd.json", PLAN.format("true"))
    assert quay.look() == []
    quay.write("prd.json", PLAN.format("false"))
    assert quay.look() == []
    quay.write("prd.json", PLAN.format("true"))
    assert quay.look() == [("task_completed", "US-1", "Berths")]
    assert [entry["data"]["key"] for entry in quay.completions()] == [
        "prd.json|US-1|done|1",
        "prd.json|US-1|done|2",
    ]


def test_a_start_leaves_what_was_just_finished_to_the_next_look(quay: Quay) -> None:
    quay.write("prd.json", PLAN.format("false"))
    quay.start()
    quay.write("prd.json", PLAN.format("true"))
    quay.start()
    assert quay.look() == [("task_completed", "US-1", "Berths")]


def test_a_commit_proves_what_its_session_finished_before_it(quay: Quay) -> None:
    quay.write("prd.json", PLAN.format("false"))
    quay.commit()
    quay.start()
    quay.log(task_id="US-1", description="Boats moor")
    for session in ("two", "one"):
        quay.write("moor.py", session)
        quay.commit()
        quay.start()
        quay.look(session)
        quay.start()
    (evidence,) = [entry["data"] for entry in quay.completions() if "commit" in entry["data"]]
    assert (evidence["session_id"], evidence["files_modified"]) == ("one", ["moor.py"])
