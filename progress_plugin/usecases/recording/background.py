"""Start the background process of a project, for what takes longer than a hook may."""

from __future__ import annotations

from progress_plugin.core.errors import Busy
from progress_plugin.core.processes import start_detached
from progress_plugin.core.project import Project
from progress_plugin.log import pending_events


def start_background(project: Project) -> None:
    """Start a process that records what waits in the spool and makes the summary that was asked for.

    If another process holds the lock of the spool none is started: that one looks again when it has released
    it. Raises OSError if no process can be started.
    """
    try:
        with pending_events.drainer(project.log_directory):
            pass
    except Busy:
        return
    start_detached("background", "record", project.root)
