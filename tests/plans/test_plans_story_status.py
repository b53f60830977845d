"""Where a story stands: what it says, what its parts and dependencies make of it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.model.status import Status
from progress_plugin.model.story import Story
from progress_plugin.plans.plan_problems import PlanProblems
from progress_plugin.plans.story_status import apply_dependencies, with_blockers


@pytest.mark.parametrize(
    ("record", "status"),
    [
        ({"passes": True}, "done"),
        ({"passed": True}, "done"),
        ({"completed": True}, "done"),
        ({"complete": True, "started": True}, "done"),
        ({"complete": False, "started": True}, "active"),
        ({"isComplete": True}, "done"),
        ({"finished": True}, "done"),
        ({"status": "DONE"}, "done"),
        ({"passes": False}, "pending"),
        ({"passes": False, "inProgress": True}, "active"),
        ({"passes": False, "attempts": 2}, "active"),
        ({"status": "pending", "attempts": 2}, "active"),
        ({"passes": False, "blocked": True}, "blocked"),
        ({"passes": False, "blocked": True, "inProgress": True}, "blocked"),
        ({"passes": False, "blocked": "no wood"}, "blocked"),
        ({"passes": False, "blocked": "no"}, "pending"),
        ({"passes": False, "blocked": ""}, "pending"),
        ({"passes": False, "attempts": "3"}, "active"),
        ({"passes": False, "attempts": "many"}, "pending"),
        ({"passes": False, "tasks": [{"title": "a", "done": True}]}, "active"),
        ({"passes": False, "status": "failed", "attempts": 3}, "failed"),
        ({"passes": False, "status": "blocked"}, "blocked"),
        ({"passes": False, "status": "in progress"}, "active"),
        ({"status": "wont fix", "attempts": 1}, "skipped"),
        ({"passes": None, "status": "passing"}, "done"),
        ({"passes": True, "status": "pending"}, "done"),
        ({"passes": False, "status": "done"}, "pending"),
        ({"passes": False, "steps": [{"text": "a", "completed": True}, {"text": "b"}]}, "active"),
        ({"passes": False, "steps": [{"text": "a", "completed": True}]}, "active"),
        ({"status": "", "subtasks": [{"id": 1, "status": "done"}]}, "done"),
        ({"status": "pending", "subtasks": [{"id": 1, "status": "done"}]}, "pending"),
        ({"passes": False, "steps": ["only", "texts"]}, "pending"),
    ],
)
def test_flag_then_word_then_parts_say_where_a_story_stands(plan_of: Any, record: Any, status: str) -> None:
    (story,) = plan_of("prd.json", [{"id": "A", **record}]).stories
    assert story.status.value == status


@pytest.mark.parametrize(
    ("record", "issue"),
    [
        ({"blocked": "no wood"}, "no wood"),
        ({"blocked": True, "blocked_reason": "no wood"}, "no wood"),
        ({"blocked": "yes"}, None),
        ({"status": "failed", "failureReason": "it sank"}, "it sank"),
        ({"status": "blocked"}, None),
    ],
)
def test_what_stands_in_the_way_is_kept_with_the_story(plan_of: Any, record: Any, issue: str | None) -> None:
    (story,) = plan_of("prd.json", [{"id": "A", "passes": False, **record}]).stories
    assert story.issue == issue


def test_a_deleted_story_is_not_there_and_nobody_waits_for_it(plan_of: Any) -> None:
    plan = plan_of(
        "prd.json",
        [{"id": "A", "status": "tombstone"}, {"id": "B", "status": "open", "dependsOn": ["A"]}],
    )
    assert [(story.id, story.waits_for) for story in plan.stories] == [("B", ())]
    assert plan.problems == ()


@pytest.mark.parametrize(
    ("record", "status"),
    [
        (
            {"status": "open", "subtasks": [{"id": 1, "status": "done"}, {"id": 2, "status": "open"}]},
            "active",
        ),
        ({"status": "todo", "subtasks": [{"id": 1, "done": False}]}, "pending"),
        ({"passes": False, "acceptanceCriteria": ["[x] Form posts", "[ ] Mail goes out"]}, "active"),
        ({"passes": False, "acceptanceCriteria": ["[ ] Form posts", "Mail goes out"]}, "pending"),
        ({"passes": False, "status": "done", "acceptanceCriteria": ["- [x] Form posts"]}, "active"),
        ({"status": "open", "acceptance": [{"text": "Form posts", "passes": True}]}, "active"),
        ({"status": "open", "acceptance": [{"text": "Form posts", "status": "open"}]}, "pending"),
        ({"status": "pending", "acceptance": [{"text": "Form posts", "passes": True}]}, "pending"),
        ({"status": "open", "blocked": True, "acceptanceCriteria": ["✅ Form posts"]}, "blocked"),
        ({"passes": True, "acceptanceCriteria": ["[ ] Form posts"]}, "done"),
        ({"status": "skipped", "acceptanceCriteria": ["[x] Form posts"]}, "skipped"),
    ],
)
def test_an_open_story_of_which_a_part_or_criterion_is_done_is_in_progress(
    plan_of: Any, record: Any, status: str
) -> None:
    (story,) = plan_of("prd.json", [{"id": "A", **record}]).stories
    assert story.status.value == status


def test_every_contradiction_is_told_once_per_kind(plan_of: Any) -> None:
    plan = plan_of(
        "prd.json",
        [
            *({"id": f"S{n}", "passes": True, "status": "pending"} for n in range(7)),
            {"id": "W", "passes": False, "status": "done"},
            {"id": "P", "passes": True, "inProgress": True},
            {"id": "B", "passes": True, "blocked": True},
            {"id": "O", "passes": True, "subtasks": [{"id": 1, "status": "open"}]},
            {"id": "N", "status": "todo", "subtasks": [{"id": 1, "status": "done"}]},
        ],
    )
    assert plan.drift == (
        "the passes flag says yes, status says pending: S0, S1, S2, S3, S4 and 2 more",
        "status says done, the passes flag says no: W",
        "the passes flag says yes, inProgress too: P",
        "the passes flag says yes, blocked too: B",
        "done, though parts of it are open: O",
        "pending, though parts of it are begun: N",
    )


def test_what_depends_on_a_blocked_or_failed_story_is_blocked_through_any_number_of_steps(
    plan_of: Any,
) -> None:
    plan = plan_of(
        "prd.json",
        [
            {"id": "C", "passes": False, "dependsOn": ["B"]},
            {"id": "B", "passes": False, "dependsOn": ["A", "D"]},
            {"id": "A", "status": "failed"},
            {"id": "D", "status": "done"},
            {"id": "E", "status": "in progress", "dependsOn": ["A"]},
            {"id": "F", "status": "done", "dependsOn": ["A"]},
        ],
    )
    assert [(story.id, story.status.value, story.waits_for) for story in plan.stories] == [
        ("C", "blocked", ("B",)),
        ("B", "blocked", ("A",)),
        ("A", "failed", ()),
        ("D", "done", ()),
        ("E", "active", ()),
        ("F", "done", ()),
    ]


def test_a_pending_story_waits_for_unfinished_ones_but_not_for_skipped_ones(plan_of: Any) -> None:
    plan = plan_of(
        "prd.json",
        [
            {"id": "A", "status": "open"},
            {"id": "B", "status": "skipped"},
            {"id": "C", "status": "in progress"},
            {"id": "D", "status": "open", "dependsOn": "A, B; C", "depends_on": ["A", {"id": "B"}]},
        ],
    )
    assert plan.stories[3].depends_on == ("A", "B", "C")
    assert plan.stories[3].waits_for == ("A", "C")


def test_dependencies_nobody_knows_are_reported_and_hold_nothing_up(plan_of: Any) -> None:
    plan = plan_of("prd.json", [{"id": "A", "passes": False, "dependsOn": ["Z", "none", ""]}])
    assert plan.stories[0].waits_for == ()
    assert plan.problems == ("depends on what is not in the plan: A → Z",)


def test_a_story_that_depends_on_itself_does_not_wait_for_itself(plan_of: Any) -> None:
    plan = plan_of("prd.json", [{"id": "A", "passes": False, "dependsOn": ["A"]}])
    assert plan.stories[0].waits_for == ()
    assert plan.problems == ("depends on itself: A",)


def test_an_open_blocker_of_the_log_blocks_its_story_and_what_depends_on_it(plan_of: Any) -> None:
    plan = plan_of(
        "prd.json",
        [
            {"id": "A", "passes": False, "inProgress": True},
            {"id": "B", "passes": False, "dependsOn": ["A"]},
            {"id": "C", "passes": True},
        ],
    )
    stories = with_blockers(plan.stories, {"A": "no key for the harbour", "C": "long over"})
    assert [(story.id, story.status.value, story.issue, story.waits_for) for story in stories] == [
        ("A", "blocked", "no key for the harbour", ()),
        ("B", "blocked", None, ("A",)),
        ("C", "done", None, ()),
    ]


@st.composite
def _plans(draw: st.DrawFn) -> list[Story]:
    names = [f"S{n}" for n in range(draw(st.integers(1, 8)))]
    return [
        Story(
            id=name,
            title=name,
            status=draw(st.sampled_from(Status)),
            position=place,
            depends_on=tuple(draw(st.lists(st.sampled_from(names), max_size=3, unique=True))),
        )
        for place, name in enumerate(names)
    ]


@given(_plans())
def test_settling_touches_pending_stories_only_and_a_second_time_nothing(stories: list[Story]) -> None:
    settled = apply_dependencies(stories, PlanProblems())
    assert apply_dependencies(settled, PlanProblems()) == settled
    for before, after in zip(stories, settled, strict=True):
        if before.status is not Status.PENDING:
            assert (after.status, after.waits_for) == (before.status, ())
        else:
            assert after.status in (Status.PENDING, Status.BLOCKED)
            assert after.status is Status.PENDING or after.waits_for


@given(_plans())
def test_a_pending_story_is_blocked_exactly_if_it_reaches_a_stuck_one_through_pending_ones(
    stories: list[Story],
) -> None:
    by_id = {story.id: story for story in stories}

    def reaches(name: str, seen: frozenset[str]) -> bool:
        story = by_id[name]
        if story.status is not Status.PENDING:
            return story.status in (Status.BLOCKED, Status.FAILED)
        return any(reaches(other, seen | {name}) for other in story.depends_on if other not in seen | {name})

    for story in apply_dependencies(stories, PlanProblems()):
        if by_id[story.id].status is Status.PENDING:
            assert (story.status is Status.BLOCKED) == reaches(story.id, frozenset())
