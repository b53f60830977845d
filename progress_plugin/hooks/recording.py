"""Decide by a quick look whether an event can have changed the log, and pass it on if so."""

from __future__ import annotations

import os

from progress_plugin import PENDING_EVENT_ENDING
from progress_plugin.core.paths import repository_around, state_file
from progress_plugin.core.session_state import load_session, note_begun
from progress_plugin.core.start_cache import cache_path, load_start_cache, root_with_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from progress_plugin.core.clients import HookEvent
    from progress_plugin.core.project import Project
    from progress_plugin.hooks.entry import HookRun
    from progress_plugin.log.pending_events import PendingEvent

SPOOL, BASELINE_FILE = "spool", "baseline.json"  # in the private state
LOCK_TIMEOUT_S = 2.0  # after this time an event waits in the spool
SESSION_END_LOCK_TIMEOUT_S = 0.5  # a client gives the end of a session 1.5 s in all


def record(event: HookEvent, run: HookRun) -> None:
    """Record what an event reports, and read the session's transcript if it is time for that.

    What a client reports only once is in the spool before the larger part of the program is loaded.
    """
    if event.name == "UserPromptSubmit":
        note_session(event)
        return
    brings_news, with_transcript = may_bring_news(event), reads_transcript(event)
    if not brings_news and not with_transcript:
        return
    from progress_plugin.core import environment
    from progress_plugin.core.errors import NoProject
    from progress_plugin.core.known_paths import has_sources
    from progress_plugin.core.project import find_project

    run.raise_at_deadline()
    environment.enter()
    try:
        project = find_project(start=event.start)
    except NoProject:
        return
    is_used = brings_news and (project.has_directory or has_sources(project.root))
    events = pending_events_of(event, project) if is_used else []
    spooled = spool_unrepeatable(project, events)
    if with_transcript:
        take_in_transcript(project, event)
    if events:
        from progress_plugin.usecases.recording.hook_event import record_events

        timeout = SESSION_END_LOCK_TIMEOUT_S if event.name == "SessionEnd" else LOCK_TIMEOUT_S
        record_events(project, events, spooled, timeout)
    if with_transcript:
        from progress_plugin.usecases.sessions.reading_moments import renew

        renew(project)


def may_bring_news(event: HookEvent) -> bool:
    """Return whether an event may have changed a plan or log.

    After a tool: it edited a file with the name of a plan or log, or ran a command that commits. At the end
    of a turn: an input of the summary has changed since the last start context was made.
    """
    if event.name == "PostToolUse":
        return _edits_source(event) or is_commit(event)
    start = event.start
    if start is None:
        return False
    root = root_with_cache(start)
    if event.name == "SessionEnd":
        if root is not None and (load_session(event.session).entries or _is_event_waiting(root)):
            return True
        if event.client.reports_turn_end:
            return False
    if root is None:
        from progress_plugin.core.known_paths import is_unused

        return not is_unused(start)
    return event.name == "TaskCompleted" or _is_changed(root)


def is_commit(event: HookEvent) -> bool:
    """Return whether a tool ran a command that commits: `git commit`, `cd x && git -c a=b commit`."""
    command = event.command
    if event.path or "git" not in command or "commit" not in command:
        return False
    import re

    return re.search(r"\bgit\b.*\bcommit\b", command) is not None


def reads_transcript(event: HookEvent) -> bool:
    """Return whether the session's transcript is read at an event."""
    if event.session is None:
        return False
    if event.name == "Stop":
        return not event.client.reports_session_end
    return event.name in ("PreCompact", "SessionEnd")


def pending_events_of(event: HookEvent, project: Project) -> list[PendingEvent]:
    """Return what is to be recorded of an event: a look at the plans and logs, a finished task, an end."""
    from datetime import UTC, datetime

    from progress_plugin.log.pending_events import PendingEvent

    facts = {"commits": True} if is_commit(event) else {}
    look = PendingEvent("look", project.root, event.session, datetime.now(UTC), facts)
    if event.name == "TaskCompleted":
        names = {"subject": "task_subject", "client_task": "task_id", "details": "task_description"}
        task = {name: event.fields.get(field) for name, field in names.items()}
        return [look._replace(kind="task", told=task)] if task["subject"] else []
    if event.name != "SessionEnd":
        return [look]
    end = look._replace(kind="end", told={"reason": event.text("reason") or None})
    return [end] if event.client.reports_turn_end else [look, end]


def spool_unrepeatable(project: Project, events: list[PendingEvent]) -> list[str]:
    """Put events into the spool if one of them is reported only once, and return their files.

    Nothing is kept in a project without our directory, and if something else is in the place of the spool.
    """
    from progress_plugin.core import error_log
    from progress_plugin.core.errors import AgentProgressError
    from progress_plugin.log import pending_events

    if not project.has_directory or all(event.kind == "look" for event in events):
        return []
    try:
        return [pending_events.put(project.log_directory, event) for event in events]
    except AgentProgressError as error:
        error_log.note("spool", error)
        return []


def take_in_transcript(project: Project, event: HookEvent) -> None:
    """Read the session's transcript; an error in it must not keep the event out of the log."""
    from progress_plugin.core import error_log
    from progress_plugin.core.errors import AgentProgressError
    from progress_plugin.usecases.sessions.reading_moments import take_in

    try:
        take_in(project, event)
    except (AgentProgressError, OSError) as error:
        error_log.note(event.name, error)


def note_session(event: HookEvent) -> None:
    """Note that a session works, in case it is killed and no later start could find its transcript."""
    if event.client.has_shared_transcripts and event.start and event.session:
        root = root_with_cache(event.start) or repository_around(event.start)
        note_begun(root, event.client.name, event.session, event.text("transcript_path"))


def _edits_source(event: HookEvent) -> bool:
    if event.only_reads or not event.path:
        return False
    from progress_plugin.core.known_paths import FILE_NAMES

    return event.path.replace("\\", "/").rpartition("/")[2] in FILE_NAMES


def _is_changed(root: str) -> bool:
    cache = load_start_cache(root)
    is_changed = cache is None or cache.snapshot.first_change(at_start=False) is not None
    return is_changed or _is_behind(root) or _is_event_waiting(root)


def _is_behind(root: str) -> bool:
    """Return whether the cache was renewed without comparing the plans with the baseline."""
    baseline, cache = _mtime(state_file(root, BASELINE_FILE)), _mtime(cache_path(root))
    return baseline is None or cache is None or baseline < cache


def _is_event_waiting(root: str) -> bool:
    try:
        names = os.listdir(state_file(root, SPOOL))
    except OSError:
        return False
    return any(name.endswith(PENDING_EVENT_ENDING) for name in names)


def _mtime(path: str) -> int | None:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return None
