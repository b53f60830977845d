"""Which story of which plan a person, an agent or a signal means."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from progress_plugin.log.entry import CLAIM, EntryDraft, data_of, is_signal, text_of
from progress_plugin.model.status import FINISHED, Status
from progress_plugin.model.work import PlanDocument
from progress_plugin.plans.documents import FORMAT as WORK_LIST
from progress_plugin.state.state import ItemState, PlanState
from progress_plugin.text.labels import normalised
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.reading import Reading
from progress_plugin.usecases.recording.last_seen import LastSeen
from progress_plugin.usecases.recording.plan_snapshot import (
    ItemSnapshot,
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


def find_story(  # noqa: PLR0913, PLR0917 - what may say which plan is meant
    reading: Reading,
    last_seen: LastSeen,
    named: str,
    spec: str | None = None,
    to: Status | None = None,
    session: str | None = None,
) -> Target | None:
    """Return the story that a text names by id or title: of the leading plan, else of the only other plan.

    `spec` chooses the plan if it names one. A story that was finished before this session is not finished
    again (`to`) if exactly one other plan has a story of that name open.
    """
    found = find_stories(reading, last_seen, named, spec)
    plans = explicit_plans(reading.facts.state.plans)
    if not found or (found[0].plan is not plans[0] and len({each.path for each in found}) > 1):
        return None
    if to and not is_chosen(reading, found[0].plan.plan) and _was_over(reading, last_seen, found[0], session):
        others = [each for each in found[1:] if each.item.status not in FINISHED]
        return others[0] if len(others) == 1 else found[0]
    return found[0]


def find_stories(reading: Reading, last_seen: LastSeen, named: str, spec: str | None = None) -> list[Target]:
    """Return the stories of all plans that a text names, those of the leading plan first."""
    plans = explicit_plans(reading.facts.state.plans)
    if spec:
        named_plans = [plan for plan in plans if normalised(spec) in names_of(plan.plan)]
        plans = named_plans or [plan for plan in plans if not plan.plan.path.startswith(".agent-os/specs/")]
    found = []
    for plan in plans:
        items = named_items(plan)
        matches = [(name, items[name]) for name in _names_meant(items, named)]
        if matches:
            seen = compare_plan(plan, last_seen.plans.get(plan.plan.path), is_silent=False)[1]
            found += [Target(plan, item, name, _as_before(seen, last_seen)) for name, item in matches]
    return found


def _as_before(seen: PlanSnapshot, last_seen: LastSeen) -> PlanSnapshot:
    """Return a plan as it was seen before; a plan that was not, as it is now."""
    before = next((plan for plan in last_seen.plans.values() if plan.id == seen.id), None)
    return replace(seen, items=before.items) if before else seen


def _names_meant(items: Mapping[str, ItemState], text: str) -> list[str]:
    """Return the names of the items that a text means by id, title or both, else by its first word."""
    wanted = normalised(text)

    def is_meant(state: ItemState) -> bool:
        item = state.item
        names = (item.id or "", item.title, f"{item.id or ''} {item.title}")
        return bool(wanted) and wanted in map(normalised, names)

    exact = [name for name, state in items.items() if is_meant(state)]
    first = text.strip().split(maxsplit=1)[:1]
    if exact or not first:
        return exact
    word = first[0].strip(":.,-[]()").casefold()
    return [
        name
        for name, state in items.items()
        if state.item.id and not state.item.id.isdigit() and state.item.id.casefold() == word
    ][:1]


def names_of(plan: PlanDocument) -> set[str]:
    """Return the normalised names by which a spec or branch name may mean a plan."""
    branch = plan.branch or ""
    folder = posixpath.basename(posixpath.dirname(plan.path))
    names = (plan.path, plan.name, branch, branch.rpartition("/")[2], spec_of(plan) or "", folder)
    return {normalised(name) for name in names} - {""}


def is_chosen(reading: Reading, plan: PlanDocument) -> bool:
    """Return whether a plan leads by a setting or by its branch."""
    is_set = reading.settings.plan is not None and plan.path == posixpath.normpath(reading.settings.plan)
    return is_set or (plan.branch is not None and plan.branch == reading.facts.branch)


def entries_about(reading: Reading, target: Target) -> Iterator[dict[str, Any]]:
    """Yield the entries about a story."""
    for entry in reading.log.stories_logged():
        story, key = entry.get("story"), text_of(data_of(entry), "key") or ""
        if key.startswith(f"{target.path}|{target.name}|") or (
            isinstance(story, dict)
            and story.get("plan") == target.path
            and text_of(entry, "task_id") == target.task_id is not None
        ):
            yield entry


def _was_over(reading: Reading, last_seen: LastSeen, target: Target, session: str | None) -> bool:
    """Return whether a story was seen finished, and logged by other sessions only."""
    known = last_seen.plans.get(target.path)
    item = known.items.get(target.name) if known and known.id == target.seen.id else None
    if item is None or item.status not in FINISHED or target.item.status not in FINISHED:
        return False
    entries = list(entries_about(reading, target))
    sessions = [data_of(entry).get("session_id") for entry in entries if not is_signal(entry)]
    if not sessions:
        return not entries  # what a signal alone noted waits for words
    return session is not None and None not in sessions and session not in sessions


def choose_namesake(
    reading: Reading, namesakes: Sequence[Target], session: str | None, client_task: object
) -> Target | None:
    """Return which of several stories with one title a task of the client's list has finished.

    The one that this task was about before; else one that this session has finished otherwise; else the first
    open one. None if none is left.
    """
    by_session, left = [], []
    for target in namesakes:
        done = [
            data_of(entry)
            for entry in entries_about(reading, target)
            if entry.get("type") == "task_completed" and data_of(entry).get("key") == target.key(Status.DONE)
        ]
        tasks = [(data.get("session_id"), data.get("client_task")) for data in done]
        if (session, client_task) in tasks:
            return target
        if session is not None and tasks and set(tasks) == {(session, None)}:
            by_session.append(target)
        if not done and target.item.status not in FINISHED:
            left.append(target)
    return next(iter([*by_session, *left]), None)


# What the answer to a logged task or spec says about its name.


def describe_unknown_task(draft: EntryDraft, reading: Reading) -> str:
    """Say that no plan has the task of a draft, and which ids are alike; empty if one has it."""
    task = draft.task_id
    if task is None or draft.spec or draft.story or CLAIM in draft.data:
        return ""
    items = [each.item for plan in explicit_plans(reading.facts.state.plans) for each in plan.items]
    known = {item.id.casefold(): item.id for item in items if item.id}
    known |= {step.id.casefold(): step.id for item in items for step in item.children if step.id}
    if not known or task.casefold() in known:
        return ""
    similar = get_close_matches(task.casefold(), known, MAX_SIMILAR, SIMILARITY)
    text = f"no plan here has a story {_short(task)}; it is written all the same"
    names = ", ".join(_short(known[name]) for name in similar)
    return f"{text}; called alike: {names}" if names else text


def describe_unknown_spec(spec: str | None, found: EntryDraft, reading: Reading) -> str:
    """Say that no plan is called as a spec, and what the entry is taken for; empty if one is."""
    plans = [plan.plan for plan in explicit_plans(reading.facts.state.plans)]
    if spec is None or not plans or any(normalised(spec) in names_of(plan) for plan in plans):
        return ""
    known = {name: plan.path for plan in plans for name in names_of(plan)}
    similar = get_close_matches(normalised(spec), known, MAX_SIMILAR, SIMILARITY)
    story = found.story or {}
    title = f" ({story['title']})" if story.get("title") else ""
    name = _short(f"{found.task_id or 'the story'} of {story.get('plan')}{title}")
    result = f"it is taken for {name}" if story else "it is written all the same"
    text = f"no plan or spec here is called {_short(spec)}; {result}"
    paths = ", ".join(_short(path) for path in dict.fromkeys(known[name] for name in similar))
    return f"{text}; called alike: {paths}" if paths else text


def _short(text: str) -> str:
    return one_line(text, MAX_NAME_CHARS)
