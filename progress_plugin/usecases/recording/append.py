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
from progress_plugin.core.start_cache import has_start_cache
from progress_plugin.log import history, pending_events, store
from progress_plugin.log.archive import limits_of
from progress_plugin.log.entry import EntryDraft, is_claim, text_of
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
from progress_plugin.usecases.recording.duplicates import is_elsewhere
from progress_plugin.usecases.recording.last_seen import LastSeen
from progress_plugin.usecases.recording.session_entries import Session

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
    sessions: dict[str | None, Session] = {}
    drafts: list[EntryDraft] = []
    owners: list[Session | None] = []  # None for an entry that only begins a session
    for batch in batches:
        is_known = batch.session in sessions
        own = sessions.setdefault(batch.session, Session(project, batch.session))
        first = own.opening(batch.when) if batch.drafts and not is_known else None
        for draft in (*([first] if first else []), *batch.drafts):
            drafts.append(
                draft._replace(
                    data=_with_session(draft.data, batch.session),
                    branch=branch,
                    worktree=project.worktree,
                    when=draft.when or batch.when,
                    unshared=True if is_off else None,
                )
            )
            owners.append(None if draft is first else own)
    finishes = _finishes(drafts, reading, branch)
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
    written = list(zip(stored.entries, owners, finishes, strict=True))
    for own in sessions.values():
        mine = [(entry, is_done) for entry, owner, is_done in written if owner is own]
        own.wrote(now, [entry for entry, _ in mine], sum(is_done for _, is_done in mine))
    if last_seen is not None:
        done = [entry for entry, owner, is_done in written if owner is not None and is_done]
        last_seen.note_uncommitted([entry["id"] for entry in done if "commit" not in entry["data"]], head)
    entries = [entry for entry, owner, _ in written if owner is not None]
    has_story = any(entry["type"] in STATUS_OF_TYPE for entry in entries)
    if not (has_story and settings.auto_generate and settings.summary_enabled):
        return Written(Logged(entries, notes), reading, is_summary_due=False)
    reading = with_log(reading, history.load(project.log_directory))
    return Written(Logged(entries, notes), reading, is_summary_due=True)


def _finishes(drafts: Iterable[EntryDraft], reading: LogReading, branch: str | None) -> list[bool]:
    """Return for each draft whether it finishes a story here; a supplement may finish one done elsewhere."""
    known = {text_of(entry, "id"): entry for entry in reading.log.stories_logged()}

    def is_finish(draft: EntryDraft) -> bool:
        first = text_of(draft.data, "supplements")
        is_new = first is None or (first in known and is_elsewhere(known[first], branch))
        return draft.type == "task_completed" and is_new

    return [is_finish(draft) for draft in drafts]


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
