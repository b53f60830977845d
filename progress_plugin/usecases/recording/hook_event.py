"""Record what a client's hook reports, or leave it to a background process."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

from progress_plugin.core import environment
from progress_plugin.core.errors import Busy, HookTimeout, ReadOnly
from progress_plugin.core.project import Project
from progress_plugin.log import pending_events
from progress_plugin.log.pending_events import PendingEvent
from progress_plugin.usecases.project_writes import prepare
from progress_plugin.usecases.recording.background import is_left_to_background, start_background
from progress_plugin.usecases.recording.entries_from_signals import has_news
from progress_plugin.usecases.recording.record_events import (
    as_drainer,
    drain_as_holder,
    record,
    sole_recorder,
)

RETRY_S = 0.05


def record_events(
    project: Project, events: Sequence[PendingEvent], spooled: Sequence[str], timeout: float
) -> None:
    """Record the events of a hook; those whose files are `spooled` wait in the spool already.

    If another process keeps the log locked for longer than `timeout`, or plans and logs are too large to be
    compared while an agent waits, a background process does it. Raises what writing raises.
    """
    environment.enter()
    session = events[0].session
    if is_left_to_background(project):
        if not spooled and (project.has_directory or any(event.kind != "look" for event in events)):
            prepare(project)
            _spool(project, events)
        start_background(project, session)
        return
    if not project.has_directory and all(event.kind == "look" for event in events):
        events = [event for event in events if has_news(project, session)]
    if not events:
        return
    prepare(project)
    until = time.monotonic() + timeout
    try:
        with sole_recorder(project):
            drain_as_holder(project, RETRY_S)
            if not spooled:
                record(project, events, RETRY_S)
    except Busy:
        spooled = spooled or _spool(project, events)
    except ReadOnly:
        # When the conflict is resolved a look finds what changed; a client reports an end only once.
        if not spooled:
            _spool(project, [event for event in events if event.kind != "look"])
        raise
    except HookTimeout:
        start_background(project)
        raise
    _await_recording(project, spooled, until)


def _spool(project: Project, events: Sequence[PendingEvent]) -> list[str]:
    return [pending_events.put(project.log_directory, event) for event in events]


def _await_recording(project: Project, paths: Sequence[str], until: float) -> None:
    """Wait until these events are recorded, by us or by another process; after that time start one."""
    while any(map(os.path.exists, paths)):
        left = until - time.monotonic()
        if left <= 0:
            start_background(project)
            return
        try:
            with as_drainer(project, min(RETRY_S, left)):
                drain_as_holder(project, left)
        except Busy:
            continue
