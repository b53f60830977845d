"""Which of several plans leads: its percent, current story and name are those of the summary (S5.5).

Who asks is `usecases.summarizing.sources`; which story is the current one is decided in `summary.next_work`,
and which names mean a plan (its path, its name, its branch, the folder of its spec with its date and
without), in `plans.plan_and_story_identity` (`names_plan`).
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence

from progress_plugin.model.status import OPEN
from progress_plugin.model.story import Plan
from progress_plugin.plans.plan_and_story_identity import may_concern, names_plan


def choose_leading_plan(  # noqa: PLR0913 - what may point at a plan
    plans: Sequence[Plan],
    *,
    configured: str | None = None,
    branch: str | None = None,
    path: str | None = None,
    spec: str | None = None,
    stories: Sequence[str] = (),
) -> Plan | None:
    """Return the plan that leads, or None where there is none.

    ``plans`` come newest change first, ``configured`` is a path relative to the project root, ``branch`` is
    checked out, ``path`` is that of the plan which the newest log entry was written for, ``spec`` and
    ``stories`` are those of that entry. Each rule decides only where it
    points at some plans and not at others; what it leaves is up to the next.
    """
    rules: tuple[Callable[[Plan], bool], ...] = (
        lambda plan: configured is not None and plan.path == posixpath.normpath(configured),
        lambda plan: branch is not None and plan.branch == branch,
        lambda plan: branch is not None and names_plan(plan, branch.rpartition("/")[2]),
        lambda plan: path is not None and plan.path == path,
        lambda plan: spec is not None and names_plan(plan, spec),
        lambda plan: _holds(plan, stories, spec),
        has_open_stories,
    )
    left = list(plans)
    for rule in rules:
        left = [plan for plan in left if rule(plan)] or left
    return left[0] if left else None


def has_open_stories(plan: Plan) -> bool:
    """Return whether anything is left to do in a plan."""
    return any(story.status in OPEN for story in plan.stories)


def _holds(plan: Plan, stories: Sequence[str], spec: str | None) -> bool:
    if not stories or not may_concern(plan, spec):
        return False
    return {story.id.casefold() for story in plan.stories}.issuperset(map(str.casefold, stories))
