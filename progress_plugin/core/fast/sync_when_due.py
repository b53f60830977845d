"""Starting the process that syncs with a team's server, when one is due.

A hook opens no socket: it compares the age of one file and starts a process that nobody waits for.
It is imported only where this clone syncs.
"""

import time

from progress_plugin.core.fast.minimal_os import modified, read_regular
from progress_plugin.core.fast.start_cache import DATA_SUFFIX, seal

STATE = "/team/state"
"""What this clone knows of its team's server, below our directory; each sync touches it as it begins."""
STATE_MAGIC = b"agent-progress team "
_EVERY = 60.0
"""Seconds from one sync to that of the next start."""


def start_if_due(root: str, *, is_member: bool = False) -> None:
    """Start a sync where this clone takes part in one, and the last began more than a minute ago.

    A state file that a repository brought lacks the seal of what was made here, and starts nothing; with
    `is_member` the caller has found out that it is ours.
    """
    path = root + DATA_SUFFIX + STATE
    when = modified(path)
    if when is None or 0 <= time.time() - when / 1e9 < _EVERY:
        return
    if is_member:
        start(root)
        return
    mark = seal(root)
    first = (read_regular(path) or b"").partition(b"\n")[0].split(b" ")
    if mark is not None and mark in first[3:]:
        start(root)


def start(root: str) -> None:
    """Start a sync of the project whose log is at `root`, and do not wait for it.

    Where none can be started the next start tries again, and `agent-progress sync --watch` does it.
    """
    from progress_plugin.core.processes import start_detached  # noqa: PLC0415 - once in a minute at most

    start_detached("background", "sync", root)
