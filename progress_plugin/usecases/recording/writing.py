"""Append entries to the log under its lock, and renew the summary after a command."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, TypeVar

from progress_plugin.config.settings import PROJECT_FILE
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.processes import start_detached
from progress_plugin.core.project import Project
from progress_plugin.core.session_state import is_session_id, load_session, save_session
from progress_plugin.core.snapshot import has_start_cache
from progress_plugin.log import store
from progress_plugin.log.entry import UNSHARED, data_of, new_draft, text_of, writer_of
from progress_plugin.log.store import LogResult
from progress_plugin.log.timestamp import written
from progress_plugin.usecases.project_writes import MAX_READ_ATTEMPTS, lock_of, start_sync
from progress_plugin.usecases.reading import LogReading, changed_sources, read_settings, with_current_log
from progress_plugin.usecases.sharing import put_files

_Reading = TypeVar("_Reading", bound=LogReading)
Entry = dict[str, Any]


def take_turn(
    project: Project,
    timeout: float,
    read: Callable[[Project], _Reading],
    write: Callable[[_Reading], LogResult],
) -> LogResult:
    """Read without the lock, then `write` under it, for a reading with our own log as it is now.

    If a plan or agent's log has changed meanwhile, read again, three times at most: so no process waits for
    the lock longer than a write takes, however large the sources are. `timeout` is for the lock, in seconds.
    Raises Busy if another process holds it, and what `write` raises.
    """
    for attempt in range(1, MAX_READ_ATTEMPTS + 1):
        reading = read(project)
        with lock_of(project, timeout):
            if attempt == MAX_READ_ATTEMPTS or not changed_sources(reading):
                logged = write(with_current_log(reading))
                break
    if logged.entries:
        start_sync(project)
    return logged


def with_session(draft: Entry, session: str | None, when: datetime) -> Entry:
    """Return a draft with its session and the time, which carries its zone."""
    named = {"session_id": session} if session else {}
    return {**draft, "timestamp": written(when), "data": {**named, **draft["data"]}}


def append(reading: LogReading, drafts: Sequence[Entry]) -> LogResult:
    """Append drafts of `with_session`, with branch and worktree. The caller holds the lock.

    The result is without the `session_started` that may come first.
    """
    if not drafts:
        return LogResult([], [])
    project, settings = reading.project, reading.settings
    # An entry may be shared later if the project did not decide about sharing when it was logged.
    is_off = not settings.share and reading.config.origin["share"] == PROJECT_FILE
    first = {text_of(draft["data"], "session_id"): draft["timestamp"] for draft in reversed(drafts)}
    known = reading.log.log.entries
    openings = [
        new_draft("session_started", {"session_id": name, "started_at": when}, timestamp=when)
        for name, when in first.items()
        if is_session_id(name) and not entries_of_session(known, name)
    ]
    where = {"branch": reading.branch, "worktree": project.worktree, UNSHARED: is_off or None}
    added = {name: value for name, value in where.items() if value is not None}
    stored = store.append(
        project.log_directory,
        [{**draft, **added} for draft in (*openings, *drafts)],
        settings,
        now=datetime.now(UTC),
        project_name=reading.name,
    )
    notes = list(stored.notes)
    if settings.share:
        notes += put_files(project, stored.entries)
    for session in first:
        _note_session(project, session)
    return LogResult(stored.entries[len(openings) :], notes)


def entries_of_session(entries: Iterable[Entry], session: str | None) -> list[Entry]:
    """Return the entries that a session of this clone has written."""
    return [
        entry
        for entry in entries
        if session and data_of(entry).get("session_id") == session and writer_of(entry) is None
    ]


def _note_session(project: Project, session: str | None) -> None:
    """Note that a session has logged something, so that its hook looks into the log at its end."""
    state = load_session(session)
    if not state.has_logged:
        state.project = state.project or project.root
        state.has_logged = True
        save_session(session, state)


def renew_summaries(project: Project) -> list[str]:
    """Renew the summary here after a story, and in linked worktrees, which have the same log.

    The entry is already on the disk, so a failure here is a note. The next start tries again.
    """
    settings = read_settings(project).stored
    if not (settings.auto_generate and settings.summary_enabled):
        return []
    notes = try_write_summary(project)
    if any(has_start_cache(root) for root in project.roots() - {project.root}):
        with suppress(AgentProgressError, OSError):
            start_detached("background", "record", project.root)
    return notes


def try_write_summary(project: Project) -> list[str]:
    """Write summary and cache; return a note if that fails."""
    from progress_plugin.usecases.summary_files import write_summary  # noqa: PLC0415 - only if it is written

    try:
        write_summary(project, DEFAULT_TIMEOUT_S)
    except (AgentProgressError, OSError) as error:
        return [f"could not renew the summary: {error}"]
    return []
