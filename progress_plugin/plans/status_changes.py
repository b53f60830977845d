"""Which stories turned done or blocked since a plan was last seen.

A story that is reopened makes no entry; done once more, it gets the next `nth`, and so an entry of its own.
"""

from typing import NamedTuple

from progress_plugin.model.status import Status
from progress_plugin.model.story import Plan, Story
from progress_plugin.plans.baseline import (
    LOGGED_STATUSES,
    Baseline,
    first_sight,
    statuses_of,
)
from progress_plugin.plans.plan_and_story_identity import is_another, story_key, titles_of


class Transition(NamedTuple):
    """One story that turned done or blocked."""

    plan: str
    """Path of the plan."""
    story: Story
    to: Status
    nth: int
    """1 for the first time this story of this plan turned so."""

    @property
    def key(self) -> tuple[str, str, str, int]:
        """What makes the transition the same one, whichever signal reports it."""
        return (self.plan, story_key(self.story), self.to.value, self.nth)


def transitions(
    old: Baseline | None, plan: Plan, head: str | None, *, own_commit: bool = False
) -> tuple[list[Transition], Baseline]:
    """Return the transitions since ``old`` in file order, and the baseline to keep from now on.

    Nothing is reported at first sight, for another plan under the same path, and where ``head`` has moved,
    unless ``own_commit`` says that this session moved it: a checkout or pull finishes no story. Stories that
    the baseline does not know are not reported either, since nobody saw them open.
    """
    statuses = statuses_of(plan)
    if old is None or is_another(old, plan):
        return [], _silently(first_sight(plan, head), statuses, head)
    if not old.plan_id:
        old = old._replace(plan_id=first_sight(plan, head).plan_id)
    old = old._replace(branch=plan.branch or old.branch, titles=titles_of(plan))
    if head != old.head and not own_commit:
        return [], _silently(old, statuses, head)
    turned = [story for story in _firsts(plan) if _has_turned(story_key(story), old, statuses)]
    found = [_transition(plan, story, statuses[story_key(story)], old) for story in turned]
    counts = {status: dict(old.counts.get(status, {})) for status in LOGGED_STATUSES}
    for transition in found:
        counts[transition.to][story_key(transition.story)] = transition.nth
    return found, _silently(old._replace(counts=counts), statuses, head)


def begun(old: Baseline | None, plan: Plan, head: str | None, *, own_commit: bool = False) -> list[Story]:
    """Return the stories that are in progress and were not when the plan was last seen, in file order.

    None are where `transitions` reports nothing: what a checkout or a pull brings is begun by others.
    """
    if old is None or is_another(old, plan) or (head != old.head and not own_commit):
        return []
    statuses = statuses_of(plan)
    return [
        story
        for story in _firsts(plan)
        if statuses[story_key(story)] is Status.ACTIVE
        and old.statuses.get(story_key(story), Status.ACTIVE) is not Status.ACTIVE
    ]


def _has_turned(name: str, old: Baseline, statuses: dict[str, Status]) -> bool:
    return (
        name in old.statuses
        and statuses[name] in LOGGED_STATUSES
        and statuses[name] is not old.statuses[name]
    )


def _transition(plan: Plan, story: Story, to: Status, old: Baseline) -> Transition:
    return Transition(plan=plan.path, story=story, to=to, nth=old.nth(story, to))


def _firsts(plan: Plan) -> list[Story]:
    return list({story_key(story): story for story in reversed(plan.stories)}.values())[::-1]


def _silently(old: Baseline, statuses: dict[str, Status], head: str | None) -> Baseline:
    """Return the baseline for a plan whose changes are nobody's work here.

    A story found done has turned done at least once; switching between branches does not add up.
    """
    counts = {status: dict(old.counts.get(status, {})) for status in LOGGED_STATUSES}
    for name, status in statuses.items():
        if status in LOGGED_STATUSES:
            counts[status].setdefault(name, 1)
    return old._replace(head=head, statuses=statuses, counts=counts)
