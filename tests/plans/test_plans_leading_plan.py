"""Which of several plans leads."""

from __future__ import annotations

from typing import Any

import pytest

from progress_plugin.model.status import Status
from progress_plugin.model.story import Plan, Story
from progress_plugin.plans import leading_plan


def plan(path: str, *, plan_format: str = "prd", open_ids: str = "", done_ids: str = "", **more: Any) -> Plan:
    named = [(name, Status.PENDING) for name in open_ids.split()] + [
        (name, Status.DONE) for name in done_ids.split()
    ]
    stories = tuple(
        Story(id=name, title=name, status=status, position=place)
        for place, (name, status) in enumerate(named)
    )
    return Plan(path=path, format=plan_format, stories=stories, **more)


FINISHED = plan("prd.json", done_ids="US-1 US-2", branch="ralph/hull")
OPEN = plan("tasks/prd.json", open_ids="US-1 US-3", branch="ralph/rig", name="Rigging")
SPEC = plan(
    ".agent-os/specs/2026-03-01-night-watch/tasks.md",
    plan_format="agent-os",
    open_ids="1 2",
    name="night-watch",
)
OTHER = plan(
    ".agent-os/specs/2026-04-01-day-watch/tasks.md", plan_format="agent-os", open_ids="1 2", name="day-watch"
)
ALL = (FINISHED, SPEC, OPEN, OTHER)


@pytest.mark.parametrize(
    ("facts", "leading"),
    [
        ({}, SPEC),
        ({"configured": "./prd.json"}, FINISHED),
        ({"configured": "prd.json", "branch": "ralph/rig"}, FINISHED),
        ({"configured": "gone.json", "branch": "ralph/rig"}, OPEN),
        ({"branch": "ralph/hull"}, FINISHED),
        ({"branch": "day-watch"}, OTHER),
        ({"branch": "feature/day-watch", "spec": "night-watch"}, OTHER),
        ({"branch": "main"}, SPEC),
        ({"spec": "2026-04-01-day-watch"}, OTHER),
        ({"spec": "rigging"}, OPEN),
        ({"stories": ["US-3"]}, OPEN),
        ({"stories": ["US-1"]}, OPEN),
        ({"stories": ["US-2"]}, FINISHED),
        ({"stories": ["2"], "spec": "day watch"}, OTHER),
        ({"stories": ["2"], "spec": "unknown"}, SPEC),
        ({"stories": ["US-9"]}, SPEC),
    ],
)
def test_each_rule_decides_only_where_it_tells_plans_apart(facts: Any, leading: Plan) -> None:
    facts = dict(facts)
    told = leading_plan.Pointer(**{name: facts.pop(name) for name in ("spec", "stories") if name in facts})
    chosen = leading_plan.choose_leading_plan(ALL, **facts, told=told)
    assert chosen is leading


@pytest.mark.parametrize(
    ("told", "points"),
    [
        (leading_plan.Pointer(), False),
        (leading_plan.Pointer(path="prd.json"), True),
        (leading_plan.Pointer(path="gone/prd.json", stories=("OPS-1",)), False),
        (leading_plan.Pointer(spec="rigging"), True),
        (leading_plan.Pointer(spec="nobody knows it", stories=("OPS-1",)), False),
        (leading_plan.Pointer(stories=("us-3",)), True),
    ],
)
def test_an_entry_points_at_a_plan_where_what_it_says_fits_some_and_not_others(
    told: leading_plan.Pointer, points: bool
) -> None:
    assert leading_plan.points_at_some(ALL, told) is points
    assert not leading_plan.points_at_some(ALL[:1], told)


def test_without_open_stories_the_plan_changed_last_leads() -> None:
    older = plan("tasks/prd.json", done_ids="US-1")
    assert leading_plan.choose_leading_plan([FINISHED, older]) is FINISHED


def test_without_plans_none_leads() -> None:
    assert leading_plan.choose_leading_plan([], branch="main") is None
