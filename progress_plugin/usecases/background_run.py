"""What outlasts a hook: all that hooks and starts have left to do, done by one process per project (S11.5).

It records what waits, and makes the summary that a start could not make in its time.
`recording.background` starts it.
"""

from __future__ import annotations

import time
from contextlib import ExitStack

from progress_plugin.core.errors import Busy
from progress_plugin.core.fast.hook_filter import AT_MOST_DETACHED
from progress_plugin.core.files.lock import PATIENCE
from progress_plugin.core.packages import environment
from progress_plugin.core.project import Project, find_project
from progress_plugin.log import pending_events
from progress_plugin.usecases.recording.background import lock_of_background

_FOR_THE_ONE_BEFORE = 5.0
"""Seconds."""


def run_background(root: str, session: str, *handles: str) -> None:
    """Do what is left to do until nothing is; `handles` are those of the lock as it was handed over.

    All are given as `start_background` wrote them on the command line.
    """
    environment.enter()
    project = find_project(root)
    until = time.monotonic() + AT_MOST_DETACHED
    # Without handles it is held by a process that ends now.
    lock = lock_of_background(project, 0 if handles else _FOR_THE_ONE_BEFORE)
    if lock is not None and handles:
        lock.take_over(tuple(map(int, handles)))
    while lock is not None and time.monotonic() < until:
        with ExitStack() as held:
            try:
                held.enter_context(lock)
            except Busy:
                return  # it looks once more when it has let go of this lock
            before = pending_events.names(project.log_directory)
            try:
                _all_there_is(project, session or None)
            except Busy:  # the log, or what was read changed all the time
                before = []
        left = pending_events.names(project.log_directory)
        if (not left and not pending_events.is_summary_wanted(project.log_directory)) or (
            left and left == before
        ):
            return  # nothing waits, or nothing that can be recorded
        lock = lock_of_background(project)


def _all_there_is(project: Project, session: str | None) -> None:
    if not project.has_directory:
        _begin(project, session)
        return
    from progress_plugin.usecases.recording.record_events import drain_as_holder  # noqa: PLC0415 - not where one is started

    drain_as_holder(project, AT_MOST_DETACHED)
    if pending_events.is_summary_wanted(project.log_directory):
        pending_events.summary_begun(project.log_directory)
        _renew(project)


def _begin(project: Project, session: str | None) -> None:
    """Leave the first look at a project's plans to be recorded, if there is anything to record."""
    from progress_plugin.usecases.recording.observe import begin  # noqa: PLC0415

    begin(project, session)


def _renew(project: Project) -> None:
    from progress_plugin.usecases.starting.cache_refresh import renewed  # noqa: PLC0415
    from progress_plugin.usecases.starting.start_output import regenerated  # noqa: PLC0415 - a start's work

    if renewed(project, PATIENCE) is None:  # nobody has made it meanwhile
        regenerated(project)
