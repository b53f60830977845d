"""The state of a plan as it was last seen, kept between hook events as JSON."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from progress_plugin import BASELINE_FORMAT
from progress_plugin.core.files import content_digest
from progress_plugin.core.paths import state_file
from progress_plugin.model.status import Status
from progress_plugin.model.story import Plan, Story
from progress_plugin.plans.plan_and_story_identity import is_another, story_key, titles_of

BASELINE_FILE = "baseline.json"
LOGGED_STATUSES = (Status.DONE, Status.BLOCKED)
"""The statuses whose transitions become entries."""


class Baseline(NamedTuple):
    """What one plan file said when it was last looked at."""

    head: str | None
    """Commit that was checked out then; None without git."""
    plan_id: str
    """Distinguishes the plan from others at the same path, made of what it said when it was first seen."""
    branch: str | None
    """The branch that it named."""
    titles: dict[str, str]
    """Normalised, by `story_key` of the story."""
    statuses: dict[str, Status]
    """By `story_key` of the story; what is blocked only by its dependencies counts as pending."""
    counts: dict[Status, dict[str, int]]
    """How often each story turned done or blocked, also for stories that left the plan."""

    def nth(self, story: Story, to: Status) -> int:
        """Return the number of the transition to ``to`` that is under way, or just over.

        Every signal of the same completion gets the same number, before the plan is edited as well as
        after.
        """
        turned = self.counts.get(to, {}).get(story_key(story), 0)
        standing = self.statuses.get(story_key(story)) is to
        return turned if standing and turned else turned + 1

    def to_json(self) -> dict[str, Any]:
        """Return the baseline as an object of JSON."""
        counts = {status.value: dict(stories) for status, stories in self.counts.items()}
        statuses = {story: status.value for story, status in self.statuses.items()}
        return {
            "head": self.head, "plan_id": self.plan_id, "branch": self.branch, "titles": self.titles,
            "statuses": statuses, "counts": counts,
        }  # fmt: skip


def from_json(value: object) -> Baseline | None:
    """Return the baseline in a JSON value, or None for any other value, which makes it a first sight."""
    if not isinstance(value, Mapping) or not isinstance(value.get("counts"), Mapping):
        return None
    try:
        counts = {Status(status): _numbers(stories) for status, stories in value["counts"].items()}
        statuses = {str(story): Status(status) for story, status in dict(value["statuses"]).items()}
        titles = {str(story): str(title) for story, title in dict(value.get("titles") or {}).items()}
    except (KeyError, TypeError, ValueError):
        return None
    return Baseline(
        head=_text(value.get("head")),
        plan_id=_text(value.get("plan_id")) or "",
        branch=_text(value.get("branch")),
        titles=titles,
        statuses=statuses,
        counts=counts,
    )


def kept_baselines(path: str) -> dict[str, Any]:
    """Return what is kept at `path`; nothing if it is missing, damaged or of a newer version."""
    try:
        with open(path, encoding="utf-8") as file:
            value = json.load(file)
    except (OSError, ValueError, RecursionError):
        return {}
    is_known = isinstance(value, dict) and value.get("format", BASELINE_FORMAT) == BASELINE_FORMAT
    return value if is_known else {}


def once_done(root: str, plan: Plan) -> frozenset[str]:
    """Return the ids of the stories that a plan was seen to call done in the working tree at this root."""
    known = _kept(root, plan)
    if known is None:
        return frozenset()
    done = known.counts.get(Status.DONE, {})
    return frozenset(story.id for story in plan.stories if done.get(story_key(story)))


def identity_of(root: str, plan: Plan) -> str:
    """Return what distinguishes a plan from all others in this working tree, whatever its state."""
    known = _kept(root, plan)
    return (known.plan_id if known else "") or first_sight(plan, None).plan_id


def _kept(root: str, plan: Plan) -> Baseline | None:
    """Return what is kept of a plan; None of one that takes the place of what was seen at its path."""
    plans = kept_baselines(state_file(root, BASELINE_FILE)).get("plans")
    known = from_json(plans.get(plan.path)) if isinstance(plans, dict) else None
    return None if known is None or is_another(known, plan) else known


def own_status(story: Story) -> Status:
    """Return the status a story has by itself: blocked only by its dependencies, it is still pending."""
    return Status.PENDING if story.status is Status.BLOCKED and story.waits_for else story.status


def first_sight(plan: Plan, head: str | None) -> Baseline:
    """Return the baseline of a plan that is seen for the first time: nothing of it has turned."""
    titles = titles_of(plan)
    told = [plan.path, plan.branch or "", *(f"{name}={titles[name]}" for name in sorted(titles))]
    plan_id = content_digest("\n".join(told).encode("utf-8", "replace"))[:8].decode()
    return Baseline(head=head, plan_id=plan_id, branch=plan.branch, titles=titles, statuses={}, counts={})


def statuses_of(plan: Plan) -> dict[str, Status]:
    """Return the own status of every story of a plan by its identity; the first of two counts."""
    found: dict[str, Status] = {}
    for story in plan.stories:
        found.setdefault(story_key(story), own_status(story))
    return found


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _numbers(value: object) -> dict[str, int]:
    if not isinstance(value, Mapping) or not all(isinstance(number, int) for number in value.values()):
        raise TypeError  # JSON has numbers that are no whole ones, and infinite ones
    return {str(story): int(number) for story, number in value.items()}
