"""Which story of a plan a person, an agent or a signal means, and the entries for what signals report.

Signals are changed plans, the client's task list, and commits that prove a story.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from typing import Any

from progress_plugin.core.project import Project
from progress_plugin.log.entry import NO_REASON, EntryDraft, data_of, text_of, time_of, writer_of
from progress_plugin.log.pending_events import PendingEvent
from progress_plugin.log.store import LogHistory
from progress_plugin.model.status import TYPE_OF_STATUS, Status
from progress_plugin.model.work import PlanDocument
from progress_plugin.plans.documents import FORMAT as WORK_LIST
from progress_plugin.state.decide import blocking_reason
from progress_plugin.state.state import ItemState, PlanState, State
from progress_plugin.text.bounds import shortened
from progress_plugin.text.labels import normalised
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.reading import Reading
from progress_plugin.usecases.recording.last_seen import (
    LastSeen,
    Target,
    compare,
    compare_plan,
    named_items,
    spec_of,
)

MAX_NAME_CHARS = 90
MAX_SIMILAR = 3
SIMILARITY = 0.7
MAX_NOTE_CHARS = 1000
MAX_WAIT = timedelta(days=1)  # of a finished story for its commit
MAX_PROVEN = 20  # finished stories that one commit is noted for: each note repeats its files
_NAME = re.compile(r"[\w.#-]+")


@dataclass(frozen=True, slots=True)
class Head:
    """The commit that is checked out, and how HEAD has moved there since plans and logs were looked at."""

    id: str | None
    is_moved: bool = False
    is_new: bool = False  # whether only commits made here have moved it since then
    when: datetime | None = None  # it was made here; None if it was not
    files: Sequence[str] = ()  # that it changed
    named: frozenset[str] = frozenset()  # ids of stories in its subject, in small letters

    def proof_of(self, task: str | None) -> dict[str, Any]:
        """Return what an entry of a finished story says of the commit; empty if that is no evidence.

        It is if it names the story; or if it names none, and is new.
        """
        is_proof = (task or "").casefold() in self.named if self.named else self.is_new
        return {"commit": self.id, "files_modified": list(self.files)} if is_proof and self.when else {}


def read_head(project: Project, last_seen: LastSeen, plans: Iterable[PlanState]) -> Head:
    """Ask git, which may take its time: the caller holds no lock."""
    repository, head = project.repository, project.head()[1]
    is_moved = not last_seen.is_first and last_seen.head != head
    last = repository.last_local_commit() if repository else None
    if repository is None or last is None or last.id != head:
        return Head(head, is_moved)
    is_new = is_moved and last_seen.head in repository.earlier_heads()
    words = {word.strip(".-#").casefold() for word in _NAME.findall(last.subject)}
    ids = {each.item.id.casefold() for plan in plans for each in plan.items if each.item.id}
    named = frozenset(name for name in words & ids if not (name.isdigit() or name.isalpha()))
    files = repository.files_of(head) if is_new or named else ()
    return Head(head, is_moved, is_new, datetime.fromtimestamp(last.time, UTC), files, named)


def find_changes(stated: State, last_seen: LastSeen, head: Head) -> list[EntryDraft]:
    """Return entries for what has changed since the last look, and bring `last_seen` up to date.

    `stated` is what the files state without our own log. What a checkout, a pull or a merge brought is no
    change.
    """
    is_silent = last_seen.is_first or (head.is_moved and not head.is_new)
    drafts = []
    for target, to in compare(last_seen, stated, is_silent=is_silent):
        draft = _draft_of_story(target, to)
        drafts.append(draft._replace(data=draft.data | head.proof_of(target.task_id)))
    last_seen.head = head.id
    return drafts


def _draft_of_story(target: Target, to: Status) -> EntryDraft:
    item = target.item.item
    data: dict[str, Any] = {"description": item.title or item.id or "", "key": target.key(to)}
    if item.notes:
        data["notes"] = shortened(item.notes, MAX_NOTE_CHARS)
    if to is Status.BLOCKED:
        data["issue"] = blocking_reason(target.item) or item.notes or NO_REASON
    draft = EntryDraft(TYPE_OF_STATUS[to], data, task_id=target.task_id, signal="log")
    if not explicit_plans([target.plan]):  # a list of work in an agent's log is no plan to refer to
        return draft
    return draft._replace(spec=target.spec, story=target.reference(), signal="plan")


def draft_of_task(reading: Reading, last_seen: LastSeen, event: PendingEvent) -> EntryDraft | None:
    """Return the entry for a finished task of the client's list; None if all of its subject was private."""
    subject = text_of(event.facts, "subject")
    if subject is None:
        return None
    details = shortened(text_of(event.facts, "details") or "", MAX_NOTE_CHARS, "…")
    client_task = event.facts.get("client_task")
    target = find_story(reading, last_seen, subject)
    if target is None:
        key = f"{event.session}|{client_task}|{subject}"
        draft = EntryDraft("task_completed", {"description": subject, "key": key, "client_task": client_task})
    else:
        draft = _draft_of_story(target, Status.DONE)
    parts = (details if details != subject else "", draft.data.get("notes"))
    notes = "\n".join(filter(None, parts))
    data = draft.data | ({"notes": notes} if notes else {})
    name = target.task_id if target else None
    if target and name and subject.casefold().startswith(name.casefold()):
        words = subject[len(name) :].strip(" :-–—")
        if normalised(words) not in {"", normalised(target.item.item.title)}:
            return draft._replace(data=data | {"description": words}, signal=None)
    return draft._replace(data=data, signal="task list")


def find_evidence(log: LogHistory, branch: str | None, session: str | None, head: Head) -> list[EntryDraft]:
    """Return supplements by which a new commit proves stories that were finished in the day before it.

    Those are stories of this session, and of no known session, on the branch of the commit.
    """
    if not head.is_new or head.when is None:
        return []
    proven: list[EntryDraft] = []
    for entry in log.entries:
        data, task, finished = data_of(entry), text_of(entry, "task_id"), time_of(entry)
        owner = text_of(data, "session_id")
        is_ours = writer_of(entry) is None and owner in (None, session)
        is_unproven = entry.get("type") == "task_completed" and "commit" not in data
        if not (is_ours and is_unproven and finished and text_of(entry, "branch") == branch):
            continue
        proof = head.proof_of(task) if timedelta() <= head.when - finished <= MAX_WAIT else {}
        if proof:
            facts = {"supplements": text_of(data, "supplements") or text_of(entry, "id"), **proof}
            spec = text_of(entry, "spec")
            proven.append(EntryDraft("task_completed", facts, spec=spec, task_id=task, signal="commit"))
    return proven[-MAX_PROVEN:]


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
        chosen = [plan for plan in plans if normalised(spec) in _names_of(plan.plan)]
        plans = chosen or [plan for plan in plans if not plan.plan.path.startswith(".agent-os/specs/")]
    matches = [(plan, names) for plan in plans if (names := _names_meant(named_items(plan), named))]
    if not matches or (matches[0][0] is not leading and len(matches) > 1):
        return None
    plan, names = matches[0]
    if len(names) > 1:
        return None
    seen = compare_plan(plan, last_seen.plans.get(plan.plan.path), is_silent=False)[1]
    return Target(plan, named_items(plan)[names[0]], names[0], seen)


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


def _names_of(plan: PlanDocument) -> set[str]:
    """Return the normalised names by which a spec or branch name may mean a plan."""
    branch = plan.branch or ""
    folder = posixpath.basename(posixpath.dirname(plan.path))
    names = (plan.path, plan.name, branch, branch.rpartition("/")[2], spec_of(plan) or "", folder)
    return {normalised(name) for name in names} - {""}


def describe_unknown(draft: EntryDraft, spec: str | None, reading: Reading) -> list[str]:
    """Say if no plan has the task of a draft, or is called as the given `spec`, and which are alike."""
    plans = explicit_plans(reading.facts.state.plans)
    notes = []
    specs = {name: plan.plan.path for plan in plans for name in _names_of(plan.plan)}
    if spec and plans and normalised(spec) not in specs:
        similar = describe_similar(normalised(spec), specs)
        notes.append(f"no plan or spec here is called {_short(spec)}; it is written all the same{similar}")
    items = [item for plan in plans for each in plan.items for item in (each.item, *each.item.children)]
    known = {item.id.casefold(): item.id for item in items if item.id}
    task = "" if draft.spec or draft.story else draft.task_id or ""
    if task and known and task.casefold() not in known:
        similar = describe_similar(task.casefold(), known)
        notes.append(f"no plan here has a story {_short(task)}; it is written all the same{similar}")
    return notes


def describe_similar(name: str, known: Mapping[str, str]) -> str:
    """Return which known names are like a name, as the end of a sentence; empty for none."""
    similar = get_close_matches(name, known, MAX_SIMILAR, SIMILARITY)
    names = ", ".join(_short(each) for each in dict.fromkeys(known[key] for key in similar))
    return f"; called alike: {names}" if names else ""


def _short(text: str) -> str:
    return one_line(text, MAX_NAME_CHARS)
