"""Plans as they were last seen, stored in the private state between hook events, and compared with now."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from contextlib import suppress
from typing import Any, NamedTuple

from progress_plugin import LAST_SEEN_FORMAT
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.files import write_atomic
from progress_plugin.core.paths import make_state_directory, state_file
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import LAST_SEEN_FILE, InputSnapshot
from progress_plugin.model.status import TYPE_OF_STATUS, Status
from progress_plugin.model.work import PlanDocument
from progress_plugin.state.rules import stated_status
from progress_plugin.state.state import ItemState, PlanState, State
from progress_plugin.text.labels import normalised, share_word
from progress_plugin.usecases.reading import Reading

_SPEC_PATH = re.compile(r"(?:^|/)(?:specs|prds)/(?:\d{4}-\d{2}-\d{2}-)?([^/]+)/[^/]+$")


class ItemSnapshot(NamedTuple):
    """The normalised title and the status of an item, and how often it turned done or blocked."""

    title: str
    status: Status
    turns: int = 0


class PlanSnapshot(NamedTuple):
    """The branch and the items of a plan."""

    branch: str | None
    items: dict[str, ItemSnapshot]


class PlanStory(NamedTuple):
    """A story of a plan, with the last seen state of the plan."""

    plan: PlanState
    item: ItemState
    name: str  # as in `items_by_key`
    seen: PlanSnapshot

    @property
    def task_id(self) -> str | None:
        """The id as the plan spells it; None if the plan gives none."""
        return self.item.item.id

    @property
    def spec(self) -> str | None:
        """The spec of a plan in `.agent-os/`, where each spec numbers its tasks from one; else None."""
        return spec_of(self.plan.plan) if self.plan.plan.path.startswith(".agent-os/") else None

    def key(self, to: Status) -> str:
        """Return the deduplication key of this status change (`data.key`).

        It is the same before and after the edit of the plan, so that one change makes one entry.
        """
        seen = self.seen.items.get(self.name) or ItemSnapshot("", Status.PENDING)
        number = seen.turns if seen.turns and seen.status is to else seen.turns + 1
        return f"{self.plan.plan.path}|{self.name}|{to}|{number}"

    def reference(self) -> dict[str, Any]:
        """Return the story's plan, branch and title for an entry, which identify the plan."""
        facts = {"plan": self.plan.plan.path, "branch": self.seen.branch, "title": self.item.item.title}
        return {name: value for name, value in facts.items() if value}


def spec_of(plan: PlanDocument) -> str | None:
    """Return the name of the spec whose folder a plan is in, without its date."""
    found = _SPEC_PATH.search(plan.path)
    return found[1] if found else None


def items_by_key(plan: PlanState) -> dict[str, ItemState]:
    """Return the leaves by id or title; if several have the same one, with the names of their parents."""
    counts = Counter(item_key(each) for each in plan.items)
    found: dict[str, ItemState] = {}
    for each in plan.items:
        name = item_key(each)
        if counts[name] > 1:
            name = "/".join([*(parent.id or normalised(parent.title) for parent in each.parents), name])
        found.setdefault(name, each)
    return found


def item_key(state: ItemState) -> str:
    """Return the id of an item, else its normalised title after `title:`."""
    return state.item.id or f"title:{normalised(state.item.title)}"


class LastSeen(NamedTuple):
    """Plans by path as they were seen, and the commit that was checked out; neither if nothing is stored."""

    plans: dict[str, PlanSnapshot]
    head: str | None = None
    is_first: bool = True


def load(project: Project) -> LastSeen:
    """Load the plans as they were last seen; an empty state if none is stored or it cannot be read."""
    try:
        with open(state_file(project.root, LAST_SEEN_FILE), "rb") as file:
            data = json.loads(file.read())
        if data.get("format", LAST_SEEN_FORMAT) != LAST_SEEN_FORMAT:
            return LastSeen({})
        plans = {}
        for path, plan in data["plans"].items():
            items = {name: ItemSnapshot(*each) for name, each in plan["items"].items()}
            items = {name: each._replace(status=Status(each.status)) for name, each in items.items()}
            plans[path] = PlanSnapshot(plan["branch"], items)
        return LastSeen(plans, data["head"], is_first=False)
    except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return LastSeen({})


def save(
    plans: dict[str, PlanSnapshot], reading: Reading, *, head: str | None, is_recorded: bool = True
) -> None:
    """Store plans and HEAD as seen. A failure is ignored: the next comparison finds the same changes again.

    If all changes of this reading are recorded, hooks skip the project until one of its files changes.
    """
    project, inputs = reading.project, reading.inputs
    ours = f"{project.directory}/", f"{project.log_directory}/"
    folder = f"{project.root.rstrip('/')}/"
    compared = InputSnapshot(inputs.root)
    compared.files = {
        path: stamp for path, stamp in inputs.files.items() if not project.path(path).startswith(ours)
    }
    compared.start_files = {
        path: stamp
        for path, stamp in inputs.start_files.items()
        if path == project.root or (path.startswith(folder) and not path.startswith(ours))
    }
    data = {
        "format": LAST_SEEN_FORMAT,
        "head": head,
        "plans": {path: plan._asdict() for path, plan in plans.items()},
        "inputs": compared.to_data() if is_recorded else {},
    }
    with suppress(OSError, AgentProgressError):
        path = os.path.join(make_state_directory(project.root), LAST_SEEN_FILE)
        # in ASCII, because names of files may not be valid Unicode
        write_atomic(path, json.dumps(data).encode("ascii"), durable=False, private=True)


def compare(last_seen: LastSeen, state: State, *, is_silent: bool) -> list[tuple[PlanStory, Status]]:
    """Return the stories that turned done or blocked since the plans were seen, and update `last_seen`.

    Only the files count, not our own log. A new item brings no change, nor does a plan that is new or has
    another branch now. With `is_silent` nothing brings one: a checkout or pull brought the changes. Reopening
    an item is no change either; if it is finished again, its `turns` rise.
    """
    changes = []
    for plan in state.plans:
        path, branch = plan.plan.path, plan.plan.branch
        before = last_seen.plans.get(path) or PlanSnapshot(branch, {})
        if before.branch and branch and before.branch != branch:
            before = PlanSnapshot(branch, {})
        seen = last_seen.plans[path] = PlanSnapshot(branch or before.branch, {})
        for name, each in items_by_key(plan).items():
            status = stated_status([report for report in each.reports if not report.record])
            title, old = normalised(each.item.title), before.items.get(name)
            if old and not share_word(old.title, title):
                old = None  # an item of another plan
            is_news = old is not None and old.status is not status and not is_silent
            turns = old.turns if old else 0
            if status in TYPE_OF_STATUS:
                turns = turns + 1 if is_news else max(turns, 1)
                if is_news:
                    changes.append((PlanStory(plan, each, name, seen), status))
            seen.items[name] = ItemSnapshot(title, status, turns)
    return changes


def mark_as_seen(reading: Reading) -> None:
    """Store new items, and items that came with another HEAD, as seen: they are not work of this checkout.

    Changes without a new HEAD, or in commits made here, are left for the next hook to record. The caller
    holds the lock, if the project has our directory. Calls git if HEAD has moved.
    """
    last_seen, repository = load(reading.project), reading.project.repository
    is_moved = not last_seen.is_first and last_seen.head != reading.commit
    is_committed_here = is_moved and repository is not None and last_seen.head in repository.earlier_heads()
    before = dict(last_seen.plans)
    changes = compare(last_seen, reading.facts.state, is_silent=is_moved and not is_committed_here)
    for story, _ in changes:
        path = story.plan.plan.path
        last_seen.plans[path].items[story.name] = before[path].items[story.name]
    if changes or is_committed_here:
        save(last_seen.plans, reading, head=last_seen.head, is_recorded=False)
    else:
        save(last_seen.plans, reading, head=reading.commit)
