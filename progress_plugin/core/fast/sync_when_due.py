"""Starting the process that syncs with a team's server, when one is due.

A hook opens no socket: it compares the age of one file and starts a process that nobody waits for.
It is imported only where this clone syncs.
"""

import time

from progress_plugin.core.fast.minimal_os import modified
from progress_plugin.core.private_state import state_file

STATE = "team/state"
"""What this clone knows of its team's server; each sync touches it as it begins."""
_EVERY = 60.0
"""Seconds from one sync to that of the next start."""


def start_if_due(root: str) -> None:
    """Start a sync if this clone takes part in one and the last began more than a minute ago."""
    when = modified(state_file(root, STATE))
    if when is not None and not 0 <= time.time() - when / 1e9 < _EVERY:
        start(root)


def start(root: str) -> None:
    """Start a sync of the project whose log is at `root`, and do not wait for it.

    Where none can be started the next start tries again, and `agent-progress sync --watch` does it.
    """
    from progress_plugin.core.processes import start_detached  # noqa: PLC0415 - once in a minute at most

    start_detached("background", "sync", root)
