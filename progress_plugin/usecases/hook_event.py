"""What a hook's event makes of the log: one journey per event (S11.1)."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from progress_plugin.core import environment
from progress_plugin.core.clients import current_client
from progress_plugin.core.errors import Busy, NoProject
from progress_plugin.core.event_gate import DETACHED_END, DETACHED_LOOK, DETACHED_RENEWAL
from progress_plugin.core.fresh_start import field, session_of, started_in, variable_names
from progress_plugin.core.project import Project, find_project, has_sources, size_of_sources
from progress_plugin.usecases.log_entry import PATIENCE, write
from progress_plugin.usecases.observe import observe, task_completed
from progress_plugin.usecases.regenerate import lock_of
from progress_plugin.usecases.session import Session
from progress_plugin.usecases.sources import inputs_under_lock, read_plans

_AT_THE_END = 0.5
"""Seconds to wait for the lock when a session ends, of the 1.5 that the client gives."""
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
    session, now = session_of(raw), datetime.now(UTC)
    if event == DETACHED_END:
        _end(project, session, field(raw, b"reason"), now, PATIENCE)
    elif event == "SessionEnd":
        if not current_client(None, variable_names()).tells_of_turns:
            observe(project, now=now, session=session)
        try:
            _end(project, session, field(raw, b"reason"), now, _AT_THE_END)
        except Busy:
            _hand_over(DETACHED_END, raw)  # the client ends this process after 1.5 s (S11.5)
    elif event == DETACHED_RENEWAL:
        from progress_plugin.usecases.current_output import regenerated  # noqa: PLC0415 - a start's work
        from progress_plugin.usecases.renewal import renewed  # noqa: PLC0415

        if renewed(project, PATIENCE) is None:  # nobody has made it while we waited for the lock
            regenerated(project)
    elif event == "TaskCompleted":
        told = _parsed(raw)
        task_completed(project, told.get("task_subject"), told.get("task_id"), now=now, session=session)
    elif event != DETACHED_LOOK and size_of_sources(project.root) > _READ_AT_ONCE:
        _hand_over(DETACHED_LOOK, raw)
    else:
        observe(project, now=now, session=session)


def _hand_over(event: str, raw: bytes) -> None:
    from progress_plugin.usecases.detached import hand_over  # noqa: PLC0415 - it imports subprocess

    hand_over(event, raw)


def _end(project: Project, name: str | None, reason: str | None, now: datetime, patience: float) -> None:
    with lock_of(project, patience):
        session = Session(project, name)
        draft = session.closing(now, reason)
        if draft is not None:
            sources = read_plans(project, inputs_under_lock(project))
            logged = write(sources, [draft], now=now, session=name)
            session.ended(logged.entries[0]["id"])


def _parsed(raw: bytes) -> dict[str, Any]:
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
