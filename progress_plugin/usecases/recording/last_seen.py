"""What was last seen of plans, kept between hook events in the private state.

Changes are the difference between this and what the files state now, decided without our own log.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from progress_plugin import LAST_SEEN_FORMAT
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.files import content_digest, write_atomic
from progress_plugin.core.paths import make_state_directory, state_file
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import LAST_SEEN_FILE, InputSnapshot
from progress_plugin.model.status import TYPE_OF_STATUS, Status
from progress_plugin.model.work import PlanDocument
from progress_plugin.state.decide import decide
from progress_plugin.state.rules import stated_status
from progress_plugin.state.state import ItemState, PlanState, State
from progress_plugin.text.labels import normalised
from progress_plugin.usecases.reading import Reading

_SPEC = re.compile(r"(?:^|/)(?:specs|prds)/(?:\d{4}-\d{2}-\d{2}-)?([^/]+)/[^/]+$")


class ItemSnapshot(NamedTuple):
    """The title and status of an item, and how often it turned done or blocked."""

    title: str
    status: Status
    turns: int = 0


@dataclass(slots=True)
class PlanSnapshot:
    """A plan by its identity: another plan at the same path has another `id`."""

    id: str
    branch: str | None
    items: dict[str, ItemSnapshot]


@dataclass(frozen=True, slots=True)
class Target:
    """A story of a plan, and what was last seen of the plan."""

    plan: PlanState
    item: ItemState
    name: str  # as in `named_items`
    seen: PlanSnapshot

    @property
    def path(self) -> str:
        """The path of the plan."""
        return self.plan.plan.path

    @property
    def task_id(self) -> str | None:
        """The id as the plan spells it; None if the plan gives none."""
        return self.item.item.id

    @property
    def spec(self) -> str | None:
        """The spec that the ids belong to if each spec numbers its tasks anew."""
        return spec_of(self.plan.plan) if self.path.startswith(".agent-os/") else None

    def key(self, to: Status) -> str:
        """Return what all signals of this turn to done or blocked have in common, as in `data.key`.

        It numbers the turn under way, or the last one: the same before the plan is edited and after.
        """
        seen = self.seen.items.get(self.name) or ItemSnapshot("", Status.PENDING)
        number = seen.turns if seen.turns and seen.status is to else seen.turns + 1
        return f"{self.path}|{self.name}|{to}|{number}"

    def reference(self) -> dict[str, Any]:
        """Return what an entry keeps of the plan, so that it is never taken for one about another plan."""
        facts = {
            "plan": self.path,
            "plan_id": self.seen.id,
            "branch": self.seen.branch,
            "title": self.item.item.title,
        }
        return {name: value for name, value in facts.items() if value}


def spec_of(plan: PlanDocument) -> str | None:
    """Return the name of the spec whose folder a plan is in, without its date."""
    found = _SPEC.search(plan.path)
    return found[1] if found else None


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


def _name(state: ItemState) -> str:
    return state.item.id or f"title:{normalised(state.item.title)}"


def compare_plan(
    plan: PlanState, before: PlanSnapshot | None, *, is_silent: bool
) -> tuple[list[tuple[Target, Status]], PlanSnapshot]:
    """Return which items turned done or blocked since the plan was seen, and the plan as it is seen now.

    There are none at first sight, for another plan at the path, for new items, and if `is_silent`: then a
    checkout or pull brought them. A reopened item makes no entry; finished again, it has the next turn.
    """
    items, branch = named_items(plan), plan.plan.branch
    titles = {name: normalised(each.item.title) for name, each in items.items()}
    if before is None or _is_another_plan(before, branch, titles):
        facts = (plan.plan.path, branch or "", *(f"{name}={titles[name]}" for name in sorted(titles)))
        identity = content_digest("\n".join(facts).encode("utf-8", "replace"))[:8].decode()
        before = PlanSnapshot(identity, branch, {})
    seen = PlanSnapshot(before.id, branch or before.branch, {})
    changes = []
    for name, each in items.items():
        status, old = stated_status(each.reports), before.items.get(name)
        is_news = old is not None and old.status is not status and not is_silent
        turns = old.turns if old else 0
        if status in TYPE_OF_STATUS:
            turns = turns + 1 if is_news else max(turns, 1)
            if is_news:
                changes.append((Target(plan, each, name, seen), status))
        seen.items[name] = ItemSnapshot(titles[name], status, turns)
    return changes, seen


def _is_another_plan(before: PlanSnapshot, branch: str | None, titles: dict[str, str]) -> bool:
    """Return whether a plan has taken the place of the one that was seen at its path.

    It names another branch, no item of the old one is left, or most of the items that both have are called
    otherwise.
    """
    if before.branch and branch and before.branch != branch:
        return True
    pairs = [
        (item.title, titles[name]) for name, item in before.items.items() if item.title and titles.get(name)
    ]
    if not pairs:
        return bool(before.items) and bool(titles)
    return 2 * sum(old != new for old, new in pairs) > len(pairs)


class LastSeen(BaseModel):
    """Plans as they were seen, and the commit that was checked out."""

    model_config = ConfigDict(defer_build=True)

    format: int = Field(default=LAST_SEEN_FORMAT, ge=LAST_SEEN_FORMAT, le=LAST_SEEN_FORMAT)
    head: str | None = None  # the commit that was checked out
    plans: dict[str, PlanSnapshot] = {}
    inputs: dict[str, Any] | None = None  # snapshot of the files that were compared
    is_first: bool = Field(default=True, exclude=True)


def load_last_seen(project: Project) -> LastSeen:
    """Return what was last seen of a project; an empty state if none is kept or it cannot be read."""
    try:
        with open(state_file(project.root, LAST_SEEN_FILE), "rb") as file:
            known = LastSeen.model_validate(json.loads(file.read()))
        return known.model_copy(update={"is_first": False})
    except (OSError, ValueError, RecursionError):
        return LastSeen()


def save_last_seen(last_seen: LastSeen, project: Project, compared: InputSnapshot | None = None) -> None:
    """Write it. A failure costs a signal, not an entry, so it is passed over.

    `compared` are the inputs of a reading of which every change is recorded: until one of them changes again,
    no hook looks any further.
    """
    if compared is not None:
        last_seen.inputs = _plans_and_logs(compared, project).to_data()
    data = json.dumps(last_seen.model_dump()).encode("ascii")  # names of files may be no Unicode
    with suppress(OSError, AgentProgressError):
        path = os.path.join(make_state_directory(project.root), LAST_SEEN_FILE)
        write_atomic(path, data, durable=False, private=True)


def _plans_and_logs(inputs: InputSnapshot, project: Project) -> InputSnapshot:
    """Return what hooks compare of a snapshot: folders and files of the project, without ours."""
    ours = f"{project.directory}/", f"{project.log_directory}/"
    folder = f"{project.root.rstrip('/')}/"
    kept = InputSnapshot(inputs.root)
    for path, stamp in inputs.files.items():
        if not project.path(path).startswith(ours):
            kept.files[path] = stamp
    for path, stamp in inputs.start_files.items():
        if path == project.root or (path.startswith(folder) and not path.startswith(ours)):
            kept.start_files[path] = stamp
    return kept


def compare(last_seen: LastSeen, stated: State, *, is_silent: bool) -> list[tuple[Target, Status]]:
    """Return what has turned done or blocked, and bring `last_seen` up to date; nothing if it is silent.

    `stated` is what the files state without our own log. What is seen for the first time is no news.
    """
    found = []
    for plan in stated.plans:
        changes, seen = compare_plan(plan, last_seen.plans.get(plan.plan.path), is_silent=is_silent)
        last_seen.plans[plan.plan.path] = seen
        found += changes
    return found


def accept_as_seen(reading: Reading) -> Callable[[], None]:
    """Return how to take as known what is seen for the first time, or came with another HEAD.

    That is no work of this checkout. What turned done under the HEAD last seen, or in commits made here
    since, is left for the next hook to record. Git is asked here; what is returned is for a holder of the
    lock.
    """
    project, stated = reading.project, state_of_files(reading)
    head, repository = project.head()[1], project.repository
    is_elsewhere = load_last_seen(project).head != head
    earlier = repository.earlier_heads() if repository is not None and is_elsewhere else ()

    def finish() -> None:
        last_seen = load_last_seen(project)
        is_moved = not last_seen.is_first and last_seen.head != head
        if is_moved and last_seen.head in earlier:
            return
        if not compare(last_seen, stated, is_silent=is_moved):
            last_seen.head = head
            save_last_seen(last_seen, project, reading.inputs)

    return finish


def state_of_files(reading: Reading) -> State:
    """Return what plans and agents' logs state by themselves, without our own log."""
    inputs = reading.facts.inputs
    return decide(inputs.plans, inputs.logs, (), dt.datetime.now().astimezone().date())
