"""Entry drafts for changed plans, finished tasks of the client and commits; the story that a text names.

A change is a difference between the plans as they were last seen and as they are now. Our own log does not
count.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from typing import Any, NamedTuple

from progress_plugin.log.entry import NO_REASON, data_of, new_draft, text_of, time_of, writer_of
from progress_plugin.log.pending_events import PendingEvent
from progress_plugin.log.store import LogHistory
from progress_plugin.model.status import TYPE_OF_STATUS, Status
from progress_plugin.model.work import PlanDocument
from progress_plugin.plans.documents import LOG_FORMAT
from progress_plugin.state.decide import blocking_reason
from progress_plugin.state.state import ItemState, PlanState, State
from progress_plugin.text.bounds import shortened
from progress_plugin.text.labels import normalised
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.reading import Reading
from progress_plugin.usecases.recording import last_seen
from progress_plugin.usecases.recording.last_seen import LastSeen, PlanStory

MAX_NAME_CHARS = 90
MAX_SIMILAR = 3
SIMILARITY = 0.7
MAX_NOTE_CHARS = 1000
MAX_COMMIT_DELAY = timedelta(days=1)  # from the end of a story to its commit
MAX_STORIES_OF_COMMIT = 20  # finished stories that one commit is noted for: each note repeats its files
Draft = dict[str, Any]  # of `new_draft`
_COMMIT_WORD = re.compile(r"[\w.#-]+")


class CheckedOutCommit(NamedTuple):
    """The commit that is checked out, and how HEAD has moved since the plans were last seen."""

    id: str | None
    is_moved: bool = False
    is_new: bool = False  # whether only commits made here have moved HEAD
    when: datetime | None = None  # the time of a commit made here; None for a fetched one
    files: Sequence[str] = ()  # that it changed; read only if it is new or names a story
    named: frozenset[str] = frozenset()  # ids of stories in its subject, in small letters

    def proof_of(self, task: str | None) -> dict[str, Any]:
        """Return the commit fields of an entry; empty if the commit is no evidence.

        The commit is evidence if its subject names the story, or names no story and is new.
        """
        is_proof = (task or "").casefold() in self.named if self.named else self.is_new
        return {"commit": self.id, "files_modified": list(self.files)} if is_proof and self.when else {}


def read_head(reading: Reading, seen: LastSeen) -> CheckedOutCommit:
    """Describe HEAD."""
    repository, head = reading.project.repository, reading.commit
    is_moved = not seen.is_first and seen.head != head
    last = repository.last_local_commit() if repository and head else None
    if repository is None or last is None or last.id != head:
        return CheckedOutCommit(head, is_moved)
    is_new = is_moved and seen.head in repository.earlier_heads()
    words = {word.strip(".-#").casefold() for word in _COMMIT_WORD.findall(last.subject)}
    items = [each.item for plan in reading.facts.state.plans for each in plan.items]
    ids = {item.id.casefold() for item in items if item.id}
    named = frozenset(name for name in words & ids if not (name.isdigit() or name.isalpha()))
    files = repository.files_of(head) if is_new or named else ()
    return CheckedOutCommit(head, is_moved, is_new, datetime.fromtimestamp(last.time, UTC), files, named)


def find_changes(state: State, seen: LastSeen, head: CheckedOutCommit) -> list[Draft]:
    """Return drafts for the changes since `seen`, and update its plans. A checkout or a pull brings none."""
    is_silent = seen.is_first or (head.is_moved and not head.is_new)
    drafts = []
    for target, to in last_seen.compare(seen, state, is_silent=is_silent):
        draft = _draft_of_story(target, to)
        draft["data"] |= head.proof_of(target.task_id)
        drafts.append(draft)
    return drafts


def _draft_of_story(target: PlanStory, to: Status) -> Draft:
    item = target.item.item
    data: dict[str, Any] = {"description": item.title or item.id or "", "key": target.key(to)}
    if item.notes:
        data["notes"] = shortened(item.notes, MAX_NOTE_CHARS)
    if to is Status.BLOCKED:
        data["issue"] = blocking_reason(target.item) or item.notes or NO_REASON
    kind, task = TYPE_OF_STATUS[to], target.task_id
    if not explicit_plans([target.plan]):  # a list of work in an agent's log is no plan to refer to
        return new_draft(kind, data, task_id=task, signal="log")
    return new_draft(kind, data, target.spec, task, story=target.reference(), signal="plan")


def draft_of_task(reading: Reading, event: PendingEvent) -> Draft | None:
    """Return the entry for a finished task of the client's list; None if all of its subject was private."""
    subject = text_of(event.facts, "subject")
    if subject is None:
        return None
    target = find_story(reading, subject)
    if target is None:
        client_task = event.facts.get("client_task")
        key = f"{event.session}|{client_task}|{subject}"
        draft = new_draft("task_completed", {"description": subject, "key": key, "client_task": client_task})
    else:
        draft = _draft_of_story(target, Status.DONE)
    details = shortened(text_of(event.facts, "details") or "", MAX_NOTE_CHARS, "…")
    notes = "\n".join(filter(None, (details if details != subject else "", draft["data"].get("notes"))))
    draft["data"] |= {"notes": notes} if notes else {}
    draft["signal"] = "task list"
    if target and target.task_id and subject.casefold().startswith(target.task_id.casefold()):
        words = subject[len(target.task_id) :].strip(" :-–—")
        if normalised(words) not in {"", normalised(target.item.item.title)}:  # more than the title
            draft["data"]["description"] = words
            del draft["signal"]
    return draft


def supplements_of_commit(
    log: LogHistory, branch: str | None, session: str | None, head: CheckedOutCommit
) -> list[Draft]:
    """Return supplements that add a new commit to the stories finished in the day before it.

    The stories are of this session or of no known session, on the branch of the commit.
    """
    if not head.is_new or head.when is None:
        return []
    proven: list[Draft] = []
    for entry in log.entries:
        data, task, finished = data_of(entry), text_of(entry, "task_id"), time_of(entry)
        owner = text_of(data, "session_id")
        is_ours = writer_of(entry) is None and owner in (None, session)
        is_unproven = entry.get("type") == "task_completed" and "commit" not in data
        if not (is_ours and is_unproven and finished and text_of(entry, "branch") == branch):
            continue
        proof = head.proof_of(task) if timedelta() <= head.when - finished <= MAX_COMMIT_DELAY else {}
        if proof:
            facts = {"supplements": text_of(data, "supplements") or text_of(entry, "id"), **proof}
            spec = text_of(entry, "spec")
            proven.append(new_draft("task_completed", facts, spec, task, signal="commit"))
    return proven[-MAX_STORIES_OF_COMMIT:]


def explicit_plans(plans: Iterable[PlanState]) -> list[PlanState]:
    """Return the plans without the lists of work in agents' logs."""
    return [plan for plan in plans if plan.plan.format != LOG_FORMAT]


def find_story(reading: Reading, named: str, spec: str | None = None) -> PlanStory | None:
    """Return the story that a text names by id or title, of the leading plan, else of the only plan with it.

    A `spec` chooses its plans, or if there are none leaves out `.agent-os/specs/`. None for several stories.
    """
    plans = explicit_plans(reading.facts.state.plans)
    leading = plans[0] if plans else None
    if spec:
        chosen = [plan for plan in plans if normalised(spec) in plan_names(plan.plan)]
        plans = chosen or [plan for plan in plans if not plan.plan.path.startswith(".agent-os/specs/")]
    matches = [
        (plan, names) for plan in plans if (names := match_item_keys(last_seen.items_by_key(plan), named))
    ]
    if not matches or (matches[0][0] is not leading and len(matches) > 1):
        return None
    plan, names = matches[0]
    if len(names) > 1:
        return None
    seen = last_seen.load(reading.project)
    last_seen.compare(seen, reading.facts.state, is_silent=False)
    return PlanStory(plan, last_seen.items_by_key(plan)[names[0]], names[0], seen.plans[plan.plan.path])


def match_item_keys(items: Mapping[str, ItemState], text: str) -> list[str]:
    """Return the keys of the items that a text means by id, title or both, else by an id as first word."""
    wanted, words = normalised(text), text.split(maxsplit=1)
    exact, by_id = [], []
    for name, state in items.items():
        number, title = state.item.id or "", state.item.title
        if wanted and wanted in map(normalised, (number, title, f"{number} {title}")):
            exact.append(name)
        elif words and number.casefold() == words[0].strip(":.,-[]()").casefold() and not number.isdigit():
            by_id.append(name)
    return exact or [name for name in by_id if items[name].item.id]


def plan_names(plan: PlanDocument) -> set[str]:
    """Return the normalised names by which a spec or branch name may mean a plan."""
    branch = plan.branch or ""
    folder = posixpath.basename(posixpath.dirname(plan.path))
    names = (plan.path, plan.name, branch, branch.rpartition("/")[2], last_seen.spec_of(plan) or "", folder)
    return {normalised(name) for name in names} - {""}


def describe_unknown(draft: Draft, spec: str | None, reading: Reading) -> list[str]:
    """Describe an unknown task or spec, with similar known names."""
    plans = explicit_plans(reading.facts.state.plans)
    specs = {name: plan.plan.path for plan in plans for name in plan_names(plan.plan)}
    states = [each for plan in plans for each in (*plan.items, *plan.groups)]
    stories = {each.item.id.casefold(): each.item.id for each in states if each.item.id}
    task = "" if draft.get("spec") or draft.get("story") else draft.get("task_id") or ""
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
    similar = get_close_matches(name, known, MAX_SIMILAR, SIMILARITY)
    names = ", ".join(_short(each) for each in dict.fromkeys(known[key] for key in similar))
    return f"; similar names: {names}" if names else ""


def _short(text: str) -> str:
    return one_line(text, MAX_NAME_CHARS)
