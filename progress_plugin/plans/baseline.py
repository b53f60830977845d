"""The state of a plan as it was last seen, kept between hook events as JSON (S11.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from progress_plugin.model.status import Status
from progress_plugin.model.story import Plan, Story
from progress_plugin.plans.naming import identity

COUNTED = (Status.DONE, Status.BLOCKED)
"""The statuses whose transitions become entries."""


class Baseline(NamedTuple):
    """What one plan file said when it was last looked at."""

    head: str | None
    """Commit that was checked out then; None without git."""
    about: str
    """What the plan is called: another name or branch under the same path is another plan."""
    statuses: dict[str, Status]
    """By `identity` of the story; what is blocked only by its dependencies counts as pending."""
    counts: dict[Status, dict[str, int]]
    """How often each story turned done or blocked, also for stories that left the plan."""

    def nth(self, story: Story, to: Status) -> int:
        """Return the number of the transition to ``to`` that is under way, or just over.

        Every signal of the same completion gets the same number, before the plan is edited as well as
        after (S11.3).
        """
        turned = self.counts.get(to, {}).get(identity(story), 0)
        standing = self.statuses.get(identity(story)) is to
        return turned if standing and turned else turned + 1

    def to_json(self) -> dict[str, Any]:
        """Return the baseline as an object of JSON."""
        counts = {status.value: dict(stories) for status, stories in self.counts.items()}
        statuses = {story: status.value for story, status in self.statuses.items()}
        return {"head": self.head, "about": self.about, "statuses": statuses, "counts": counts}


def from_json(value: object) -> Baseline | None:
    """Return the baseline in a JSON value, or None for any other value, which makes it a first sight."""
    if not isinstance(value, Mapping) or not isinstance(value.get("counts"), Mapping):
        return None
    try:
        counts = {Status(status): _numbers(stories) for status, stories in value["counts"].items()}
        statuses = {str(story): Status(status) for story, status in dict(value["statuses"]).items()}
    except (KeyError, TypeError, ValueError):
        return None
    return Baseline(head=value.get("head"), about=str(value.get("about")), statuses=statuses, counts=counts)


def own_status(story: Story) -> Status:
    """Return the status a story has by itself: blocked only by its dependencies, it is still pending."""
    return Status.PENDING if story.status is Status.BLOCKED and story.waits_for else story.status


def about(plan: Plan) -> str:
    """Return what tells a plan from the next one that is put in its place."""
    return f"{plan.name or ''} {plan.branch or ''}".strip()


def statuses_of(plan: Plan) -> dict[str, Status]:
    """Return the own status of every story of a plan by its identity; the first of two counts."""
    found: dict[str, Status] = {}
    for story in plan.stories:
        found.setdefault(identity(story), own_status(story))
    return found


def _numbers(value: object) -> dict[str, int]:
    if not isinstance(value, Mapping):
        raise TypeError
    return {str(story): int(number) for story, number in value.items()}
