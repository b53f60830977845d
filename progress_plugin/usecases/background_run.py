"""What outlasts a hook: all that hooks and starts have left to do, done by one process per project.

It records what waits, makes the summary that a start could not make in its time, and renews what other
worktrees keep that was made from the same log.
`recording.background` starts it.
"""

from __future__ import annotations

import os
import time
from contextlib import ExitStack

from progress_plugin.core.errors import Busy
from progress_plugin.core.fast.hook_process import AT_MOST_DETACHED
from progress_plugin.core.fast.start_cache import CACHE_FILE, DATA_SUFFIX
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


def run_reading(root: str, *named: str) -> None:
    """Read what takes longer than a hook may, given as `reading_moments` wrote it.

    That is one transcript, by client, session, path, when the hook ran and whether it is over; or, by the
    session that has started, all that a start left.
    """
    from progress_plugin.transcripts.transcript_files import TranscriptFile  # noqa: PLC0415 - for this alone
    from progress_plugin.usecases.sessions.reading_moments import read_behind, read_detached  # noqa: PLC0415

    environment.enter()
    project = find_project(root)
    if len(named) == 1:
        read_behind(project, named[0] or None)
        return
    client, session, path, when, over = named
    file = TranscriptFile(client, session, path, int(when))
    read_detached(project, file, over=over == "over")


def _all_there_is(project: Project, session: str | None) -> None:
    if not project.has_directory:
        _begin(project, session)
        return
    from progress_plugin.usecases.recording.record_events import (  # noqa: PLC0415 - not where one is started
        drain_as_holder,
        worktree_at,
    )

    drain_as_holder(project, AT_MOST_DETACHED)
    if pending_events.is_summary_wanted(project.log_directory):
        pending_events.summary_begun(project.log_directory)
        _renew(project)
        for root in sorted(project.roots() - {project.root}):
            other = worktree_at(root, project)
            if other is not None and os.path.exists(root + DATA_SUFFIX + CACHE_FILE):
                _renew(other)


def _begin(project: Project, session: str | None) -> None:
    """Leave the first look at a project's plans to be recorded, if there is anything to record."""
    from progress_plugin.usecases.recording.entries_from_signals import begin  # noqa: PLC0415

    begin(project, session)


def _renew(project: Project) -> None:
    from progress_plugin.usecases.starting.cache_refresh import renewed  # noqa: PLC0415
    from progress_plugin.usecases.starting.start_output import regenerated  # noqa: PLC0415 - a start's work

    if renewed(project, PATIENCE) is None:  # nobody has made it meanwhile
        regenerated(project)
