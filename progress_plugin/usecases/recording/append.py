"""Append entries of several sessions to the log by one write, and renew what is made from the log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from progress_plugin.config.load import PROJECT_FILE
from progress_plugin.core import data_directory
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project
from progress_plugin.core.session_state import SessionState, is_session_id, load_session, update_session
from progress_plugin.core.start_cache import has_start_cache
from progress_plugin.log import history, pending_events, store
from progress_plugin.log.archive import limits_of
from progress_plugin.log.entry import EntryDraft, data_of, is_claim, writer_of
from progress_plugin.log.timestamp import written
from progress_plugin.model.status import STATUS_OF_TYPE
from progress_plugin.summary.own_log import newest_plan
from progress_plugin.usecases.project_writes import Moved
from progress_plugin.usecases.reading import (
    LogReading,
    Reading,
    changed_sources,
    with_current_log,
    with_log,
)
from progress_plugin.usecases.recording.last_seen import LastSeen

_Reading = TypeVar("_Reading", bound=LogReading)


@dataclass(frozen=True, slots=True)
class Batch:
    """What one session has to record at one time, which carries its zone."""

    drafts: Sequence[EntryDraft]
    when: datetime
    session: str | None


@dataclass(frozen=True, slots=True)
class Logged:
    """What was written, without the `session_started` that may come first, and what else happened."""

    entries: list[dict[str, Any]]
    notes: list[str]


@dataclass(frozen=True, slots=True)
class Written:
    """What was appended, and the reading; with the log as it is now if a summary is due."""

    logged: Logged
    reading: LogReading
    is_summary_due: bool


def under_lock(reading: _Reading, *, is_last: bool) -> _Reading:
    """Return a reading that was made without the lock, with our own log as it is now.

    Raises Moved if a plan or agent's log has changed since, except at the last turn.
    """
    if not is_last and changed_sources(reading):
        raise Moved("plans or logs have changed while they were read; try again")
    return with_current_log(reading)


def append(
    reading: LogReading, batches: Iterable[Batch], *, now: datetime, last_seen: LastSeen | None = None
) -> Written:
    """Append entries with branch, worktree and session. The caller holds the lock.

    The last_seen learns which finished stories wait for a commit; saving it is the caller's.
    """
    project, settings = reading.project, reading.settings
    branch, head = project.head()
    # What is logged while the project says nothing about sharing may be shared later.
    is_off = not settings.share and reading.config.origin["share"] == PROJECT_FILE
    begun: set[str | None] = set()
    drafts: list[EntryDraft] = []
    openings: list[bool] = []  # whether each draft only begins a session
    for batch in batches:
        opening = [] if batch.session in begun else _opening(reading, batch)
        begun.add(batch.session)
        openings += [True] * len(opening) + [False] * len(batch.drafts)
        drafts += [
            draft._replace(
                data=_with_session(draft.data, batch.session),
                branch=branch,
                worktree=project.worktree,
                when=draft.when or batch.when,
                unshared=True if is_off else None,
            )
            for draft in (*opening, *batch.drafts)
        ]
    stored = store.append(
        project.log_directory,
        drafts,
        now=now,
        project_name=reading.name,
        limits=limits_of(settings),
    )
    notes = list(stored.notes)
    if settings.share:
        from progress_plugin.usecases.sharing import publish  # noqa: PLC0415 - only if history is shared

        notes += publish(project, stored.entries)
    for session in begun:
        _note_session(project, session)
    pairs = zip(stored.entries, openings, strict=True)
    entries = [entry for entry, is_opening in pairs if not is_opening]
    if last_seen is not None:
        done = [entry for entry in entries if is_finish(entry) and "commit" not in entry["data"]]
        last_seen.note_uncommitted([entry["id"] for entry in done], head)
    has_story = any(entry["type"] in STATUS_OF_TYPE for entry in entries)
    if not (has_story and settings.auto_generate and settings.summary_enabled):
        return Written(Logged(entries, notes), reading, is_summary_due=False)
    reading = with_log(reading, history.load(project.log_directory))
    return Written(Logged(entries, notes), reading, is_summary_due=True)


def _opening(reading: LogReading, batch: Batch) -> list[EntryDraft]:
    """Return the entry that begins a session, unless it has begun or has no usable id."""
    if not is_session_id(batch.session) or entries_of_session(reading.log.log.entries, batch.session):
        return []
    data = {"started_at": written(batch.when), "session_id": batch.session}
    return [EntryDraft("session_started", data)]


def entries_of_session(entries: Iterable[dict[str, Any]], session: str | None) -> list[dict[str, Any]]:
    """Return what a session of this clone has written."""
    return [
        entry
        for entry in entries
        if session and data_of(entry).get("session_id") == session and writer_of(entry) is None
    ]


def is_finish(entry: dict[str, Any]) -> bool:
    """Return whether an entry finishes a story, and does not only add to one that does."""
    return entry.get("type") == "task_completed" and "supplements" not in data_of(entry)


def _note_session(project: Project, session: str | None) -> None:
    """Note that a session has logged something, so that its hook looks into the log at its end."""
    if load_session(session).entries:
        return

    def change(state: SessionState) -> None:
        state.project = state.project or project.root
        state.entries = {"logged": True}

    update_session(session, change)


def _with_session(data: Any, session: str | None) -> Any:
    is_missing = session and isinstance(data, dict) and "session_id" not in data
    return {**data, "session_id": session} if is_missing else data


def finish_write(written: Written) -> Logged:
    """Renew the summary after a story, without the lock; return what was written with what else happened.

    What else an entry changes is shown by the next start, and by the end of the session.
    """
    project, logged = written.reading.project, written.logged
    if data_directory.has_team(project.log_directory):
        start_sync(project)
    if not written.is_summary_due:
        return logged
    notes = renew(project, _reusable(written.reading))
    _renew_worktrees(project)
    return Logged(logged.entries, [*logged.notes, *notes])


def start_sync(project: Project) -> None:
    """Start a sync with the team's server; if that fails, the next start does it."""
    from progress_plugin.log import team_state, team_sync  # noqa: PLC0415 - only in a team

    with suppress(AgentProgressError, OSError):
        team_state.want_sync(project.log_directory)
        team_sync.start(project.main_root)


def _reusable(reading: LogReading) -> Reading | None:
    """Return a reading to make the summary from; None if more than our log may be different now.

    Another plan may lead by what was logged, a story may be claimed, a damaged log is mended.
    """
    has_claim = any(is_claim(entry) for entry in reading.log.entries[-1:])
    if not isinstance(reading, Reading) or has_claim or reading.problems:
        return None
    plan, plans = newest_plan(reading.log.entries), reading.facts.inputs.plans
    leading = plans[0].path if plans else ""
    return reading if not plan or plan in {leading, *leading.split("/")} else None


def renew(project: Project, reading: Reading | None = None) -> list[str]:
    """Renew summary and cache, from a reading if there is one; return why that cannot be.

    What was written before counts, so no failure here may look like its own. The next start makes up for it.
    """
    from progress_plugin.usecases.summary_files import regenerate  # noqa: PLC0415 - only if it is renewed

    try:
        regenerate(project, DEFAULT_TIMEOUT_S, reading)
    except (AgentProgressError, OSError) as error:
        return [f"could not renew the summary: {error}"]
    return []


def _renew_worktrees(project: Project) -> None:
    """Have another process renew the summaries of other worktrees, which are made from the same log."""
    if any(has_start_cache(root) for root in project.roots() - {project.root}):
        with suppress(AgentProgressError, OSError):
            pending_events.want_summary(project.log_directory)
            pending_events.start_background(project.log_directory, project.root)
