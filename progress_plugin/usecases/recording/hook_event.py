"""What a hook's event makes of the log: one journey per event.

Which events are any business of ours is decided before, in `core.fast.hook_filter`; what becomes an entry,
in `usecases.recording.entries_from_signals`.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from progress_plugin.core import error_log
from progress_plugin.core.clients import current_client
from progress_plugin.core.errors import AgentProgressError, Busy, NoProject, ReadOnly
from progress_plugin.core.fast.hook_filter import READ, commits, may_be_gated, tells_of_session
from progress_plugin.core.fast.hook_input import field, session_of, started_in
from progress_plugin.core.fast.hook_process import Late, rescue_by, say
from progress_plugin.core.fast.minimal_os import variable_names
from progress_plugin.core.packages import environment
from progress_plugin.core.project import Project, find_project, has_sources
from progress_plugin.log import pending_events
from progress_plugin.log.pending_events import PendingEvent
from progress_plugin.usecases.recording.background import is_left_to_background, start_background
from progress_plugin.usecases.recording.entries_from_signals import has_news
from progress_plugin.usecases.recording.record_events import (
    as_drainer,
    drain_as_holder,
    record,
    sole_recorder,
)
from progress_plugin.usecases.summarizing.summary_files import prepare

_LOCK_TIMEOUT = 2.0
"""Seconds that an agent waits for another writer; what is not recorded by then waits without it."""
_AT_THE_END = 0.5
"""The same when a session ends, of the 1.5 that the client gives."""
_A_LOOK = 0.05
"""Seconds between two looks whether another process has recorded what waits."""


def handle(event: str, raw: bytes, client: str | None = None) -> None:
    """Record what an event reports, where the project has a log, a plan or was begun by `init`.

    `client` is the one that its hooks name. Raises what writing raises; the entry point logs it.
    """
    try:
        project = find_project(start=started_in(raw))
    except NoProject:
        return
    happened = event.removeprefix(READ)
    tells = tells_of_session(happened, client)
    if tells:
        _read_transcript(project, happened, raw, client)
    if event == happened and (project.has_directory or has_sources(project.root)):
        environment.enter()
        events = _happened(event, raw, project)
        if is_left_to_background(project):
            _leave_to_background(project, events)
        else:
            _record_or_keep(project, events, _AT_THE_END if event == "SessionEnd" else _LOCK_TIMEOUT)
        rescue_by(None)  # what the client said is in the log, or waits for it on the disk
    if tells:
        from progress_plugin.usecases.sessions.reading_moments import renew  # noqa: PLC0415 - twice in a session

        renew(project)
    elif may_be_gated(happened, raw):
        _answer_stop(project, raw)


def _answer_stop(project: Project, raw: bytes) -> None:
    """Say what no check has proven, where the user wants to have it said."""
    from progress_plugin.usecases.sessions import reading_moments, stop_gate  # noqa: PLC0415 - where it is switched on

    told = stop_gate.answer(project, raw)
    if told:
        say(told)
    reading_moments.renew(project)


def _read_transcript(project: Project, event: str, raw: bytes, client: str | None) -> None:
    """Read the session's transcript; whatever comes of it, the log gets what the event tells."""
    from progress_plugin.usecases.sessions import reading_moments  # noqa: PLC0415 - not at a tool call

    try:
        reading_moments.take_in(project, event, raw, client)
    except (AgentProgressError, OSError) as error:
        error_log.note(event, error)


def _put_down(project: Project, events: Sequence[PendingEvent]) -> None:
    """Keep what a client reports only once; a look is made again.

    Whether it was written by then is recognised.
    """
    told = [event for event in events if event.kind != "look"]
    if told:
        prepare(project)
    for event in told:
        pending_events.put(project.log_directory, event)


def _happened(event: str, raw: bytes, project: Project) -> list[PendingEvent]:
    """Return what is to be recorded of an event."""
    session, now = session_of(raw), datetime.now(UTC)
    look = PendingEvent("look", project.root, session, now, {"commits": True} if commits(event, raw) else {})
    if event == "TaskCompleted":
        told = _parsed(raw)
        facts = {
            "subject": told.get("task_subject"),
            "client_task": told.get("task_id"),
            "details": told.get("task_description"),
        }
        return [look._replace(kind="task", told=facts)] if facts["subject"] else []
    if event != "SessionEnd":
        return [look]
    end = look._replace(kind="end", told={"reason": field(raw, b"reason")})
    return [end] if current_client(None, variable_names()).reports_turn_end else [look, end]


def _leave_to_background(project: Project, events: Sequence[PendingEvent]) -> None:
    """Leave events to a process of its own; they are on the disk when this returns."""
    if not events:
        return
    if project.has_directory or any(event.kind != "look" for event in events):
        prepare(project)
        for event in events:
            pending_events.put(project.log_directory, event)
    start_background(project, events[0].session)


def _record_or_keep(project: Project, events: Sequence[PendingEvent], timeout: float) -> None:
    """Record events now, or keep them for whoever is at it already, if need be a process of its own."""
    if not project.has_directory and all(event.kind == "look" for event in events):
        events = [event for event in events if has_news(project, event.session)]
    if not events:
        return
    prepare(project)
    directory = project.log_directory
    until = time.monotonic() + timeout
    try:
        _record_now(project, events)
        paths: list[str] = []
    except Busy:
        # From here on they are safe, whatever becomes of this process.
        paths = [pending_events.put(directory, event) for event in events]
    except Late:
        _put_down(project, events)
        start_background(project)
        raise
    except ReadOnly:
        # Once its conflict is resolved a look finds what changed; a client reports only once.
        _put_down(project, events)
        raise
    while any(map(os.path.exists, paths)) and (left := until - time.monotonic()) > 0:
        try:
            with as_drainer(project, min(_A_LOOK, left)):
                drain_as_holder(project, left)
        except Busy:
            continue
    if any(map(os.path.exists, paths)):
        start_background(project)


def _record_now(project: Project, events: Sequence[PendingEvent]) -> None:
    """Record what waits, and these events; Busy where another process is at it, or holds the lock."""
    with sole_recorder(project):
        drain_as_holder(project, _A_LOOK)
        record(project, events, _A_LOOK)


def _parsed(raw: bytes) -> dict[str, Any]:
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
