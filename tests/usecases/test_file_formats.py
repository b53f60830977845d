"""Each of our files, as an older and as a newer version would write it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import progress_plugin as version
from progress_plugin.core.paths import state_file
from progress_plugin.memory import database
from tests.conftest import REPOSITORY
from tests.torture.workplace import Workplace

OTHERS = pytest.mark.parametrize("step", [-1, 1], ids=["older", "newer"])


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workplace:
    """Return a project with an archived entry, a log, a plan and all that is made of them."""
    for name in ("COVERAGE_PROCESS_START", "COVERAGE_PROCESS_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    place = Workplace(tmp_path / "lighthouse")
    place.plan(done=4)
    place.log("Light the lamp", "--task", "US-001")
    place.command("archive", "--days", "0", "--at-least", "1")
    place.log("Count the boats", "--task", "US-002")
    place.start()
    place.hooks.edited("prd.json")
    return place


def test_the_page_says_the_numbers_that_the_code_has() -> None:
    page = (REPOSITORY / "docs/file-formats.md").read_text("utf-8")
    section = page.split("## Versions\n", 1)[1].split("\n## ", 1)[0]
    numbers = dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \|", section, re.MULTILINE))
    assert {name: number for name, number in numbers.items() if name != "File" and "---" not in name} == {
        "`progress.json`, `archive/YYYY-MM.json`": version.LOG_FORMAT,
        "`start.json`": str(version.START_CACHE_FORMAT),
        "`shared/**/*.json`": "–",
        "`team/state`": str(version.TEAM_STATE_FORMAT),
        "`last-seen.json`": str(version.LAST_SEEN_FORMAT),
        "`spool/*.json`": "1",
        "`memory.db`": str(database.FORMAT),
        "`recall/` in the cache": str(version.RECALL_FORMAT),
    }


@OTHERS
def test_a_start_cache_is_made_again_and_nothing_of_it_is_printed(workplace: Workplace, step: int) -> None:
    path = Path(state_file(str(workplace.root), "start.json"))
    cache, context = json.loads(path.read_bytes()), workplace.context()
    made = f"{version.VERSION} {version.START_CACHE_FORMAT}"
    assert cache["version"] == made
    other = {**cache, "version": f"{version.VERSION} {version.START_CACHE_FORMAT + step}"}
    path.write_text(json.dumps(other).replace("Count", "Stale"))
    assert workplace.context() == context
    assert json.loads(path.read_bytes())["version"] == made


def test_an_event_in_a_newer_format_waits_for_a_program_that_knows_it(workplace: Workplace) -> None:
    folder = Path(state_file(str(workplace.root), "spool"))
    folder.mkdir(parents=True, exist_ok=True)
    newer = folder / f"{1:020d}-0a0b0c0d{version.PENDING_EVENT_ENDING}.2"
    newer.write_bytes(b"what a newer version keeps")
    workplace.work()
    assert newer.read_bytes() == b"what a newer version keeps"
    assert [path.name for path in folder.iterdir() if path.name.endswith(".unreadable")] == []
