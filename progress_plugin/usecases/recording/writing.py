"""Append entries to the log under its lock, and renew the summary afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeVar

from progress_plugin.config.load import PROJECT_FILE
from progress_plugin.core import data_directory
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project
from progress_plugin.core.session_state import is_session_id, load_session, save_session
from progress_plugin.core.snapshot import has_start_cache
from progress_plugin.log import pending_events, store
from progress_plugin.log.entry import EntryDraft, data_of, text_of, writer_of
from progress_plugin.log.timestamp import written
from progress_plugin.model.status import STATUS_OF_TYPE
from progress_plugin.summary.own_log import newest_plan
from progress_plugin.usecases.project_writes import MAX_READ_ATTEMPTS, lock_of
from progress_plugin.usecases.reading import LogReading, Reading, changed_sources, with_current_log, with_log
from progress_plugin.usecases.recording import last_seen
from progress_plugin.usecases.sharing import put_files

_Reading = TypeVar("_Reading", bound=LogReading)
_Further = TypeVar("_Further")
_Written = TypeVar("_Written")
Entry = dict[str, Any]


class LogResult(NamedTuple):
    """The entries that were written, without the `session_started` that may come first, and notes."""

    entries: list[Entry]
    notes: list[str]
    reading: LogReading | None = None  # with the log as it is now if a summary is due


def take_turn(
    project: Project,
    timeout: float,
    read: Callable[[], tuple[_Reading, _Further]],
    write: Callable[[_Reading, _Further], _Written],
) -> _Written:
    """Read without the lock, then write under it with our own log as it is now.

    If a plan or agent's log has changed meanwhile, read again, three times at most: so no process waits for
    the lock longer than a write takes, however large the sources are. `read` returns a reading and what else
    `write` needs. Raises Busy if another process holds the lock for `timeout` seconds.
    """
    for attempt in range(1, MAX_READ_ATTEMPTS + 1):
        reading, further = read()
        with lock_of(project, timeout):
            if attempt == MAX_READ_ATTEMPTS or not changed_sources(reading):
                return write(with_current_log(reading), further)
    raise AssertionError("the last attempt writes")


def write_drafts(
    project: Project,
    timeout: float,
    read: Callable[[], _Reading],
    find: Callable[[_Reading, last_seen.LastSeen], list[EntryDraft]],
    now: datetime | None = None,
) -> LogResult | None:
    """Append the drafts that `find` returns for a reading and what was last seen; None if there are none.

    `timeout` is for the project's lock. Raises as `take_turn` and `append`.
    """

    def write(reading: _Reading, _: None) -> LogResult | None:
        drafts = find(reading, last_seen.load(project))
        return append(reading, drafts, now=now or datetime.now(UTC)) if drafts else None

    logged = take_turn(project, timeout, lambda: (read(), None), write)
    return finish_write(project, logged) if logged else None


def with_session(draft: EntryDraft, session: str | None, when: datetime) -> EntryDraft:
    """Return a draft with its session, and with the time, which carries its zone, if it has none."""
    named = {"session_id": session} if session else {}
    return draft._replace(data={**named, **draft.data}, when=draft.when or when)


def append(reading: LogReading, drafts: Sequence[EntryDraft], *, now: datetime) -> LogResult:
    """Append drafts of `with_session`, with branch and worktree. The caller holds the lock."""
    project, settings, branch = reading.project, reading.settings, reading.branch
    # What is logged while the project says nothing about sharing may be shared later.
    is_off = not settings.share and reading.config.origin["share"] == PROJECT_FILE
    first = {text_of(draft.data, "session_id"): draft for draft in reversed(drafts)}
    known = reading.log.log.entries
    openings = [
        EntryDraft(
            "session_started", {"session_id": name, "started_at": written(draft.when or now)}, when=draft.when
        )
        for name, draft in first.items()
        if is_session_id(name) and not entries_of_session(known, name)
    ]
    stored = store.append(
        project.log_directory,
        [
            draft._replace(branch=branch, worktree=project.worktree, unshared=True if is_off else None)
            for draft in (*openings, *drafts)
        ],
        settings,
        now=now,
        project_name=reading.name,
    )
    notes = list(stored.notes)
    if settings.share:
        notes += put_files(project, stored.entries)
    for session in first:
        _note_session(project, session)
    entries = stored.entries[len(openings) :]
    has_story = any(entry["type"] in STATUS_OF_TYPE for entry in entries)
    if not (has_story and settings.auto_generate and settings.summary_enabled):
        return LogResult(entries, notes)
    return LogResult(entries, notes, with_log(reading, store.load_history(project.log_directory)))


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


def finish_write(project: Project, logged: LogResult) -> LogResult:
    """Renew the summary after an entry about a story. Return the result with notes added.

    The caller holds no lock. Other entries are shown by the next start and at the end of the session.
    """
    if data_directory.has_team(project.log_directory):
        start_sync(project)
    if logged.reading is None:
        return logged
    notes = try_write_summary(project, _reading_for_summary(logged.reading))
    if any(has_start_cache(root) for root in project.roots() - {project.root}):  # made from the same log
        with suppress(AgentProgressError, OSError):
            pending_events.start_background(project.log_directory, project.root)
    return logged._replace(notes=[*logged.notes, *notes])


def start_sync(project: Project) -> None:
    """Start a sync with the team's server; if that fails, the next start does it."""
    from progress_plugin.team import background  # noqa: PLC0415 - only in a team

    with suppress(AgentProgressError, OSError):
        background.start(project.main_root)


def _reading_for_summary(reading: LogReading) -> Reading | None:
    """Return a reading to make the summary from; None if the sources have to be read again.

    The new entry may make another plan the primary one, or the write repaired a damaged log.
    """
    if not isinstance(reading, Reading) or reading.problems:
        return None
    plan, plans = newest_plan(reading.log.entries), reading.facts.inputs.plans
    leading = plans[0].path if plans else ""
    return reading if not plan or plan in {leading, *leading.split("/")} else None


def try_write_summary(project: Project, reading: Reading | None = None) -> list[str]:
    """Write summary and cache, from a reading if there is one; return a note if that fails.

    The entry is already on disk, so a failure here is a note, not an error. The next start tries again.
    """
    from progress_plugin.usecases.summary_files import write_summary  # noqa: PLC0415 - only if it is written

    try:
        write_summary(project, DEFAULT_TIMEOUT_S, reading)
    except (AgentProgressError, OSError) as error:
        return [f"could not renew the summary: {error}"]
    return []
