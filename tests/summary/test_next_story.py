"""What comes next is something that somebody here can take (S6.1, S20.6)."""

from __future__ import annotations

import pytest

from progress_plugin.model.claim import Claim
from progress_plugin.model.origin import Cited
from progress_plugin.model.status import Status
from progress_plugin.model.story import Plan, Story
from progress_plugin.summary.merged_story_status import read_history
from progress_plugin.summary.next_work import NextWork, next_work
from progress_plugin.summary.summary_input import Facts, LoggedStep


def _story(number: int, status: Status = Status.PENDING, *waits_for: str) -> Story:
    return Story(
        id=f"US-{number:03}",
        title=f"Story {number}",
        status=status,
        position=number - 1,
        depends_on=waits_for,
        waits_for=waits_for,
    )


def _claimed(story: str, writer: str | None = "host-b") -> Claim:
    return Claim(story, writer, "2026-03-01T10:00:00Z", "2026-03-01T12:00:00Z")


def _next(*stories: Story, claims: tuple[Claim, ...] = (), step: str | None = None) -> NextWork:
    plan = Plan(path="prd.json", format="prd", stories=stories)
    facts = Facts(
        name="x", lead=plan, claims=claims, next_step=LoggedStep(Cited(step), None) if step else None
    )
    return next_work(facts, read_history(facts))


@pytest.mark.parametrize("status", [Status.ACTIVE, Status.PENDING])
def test_the_first_story_that_can_be_begun_after_the_current_one_is_next(status: Status) -> None:
    work = _next(_story(3, status), _story(4, Status.PENDING, "US-003"), _story(5))
    assert work.line == "US-004: Story 4 (waits for US-003)"
    assert _next(_story(3, status), _story(4, Status.PENDING, "US-006"), _story(5)).line == "US-005: Story 5"


def test_a_story_that_waits_for_the_current_one_is_next_before_what_waits_for_others() -> None:
    stories = (
        _story(3, Status.ACTIVE),
        _story(4, Status.PENDING, "US-005"),
        _story(5, Status.PENDING, "US-003"),
    )
    assert _next(*stories).line == "US-005: Story 5 (waits for US-003)"


def test_a_story_that_a_colleague_claims_is_never_next() -> None:
    stories = (_story(3, Status.ACTIVE), _story(4), _story(5, Status.PENDING, "US-003"))
    assert _next(*stories, claims=(_claimed("us-004"),)).line == "US-005: Story 5 (waits for US-003)"
    ours = (_claimed("US-003", None), _claimed("US-004", None))
    assert _next(*stories, claims=ours).line == "US-004: Story 4"


def test_what_this_clone_claims_is_current_before_what_is_merely_begun() -> None:
    stories = (_story(2), _story(3, Status.ACTIVE), _story(4), _story(5, Status.DONE))
    for claimed, current in (("us-004", "US-004"), ("US-005", "US-003"), ("US-002", "US-002")):
        work = _next(*stories, claims=(_claimed(claimed, None),))
        assert work.current is not None
        assert work.current.id == current
    assert _next(*stories, claims=(_claimed("US-004"),)).line == "US-002: Story 2"


def test_where_colleagues_claim_all_that_is_left_that_is_said() -> None:
    stories = (_story(3, Status.ACTIVE), _story(4), _story(5))
    work = _next(*stories, claims=(_claimed("US-004"), _claimed("US-005")))
    assert (work.story, work.line) == (None, "none is free: others claim US-004, US-005")
    assert _next(*stories[:1]).line == ""


def test_a_next_step_that_names_what_a_colleague_claims_is_none() -> None:
    stories = (_story(3, Status.ACTIVE), _story(4), _story(5))
    assert _next(*stories, step="Begin US-004").line == "Begin US-004"
    assert _next(*stories, claims=(_claimed("US-004"),), step="Begin US-004").line == "US-005: Story 5"
