"""Entry drafts for changed plans, finished tasks of the client and commits; the story that a text names.

A change is a difference between the plans as they were last seen and as they are now, decided without our own
log.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from progress_plugin import LAST_SEEN_FORMAT
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.files import content_digest, write_atomic
from progress_plugin.core.paths import make_state_directory, state_file
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import LAST_SEEN_FILE, InputSnapshot
from progress_plugin.log.entry import NO_REASON, EntryDraft, data_of, text_of, time_of, writer_of
from progress_plugin.log.pending_events import PendingEvent
from progress_plugin.log.store import LogHistory
from progress_plugin.model.status import TYPE_OF_STATUS, Status
from progress_plugin.model.work import PlanDocument
from progress_plugin.plans.documents import FORMAT as WORK_LIST
from progress_plugin.state.decide import blocking_reason, decide
from progress_plugin.state.rules import stated_status
from progress_plugin.state.state import ItemState, PlanState, State
from progress_plugin.text.bounds import shortened
from progress_plugin.text.labels import normalised
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.reading import Reading

MAX_NAME_CHARS = 90
MAX_SIMILAR = 3
SIMILARITY = 0.7
MAX_NOTE_CHARS = 1000
MAX_WAIT = timedelta(days=1)  # of a finished story for its commit
MAX_PROVEN = 20  # finished stories that one commit is noted for: each note repeats its files
_NAME = re.compile(r"[\w.#-]+")
_SPEC = re.compile(r"(?:^|/)(?:specs|prds)/(?:\d{4}-\d{2}-\d{2}-)?([^/]+)/[^/]+$")


class ItemSnapshot(NamedTuple):
    """The title and status of an item, and how often it turned done or blocked."""

    title: str
    status: Status
    turns: int = 0


class PlanSnapshot(NamedTuple):
    """A plan by its identity: another plan at the same path has another `id`."""

    id: str
    branch: str | None
    items: dict[str, ItemSnapshot]


class Target(NamedTuple):
    """A story of a plan, and what was last seen of the plan."""

    plan: PlanState
    item: ItemState
    name: str  # as in `items_by_name`
    seen: PlanSnapshot

    @property
    def task_id(self) -> str | None:
        """The id as the plan spells it; None if the plan gives none."""
        return self.item.item.id

    @property
    def spec(self) -> str | None:
        """The spec that the ids belong to if each spec numbers its tasks anew."""
        return spec_of(self.plan.plan) if self.plan.plan.path.startswith(".agent-os/") else None

    def key(self, to: Status) -> str:
        """Return the deduplication key of this status change (`data.key`).

        It numbers the current change, or the last one: the same before the plan is edited and after.
        """
        seen = self.seen.items.get(self.name) or ItemSnapshot("", Status.PENDING)
        number = seen.turns if seen.turns and seen.status is to else seen.turns + 1
        return f"{self.plan.plan.path}|{self.name}|{to}|{number}"

    def reference(self) -> dict[str, Any]:
        """Return the story's plan, branch and title for an entry, which identify the plan."""
        facts = {
            "plan": self.plan.plan.path,
            "plan_id": self.seen.id,
            "branch": self.seen.branch,
            "title": self.item.item.title,
        }
        return {name: value for name, value in facts.items() if value}


def spec_of(plan: PlanDocument) -> str | None:
    """Return the name of the spec whose folder a plan is in, without its date."""
    found = _SPEC.search(plan.path)
    return found[1] if found else None


def items_by_name(plan: PlanState) -> dict[str, ItemState]:
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
    """Return the items that turned done or blocked since the plan was seen, and the plan as it is seen now.

    A plan seen for the first time, another plan at the path and new items have no changes. With `is_silent`
    there are none either: a checkout or pull brought them. An item that is reopened makes no entry; if it is
    finished again, it has the next turn.
    """
    items, branch = items_by_name(plan), plan.plan.branch
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
    """Return whether another plan replaced the one that was seen at its path.

    It names another branch, it shares no item with the old plan, or most shared items have another title.
    """
    if before.branch and branch and before.branch != branch:
        return True
    pairs = [
        (item.title, titles[name]) for name, item in before.items.items() if item.title and titles.get(name)
    ]
    if not pairs:
        return bool(before.items) and bool(titles)
    return 2 * sum(old != new for old, new in pairs) > len(pairs)


@dataclass(slots=True)
class LastSeen:
    """Plans as they were seen, and the commit that was checked out."""

    head: str | None = None  # the commit that was checked out
    plans: dict[str, PlanSnapshot] = field(default_factory=dict)
    inputs: dict[str, Any] | None = None  # snapshot of the files that were compared
    is_first: bool = True  # nothing was kept


def load_last_seen(project: Project) -> LastSeen:
    """Load the plans as they were last seen; an empty state if none is stored or it cannot be read."""
    try:
        with open(state_file(project.root, LAST_SEEN_FILE), "rb") as file:
            data = json.loads(file.read())
        if data.get("format", LAST_SEEN_FORMAT) != LAST_SEEN_FORMAT:
            return LastSeen()
        plans = {path: _plan_of(plan) for path, plan in data["plans"].items()}
        return LastSeen(data["head"], plans, data["inputs"], is_first=False)
    except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return LastSeen()


def _plan_of(data: dict[str, Any]) -> PlanSnapshot:
    items = {
        name: ItemSnapshot(title, Status(status), turns)
        for name, (title, status, turns) in data["items"].items()
    }
    return PlanSnapshot(data["id"], data["branch"], items)


def save_last_seen(last_seen: LastSeen, project: Project, compared: InputSnapshot | None = None) -> None:
    """Store the plans as they were last seen. A failure loses a signal, not an entry, so it is ignored.

    `compared`: inputs whose changes are all recorded. Hooks skip the project until one changes.
    """
    if compared is not None:
        last_seen.inputs = _plans_and_logs(compared, project).to_data()
    data = {
        "format": LAST_SEEN_FORMAT,
        "head": last_seen.head,
        "plans": {path: plan._asdict() for path, plan in last_seen.plans.items()},
        "inputs": last_seen.inputs,
    }
    with suppress(OSError, AgentProgressError):
        path = os.path.join(make_state_directory(project.root), LAST_SEEN_FILE)
        # in ASCII, because names of files may be no Unicode
        write_atomic(path, json.dumps(data).encode("ascii"), durable=False, private=True)


def _plans_and_logs(inputs: InputSnapshot, project: Project) -> InputSnapshot:
    """Return the part of a snapshot that hooks compare: folders and files of the project, without ours."""
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
    """Return the stories that turned done or blocked, and update `last_seen`; none if `is_silent`.

    `stated` is the state of the files without our own log. Items seen for the first time are not changes.
    """
    found = []
    for plan in stated.plans:
        changes, seen = compare_plan(plan, last_seen.plans.get(plan.plan.path), is_silent=is_silent)
        last_seen.plans[plan.plan.path] = seen
        found += changes
    return found


def mark_as_seen(reading: Reading) -> None:
    """Store new items, and items that came with another HEAD, as seen: they are not work of this checkout.

    Changes under the HEAD last seen, or in commits made here since, are left for the next hook to record. The
    caller holds the lock, if the project has our directory. Calls git if HEAD has moved.
    """
    project, head = reading.project, reading.commit
    last_seen, repository = load_last_seen(project), project.repository
    is_moved = not last_seen.is_first and last_seen.head != head
    if is_moved and repository is not None and last_seen.head in repository.earlier_heads():
        return
    if not compare(last_seen, state_of_files(reading), is_silent=is_moved):
        last_seen.head = head
        save_last_seen(last_seen, project, reading.inputs)


def state_of_files(reading: Reading) -> State:
    """Decide the state of plans and agents' logs without our own log."""
    inputs = reading.facts.inputs
    return decide(inputs.plans, inputs.logs, (), dt.datetime.now().astimezone().date())


class Head(NamedTuple):
    """The commit that is checked out, and how HEAD has moved there since plans and logs were looked at."""

    id: str | None
    is_moved: bool = False
    is_new: bool = False  # whether only commits made here have moved it since then
    when: datetime | None = None  # it was made here; None if it was not
    files: Sequence[str] = ()  # that it changed
    named: frozenset[str] = frozenset()  # ids of stories in its subject, in small letters

    def proof_of(self, task: str | None) -> dict[str, Any]:
        """Return the commit fields of an entry; empty if the commit is no evidence.

        The commit is evidence if its subject names the story, or names no story and HEAD just moved to it.
        """
        is_proof = (task or "").casefold() in self.named if self.named else self.is_new
        return {"commit": self.id, "files_modified": list(self.files)} if is_proof and self.when else {}


def read_head(reading: Reading, last_seen: LastSeen, plans: Iterable[PlanState]) -> Head:
    """Describe HEAD. Calls git, so do not hold the lock."""
    repository, head = reading.project.repository, reading.commit
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
    """Return drafts for the changes since `last_seen`, and update it.

    `stated` is the state of the files without our own log. A checkout, a pull or a merge brings no changes.
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
    target = find_story(reading, last_seen, subject)
    if target is None:
        client_task = event.facts.get("client_task")
        key = f"{event.session}|{client_task}|{subject}"
        draft = EntryDraft("task_completed", {"description": subject, "key": key, "client_task": client_task})
    else:
        draft = _draft_of_story(target, Status.DONE)
    details = shortened(text_of(event.facts, "details") or "", MAX_NOTE_CHARS, "…")
    notes = "\n".join(filter(None, (details if details != subject else "", draft.data.get("notes"))))
    draft = draft._replace(data=draft.data | ({"notes": notes} if notes else {}), signal="task list")
    if target and target.task_id and subject.casefold().startswith(target.task_id.casefold()):
        words = subject[len(target.task_id) :].strip(" :-–—")
        if normalised(words) not in {
            "",
            normalised(target.item.item.title),
        }:  # a statement
            return draft._replace(data=draft.data | {"description": words}, signal=None)
    return draft


def find_evidence(log: LogHistory, branch: str | None, session: str | None, head: Head) -> list[EntryDraft]:
    """Return supplements that add a new commit to the stories finished in the day before it.

    The stories are of this session or of no known session, on the branch of the commit.
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
    """Return the plans without the lists of work in agents' logs."""
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
    matches = [(plan, names) for plan in plans if (names := _names_meant(items_by_name(plan), named))]
    if not matches or (matches[0][0] is not leading and len(matches) > 1):
        return None
    plan, names = matches[0]
    if len(names) > 1:
        return None
    seen = compare_plan(plan, last_seen.plans.get(plan.plan.path), is_silent=False)[1]
    return Target(plan, items_by_name(plan)[names[0]], names[0], seen)


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
    """Describe an unknown task or spec, with similar known names."""
    plans = explicit_plans(reading.facts.state.plans)
    specs = {name: plan.plan.path for plan in plans for name in _names_of(plan.plan)}
    states = [each for plan in plans for each in (*plan.items, *plan.groups)]
    stories = {each.item.id.casefold(): each.item.id for each in states if each.item.id}
    task = "" if draft.spec or draft.story else draft.task_id or ""
    asked = (
        ("plan or spec here is called", spec or "", normalised(spec or ""), specs),
        ("plan here has a story", task, task.casefold(), stories),
    )
    return [
        f"no {what} {_short(name)}; the entry was written anyway{describe_similar(key, known)}"
        for what, name, key, known in asked
        if name and known and key not in known
    ]


def describe_similar(name: str, known: Mapping[str, str]) -> str:
    """Return the known names similar to a name, as the end of a sentence; empty for none."""
    from difflib import get_close_matches  # noqa: PLC0415 - only if a name is not known

    similar = get_close_matches(name, known, MAX_SIMILAR, SIMILARITY)
    names = ", ".join(_short(each) for each in dict.fromkeys(known[key] for key in similar))
    return f"; similar names: {names}" if names else ""


def _short(text: str) -> str:
    return one_line(text, MAX_NAME_CHARS)
