"""What may be written into an entry."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest

from progress_plugin.core.errors import BadInput
from progress_plugin.log.entry import (
    ENTRY_TYPES,
    check_draft,
    faults_of,
    new_draft,
    new_entry,
)
from progress_plugin.log.timestamp import format_time, read_time

NOW = datetime(2026, 3, 14, 15, 9, 26, tzinfo=UTC)


@pytest.mark.parametrize("kind", ENTRY_TYPES)
def test_each_of_the_seven_types_is_written(kind: str) -> None:
    entry = new_entry(new_draft(kind, {"description": "x"}), now=NOW, taken=())
    assert re.fullmatch(r"entry-20260314-150926-[0-9a-z]{6}", entry.pop("id"))
    assert entry == {"timestamp": "2026-03-14T15:09:26Z", "type": kind, "data": {"description": "x"}}


def test_ids_of_one_second_sort_as_they_were_given() -> None:
    taken: list[str | None] = []
    for _ in range(1000):
        taken.append(new_entry(new_draft("task_completed", {}), now=NOW, taken=taken)["id"])
    assert sorted(filter(None, taken)) == taken


def test_all_faults_are_told_at_once() -> None:
    draft = new_draft(
        "task_done",
        {"duration_minutes": -1, "learnings": "one", "resolves": 7, "ratio": float("nan")},
        spec="  ",
        task_id="",
    )
    with pytest.raises(BadInput) as refused:
        check_draft(draft)
    assert str(refused.value) == (
        "nothing was logged: type must be one of session_started, session_ended, task_completed, task_blocked, "
        "debug_resolved, scope_override, milestone_reached; spec must be text, or left out; task_id must be text, or "
        "left out; data.duration_minutes must be a number, 0 or more; data.learnings must be a list of texts; "
        "data.resolves must be an entry's id, or a list of them; "
        "data is not JSON: Out of range float values are not JSON compliant"
    )


def nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"in": value}
    return value


@pytest.mark.parametrize("levels", [100, 900, 100_000])
def test_data_that_nests_too_deeply_is_refused_in_one_clause(levels: int) -> None:
    faults = faults_of(new_draft("task_completed", nested(levels)))
    assert len(faults) == 1
    assert re.match(r"data (nests more than 100 levels deep|is not JSON)", faults[0])


def test_secrets_and_private_parts_do_not_reach_the_log() -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
    entry = new_entry(
        new_draft("task_blocked", {"issue": f"token {secret[:40]} <private>pin 1234</private> ok"}),
        now=NOW,
        taken=(),
    )
    assert secret[:40] not in entry["data"]["issue"]
    assert "1234" not in entry["data"]["issue"]
    assert entry["data"]["issue"].endswith("ok")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-03-14T15:09:26Z", "2026-03-14T15:09:26Z"),
        ("2026-03-14T15:09:26.123456789Z", "2026-03-14T15:09:26Z"),
        ("2026-03-14T15:09:26.5", "2026-03-14T15:09:26Z"),
        ("2026-03-14T17:09:26+02:00", "2026-03-14T15:09:26Z"),
        ("2026-03-14 15:09:26 +0000", "2026-03-14T15:09:26Z"),
        ("2026-03-14 15:09 UTC", "2026-03-14T15:09:00Z"),
        (" 2026-03-14T15:09z ", "2026-03-14T15:09:00Z"),
        ("2026/03/14 15:09:26", "2026-03-14T15:09:26Z"),
        ("2026-03-14", "2026-03-14T00:00:00Z"),
        (1773500966, "2026-03-14T15:09:26Z"),
        (1773500966000, "2026-03-14T15:09:26Z"),
    ],
)
def test_timestamps_are_read_in_the_forms_of_the_wild(value: Any, expected: str) -> None:
    when = read_time(value)
    assert when is not None
    assert format_time(when) == expected


@pytest.mark.parametrize(
    "value", [None, True, "", "yesterday", "2026-13-01", [], {}, float("nan"), 1e300, "0000-00-00"]
)
def test_what_is_no_time_is_none(value: Any) -> None:
    assert read_time(value) is None
