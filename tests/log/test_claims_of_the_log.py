"""Claims that entries make and take back, in whatever order those of several writers come."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from progress_plugin.log.claims import current
from progress_plugin.log.entry import WRITER

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def entry(minute: int, writer: str | None, claim: dict[str, Any], story: str = "US-001") -> dict[str, Any]:
    made: dict[str, Any] = {
        "timestamp": f"2026-03-01T11:{minute:02}:00Z",
        "type": "scope_override",
        "task_id": story,
        "data": {"claim": claim},
    }
    return {**made, WRITER: writer} if writer else made


def claimed(minute: int, writer: str | None) -> dict[str, Any]:
    return entry(minute, writer, {"until": "2026-03-01T13:00:00Z"})


def released(minute: int, writer: str | None) -> dict[str, Any]:
    return entry(minute, writer, {"released": True})


@pytest.mark.parametrize("other", [None, "ben-laptop"])
def test_a_release_of_somebody_else_takes_no_claim_back(other: str | None) -> None:
    (held,) = current([], [claimed(1, "ana-laptop"), claimed(2, other), released(3, other)], NOON)
    assert held.writer == "ana-laptop"
    assert current([], [claimed(1, "ana-laptop"), released(3, "ana-laptop")], NOON) == []


def test_what_this_clone_claims_again_in_the_second_of_its_release_it_claims() -> None:
    (held,) = current([], [claimed(1, None), released(1, None), claimed(1, None)], NOON)
    assert held.writer is None


def test_of_two_that_claim_without_knowing_the_first_holds_it_and_then_the_other() -> None:
    both = [claimed(1, "ana-laptop"), claimed(2, "ben-laptop")]
    for order in (both, both[::-1]):
        (held,) = current([], order, NOON)
        assert held.writer == "ana-laptop"
        (held,) = current([], [*order, released(3, "ana-laptop")], NOON)
        assert held.writer == "ben-laptop"


FAR = "9999-12-31T23:59:59Z"


@pytest.mark.parametrize(
    ("since", "until", "held"),
    [
        ("1970-01-01T00:00:00Z", FAR, None),
        ("2026-01-30T12:00:00Z", FAR, None),
        ("2026-01-30T12:00:01Z", FAR, "2026-03-01T12:00:01Z"),
        ("2026-02-28T12:00:00Z", FAR, "2026-03-30T12:00:00Z"),
        ("2026-03-02T10:00:00Z", "2026-03-02T12:00:00Z", "2026-03-02T12:00:00Z"),
        ("2026-03-02T12:00:01Z", FAR, None),
        ("9999-12-30T00:00:00Z", FAR, None),
    ],
)
def test_a_claim_holds_for_as_long_as_one_may_last_whatever_it_says(
    since: str, until: str, held: str | None
) -> None:
    told = {**entry(0, "carol-123456", {"until": until}), "timestamp": since}
    assert [claim.until for claim in current([], [told], NOON)] == ([held] if held else [])


def test_who_renews_a_claim_has_it_since_the_first() -> None:
    (held,) = current(
        [], [claimed(1, "ana-laptop"), claimed(2, "ben-laptop"), claimed(9, "ana-laptop")], NOON
    )
    assert (held.writer, held.since) == ("ana-laptop", "2026-03-01T11:01:00Z")
