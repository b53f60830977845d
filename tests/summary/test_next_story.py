"""What comes next is something that somebody here can take."""

from __future__ import annotations

import pytest

from progress_plugin.model.claim import Claim
from progress_plugin.model.event import Event
from progress_plugin.model.origin import Cited, Origin
from progress_plugin.model.status import Status
from progress_plugin.model.story import Plan, Story
from progress_plugin.summary.merged_story_status import read_history
from progress_plugin.summary.next_work import NextWork, names_in, next_work
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


def _next(
    *stories: Story,
    claims: tuple[Claim, ...] = (),
    step: str | None = None,
    logged: LoggedStep | None = None,
    events: tuple[Event, ...] = (),
) -> NextWork:
    plan = Plan(path="prd.json", format="prd", stories=stories)
    logged = LoggedStep(Cited(step), None) if step else logged
    facts = Facts(name="x", lead=plan, claims=claims, events=events, next_step=logged)
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


def _logged(story: int, status: Status, when: str, entry: str = "entry-1") -> Event:
    kind = "task_completed" if status is Status.DONE else "task_blocked"
    return Event((f"US-{story:03}",), None, status, kind, "progress.json", 1, when=when, entry=entry)


@pytest.mark.parametrize("status", [Status.DONE, Status.BLOCKED])
@pytest.mark.parametrize(("when", "holds"), [("2026-03-01T09:00:00Z", True), ("2026-03-01T11:00:00Z", False)])
def test_what_was_settled_before_a_step_was_logged_has_not_taken_it(
    status: Status, when: str, holds: bool
) -> None:
    stories = (_story(3, status), _story(4), _story(5))
    step = LoggedStep(Cited("Tell Ana, then go on with US-003"), None, "2026-03-01T10:00:00Z")
    work = _next(*stories, logged=step, events=(_logged(3, status, when),))
    assert work.line == ("Tell Ana, then go on with US-003" if holds else "US-005: Story 5")


def test_a_step_holds_that_goes_on_with_what_its_own_entry_says_is_blocked() -> None:
    when = "2026-03-01T10:00:00Z"
    step = LoggedStep(Cited("Ask Ana, then go on with US-003", Origin(entry="entry-1")), None, when)
    events = (_logged(3, Status.BLOCKED, when),)
    assert _next(_story(3, Status.BLOCKED), _story(4), logged=step, events=events).line == step.text


def test_a_step_back_to_what_the_plan_calls_done_holds() -> None:
    when = "2026-03-01T10:00:00Z"
    stories = (_story(3, Status.DONE), _story(4), _story(5))
    for text, line in (("Look at US-003 again", "Look at US-003 again"), ("Start US-003", "US-005: Story 5")):
        assert _next(*stories, logged=LoggedStep(Cited(text), None, when)).line == line


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Write 2 migrations", set()),
        ("Fix the 2 failing tests", set()),
        ("Go on with task 2", {"2"}),
        ("Tasks 2, 3 and 4", {"2", "3", "4"}),
        ("Close #2", {"2"}),
        ("1.2: take the lock", {"1.2"}),
        ("2", {"2"}),
        ("Upgrade to version 1.2", set()),
        ("At 12:30", set()),
    ],
)
def test_a_bare_number_is_an_id_only_where_the_text_says_so(text: str, names: set[str]) -> None:
    assert {name for name in names_in(text) if name[:1].isdigit()} == names


def _in_parts(number: int, *statuses: Status) -> Story:
    parts = tuple(Story(f"{number}.{at}", f"Part {at}", each, at) for at, each in enumerate(statuses, 1))
    return _story(number)._replace(subtasks=parts)


def test_a_story_of_which_a_part_is_done_is_begun_and_its_open_part_comes_next() -> None:
    work = _next(_in_parts(3, Status.DONE, Status.PENDING), _story(4))
    assert (work.current_line, work.line) == ("US-003", "Part 2")
    assert _next(_in_parts(3, Status.PENDING, Status.PENDING), _story(4)).current_line == "US-003, not begun"


def test_a_story_with_a_part_in_progress_is_current() -> None:
    work = _next(_in_parts(3, Status.DONE, Status.PENDING), _in_parts(4, Status.ACTIVE), _story(5))
    assert (work.current_line, work.line) == ("US-004", "Part 1")
