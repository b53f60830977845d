"""Which stories turned done or blocked since a plan was last seen."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.model.status import Status
from progress_plugin.model.story import Plan, Story
from progress_plugin.plans.baseline import Baseline, from_json
from progress_plugin.plans.status_changes import transitions

OPEN, DONE, BLOCKED, ACTIVE = Status.PENDING, Status.DONE, Status.BLOCKED, Status.ACTIVE


def plan(_name: str = "Hull", _branch: str | None = None, **statuses: Status) -> Plan:
    stories = tuple(
        Story(id=name, title=name, status=status, position=place)
        for place, (name, status) in enumerate(statuses.items())
    )
    return Plan(path="prd.json", format="prd", stories=stories, name=_name, branch=_branch)


def watch(
    *sights: tuple[Plan, str | None] | tuple[Plan, str | None, bool],
) -> list[list[tuple[str, str, int]]]:
    """Return what each sight of a plan reports, with the baseline going through JSON in between."""
    baseline = None
    told = []
    for seen, head, *own in sights:
        found, new = transitions(baseline, seen, head, own_commit=bool(own and own[0]))
        baseline = from_json(json.loads(json.dumps(new.to_json())))
        assert baseline == new
        told.append([(item.story.id, item.to.value, item.nth) for item in found])
    return told


def test_the_first_sight_of_a_plan_finishes_nothing() -> None:
    assert watch((plan(A=DONE, B=BLOCKED), "h1")) == [[]]


def test_a_story_that_turns_done_or_blocked_under_one_head_is_told_once() -> None:
    assert watch(
        (plan(A=OPEN, B=OPEN, C=OPEN), "h1"),
        (plan(A=DONE, B=BLOCKED, C=ACTIVE), "h1"),
        (plan(A=DONE, B=BLOCKED, C=ACTIVE), "h1"),
    ) == [[], [("A", "done", 1), ("B", "blocked", 1)], []]


def test_a_change_that_comes_with_a_new_head_is_nobody_s_work_here() -> None:
    assert watch((plan(A=OPEN), "h1"), (plan(A=DONE), "h2"), (plan(A=DONE), "h2")) == [[], [], []]


def test_a_commit_of_this_session_does_not_hide_what_it_finished() -> None:
    assert watch((plan(A=OPEN), "h1"), (plan(A=DONE), "h2", True)) == [[], [("A", "done", 1)]]


def test_without_git_there_is_one_head() -> None:
    assert watch((plan(A=OPEN), None), (plan(A=DONE), None)) == [[], [("A", "done", 1)]]


def test_each_turn_to_done_has_a_number_of_its_own() -> None:
    assert watch(
        (plan(A=OPEN), "h1"),
        (plan(A=DONE), "h1"),
        (plan(A=OPEN), "h1"),
        (plan(A=DONE), "h1"),
    ) == [[], [("A", "done", 1)], [], [("A", "done", 2)]]


def test_a_story_found_done_and_done_again_is_the_second_time() -> None:
    assert watch((plan(A=DONE), "h1"), (plan(A=OPEN), "h1"), (plan(A=DONE), "h1"))[2] == [("A", "done", 2)]


def test_switching_between_branches_does_not_add_up() -> None:
    sights = [(plan(A=DONE), "h1"), (plan(A=OPEN), "h2")] * 5
    assert watch(*sights, (plan(A=DONE), "h2"))[-1] == [("A", "done", 2)]


def test_the_number_survives_that_the_story_is_taken_out_for_a_while() -> None:
    assert watch(
        (plan(A=OPEN, C=OPEN), "h1"),
        (plan(A=DONE, C=OPEN), "h1"),
        (plan(B=OPEN, C=OPEN), "h1"),
        (plan(A=OPEN, C=OPEN), "h1"),
        (plan(A=DONE, C=OPEN), "h1"),
    )[4] == [("A", "done", 2)]


def test_a_story_that_nobody_saw_open_is_not_told() -> None:
    assert watch((plan(A=OPEN), "h1"), (plan(A=OPEN, B=DONE), "h1")) == [[], []]


def titled(branch: str | None = None, done: str = "", **titles: str) -> Plan:
    stories = tuple(
        Story(id=name, title=title, status=DONE if name in done else OPEN, position=place)
        for place, (name, title) in enumerate(titles.items())
    )
    return Plan(path="prd.json", format="prd", stories=stories, name="Hull", branch=branch)


@pytest.mark.parametrize(
    "other",
    [
        titled("ralph/rig", "A", A="Paint the bow", B="Paint the stern"),
        titled("ralph/hull", "A", A="Hoist the sail", B="Reef the sail"),
        titled("ralph/hull", "X", X="Paint the bow"),
    ],
    ids=["another branch", "other titles", "other ids"],
)
def test_another_plan_in_the_same_place_is_a_first_sight_and_finishes_anew(other: Plan) -> None:
    first = titled("ralph/hull", A="Paint the bow", B="Paint the stern")
    _, seen = transitions(None, first, "h1")
    found, after = transitions(seen, other, "h1")
    assert found == []
    assert after.plan_id != seen.plan_id
    assert after.nth(first.stories[1], DONE) == 1


@pytest.mark.parametrize(
    "later",
    [
        titled("ralph/hull", "A", A="Paint the whole bow", B="Paint the stern"),
        titled("ralph/hull", "A", A="Paint the bow", B="Paint the stern", C="Launch"),
        titled(None, "A", A="Paint the bow", B="Paint the stern"),
    ],
    ids=["one title in other words", "one more story", "no branch named any more"],
)
def test_an_edited_plan_is_the_same_one(later: Plan) -> None:
    first = titled("ralph/hull", A="Paint the bow", B="Paint the stern")
    _, seen = transitions(None, first, "h1")
    found, after = transitions(seen, later, "h1")
    assert [item.story.id for item in found] == ["A"]
    assert after.plan_id == seen.plan_id


def test_a_story_blocked_only_by_another_is_not_told() -> None:
    def blocked_by_a(a: Status, waits_for: tuple[str, ...]) -> Plan:
        first = Story(id="A", title="A", status=a, position=0)
        second = Story(id="B", title="B", status=BLOCKED, position=1, waits_for=waits_for)
        return Plan(path="prd.json", format="prd", stories=(first, second), name="Hull")

    assert watch(
        (plan(A=OPEN, B=OPEN), "h1"), (blocked_by_a(BLOCKED, ("A",)), "h1"), (blocked_by_a(DONE, ()), "h1")
    ) == [[], [("A", "blocked", 1)], [("A", "done", 1), ("B", "blocked", 1)]]


def test_stories_without_ids_are_known_by_their_titles(plan_of: Any) -> None:
    before = plan_of(
        "prd.json", [{"description": "Sand", "passed": False}, {"description": "Paint", "passed": False}]
    )
    after = plan_of(
        "prd.json",
        [
            {"description": "Wash", "passed": True},
            {"description": "Sand", "passed": False},
            {"description": "paint!", "passed": True},
        ],
    )
    assert watch((before, "h1"), (after, "h1")) == [[], [("3", "done", 1)]]


def test_every_signal_of_one_completion_gets_the_same_number() -> None:
    _, open_once = transitions(None, plan(A=OPEN), "h1")
    story = plan(A=OPEN).stories[0]
    before_the_edit = open_once.nth(story, DONE)
    (by_the_edit,), done_once = transitions(open_once, plan(A=DONE), "h1")
    assert [before_the_edit, by_the_edit.nth, done_once.nth(story, DONE)] == [1, 1, 1]
    assert by_the_edit.key == ("prd.json", "A", "done", 1)
    _, reopened = transitions(done_once, plan(A=OPEN), "h1")
    assert reopened.nth(story, DONE) == 2


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {},
        {"counts": {}},
        {"counts": {"done": 3}, "statuses": {}},
        {"counts": {"won": {}}, "statuses": {}},
        {"counts": {}, "statuses": {"A": "?"}},
        {"counts": {}, "statuses": 4},
        {"counts": {"done": {"A": "x"}}, "statuses": {}},
        {"counts": {"done": {"A": float("inf")}}, "statuses": {}},
        {"counts": {"done": {"A": float("nan")}}, "statuses": {}},
    ],
)
def test_a_baseline_that_cannot_be_read_is_a_first_sight(value: Any) -> None:
    assert from_json(value) is None


_SIGHTS = st.lists(
    st.tuples(
        st.dictionaries(st.sampled_from("ABC"), st.sampled_from(Status), max_size=3),
        st.sampled_from(["h1", "h2"]),
        st.booleans(),
    ),
    max_size=12,
)


@given(_SIGHTS)
def test_no_transition_is_ever_told_twice_and_each_was_one(
    sights: list[tuple[dict[str, Status], str, bool]],
) -> None:
    baseline: Baseline | None = None
    keys: list[tuple[str, tuple[str, str, str, int]]] = []
    number = 0
    for statuses, head, own in sights:
        old = baseline
        found, baseline = transitions(old, plan(**statuses), head, own_commit=own)
        # A plan that takes the place of another begins to count anew.
        number += old is not None and old.plan_id != baseline.plan_id
        keys += [(f"{baseline.plan_id} {number}", item.key) for item in found]
        for item in found:
            assert old is not None
            assert old.statuses[item.story.id] is not item.to
            assert statuses[item.story.id] is item.to
            assert head == old.head or own
    assert len(keys) == len(set(keys))
