"""Every line of a start context names the file and line, or the entry, that really says it."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime

import pytest

from tests.journeys.project_life import Life
from tests.journeys.test_archive_journeys import worked
from tests.journeys.tracing import cited_text, find_untraced_lines

LAST_YEAR = datetime(2025, 2, 1, tzinfo=UTC)
AGENTS_LOG = """# Progress Log

## Codebase Patterns

- The tide table is read once per hour,
  and kept in `tides/cache.py` until the next one

## 2026-03-01 10:00 - US-001: Harbour master signs in

- Sessions are kept in a cookie that the browser forgets at midnight
- Files changed: `web/login.py`, `web/session.py`

**Learnings:**
- Gotcha: the quarry gate locks at noon, fetch stones before that

## 2026-03-02 11:00 - US-002: Berths are listed by length

- The list sorts by metres; feet are converted in `berths/units.py`
- Mooring lines:
  - bow
  - stern
"""
TRANSCRIPT = "\n```text\n" + "42 boats passed the lock without a scratch\n" * 400 + "```\n"
"""Nothing that is told, but much to read: so the context may be long."""


@pytest.fixture
def harbour(life: Life) -> Life:
    """Return a project that has everything: two logs, an archive, plans, blockers and a progress document."""
    worked(life, 30, since=LAST_YEAR, name="OLD-{}", data={"description": "Dredged the basin", "learnings": [
        "Never dredge beside the fuel pier without asking the harbour office first"]})  # fmt: skip
    life.plan(
        "US-001 Harbour master signs in", "US-002 Berths are listed by length", "US-003 Cranes are booked",
        "US-004 Ferries are announced", "US-005 Lights follow the tide",
        branch="feature/harbour",
    )  # fmt: skip
    life.story("US-001", passes=True)
    life.story("US-002", passes=True)
    life.story("US-004", dependsOn=["US-003"])
    life.write("progress.md", AGENTS_LOG + TRANSCRIPT)
    life.git("checkout", "-q", "-b", "feature/harbour")
    agent = life.starts()
    agent.logs(
        "task_blocked", "No crane to book", task="US-003", data={"issue": "the crane driver is on leave"}
    )
    agent.logs("debug_resolved", "Lamps flickered", data={
        "root_cause": "the relay of lamp seven is loose", "resolution": "tightened its screw"})  # fmt: skip
    agent.logs("task_completed", 'Lights dim by themselves "at dusk"', task="US-005", data={
        "notes": "dusk is computed from latitude", "next_steps": ["paint the buoys green"],
        "files_modified": ["lights/dusk.py"]})  # fmt: skip
    life.command("archive", "--days", "300", "--at-least", "1")
    document = {"goal": "Open the marina in May", "next_steps": ["Ask the diver about the chain"]}
    life.command("memory", "progress", "--content", json.dumps(document))
    return life


SOURCES = (
    ("the quarry gate locks at noon", "progress.md", "line"),
    ("The tide table is read once per hour", "progress.md", "line"),
    ("US-003 | Cranes are booked", "prd.json", "line"),
    ("paint the buoys green", "progress.json", "entry"),
    ("the relay of lamp seven is loose", "progress.json", "entry"),
    ("Lights dim by themselves", "progress.json", "entry"),
    ("Never dredge beside the fuel pier", "archive/2025-", "entry"),
    ("Open the marina in May", "memory.db", "entry"),
)


def test_every_line_names_the_place_that_holds_it_and_nothing_is_written_for_it(harbour: Life) -> None:
    text = harbour.command("context")
    before = _files(harbour)
    lines = harbour.told_as_json("context", "--sources")
    assert _files(harbour) == before
    assert "\n".join(line["text"] for line in lines) + "\n" == text
    assert [line["line"] for line in lines] == list(range(1, len(lines) + 1))
    assert find_untraced_lines(harbour.root, lines) == []
    for words, path, place in SOURCES:
        line = next(line for line in lines if words in line["text"])
        named = [each for each in line["sources"] if path in each["path"]]
        assert named, line
        assert all(each[place] for each in named)
        if path != "memory.db":
            assert any(words.rsplit(maxsplit=1)[-1] in cited_text(harbour.root, each) for each in named)


def _files(life: Life) -> dict[str, tuple[int, int]]:
    found = {}
    for folder, _, names in os.walk(life.main):
        for name in names:
            stat = os.stat(os.path.join(folder, name))
            found[os.path.join(folder, name)] = (stat.st_mtime_ns, stat.st_size)
    return found
