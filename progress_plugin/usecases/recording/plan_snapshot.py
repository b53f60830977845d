"""One plan as it was last seen, and which of its items have turned done or blocked since."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from progress_plugin.core.files import content_digest
from progress_plugin.model.status import Status
from progress_plugin.state.rules import stated_status
from progress_plugin.state.state import ItemState, PlanState
from progress_plugin.text.labels import normalised

LOGGED = (Status.DONE, Status.BLOCKED)  # the statuses that become entries


@dataclass(slots=True)
class ItemSnapshot:
    """The title and status of an item, and how often it turned done and blocked."""

    title: str
    status: Status
    turns: dict[Status, int] = field(default_factory=lambda: dict.fromkeys(LOGGED, 0))

    def nth(self, to: Status) -> int:
        """Return the number of the turn to a status that is under way or was the last one.

        Every signal of the same completion gets the same number, before the plan is edited and after.
        """
        count = self.turns[to]
        return count if count and self.status is to else count + 1


@dataclass(slots=True)
class PlanSnapshot:
    """A plan by its identity: another plan at the same path has another `id`."""

    id: str
    branch: str | None
    items: dict[str, ItemSnapshot]

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> PlanSnapshot:
        """Return the plan from JSON data. Raises KeyError, TypeError or ValueError for other data."""
        items = {
            name: ItemSnapshot(title, Status(status), {Status.DONE: int(done), Status.BLOCKED: int(blocked)})
            for name, (title, status, done, blocked) in data["items"].items()
        }
        return cls(data["id"], data["branch"], items)

    def to_data(self) -> dict[str, Any]:
        """Return the plan as JSON data."""
        items = {
            name: (item.title, item.status.value, *(item.turns[status] for status in LOGGED))
            for name, item in self.items.items()
        }
        return {"id": self.id, "branch": self.branch, "items": items}


@dataclass(frozen=True, slots=True)
class Change:
    """An item that has turned done or blocked."""

    plan: PlanState
    item: ItemState
    name: str  # as in `named_items`
    to: Status


def named_items(plan: PlanState) -> dict[str, ItemState]:
    """Return the leaves by id or title, those with the same one by the names of their parents as well."""
    counts = Counter(_name(each) for each in plan.items)
    found: dict[str, ItemState] = {}
    for each in plan.items:
        name = _name(each)
        if counts[name] > 1:
            name = "/".join([*(parent.id or normalised(parent.title) for parent in each.parents), name])
        found.setdefault(name, each)
    return found


def compare_plan(
    plan: PlanState, before: PlanSnapshot | None, *, is_silent: bool
) -> tuple[list[Change], PlanSnapshot]:
    """Return the changes of a plan since it was seen, in its order, and the plan as it is seen now.

    There are none at first sight, for another plan at the path, for new items, and if `is_silent`: then a
    checkout or pull brought them. A reopened item makes no entry; finished again, it has the next `nth`.
    """
    items = named_items(plan)
    titles = {name: normalised(each.item.title) for name, each in items.items()}
    if before is None or is_another_plan(before, plan.plan.branch, titles):
        before = PlanSnapshot(_identity(plan, titles), plan.plan.branch, {})
    seen = PlanSnapshot(before.id, plan.plan.branch or before.branch, {})
    changes = []
    for name, each in items.items():
        status, old = stated_status(each.reports), before.items.get(name)
        now = (
            ItemSnapshot(titles[name], status, dict(old.turns)) if old else ItemSnapshot(titles[name], status)
        )
        is_news = old is not None and old.status is not status and not is_silent
        if status in LOGGED:
            now.turns[status] = now.turns[status] + 1 if is_news else max(now.turns[status], 1)
        if is_news and status in LOGGED:
            changes.append(Change(plan, each, name, status))
        seen.items[name] = now
    return changes, seen


def is_another_plan(before: PlanSnapshot, branch: str | None, titles: Mapping[str, str]) -> bool:
    """Return whether a plan has taken the place of the one that was seen at its path.

    It names another branch, no item of the old one is left, or most of the items that both have are called
    otherwise. A single one may be put in other words as long as one word is the same.
    """
    if before.branch and branch and before.branch != branch:
        return True
    pairs = [
        (item.title, titles[name]) for name, item in before.items.items() if item.title and titles.get(name)
    ]
    if not pairs:
        return bool(before.items) and bool(titles)
    if len(pairs) == 1:
        return not set(pairs[0][0].split()) & set(pairs[0][1].split())
    return 2 * sum(old != new for old, new in pairs) > len(pairs)


def _identity(plan: PlanState, titles: Mapping[str, str]) -> str:
    facts: Iterable[str] = (
        plan.plan.path, plan.plan.branch or "", *(f"{name}={titles[name]}" for name in sorted(titles)),
    )  # fmt: skip
    return content_digest("\n".join(facts).encode("utf-8", "replace"))[:8].decode()


def _name(state: ItemState) -> str:
    return state.item.id or f"title:{normalised(state.item.title)}"
