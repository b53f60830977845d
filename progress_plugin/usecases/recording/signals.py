"""Record what hooks report: changed plans and logs, tasks of the client's list, ends of sessions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from progress_plugin.core.project import Project
from progress_plugin.log.entry import EntryDraft, data_of, text_of, writer_of
from progress_plugin.log.pending_events import PendingEvent
from progress_plugin.log.timestamp import written as written_time
from progress_plugin.model.status import Status
from progress_plugin.state.state import State
from progress_plugin.text.bounds import shortened
from progress_plugin.text.labels import normalised
from progress_plugin.usecases.project_writes import Moved, prepare, take_turn
from progress_plugin.usecases.reading import LogReading, Reading, read_log, read_project
from progress_plugin.usecases.recording.append import (
    Batch,
    Logged,
    Written,
    append,
    finish_write,
    renew,
    under_lock,
)
from progress_plugin.usecases.recording.changes import MAX_NOTE_CHARS, draft_of_story, find_changes
from progress_plugin.usecases.recording.commits import Head, add_evidence, read_head
from progress_plugin.usecases.recording.duplicates import as_entry, without_duplicates
from progress_plugin.usecases.recording.last_seen import (
    LastSeen,
    is_current,
    load_last_seen,
    save_last_seen,
    state_of_files,
)
from progress_plugin.usecases.recording.session_entries import Session
from progress_plugin.usecases.recording.stories import choose_namesake, find_stories, find_story
from progress_plugin.usecases.sharing import take_in_arrivals


@dataclass(frozen=True, slots=True)
class _Look:
    """Plans and logs as they are, as they were seen before, and where HEAD is."""

    reading: Reading
    stated: State
    last_seen: LastSeen
    head: Head


def record_changes(
    project: Project, *, now: datetime, session: str | None, timeout: float, is_committer: bool = False
) -> Logged | None:
    """Append an entry for each story that turned done or blocked since the last look; None if none did.

    `now` is when the signal came, `timeout` is for the project's lock. `is_committer`: the session has just
    run a command that commits. Nothing is written into a project without our directory before that.
    Raises Busy if another process holds the lock, or has compared plans and logs meanwhile.
    """
    if not project.has_directory:
        look = _look(project)
        if not find_changes(look.reading, look.stated, look.last_seen, look.head):
            save_last_seen(look.last_seen, project, look.reading.inputs)
            return None
        prepare(project)
    take_in_arrivals(project, timeout)

    def write(look: _Look, is_last: bool) -> tuple[Reading, Written | None]:
        is_known = is_current(look.last_seen, project)
        reading = under_lock(look.reading, is_last=is_last and is_known)
        last_seen = look.last_seen if is_known else load_last_seen(project)
        if (last_seen.head, last_seen.is_first) != (look.last_seen.head, look.last_seen.is_first):
            raise Moved("another process has just compared plans and logs; try again")
        changes = find_changes(reading, look.stated, last_seen, look.head)
        proofs = add_evidence(reading.log, last_seen, session, look.head, is_committer=is_committer)
        drafts = without_duplicates([*changes, *proofs], reading, reading.facts.branch, session)
        batches = [Batch(drafts, now, session)]
        written = append(reading, batches, now=datetime.now(UTC), last_seen=last_seen) if drafts else None
        save_last_seen(last_seen, project, reading.inputs)
        return reading, written

    reading, written = take_turn(project, timeout, lambda: _look(project), write)
    if written is not None:
        return finish_write(written)
    if reading.settings.auto_generate and reading.settings.summary_enabled:
        renew(project, reading)  # another story may be current now
    return None


def _look(project: Project) -> _Look:
    last_seen, reading = load_last_seen(project), read_project(project)
    stated = state_of_files(reading)
    return _Look(reading, stated, last_seen, read_head(project, last_seen, stated.plans))


@dataclass(frozen=True, slots=True)
class Task:
    """A task that the client's own list reports finished."""

    subject: str
    client_task: object
    when: datetime
    session: str | None
    details: object = None  # what the list says of it beside its subject


def record_tasks(project: Project, tasks: Sequence[Task], timeout: float) -> Logged | None:
    """Append an entry for each of these tasks that is not known yet; `timeout` is for the project's lock.

    In a project without a log or plan nothing is recorded.
    """
    if not project.has_directory:
        if read_project(project).is_empty:
            return None
        prepare(project)

    def write(reading: Reading, is_last: bool) -> Written | None:
        return _write_tasks(under_lock(reading, is_last=is_last), tasks)

    written = take_turn(project, timeout, lambda: read_project(project), write)
    return finish_write(written) if written is not None else None


def _write_tasks(reading: Reading, tasks: Sequence[Task]) -> Written | None:
    last_seen = load_last_seen(reading.project)
    batches = []
    for task in tasks:
        if not (subject := _without_secrets(task.subject)):
            continue  # all of it was private
        draft = _task_draft(reading, last_seen, task, subject)
        drafts = without_duplicates([draft], reading, reading.facts.branch, task.session)
        # They are written together, so the next task has to be compared with this one too.
        reading.log.entries += [as_entry(each, task.session) for each in drafts]
        batches.append(Batch(drafts, task.when, task.session))
    batches = [batch for batch in batches if batch.drafts]
    if not batches:
        return None
    written = append(reading, batches, now=datetime.now(UTC), last_seen=last_seen)
    if not last_seen.is_first:
        save_last_seen(last_seen, reading.project)
    return written


def _task_draft(reading: Reading, last_seen: LastSeen, task: Task, subject: str) -> EntryDraft:
    details = _without_secrets(task.details)
    details = "" if details == subject else shortened(details, MAX_NOTE_CHARS, "…")
    target = find_story(reading, last_seen, subject, None, Status.DONE, task.session)
    namesakes = [
        each
        for each in (find_stories(reading, last_seen, subject) if target else [])
        if target and each.path == target.path and normalised(each.item.item.title) == normalised(subject)
    ]
    is_one_of_many = len(namesakes) > 1
    if is_one_of_many:
        target = choose_namesake(reading, namesakes, task.session, task.client_task)
    if target is None:
        data: dict[str, Any] = {
            "description": subject,
            "key": f"{task.session}|{task.client_task}|{subject}",
        }
        data |= {"client_task": task.client_task} | ({"notes": details} if details else {})
        return EntryDraft("task_completed", data, signal="task list")
    draft = draft_of_story(target, Status.DONE)
    notes = "\n".join(filter(None, (details, draft.data.get("notes"))))
    data = draft.data | ({"notes": notes} if notes else {})
    data |= {"client_task": task.client_task} if is_one_of_many else {}
    words = _words_after_id(target.task_id, target.item.item.title, subject)
    if words:
        return draft._replace(data=data | {"description": words}, signal=None)
    return draft._replace(data=data, signal="task list")


def _words_after_id(task_id: str | None, title: str, subject: str) -> str:
    """Return what a subject says after the story's id if that is not the title."""
    first, _, words = subject.partition(" ")
    words = words.strip(" :-–—")
    is_id = task_id is not None and first.strip(":.,-[]()").casefold() == task_id.casefold()
    return words if is_id and normalised(words) not in {"", normalised(title)} else ""


def _without_secrets(text: object) -> str:
    from progress_plugin.text.redact import redact  # noqa: PLC0415 - patterns only if something is written

    return redact(text)[0].strip() if isinstance(text, str) else ""


def record_ends(project: Project, events: Sequence[PendingEvent], timeout: float) -> None:
    """Append the ends of sessions that logged something since their last end."""
    ends: dict[str | None, PendingEvent] = {}
    for event in events:
        ends.setdefault(event.session, event)
    if not _open_sessions(project, ends):
        return

    def write(reading: LogReading, is_last: bool) -> Written | None:
        return _write_ends(under_lock(reading, is_last=is_last), _open_sessions(project, ends))

    written = take_turn(project, timeout, lambda: read_log(project), write)
    if written is not None:
        finish_write(written)


def _open_sessions(
    project: Project, ends: Mapping[str | None, PendingEvent]
) -> list[tuple[Session, PendingEvent, EntryDraft]]:
    """Return the ends that are worth an entry."""
    found = []
    for event in ends.values():
        session = Session(project, event.session)
        draft = session.closing(event.when, event.facts.get("reason"))
        if draft is not None:
            found.append((session, event, draft))
    return found


def _write_ends(
    reading: LogReading, ends: Sequence[tuple[Session, PendingEvent, EntryDraft]]
) -> Written | None:
    new = []
    for session, event, draft in ends:
        known = _find_end(reading.log.log.entries, event)
        if known is not None:
            session.ended(known)
        else:
            new.append((session, Batch([draft], event.when, event.session)))
    if not new:
        return None
    written = append(reading, [batch for _, batch in new], now=datetime.now(UTC))
    for (session, _), entry in zip(new, written.logged.entries, strict=True):
        Session(reading.project, session.name).ended(entry["id"])
    return written


def _find_end(entries: Sequence[dict[str, Any]], event: PendingEvent) -> str | None:
    """Return the entry of this very end: a process may have been killed before it noted that it wrote it."""
    for entry in reversed(entries):
        if writer_of(entry) is None and data_of(entry).get("session_id") == event.session:
            is_end = entry.get("type") == "session_ended" and "tasks_completed" in data_of(entry)
            is_same = is_end and entry.get("timestamp") == written_time(event.when)
            return text_of(entry, "id") if is_same else None
    return None
