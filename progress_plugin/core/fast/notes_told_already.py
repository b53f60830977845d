"""What a session was told at its files, so that it is told nothing twice.

A file beside what it was shown at its start (`core.fast.shown_sessions`), an id after another. A sub-agent
has one of its own: it sees neither the start context nor what others were told. One process at a time holds
the file, since an agent may read several files at once.
"""

import time

try:
    import posix as system
except ImportError:
    import nt as system  # type: ignore[import-not-found, no-redef, unused-ignore]

from progress_plugin.core.fast.file_note_index import ID_LENGTH
from progress_plugin.core.fast.minimal_os import FILE_TYPE, REGULAR_TYPE, read_regular
from progress_plugin.core.fast.shown_sessions import TOLD_LOG, make_sessions_folder, session_path, told_path
from progress_plugin.core.fast.start_cache import DATA_SUFFIX, parse_cache

MOST_TOLD = 256
"""Notes that a session is told at files at most: beyond them it is told nothing more."""
_MOST_BYTES = MOST_TOLD * (ID_LENGTH + 1)
_TRIES = 50
_BETWEEN = 0.01
"""Seconds between two tries to hold the file."""
_MOST_LOGGED = 64 * 1024
"""Bytes of it; more is not counted."""


class ToldNotes:
    """What one session, or a sub-agent of it, was told; held until it is closed."""

    __slots__ = ("_handle", "ids")

    def __init__(self, handle: int, ids: list[bytes]) -> None:
        self._handle = handle
        self.ids = ids
        """At files alone, in the order in which it was told."""

    def add(self, ids: list[bytes]) -> None:
        """Note what is told now."""
        system.write(self._handle, b"".join(name + b"\n" for name in ids))

    def close(self) -> None:
        """Let the next process have it."""
        system.close(self._handle)


def hold(root: str, session: str, agent: str | None) -> ToldNotes | None:
    """Wait for what a session was told, and hold it; None where nothing can be noted down."""
    path = told_path(root, session, agent)
    if path is None or not make_sessions_folder(root):
        return None
    flags = system.O_RDWR | system.O_CREAT | system.O_APPEND | getattr(system, "O_NOFOLLOW", 0)
    try:
        handle = system.open(path, flags | getattr(system, "O_NONBLOCK", 0), 0o600)
    except (OSError, ValueError):
        return None
    try:
        if system.fstat(handle).st_mode & FILE_TYPE == REGULAR_TYPE:
            _lock(handle)
            return ToldNotes(handle, system.read(handle, _MOST_BYTES).split())
    except OSError:
        pass
    system.close(handle)
    return None


def count(root: str, ids: list[bytes]) -> None:
    """Note down that these were told once more; without effect where that cannot be written."""
    flags = system.O_WRONLY | system.O_CREAT | system.O_APPEND | getattr(system, "O_NOFOLLOW", 0)
    try:
        handle = system.open(root + DATA_SUFFIX + TOLD_LOG, flags | getattr(system, "O_NONBLOCK", 0), 0o600)
    except (OSError, ValueError):
        return
    try:
        status = system.fstat(handle)
        if status.st_mode & FILE_TYPE == REGULAR_TYPE and status.st_size < _MOST_LOGGED:
            system.write(handle, b"".join(name + b"\n" for name in ids))
    except OSError:
        pass
    finally:
        system.close(handle)


def told_at_start(root: str, session: str) -> list[bytes]:
    """Return the ids of what the start context told a session; none where that is not known any more."""
    path = session_path(root, session)
    data = read_regular(path) if path else None
    cache = parse_cache(data) if data is not None else None
    return cache.told.split() if cache is not None else []


def told_before(root: str, session: str, agent: str | None) -> list[bytes]:
    """Return what a session was told in another worktree of the project, at its start and at files."""
    path = told_path(root, session, agent)
    at_files = (read_regular(path) or b"")[:_MOST_BYTES].split() if path else []
    return at_files if agent else told_at_start(root, session) + at_files


def carry_over(root: str, session: str | None, earlier: list[bytes]) -> None:
    """Note that a session was told this by its earlier start context, where the new one does not tell it."""
    if not session:
        return
    told = hold(root, session, None) if earlier else None
    if told is None:
        return
    try:
        known = {*told_at_start(root, session), *told.ids}
        told.add([name for name in earlier if name not in known][: MOST_TOLD - len(told.ids)])
    finally:
        told.close()


def _lock(handle: int) -> None:
    """Wait a moment until no other process holds a file; it is let go of with the handle.

    On Windows nobody waits. Raises OSError where another process goes on holding it: anybody can.
    """
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock  # noqa: PLC0415 - only where something is told
    except ImportError:
        return
    for _ in range(_TRIES - 1):
        try:
            flock(handle, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            time.sleep(_BETWEEN)
        else:
            return
    flock(handle, LOCK_EX | LOCK_NB)
