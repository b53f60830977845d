"""What outlasts a hook: one process per project, which no client waits for (S11.5).

It is started with the lock of the drainer in its hands, so there is never a second one, and does all there is
to do, whoever has left it: it records what waits, and makes the summary that a start could not make in its
time. Its own time is limited by the door (`core.fast.hook_filter`).
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import ExitStack

from progress_plugin.core.directories import user_cache
from progress_plugin.core.errors import Busy
from progress_plugin.core.fast.hook_filter import AT_MOST_DETACHED, DETACHED
from progress_plugin.core.fast.hook_process import WAITED
from progress_plugin.core.fast.minimal_os import content_digest
from progress_plugin.core.files.lock import PATIENCE, FileLock
from progress_plugin.core.packages.environment import PLUGIN_ROOT
from progress_plugin.core.project import Project, find_project
from progress_plugin.log import pending_events


def start_background(project: Project, session: str | None = None) -> None:
    """See to it that a process works on what waits in the spool, and no more than one.

    Where one is at it already it finds what waits: whoever holds this lock looks again when it has let go.
    Where our directory does not stand it looks whether there is anything to begin one for, done in `session`.
    Raises OSError where no process can be started.
    """
    lock = _lock(project)
    if lock is None:
        return
    try:
        with lock:
            _start(project.root, session, lock.handles)
    except Busy:
        return


def run_background(root: str, session: str, *handles: str) -> None:
    """Do what is left to do until nothing is; `handles` are those of the lock as it was handed over.

    All are given as `start_background` wrote them on the command line.
    """
    project = find_project(root)
    until = time.monotonic() + AT_MOST_DETACHED
    lock = _lock(project)
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
        lock = _lock(project)


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


def _lock(project: Project) -> FileLock | None:
    """Return the one lock of all that outlasts a hook; None where there is no place for it.

    Nothing is written into a project before a story is finished there (S9.5): until then it stands outside.
    """
    if project.has_directory:
        return pending_events.drainer(project.log_directory)
    cache = user_cache()
    if cache is None:
        return None
    folder = os.path.join(cache, "detached", content_digest(os.fsencode(project.root)).decode())
    os.makedirs(folder, mode=0o700, exist_ok=True)
    return FileLock(os.path.join(folder, "drainer"), 0)


def _start(root: str, session: str | None, handles: tuple[int, ...]) -> None:
    prefix = ["-X", f"pycache_prefix={sys.pycache_prefix}"] if sys.pycache_prefix else ["-B"]
    door = os.path.join(PLUGIN_ROOT, "hooks", "record.py")
    given = handles if sys.platform != "win32" else ()
    subprocess.Popen(
        [
            sys.executable,
            "-I",
            "-S",
            "-X",
            "utf8",
            *prefix,
            door,
            DETACHED,
            root,
            session or "",
            *map(str, given),
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=given,
        # The launcher has waited for us, not for what is to come.
        env={name: value for name, value in os.environ.items() if name != WAITED},
        start_new_session=True,
        creationflags=getattr(subprocess, "DETACHED_PROCESS", 0),  # what Windows has instead
    )
