"""Which story of which plan a person, an agent or a signal means."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from progress_plugin.log.entry import CLAIM, EntryDraft
from progress_plugin.model.status import Status
from progress_plugin.model.work import PlanDocument
from progress_plugin.plans.documents import FORMAT as WORK_LIST
from progress_plugin.state.state import ItemState, PlanState
from progress_plugin.text.labels import normalised
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.reading import Reading
from progress_plugin.usecases.recording.last_seen import (
    ItemSnapshot,
    LastSeen,
    PlanSnapshot,
    compare_plan,
    named_items,
)

MAX_NAME_CHARS = 90
MAX_SIMILAR = 3
SIMILARITY = 0.7
_SPEC = re.compile(r"(?:^|/)(?:specs|prds)/(?:\d{4}-\d{2}-\d{2}-)?([^/]+)/[^/]+$")


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
        """Return what all signals of this turn to done or blocked have in common, as in `data.key`."""
        seen = self.seen.items.get(self.name) or ItemSnapshot("", Status.PENDING)
        return f"{self.path}|{self.name}|{to}|{seen.nth(to)}"

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


def explicit_plans(plans: Iterable[PlanState]) -> list[PlanState]:
    """Return the plans that are no lists of work in an agent's log."""
    return [plan for plan in plans if plan.plan.format != WORK_LIST]


def find_story(reading: Reading, last_seen: LastSeen, named: str, spec: str | None = None) -> Target | None:
    """Return the story that a text names by id or title: of the leading plan, else of the only other plan.

    `spec` chooses the plan if it names one. A name that several stories of the plan share names none of them.
    """
    plans = explicit_plans(reading.facts.state.plans)
    leading = plans[0] if plans else None
    if spec:
        chosen = [plan for plan in plans if normalised(spec) in names_of(plan.plan)]
        plans = chosen or [plan for plan in plans if not plan.plan.path.startswith(".agent-os/specs/")]
    matches = [(plan, names) for plan in plans if (names := _names_meant(named_items(plan), named))]
    if not matches or (matches[0][0] is not leading and len(matches) > 1):
        return None
    plan, names = matches[0]
    if len(names) > 1:
        return None
    return Target(plan, named_items(plan)[names[0]], names[0], _as_before(plan, last_seen))


def _as_before(plan: PlanState, last_seen: LastSeen) -> PlanSnapshot:
    """Return a plan as it was seen before; a plan that was not, as it is now."""
    seen = compare_plan(plan, last_seen.plans.get(plan.plan.path), is_silent=False)[1]
    before = next((each for each in last_seen.plans.values() if each.id == seen.id), None)
    return replace(seen, items=before.items) if before else seen


def _names_meant(items: Mapping[str, ItemState], text: str) -> list[str]:
    """Return the names of the items that a text means by id, title or both, else by its first word."""
    wanted, words = normalised(text), text.split(maxsplit=1)
    exact, by_id = [], []
    for name, state in items.items():
        number, title = state.item.id or "", state.item.title
        if wanted and wanted in map(normalised, (number, title, f"{number} {title}")):
            exact.append(name)
        elif words and number.casefold() == words[0].strip(":.,-[]()").casefold() and not number.isdigit():
            by_id.append(name)
    return exact or [name for name in by_id if items[name].item.id]


def names_of(plan: PlanDocument) -> set[str]:
    """Return the normalised names by which a spec or branch name may mean a plan."""
    branch = plan.branch or ""
    folder = posixpath.basename(posixpath.dirname(plan.path))
    names = (plan.path, plan.name, branch, branch.rpartition("/")[2], spec_of(plan) or "", folder)
    return {normalised(name) for name in names} - {""}


def describe_unknown(draft: EntryDraft, spec: str | None, reading: Reading) -> list[str]:
    """Say if no plan has the task of a draft, or is called as the given `spec`, and which are alike."""
    plans = explicit_plans(reading.facts.state.plans)
    notes = []
    specs = {name: plan.plan.path for plan in plans for name in names_of(plan.plan)}
    if spec is not None and plans and normalised(spec) not in specs:
        place = f"{draft.task_id or 'the story'} of {draft.story.get('plan')}" if draft.story else ""
        result = f"it is taken for {_short(place)}" if place else "it is written all the same"
        similar = describe_similar(normalised(spec), specs)
        notes.append(f"no plan or spec here is called {_short(spec)}; {result}{similar}")
    known = known_stories(plans)
    task = "" if draft.spec or draft.story or CLAIM in draft.data else draft.task_id or ""
    if task and known and task.casefold() not in known:
        similar = describe_similar(task.casefold(), known)
        notes.append(f"no plan here has a story {_short(task)}; it is written all the same{similar}")
    return notes


def known_stories(plans: Iterable[PlanState]) -> dict[str, str]:
    """Return the ids of the items of plans, by their small letters."""
    items = [item for plan in plans for each in plan.items for item in (each.item, *each.item.children)]
    return {item.id.casefold(): item.id for item in items if item.id}


def describe_similar(name: str, known: Mapping[str, str]) -> str:
    """Return which known names are like a name, as the end of a sentence; empty for none."""
    similar = get_close_matches(name, known, MAX_SIMILAR, SIMILARITY)
    names = ", ".join(_short(each) for each in dict.fromkeys(known[key] for key in similar))
    return f"; called alike: {names}" if names else ""


def _short(text: str) -> str:
    return one_line(text, MAX_NAME_CHARS)
