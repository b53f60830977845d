"""Killed before any of its changes of the disk, a journey loses nothing and leaves nothing broken."""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from progress_plugin.hooks.events import run_event
from tests.background import wait_for_processes
from tests.torture.changes import killed_at
from tests.torture.figures import instants
from tests.torture.workplace import Workplace, once_each, parses

Work = Callable[[], object]
Done = Callable[[Workplace], bool]


def _hook(place: Workplace, event: str, **fields: object) -> Work:
    told = {"session_id": "session-1", "cwd": str(place.root), "hook_event_name": event, **fields}

    def work() -> None:
        os.environ |= {"CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": str(place.root)}
        os.chdir(place.root)
        said, says = os.pipe()
        os.write(says, json.dumps(told).encode())
        os.close(says)
        os.dup2(said, 0)
        sys.stdout = io.TextIOWrapper(io.BytesIO())
        run_event([event])

    return work


def _first_start(place: Workplace) -> Work:
    shutil.rmtree(place.ours)
    (place.root / "progress.md").write_text("# Progress Log\n\n## 2026-03-01 - US-001: Light\n- lit\n---\n")
    return _hook(place, "SessionStart", source="startup")


def _finished_story(place: Workplace) -> Work:
    place.start()
    place.plan(done=5)
    edited = {"tool_name": "Write", "tool_input": {"file_path": str(place.root / "prd.json")}}
    return _hook(place, "PostToolUse", **edited)


def _end_of_session(place: Workplace) -> Work:
    place.start()
    place.hooks.event("TaskCompleted", task_subject="coil the ropes", task_id="1")
    return _hook(place, "SessionEnd", reason="exit")


def _archive(place: Workplace) -> Work:
    return lambda: place.command("archive", "--days", "0", "--at-least", "1")


def _repair(place: Workplace) -> Work:
    log = place.ours / "progress.json"
    log.write_bytes(log.read_bytes()[:-40])
    return lambda: place.command("repair")


def _has_entry(type_: str, description: str | None = None) -> Done:
    """Return a function that returns whether an entry of this type is in the log."""
    return lambda place: any(
        entry["type"] == type_ and description in {None, entry["data"].get("description")}
        for entry in place.everything()
    )


JOURNEYS: dict[Callable[[Workplace], Work], Done] = {
    _finished_story: _has_entry("task_completed", "Story number 5"),
    _first_start: lambda place: "4/14" in (place.ours / "progress-summary.md").read_text("utf-8"),
    _end_of_session: _has_entry("session_ended"),
    _repair: lambda place: '"version"' in (place.ours / "progress.json").read_text("utf-8"),
    _archive: lambda place: any((place.ours / "archive").glob("2*.json")),
}
"""Each with what has come of it in the end."""


@pytest.mark.slow
@pytest.mark.parametrize("journey", JOURNEYS)
def test_killed_before_any_of_its_changes_a_journey_loses_nothing_and_the_next_ends_it(
    workplace: Workplace, journey: Callable[[Workplace], Work], tmp_path: Path, home: Path
) -> None:
    workplace.commit()  # what is put back below is another directory, but of the same repository
    for number in range(3):
        workplace.log(f"older work {number}")
    work = journey(workplace)
    wait_for_processes(workplace.root)
    acknowledged = [entry["id"] for entry in workplace.everything()]
    before = tmp_path / "before"
    for name, original in (("project", workplace.root), ("home", home)):
        shutil.copytree(original, before / name, symlinks=True)
    broken = {"progress.json"} if journey is _repair else set()
    for step in instants(5):
        if not killed_at(step, work):
            break
        parses(workplace.ours, but=broken)
        seen = {entry["id"] for entry in workplace.everything()}
        assert set(acknowledged) <= seen, f"killed before change {step}"
        assert workplace.context(), f"killed before change {step}"
        killed_at(-1, work)
        assert JOURNEYS[journey](workplace), f"killed before change {step}, and not done when done again"
        workplace.command("repair")
        parses(workplace.ours)
        once_each(workplace.everything(), acknowledged)
        _each_story_once(workplace)
        assert workplace.command("verify") == 0, f"killed before change {step}"
        wait_for_processes(workplace.root)  # they would write into what is removed next
        for name, target in (("project", workplace.root), ("home", home)):
            shutil.rmtree(target)
            shutil.copytree(before / name, target, symlinks=True)
    assert step > 4


def _each_story_once(place: Workplace) -> None:
    """Check that a kill after an entry was written, but not yet noted, did not repeat the entry."""
    told = Counter(
        entry["data"].get("key") or entry["data"].get("description")
        for entry in place.everything()
        if entry["type"] == "task_completed" and "supplements" not in entry["data"]
    )
    assert not [key for key, number in told.items() if number > 1], told
