"""Record the entries of people and agents, and the events of hooks.

A hook puts its event into the spool. One process locks the spool, records all waiting events, and checks
again. Events report changed plans, finished tasks of the client, and ends of sessions. A finished story gets
one entry, even if several events report it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from typing import Any

from progress_plugin.core import error_log
from progress_plugin.core.clients import session_from_environment
from progress_plugin.core.errors import AgentProgressError, BadInput, Busy, ReadOnly
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project, find_project
from progress_plugin.core.session_state import is_session_id
from progress_plugin.core.snapshot import load_fresh_cache
from progress_plugin.log import pending_events
from progress_plugin.log.entry import check_draft, data_of, new_draft, text_of, texts_of, time_of
from progress_plugin.log.merge import WAS_FINISHED
from progress_plugin.log.pending_events import PendingEvent
from progress_plugin.log.store import LogResult
from progress_plugin.log.timestamp import format_time
from progress_plugin.model.status import FINISHED, SCOPE_CHANGE, STATUS_OF_TYPE, Status
from progress_plugin.usecases.reading import (
    LogReading,
    Reading,
    changed_sources,
    read_log,
    read_project,
    read_settings,
)
from progress_plugin.usecases.recording import changes, last_seen, writing
from progress_plugin.usecases.sharing import import_shared_entries

ALREADY_RECORDED = "this was recorded already; nothing new to add"


def log_entry(  # noqa: PLR0913 - one parameter per field of an entry
    project: Project,
    type: str,  # noqa: A002 - the field's name
    *,
    now: datetime,
    description: str | None = None,
    task_id: str | None = None,
    spec: str | None = None,
    learnings: Sequence[str] = (),
    resolves: str | None = None,
    data: dict[str, Any] | None = None,
    session: str | None = None,
) -> LogResult:
    """Append one entry; create the log if there is none. Without a `session` the environment may name it.

    Raises BadInput for an invalid entry.
    """
    session = session or session_from_environment()
    named = {"description": description or None, "learnings": list(learnings) or None, "resolves": resolves}
    facts = {**(data or {}), **{name: value for name, value in named.items() if value is not None}}
    draft = check_draft(new_draft(type, facts, spec, task_id))
    record_waiting(project, DEFAULT_TIMEOUT_S)
    import_shared_entries(project, DEFAULT_TIMEOUT_S)

    def write(reading: Reading) -> LogResult:
        reading.log.refuse_unknown(draft["data"])
        found = _with_story(draft, reading)
        last_seen.mark_as_seen(reading)  # a new item has no entry for its present status
        logged = writing.append(reading, [writing.stamp_draft(found, session, now)])
        notes = changes.describe_unknown(found, draft.get("spec"), reading) if logged.entries else []
        notes += [reading.lost_history] if reading.lost_history else []
        notes += logged.notes if logged.entries else [ALREADY_RECORDED]
        return LogResult(logged.entries, notes)

    logged = writing.read_and_write(project, DEFAULT_TIMEOUT_S, read_project, write)
    renewed = writing.renew_summaries(project) if type in STATUS_OF_TYPE and logged.entries else []
    return LogResult(logged.entries, logged.notes + renewed)


def _with_story(draft: dict[str, Any], reading: Reading) -> dict[str, Any]:
    """Add key, id, spec and reference of the story that a draft names; the id is spelled as in the plan.

    The description of a completion or blocker without an id may be the title of the story. A change of scope
    names a story if it requests only one.
    """
    kind, data, task, spec = draft["type"], draft["data"], draft.get("task_id"), draft.get("spec")
    status = STATUS_OF_TYPE.get(kind)
    named = task or (text_of(data, "description") if status else None)
    if named is None and kind == SCOPE_CHANGE:
        requested = texts_of(data, "requested_tasks")
        named = requested[0] if len(requested) == 1 else None
    target = changes.find_story(reading, named, spec) if named else None
    if target is None:
        return draft
    story = target.reference()
    if status is Status.BLOCKED and target.item.status in FINISHED:
        story[WAS_FINISHED] = True
    data = {**data, "key": target.key(status)} if status else data
    return new_draft(kind, data, spec or target.spec, target.task_id or task, story=story)


def record_spooled(project: Project, timeout: float) -> bool:
    """Record the events in the spool. Return whether a background process is needed.

    It is needed if the log stays locked, if plans keep changing, or if a summary that is wanted is outdated.
    """
    try:
        record_waiting(project, timeout)
    except Busy:
        return True
    settings = read_settings(project).stored
    is_wanted = settings.auto_generate and settings.summary_enabled
    return is_wanted and load_fresh_cache(project.root) is None


def record_waiting(project: Project, timeout: float) -> None:
    """Record every waiting event once, and remove it. After an error it stays in the spool.

    If another process holds the spool lock, return: that process checks again after it releases the lock.
    """
    previous: list[str] = []
    while (names := pending_events.names(project.log_directory)) and names != previous:
        previous = names
        with ExitStack() as held:
            try:
                held.enter_context(pending_events.spool_lock(project.log_directory))
            except Busy:
                return
            record_waiting_under_lock(project, timeout)


def record_waiting_under_lock(project: Project, timeout: float) -> None:
    """Record all waiting events. The caller holds the spool lock."""
    compared: set[str] = set()  # roots; their changes are credited to the first event's session
    for path, event in pending_events.read_waiting(project.log_directory).items():
        if event is None:
            with suppress(OSError):
                os.replace(path, f"{path}.unreadable")
            error_log.note("spool", BadInput(f"{path} holds no event; it is kept under another name"))
            continue
        is_comparison = event.kind == "look"
        try:
            if not is_comparison or event.root not in compared:
                record_event(project, event, timeout)
        except ReadOnly:
            if is_comparison:  # the next comparison finds the changes once the log can be written
                os.unlink(path)
            raise
        compared |= {event.root} if is_comparison else set()
        with suppress(FileNotFoundError):
            os.unlink(path)


def record_event(project: Project, event: PendingEvent, timeout: float) -> None:
    """Append the entries for one event.

    A project without our directory, a log or a plan records no task; a removed worktree is not compared.
    """
    worktree = project if event.root == project.root else worktree_at(event.root, project)
    if event.kind == "look" and worktree is not None:
        record_changes(worktree, now=event.when, session=event.session, timeout=timeout)

    def write_task(reading: Reading) -> LogResult:
        draft = changes.draft_of_task(reading, event)
        stamped = [writing.stamp_draft(draft, event.session, event.when)] if draft else []
        return writing.append(reading, stamped)

    def write_end(reading: LogReading) -> LogResult:
        draft = _draft_end(writing.entries_of_session(reading.log.log.entries, event.session), event)
        return writing.append(reading, [draft] if draft else [])

    target = worktree or project
    if event.kind == "task" and (target.has_directory or not read_project(target).is_empty):
        writing.read_and_write(target, timeout, read_project, write_task)
    elif event.kind == "end" and project.has_directory:
        writing.read_and_write(target, timeout, read_log, write_end)


def worktree_at(root: str, project: Project) -> Project | None:
    """Return the project at the root of another worktree with the same log; None if there is none.

    An event file can name any root, so only worktrees of our repository are accepted.
    """
    if root not in project.roots() or not os.path.isdir(root):
        return None
    try:
        found = find_project(root)
    except AgentProgressError:
        return None
    return found if found.log_directory == project.log_directory else None


def record_all_changes(project: Project, *, now: datetime, session: str | None) -> list[dict[str, Any]]:
    """Record waiting events, then append an entry for each story that changed since the last comparison."""
    record_waiting(project, DEFAULT_TIMEOUT_S)
    return record_changes(project, now=now, session=session, timeout=DEFAULT_TIMEOUT_S)


def record_changes(
    project: Project, *, now: datetime, session: str | None, timeout: float
) -> list[dict[str, Any]]:
    """Append and return an entry for each story that became done or blocked since the last comparison.

    `now` is the time of the event. If no story changed, our directory is not created. Raises Busy if
    plans keep changing.
    """

    def write(reading: Reading) -> LogResult:
        if changed_sources(reading):
            raise Busy("plans or logs kept changing during the read; try again")
        seen = last_seen.load(project)
        head = changes.read_head(reading, seen)
        drafts = changes.find_changes(reading.facts.state, seen, head)
        drafts += changes.supplements_of_commit(reading.log, reading.branch, session, head)
        stamped = [writing.stamp_draft(draft, session, now) for draft in drafts]
        if stamped and not project.has_directory:  # the lock makes it, and `write` runs again
            return writing.read_and_write(project, timeout, read_project, write)
        logged = writing.append(reading, stamped)
        last_seen.save(seen.plans, reading, head=reading.commit)
        return logged

    if not project.has_directory:
        return write(read_project(project)).entries
    import_shared_entries(project, timeout)
    return writing.read_and_write(project, timeout, read_project, write).entries


def _draft_end(entries: Sequence[dict[str, Any]], event: PendingEvent) -> dict[str, Any] | None:
    """Return the end entry of a session; None if the session logged nothing since its last end.

    If the session has an end entry already, because the agent logged it or the session was resumed, the new
    entry supplements it.
    """
    ends = [entry for entry in entries if entry.get("type") == "session_ended"]
    is_over = not entries or "tasks_completed" in data_of(entries[-1])
    if is_over or not is_session_id(event.session):
        return None
    finished = [entry for entry in entries if entry.get("type") == "task_completed"]
    completed_count = sum("supplements" not in data_of(entry) for entry in finished)
    data: dict[str, Any] = {"tasks_completed": completed_count, "session_id": event.session}
    started = time_of(entries[0])
    if started is not None:
        data["duration_minutes"] = round((event.when.astimezone(UTC) - started).total_seconds() / 60)
    if reason := event.facts.get("reason"):
        data["reason"] = reason
    if ends:
        data["supplements"] = text_of(data_of(ends[0]), "supplements") or text_of(ends[0], "id")
    return new_draft("session_ended", data, timestamp=format_time(event.when))
