"""Leave what takes longer than a hook may to a process of its own, one per project."""

from __future__ import annotations

import os

from progress_plugin.core.errors import Busy
from progress_plugin.core.files import content_digest
from progress_plugin.core.known_paths import size_of_sources
from progress_plugin.core.lock import FileLock
from progress_plugin.core.paths import make_private, user_cache
from progress_plugin.core.processes import start_detached
from progress_plugin.core.project import Project
from progress_plugin.log import pending_events

MAX_SOURCE_BYTES = 4 << 20  # plans and logs that are compared while an agent waits: a second or so


def is_left_to_background(project: Project) -> bool:
    """Return whether plans and logs are too large to be compared while an agent waits."""
    return size_of_sources(project.root) > MAX_SOURCE_BYTES


def start_background(project: Project, session: str | None = None) -> None:
    """Start a process that records what waits in the spool and makes the summary that was asked for.

    If another process holds the lock none is started: that one looks again when it has released it.
    In a project without our directory the process looks for something to record, done in `session`.
    Raises OSError if no process can be started.
    """
    lock = background_lock(project)
    if lock is None:
        return
    try:
        with lock:
            pass
    except Busy:
        return
    start_detached("background", "record", project.root, session or "")


def background_lock(project: Project, timeout: float = 0) -> FileLock | None:
    """Return the lock of the background process of a project; None if there is no place for it.

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
