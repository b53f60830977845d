"""Having the summary made anew by a process of its own, where a hook finds that it is out of date.

The request is the same file by which a start asks for a summary (`log.pending_events`): while it is there
somebody is at it, or was killed.
"""

import time

try:
    import posix as system
except ImportError:
    import nt as system  # type: ignore[import-not-found, no-redef, unused-ignore]

from progress_plugin.core.paths import make_private
from progress_plugin.core.private_state import state_file

_WANTED = "spool/summary-wanted"
"""`pending_events.WANTED`."""
_GIVEN_UP = 60.0
"""Seconds after which whoever was asked is taken to have been ended."""


def request(root: str, log_root: str) -> None:
    """Ask for a new summary of the project at `root`, whose log is at `log_root`, unless that was done.

    Without effect where nothing can be written there: the next start makes it.
    """
    path = state_file(log_root, _WANTED)
    try:
        make_private(path.rpartition("/")[0])
        if not _is_due(path):
            return
        flags = system.O_WRONLY | system.O_CREAT | system.O_EXCL | getattr(system, "O_NOFOLLOW", 0)
        system.close(system.open(path, flags, 0o600))
    except (OSError, ValueError):
        return
    from progress_plugin.core.processes import start_detached  # noqa: PLC0415 - hardly ever

    start_detached("background", "record", root)


def _is_due(path: str) -> bool:
    """Return whether nobody has asked, or whoever was asked has not done it; an old request is removed."""
    try:
        age = time.time() - system.lstat(path).st_mtime
    except FileNotFoundError:
        return True
    if 0 <= age < _GIVEN_UP:
        return False
    system.unlink(path)
    return True
