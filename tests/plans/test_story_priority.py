"""The order in which a plan wants its stories begun (`plans.story_priority`)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from progress_plugin.model.story import Plan


def priorities(plan: Plan) -> list[float | None]:
    return [story.priority for story in plan.stories]


def prd(plan_of: Any, *given: Any, done: int = 0, **of_each: Any) -> Plan:
    stories = [
        {"id": f"US-{at}", "title": f"Story {at}", "passes": at < done, "priority": value, **of_each}
        for at, value in enumerate(given)
    ]
    plan: Plan = plan_of(
        "prd.json", {"userStories": [{k: v for k, v in s.items() if v is not ...} for s in stories]}
    )
    return plan


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ((1, 3, 2), [1, 3, 2]),
        ((2, 1), [2, 1]),
        ((2.5, 1, 3), [2.5, 1, 3]),
        (("P2", "p0", "P1"), [2, 0, 1]),
        (("3", "1", "2"), [3, 1, 2]),
        (("low", "High", "critical"), [3, 1, 0]),
        (("low", None, "high"), [3, 2, 1]),
        ((0, 2, 1), [0, 2, 1]),
    ],
)
def test_the_least_number_and_the_strongest_word_come_first(plan_of: Any, given: Any, read: Any) -> None:
    assert priorities(prd(plan_of, *given)) == read


@pytest.mark.parametrize(
    "given",
    [
        (None, None, None),
        (1, None, 2),
        (9, 5, 1),
        (1, 1, 1),
        ("high", 1, "low"),
        ("soon", "later", "high"),
        (True, False, 1),
        (float("inf"), 1, 2),
        (float("nan"), 1, 2),
        (10**400, 1, 2),
        ([1], {"a": 1}, 2),
    ],
)
def test_what_says_no_order_leaves_that_of_the_file(plan_of: Any, given: Any) -> None:
    assert priorities(prd(plan_of, *given)) == [None] * 3


def test_only_stories_that_are_left_need_one(plan_of: Any) -> None:
    assert priorities(prd(plan_of, ..., 3, 2, done=1)) == [None, 3, 2]
    assert priorities(prd(plan_of, 9, 5, 1, done=2)) == [None] * 3


def test_an_issue_of_beads_without_one_is_in_the_middle(plan_of: Any) -> None:
    issues = [
        {"id": "bd-1", "title": "Paint", "status": "open", "priority": 3},
        {"id": "bd-2", "title": "Moor", "status": "open"},
        {"id": "bd-3", "title": "Leak", "status": "open", "priority": 0},
    ]
    plan = plan_of(".beads/issues.jsonl", "\n".join(map(json.dumps, issues)))
    assert priorities(plan) == [3, 2, 0]
