"""What is left to a process that no client waits for, and how it is started: one per project.

From what size of plans and logs on a hook leaves its work to it is decided here (`is_left_to_background`).
It is started with the lock of the drainer in its hands, so there is never a second one. What it does is in
`usecases.background_run`; its time is limited by its entry point (`core.fast.hook_filter`).
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from progress_plugin.core.errors import Busy
from progress_plugin.core.fast.hook_filter import DETACHED
from progress_plugin.core.fast.hook_process import WAITED
from progress_plugin.core.fast.minimal_os import content_digest
from progress_plugin.core.files.lock import FileLock
from progress_plugin.core.paths import make_private, user_cache
from progress_plugin.core.project import Project, size_of_sources
from progress_plugin.log import pending_events

if TYPE_CHECKING:
    import subprocess

_READ_AT_ONCE = 4 * 1024 * 1024
"""Bytes of plans and logs that are compared while the agent waits, a second or so; more are left to a process
of its own, as a whole: an append is begun here or there, and never cut short."""
_started: list[subprocess.Popen[bytes]] = []
"""Processes that a server, which lives on, has started: looked at again, so that none stays a zombie."""


def is_left_to_background(project: Project) -> bool:
    """Return whether plans and logs are too large to be compared while an agent waits."""
    return size_of_sources(project.root) > _READ_AT_ONCE


def start_background(project: Project, session: str | None = None) -> None:
    """See to it that a process works on what waits in the spool, and no more than one.

    Where one is at it already it finds what waits: whoever holds this lock looks again when it has let go.
    Where our directory does not exist it looks whether there is anything to begin one for, done in `session`.
    Raises OSError where no process can be started.
    """
    lock = lock_of_background(project)
    if lock is None:
        return
    try:
        with lock:
            _start(project.root, session, lock.handles)
    except Busy:
        return


def lock_of_background(project: Project, timeout: float = 0) -> FileLock | None:
    """Return the one lock of all that outlasts a hook; None where there is no place for it.

    `timeout` is for who holds it, in seconds.
    Nothing is written into a project before a story is finished there: until then the lock is outside.
    """
    if project.has_directory:
        return pending_events.drainer(project.log_directory, timeout)
    cache = user_cache()
    if cache is None:
        return None
    folder = os.path.join(cache, "detached", content_digest(os.fsencode(project.root)).decode())
    make_private(folder)
    return FileLock(os.path.join(folder, "drainer"), timeout)


def _start(root: str, session: str | None, handles: tuple[int, ...]) -> None:
    import subprocess  # noqa: PLC0415 - hooks ask this module at every event, and hardly one starts it

    from progress_plugin.core.fast import detached_process  # noqa: PLC0415 - as that

    given = handles if sys.platform != "win32" else ()
    _started[:] = [process for process in _started if process.poll() is None]
    process = subprocess.Popen(
        detached_process.command_of(DETACHED, root, session or "", *map(str, given)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=given,
        # The launcher has waited for us, not for what is to come.
        env={name: value for name, value in os.environ.items() if name != WAITED},
        start_new_session=True,
        creationflags=getattr(subprocess, "DETACHED_PROCESS", 0),  # what Windows has instead
    )
    _started.append(process)
