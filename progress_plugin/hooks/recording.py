"""Decide quickly whether an event may lead to an entry; if so, record it."""

import os

from progress_plugin import PENDING_EVENT_ENDING, PENDING_EVENTS
from progress_plugin.core.clients import HookEvent
from progress_plugin.core.paths import repository_around, state_file
from progress_plugin.core.snapshot import DOCUMENT_ENDINGS, has_changed, load_fresh_cache, root_with_cache
from progress_plugin.hooks import HookRun

TYPE_CHECKING = False
if TYPE_CHECKING:
    from progress_plugin.core.project import Project

LOCK_TIMEOUT_S = 2.0  # for the lock of the log; after this time events stay in the spool
SESSION_END_LOCK_TIMEOUT_S = 0.5  # a client gives the end of a session 1.5 s in all


def record(event: HookEvent, run: HookRun) -> None:
    """Record an event, and read the session's transcript if the event calls for it.

    An event is in the spool before the larger part of the program is loaded. An error in the spool or in the
    transcript must not stop the recording of waiting events.
    """
    may_change_log, with_transcript = may_lead_to_entry(event), reads_transcript(event)
    if not may_change_log and not with_transcript:
        return
    from progress_plugin.core import environment, error_log
    from progress_plugin.core.errors import AgentProgressError, NoProject
    from progress_plugin.core.project import find_project

    environment.enter()
    try:
        project = find_project(start=event.directory)
    except NoProject:
        return
    if may_change_log:
        try:
            put_into_spool(event, project)
        except AgentProgressError as error:
            error_log.note("spool", error)
    run.directory = project.root
    if with_transcript:
        from progress_plugin.usecases.sessions.read_transcripts import read_event_transcript

        try:
            read_event_transcript(project, event)
        except (AgentProgressError, OSError) as error:
            error_log.note(event.name, error)
    needs_background = False
    if may_change_log:
        from progress_plugin.usecases.recording.record import record_spooled

        is_end = event.name == "SessionEnd"
        needs_background = record_spooled(project, SESSION_END_LOCK_TIMEOUT_S if is_end else LOCK_TIMEOUT_S)
    if needs_background or (with_transcript and load_fresh_cache(project.root) is None):
        from progress_plugin.core.processes import start_detached

        start_detached("background", "record", project.root)


def may_lead_to_entry(event: HookEvent) -> bool:
    """Return whether an event may lead to a new entry in the log of a project.

    Any event may if a plan or log has changed since hooks last compared them. A folder that changed may have
    a new plan: it counts, unless a tool was used that wrote no document. Without changes these may: a
    finished task, the end of a session that logged something, and, if the spool of the main worktree holds an
    event, any event but a tool use. Without a start cache any event may if the project has our directory or
    `.git` is a file.
    """
    start = event.directory
    root = root_with_cache(start) if start else None
    if root is None:
        return start is not None and _may_have_log(start)
    if event.name == "PostToolUse":
        return has_changed(root, with_folders=event.path.endswith(DOCUMENT_ENDINGS))
    if event.name == "SessionEnd":
        from progress_plugin.core.session_state import load_session

        if load_session(event.session).has_logged:
            return True
    return event.name == "TaskCompleted" or _is_event_waiting(root) or has_changed(root, with_folders=True)


def _may_have_log(start: str) -> bool:
    """Return whether our directory is in the project around `start`, or may be in another worktree of it."""
    top = repository_around(start)
    return os.path.isdir(f"{top}/.agent-os/progress") or os.path.isfile(f"{top}/.git")


def _is_event_waiting(root: str) -> bool:
    try:
        names = os.listdir(state_file(root, PENDING_EVENTS))
    except OSError:
        return False
    return any(name.endswith(PENDING_EVENT_ENDING) for name in names)


def reads_transcript(event: HookEvent) -> bool:
    """Return whether the session's transcript is read at an event."""
    if event.session is None:
        return False
    if event.name == "Stop":
        return not event.client.reports_session_end
    return event.name in ("PreCompact", "SessionEnd")


def put_into_spool(event: HookEvent, project: "Project") -> None:
    """Write an event to the spool: `look` (compare plans and logs), `task` (finished), `end` (of session)."""
    from datetime import UTC, datetime

    from progress_plugin.log.pending_events import PendingEvent, put

    look = PendingEvent("look", project.root, event.session, datetime.now(UTC), {})
    events = [look]
    if event.name == "TaskCompleted":
        names = {"subject": "task_subject", "client_task": "task_id", "details": "task_description"}
        task = {name: event.fields.get(field) for name, field in names.items()}
        events = [look._replace(kind="task", facts=task)] if task["subject"] else []
    elif event.name == "SessionEnd":
        end = look._replace(kind="end", facts={"reason": event.text("reason") or None})
        events = [end] if event.client.reports_turn_end else [look, end]
    for each in events:
        put(project.log_directory, each)
