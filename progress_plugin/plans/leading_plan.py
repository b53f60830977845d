"""Which of several plans leads: its percent, current story and name are those of the summary."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence
from typing import NamedTuple

from progress_plugin.model.status import OPEN
from progress_plugin.model.story import Plan
from progress_plugin.plans.plan_and_story_identity import may_concern, names_plan

_Rule = Callable[[Plan], bool]


class Pointer(NamedTuple):
    """What an entry of our log says of its plan."""

    path: str | None = None
    """Of the plan it was written for."""
    spec: str | None = None
    stories: tuple[str, ...] = ()


NOTHING = Pointer()


def choose_leading_plan(
    plans: Sequence[Plan],
    *,
    configured: str | None = None,
    branch: str | None = None,
    told: Pointer = NOTHING,
) -> Plan | None:
    """Return the plan that leads, or None where there is none.

    ``plans`` come newest change first, ``configured`` is a path relative to the project root, ``branch`` is
    checked out, ``told`` is what the newest entry says that points at a plan (`points_at_some`). Each rule
    decides only where it points at some plans and not at others; what it leaves is up to the next.
    """
    rules: tuple[_Rule, ...] = (
        lambda plan: configured is not None and plan.path == posixpath.normpath(configured),
        lambda plan: branch is not None and plan.branch == branch,
        lambda plan: branch is not None and names_plan(plan, branch.rpartition("/")[2]),
        *_rules_of_entry(told),
        has_open_stories,
    )
    left = list(plans)
    for rule in rules:
        left = [plan for plan in left if rule(plan)] or left
    return left[0] if left else None


def points_at_some(plans: Sequence[Plan], told: Pointer) -> bool:
    """Return whether what an entry says of its plan fits some of the plans and not others."""
    return any(0 < sum(map(rule, plans)) < len(plans) for rule in _rules_of_entry(told))


def _rules_of_entry(told: Pointer) -> tuple[_Rule, ...]:
    return (
        lambda plan: told.path is not None and plan.path == told.path,
        lambda plan: told.spec is not None and names_plan(plan, told.spec),
        lambda plan: _holds(plan, told.stories, told.spec),
    )


def has_open_stories(plan: Plan) -> bool:
    """Return whether anything is left to do in a plan."""
    return any(story.status in OPEN for story in plan.stories)


def _holds(plan: Plan, stories: Sequence[str], spec: str | None) -> bool:
    if not stories or not may_concern(plan, spec):
        return False
    return {story.id.casefold() for story in plan.stories}.issuperset(map(str.casefold, stories))
