"""Entries for what plans, agents' logs and the client's task list report as done or blocked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from progress_plugin.log.entry import AGENTS_LOG, NO_REASON, EntryDraft
from progress_plugin.model.status import FINISHED, TYPE_OF_STATUS, Status
from progress_plugin.model.work import AgentLog, Entry
from progress_plugin.plans.documents import FORMAT as WORK_LIST
from progress_plugin.state.decide import blocking_reason
from progress_plugin.state.state import State
from progress_plugin.text.bounds import shortened
from progress_plugin.text.labels import normalised
from progress_plugin.usecases.reading import Reading
from progress_plugin.usecases.recording.commits import Head
from progress_plugin.usecases.recording.last_seen import Change, LastSeen, compare
from progress_plugin.usecases.recording.stories import Target, explicit_plans, find_story

MAX_NOTE_CHARS = 1000


@dataclass(frozen=True, slots=True)
class Task:
    """A task that the client's own list reports finished."""

    subject: str
    client_task: object
    when: datetime
    session: str | None
    details: object = None  # what the list says of it beside its subject


def find_changes(reading: Reading, stated: State, last_seen: LastSeen, head: Head) -> list[EntryDraft]:
    """Return entries for what has changed since the last look, and bring `last_seen` up to date.

    `stated` is what the files state without our own log.
    """
    is_silent = last_seen.is_first or head.is_foreign
    news = compare(last_seen, stated, reading.facts.inputs.logs, is_silent=is_silent)
    last_seen.head = head.id
    drafts = [_draft_of_change(change, head) for change in news.changes]
    has_plan = bool(explicit_plans(reading.facts.state.plans))
    for log, key in news.finished:
        find = _draft_beside_plan if has_plan else _draft_without_plan
        draft = find(reading, last_seen, log, key)
        if draft is not None:
            drafts.append(draft._replace(data=draft.data | head.proof_of(key.partition("|")[2])))
    return drafts


def draft_of_task(reading: Reading, last_seen: LastSeen, task: Task) -> EntryDraft | None:
    """Return the entry for a finished task of the client's list; None if all of its subject is private."""
    subject, details = _without_secrets(task.subject), _without_secrets(task.details)
    if not subject:
        return None
    details = "" if details == subject else shortened(details, MAX_NOTE_CHARS, "…")
    target = find_story(reading, last_seen, subject)
    if target is None:
        key = f"{task.session}|{task.client_task}|{subject}"
        data = {"description": subject, "key": key, "client_task": task.client_task}
        return EntryDraft(
            "task_completed", data | ({"notes": details} if details else {}), signal="task list"
        )
    draft = _draft_of_story(target, Status.DONE)
    notes = "\n".join(filter(None, (details, draft.data.get("notes"))))
    data = draft.data | ({"notes": notes} if notes else {})
    words = _words_after_id(target, subject)
    if words:
        return draft._replace(data=data | {"description": words}, signal=None)
    return draft._replace(data=data, signal="task list")


def _draft_of_change(change: Change, head: Head) -> EntryDraft:
    target = Target(change.plan, change.item, change.name, change.seen)
    proof = head.proof_of(target.task_id)
    if change.plan.plan.format != WORK_LIST:
        draft = _draft_of_story(target, change.to)
        return draft._replace(data=draft.data | proof)
    # A list of work in an agent's log is no plan to refer to.
    data = _data(target, change.to) | proof
    return EntryDraft(TYPE_OF_STATUS[change.to], data, task_id=target.task_id, signal=AGENTS_LOG)


def _draft_of_story(target: Target, to: Status) -> EntryDraft:
    return EntryDraft(
        TYPE_OF_STATUS[to],
        _data(target, to) | {"plan": target.path},
        spec=target.spec,
        task_id=target.task_id,
        story=target.reference(),
        signal="plan",
    )


def _data(target: Target, to: Status) -> dict[str, Any]:
    item = target.item.item
    data: dict[str, Any] = {"description": item.title or item.id or "", "key": target.key(to)}
    if item.notes:
        data["notes"] = shortened(item.notes, MAX_NOTE_CHARS)
    if to is Status.BLOCKED:
        data["issue"] = blocking_reason(target.item) or item.notes or NO_REASON
    return data


def _draft_beside_plan(reading: Reading, last_seen: LastSeen, log: AgentLog, key: str) -> EntryDraft | None:
    """Return the entry for a new one in an agent's log; None unless it is about a story of the plan."""
    status, name, entry = _entry_of(log, key)
    target = find_story(reading, last_seen, name)
    if target is None or (status is Status.BLOCKED and target.item.status in FINISHED):
        return None
    draft = _draft_of_story(target, status)
    is_explained = not entry.blockers or blocking_reason(target.item)
    reason = {} if is_explained else {"issue": "\n".join(entry.blockers)}
    return draft._replace(data=draft.data | reason, signal=AGENTS_LOG)


def _draft_without_plan(_reading: Reading, last_seen: LastSeen, log: AgentLog, key: str) -> EntryDraft:
    status, name, entry = _entry_of(log, key)
    number = last_seen.logs[log.path][key]
    data = {"description": entry.title or name, "key": f"{log.path}|{name}|{status}|{number}"}
    if status is Status.BLOCKED:
        data["issue"] = "\n".join(entry.blockers) or NO_REASON
    task = name if name in entry.ids else None
    return EntryDraft(TYPE_OF_STATUS[status], data, task_id=task, signal=AGENTS_LOG)


def _entry_of(log: AgentLog, key: str) -> tuple[Status, str, Entry]:
    """Return status and name in a key of `count_finished`, and the newest entry of the log with both."""
    word, _, name = key.partition("|")
    entries = reversed(log.entries)
    return (
        Status(word),
        name,
        next(each for each in entries if each.status == word and name in (*each.ids, each.title)),
    )


def _words_after_id(target: Target, subject: str) -> str:
    """Return what a subject says after the story's id if that is not the title."""
    first, _, words = subject.partition(" ")
    words = words.strip(" :-–—")
    is_id = target.task_id is not None and first.strip(":.,-[]()").casefold() == target.task_id.casefold()
    return words if is_id and normalised(words) not in {"", normalised(target.item.item.title)} else ""


def _without_secrets(text: object) -> str:
    from progress_plugin.text.redact import redact  # noqa: PLC0415 - patterns only if something is written

    return redact(text)[0].strip() if isinstance(text, str) else ""
