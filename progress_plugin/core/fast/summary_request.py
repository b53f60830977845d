"""Having the summary made anew by a process of its own, where a hook finds that it is out of date.

The request is the same file by which a start asks for a summary (`log.pending_events`): while it is there
somebody is at it, or was killed.
"""

import time

try:
    import posix as system
except ImportError:
    import nt as system  # type: ignore[import-not-found, no-redef, unused-ignore]

from progress_plugin.core.fast.minimal_os import FILE_TYPE, FOLDER_TYPE
from progress_plugin.core.fast.start_cache import DATA_SUFFIX

_FOLDER = "/spool"
_WANTED = "/spool/summary-wanted"
"""Below our directory: `pending_events.WANTED`."""
_GIVEN_UP = 60.0
"""Seconds after which whoever was asked is taken to have been ended."""


def request(root: str, log_root: str) -> None:
    """Ask for a new summary of the project at `root`, whose log is at `log_root`, unless that was done.

    Without effect where nothing can be written there: the next start makes it.
    """
    path = log_root + DATA_SUFFIX + _WANTED
    try:
        if not _is_our_folder(log_root + DATA_SUFFIX + _FOLDER) or not _is_due(path):
            return
        flags = system.O_WRONLY | system.O_CREAT | system.O_EXCL | getattr(system, "O_NOFOLLOW", 0)
        system.close(system.open(path, flags, 0o600))
    except (OSError, ValueError):
        return
    from progress_plugin.core.processes import start_detached  # noqa: PLC0415 - hardly ever

    start_detached("background", "record", root)


def _is_our_folder(folder: str) -> bool:
    """Return whether the folder is there and no link; it is made where there is none."""
    try:
        system.mkdir(folder)
    except FileExistsError:
        return system.lstat(folder).st_mode & FILE_TYPE == FOLDER_TYPE
    return True


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
