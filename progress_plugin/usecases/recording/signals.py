"""Record what hooks report: changed plans and logs, tasks of the client's list, ends of sessions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from progress_plugin.core.project import Project
from progress_plugin.core.session_state import is_session_id
from progress_plugin.log.entry import EntryDraft, data_of, text_of, time_of
from progress_plugin.log.pending_events import PendingEvent
from progress_plugin.state.state import State
from progress_plugin.usecases.project_writes import Moved, prepare, take_turn
from progress_plugin.usecases.reading import LogReading, Reading, read_log, read_project
from progress_plugin.usecases.recording.append import (
    Batch,
    Logged,
    Written,
    append,
    entries_of_session,
    finish_write,
    is_finish,
    renew,
    under_lock,
)
from progress_plugin.usecases.recording.commits import Head, add_evidence, read_head
from progress_plugin.usecases.recording.drafts import Task, draft_of_task, find_changes
from progress_plugin.usecases.recording.duplicates import as_entry, without_duplicates
from progress_plugin.usecases.recording.last_seen import (
    LastSeen,
    is_current,
    load_last_seen,
    save_last_seen,
    state_of_files,
)
from progress_plugin.usecases.sharing import take_in_arrivals


class _Look(NamedTuple):
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
        if not find_changes(*look):
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
        drafts = without_duplicates([*changes, *proofs], reading, session)
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


def record_tasks(project: Project, tasks: Sequence[Task], timeout: float) -> None:
    """Append an entry for each of these tasks that is not known yet; `timeout` is for the project's lock.

    In a project without a log or plan nothing is recorded.
    """
    if not project.has_directory:
        if read_project(project).is_empty:
            return
        prepare(project)

    def write(reading: Reading, is_last: bool) -> Written | None:
        return _write_tasks(under_lock(reading, is_last=is_last), tasks)

    written = take_turn(project, timeout, lambda: read_project(project), write)
    if written is not None:
        finish_write(written)


def _write_tasks(reading: Reading, tasks: Sequence[Task]) -> Written | None:
    last_seen = load_last_seen(reading.project)
    batches = []
    for task in tasks:
        draft = draft_of_task(reading, last_seen, task)
        new = without_duplicates([draft] if draft else [], reading, task.session)
        # They are written together, so the next task has to be compared with this one too.
        reading.log.entries += [as_entry(each, task.session) for each in new]
        if new:
            batches.append(Batch(new, task.when, task.session))
    if not batches:
        return None
    written = append(reading, batches, now=datetime.now(UTC), last_seen=last_seen)
    if not last_seen.is_first:
        save_last_seen(last_seen, reading.project)
    return written


def record_ends(project: Project, events: Sequence[PendingEvent], timeout: float) -> None:
    """Append the ends of sessions that logged something since their last end."""

    def write(reading: LogReading, is_last: bool) -> Written | None:
        reading = under_lock(reading, is_last=is_last)
        first: dict[str | None, Batch] = {}
        for event in events:
            draft = _closing(entries_of_session(reading.log.log.entries, event.session), event)
            if draft is not None:
                first.setdefault(event.session, Batch([draft], event.when, event.session))
        return append(reading, first.values(), now=datetime.now(UTC)) if first else None

    written = take_turn(project, timeout, lambda: read_log(project), write)
    if written is not None:
        finish_write(written)


def _closing(entries: Sequence[dict[str, Any]], event: PendingEvent) -> EntryDraft | None:
    """Return the entry that ends a session, None if it has written nothing since its last end.

    If the agent has logged an end, or the session was resumed, what its hook knows adds to that end.
    """
    ends = [entry for entry in entries if entry.get("type") == "session_ended"]
    is_over = not entries or "tasks_completed" in data_of(entries[-1])
    if is_over or not is_session_id(event.session):
        return None
    data: dict[str, Any] = {"tasks_completed": sum(map(is_finish, entries)), "session_id": event.session}
    started = time_of(entries[0])
    if started is not None:
        data["duration_minutes"] = round((event.when.astimezone(UTC) - started).total_seconds() / 60)
    if reason := event.facts.get("reason"):
        data["reason"] = reason
    if ends:
        data["supplements"] = text_of(data_of(ends[0]), "supplements") or text_of(ends[0], "id")
    return EntryDraft("session_ended", data)
