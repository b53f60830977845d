"""Starting what outlasts a hook: one process per project, which no client waits for (S11.5).

It is started with the lock of the drainer in its hands, so there is never a second one. What it does is in
`usecases.background_run`; its time is limited by its entry point (`core.fast.hook_filter`).
"""

from __future__ import annotations

import os
import subprocess
import sys

from progress_plugin.core.directories import make_private, user_cache
from progress_plugin.core.errors import Busy
from progress_plugin.core.fast.hook_filter import DETACHED
from progress_plugin.core.fast.hook_process import WAITED
from progress_plugin.core.fast.minimal_os import content_digest
from progress_plugin.core.files.lock import FileLock
from progress_plugin.core.packages.environment import PLUGIN_ROOT
from progress_plugin.core.project import Project
from progress_plugin.log import pending_events

_started: list[subprocess.Popen[bytes]] = []
"""Processes that a server, which lives on, has started: looked at again, so that none stays a zombie."""


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
    Nothing is written into a project before a story is finished there (S9.5): until then the lock is outside.
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
    prefix = ["-X", f"pycache_prefix={sys.pycache_prefix}"] if sys.pycache_prefix else ["-B"]
    entry_point = os.path.join(PLUGIN_ROOT, "hooks", "record.py")
    given = handles if sys.platform != "win32" else ()
    _started[:] = [process for process in _started if process.poll() is None]
    process = subprocess.Popen(
        [
            sys.executable,
            "-I",
            "-S",
            "-X",
            "utf8",
            *prefix,
            entry_point,
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
    _started.append(process)
