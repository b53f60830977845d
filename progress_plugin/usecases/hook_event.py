"""What a hook's event makes of the log: one journey per event (S11.1)."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from progress_plugin.core import environment
from progress_plugin.core.clients import current_client
from progress_plugin.core.errors import Busy, NoProject
from progress_plugin.core.event_gate import DETACHED_DRAIN, DETACHED_LOOK, DETACHED_RENEWAL
from progress_plugin.core.fresh_start import field, session_of, started_in, variable_names
from progress_plugin.core.lock import FileLock
from progress_plugin.core.project import Project, find_project, has_sources, size_of_sources
from progress_plugin.log import spool
from progress_plugin.log.spool import Happened
from progress_plugin.usecases.intake import drain, record
from progress_plugin.usecases.log_entry import PATIENCE, drain_waiting
from progress_plugin.usecases.observe import has_news
from progress_plugin.usecases.regenerate import lock_of, prepare

_PATIENCE = 2.0
"""Seconds that an agent waits for another writer; what is not recorded by then waits without it."""
_AT_THE_END = 0.5
"""The same when a session ends, of the 1.5 that the client gives."""
_A_LOOK = 0.05
"""Seconds between two looks whether another process has recorded what waits."""
_DETACHED = 300.0
"""Seconds that a process of its own goes on recording what waits."""
_READ_AT_ONCE = 4 * 1024 * 1024
"""Bytes of plans and logs that are compared while the agent waits, a second or so; more are left to a process
of its own, as a whole: an append is begun here or there, and never cut short."""


def handle(event: str, raw: bytes) -> None:
    """Record what an event tells, where the project has a log, a plan or was begun by `init` (S11.6).

    Raises what writing raises; the door swallows it, visibly.
    """
    try:
        project = find_project(start=started_in(raw))
    except NoProject:
        return
    if not project.has_directory and not has_sources(project.root):
        return
    environment.enter()
    if event == DETACHED_RENEWAL:
        _renew(project)
    elif event == DETACHED_DRAIN:
        _drain_all(project)
    elif event not in ("TaskCompleted", "SessionEnd", DETACHED_LOOK) and (
        size_of_sources(project.root) > _READ_AT_ONCE
    ):
        _hand_over(DETACHED_LOOK, raw)
    else:
        patience = _AT_THE_END if event == "SessionEnd" else _PATIENCE
        _take_in(project, _happened(event, raw, project), raw, patience)


def _happened(event: str, raw: bytes, project: Project) -> list[Happened]:
    """Return what is to be recorded of an event."""
    session, now = session_of(raw), datetime.now(UTC)
    look = Happened("look", project.root, session, now, {})
    if event == "TaskCompleted":
        told = _parsed(raw)
        facts = {"subject": told.get("task_subject"), "client_task": told.get("task_id")}
        return [look._replace(kind="task", told=facts)] if facts["subject"] else []
    if event != "SessionEnd":
        return [look]
    end = look._replace(kind="end", told={"reason": field(raw, b"reason")})
    return [end] if current_client(None, variable_names()).tells_of_turns else [look, end]


def _take_in(project: Project, events: Sequence[Happened], raw: bytes, patience: float) -> None:
    """Record events now, or keep them for whoever has the lock next, if need be a process of its own."""
    if not project.has_directory and all(event.kind == "look" for event in events):
        events = [event for event in events if has_news(project, event.session)]
    if not events:
        return
    prepare(project)
    try:
        with lock_of(project, 0):
            drain_waiting(project)
            record(project, events)
            return
    except Busy:
        # From here on they are safe, whatever becomes of this process.
        paths = [spool.put(project.log_directory, event) for event in events]
    until = time.monotonic() + patience
    while any(map(os.path.exists, paths)):
        if time.monotonic() >= until:
            _have_drained(project, raw)
            return
        try:
            with lock_of(project, _A_LOOK):
                drain(project)
        except Busy:
            continue


def _have_drained(project: Project, raw: bytes) -> None:
    """See to it that one process records what waits, and no more than one."""
    try:
        with _drainer(project):
            pass
    except Busy:
        return  # it looks once more after it has let go of this lock
    _hand_over(DETACHED_DRAIN, raw)


def _drain_all(project: Project) -> None:
    """Record what waits until nothing does; another process at it is left alone."""
    until = time.monotonic() + _DETACHED
    while spool.names(project.log_directory) and time.monotonic() < until:
        try:
            with _drainer(project), lock_of(project, _DETACHED):
                drain(project)
        except Busy:
            return


def _drainer(project: Project) -> FileLock:
    return FileLock(os.path.join(project.log_directory, spool.DRAINER), 0)


def _renew(project: Project) -> None:
    from progress_plugin.usecases.current_output import regenerated  # noqa: PLC0415 - a start's work
    from progress_plugin.usecases.renewal import renewed  # noqa: PLC0415

    if renewed(project, PATIENCE) is None:  # nobody has made it while we waited for the lock
        regenerated(project)


def _hand_over(event: str, raw: bytes) -> None:
    from progress_plugin.usecases.detached import hand_over  # noqa: PLC0415 - it imports subprocess

    hand_over(event, raw)


def _parsed(raw: bytes) -> dict[str, Any]:
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
