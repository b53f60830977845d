"""What happened last, and what is still blocked."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.config.settings import Settings
from progress_plugin.log import store
from progress_plugin.log.entry import new_draft
from progress_plugin.log.merge import effective, read_blockers
from tests.log.conftest import limits


def entry(number: int, kind: str = "task_completed", **fields: Any) -> dict[str, Any]:
    keys = {name: fields.pop(name) for name in ("spec", "task_id") if name in fields}
    return {"id": f"e{number}", "timestamp": "2026-03-14T15:09:26Z", "type": kind, **keys, "data": fields}


def open_blockers(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return read_blockers(entries).open


def ids(entries: list[dict[str, Any]]) -> list[str]:
    return [each["id"] for each in entries]


@pytest.mark.parametrize(
    ("resolving", "is_open"),
    [
        ({"spec": "auth", "task_id": "US-1"}, False),
        ({"spec": "auth", "task_id": "US-2"}, True),
        ({"spec": "other", "task_id": "US-1"}, True),
        ({"task_id": "US-1"}, True),
        ({"spec": "auth"}, True),
        ({}, True),
        ({"resolves": "e1"}, False),
        ({"resolves": ["x", "e1"]}, False),
    ],
)
@pytest.mark.parametrize("kind", ["task_completed", "debug_resolved"])
def test_a_blocker_is_resolved_by_its_own_task_of_its_own_spec_or_by_name(
    resolving: dict[str, Any], is_open: bool, kind: str
) -> None:
    blocker = entry(1, "task_blocked", spec="auth", task_id="US-1", issue="?")
    assert open_blockers([blocker, entry(2, kind, **resolving)]) == ([blocker] if is_open else [])


def test_only_later_completions_resolve_whatever_their_times() -> None:
    blocker = entry(2, "task_blocked", task_id="US-1")
    before = {**entry(1, task_id="US-1"), "timestamp": "2027-01-01T00:00:00Z"}
    after = {**entry(3, task_id="US-1"), "timestamp": "2020-01-01T00:00:00Z"}
    assert open_blockers([before, blocker]) == [blocker]
    assert open_blockers([blocker, after]) == []


def test_a_retracted_entry_and_its_retraction_do_not_count() -> None:
    entries = [
        entry(1),
        entry(2, "task_blocked", task_id="US-1"),
        entry(3, "scope_override", retracts=["e2"]),
    ]
    assert ids(effective(entries)) == ["e1"]
    assert open_blockers(effective(entries)) == []


def test_a_blocker_is_resolved_by_the_id_of_its_supplement_too() -> None:
    blocker = entry(1, "task_blocked", task_id="US-1", signal="plan")
    added = entry(2, "task_blocked", task_id="US-1", supplements="e1", description="No key")
    end = entry(3, "debug_resolved", resolves="e2")
    assert [each["id"] for each in open_blockers(effective([blocker, added]))] == ["e1"]
    assert open_blockers(effective([blocker, added, end])) == []


def test_supplements_are_merged_into_their_entry_and_count_once() -> None:
    first = entry(1, task_id="US-1", description="did it", learnings=["a"])
    entries = [
        first,
        entry(2),
        entry(
            3, task_id="US-1", supplements="e1", description="other words", learnings=["a", "b"], notes="n"
        ),
    ]
    entries.append(entry(4, task_id="US-1", supplements="e3", files_modified=["x.py"]))
    counted = effective(entries)
    assert ids(counted) == ["e2", "e1"]
    assert counted[1]["data"] == {
        "description": "other words\n\ndid it",
        "learnings": ["a", "b"],
        "notes": "n",
        "files_modified": ["x.py"],
    }
    assert first["data"] == {"description": "did it", "learnings": ["a"]}


def test_entries_that_move_to_the_archive_after_the_log_was_read_are_told_once(tmp_path: Path) -> None:
    directory = str(tmp_path)
    old = datetime(2025, 1, 1, tzinfo=UTC)
    settings, later = limits(entries=1, days=1), datetime(2026, 1, 1, tzinfo=UTC)

    def append(number: int, now: datetime, settings: Settings) -> None:
        draft = new_draft("milestone_reached", {"n": number})
        store.append(directory, [draft], settings, now=now, project_name="p")

    for number in range(30):
        append(number, old, Settings())
    append(30, later, settings)
    append(31, old, Settings())
    before = store.load_history(directory)
    append(32, later, settings)
    told = ids(before.newest(1000))
    assert len(told) == len(set(told)) == 32
