"""One writer at a time, across processes (S1.5).

The lock is the operating system's, on a file that stays: it ends with the process that holds it, however
that ends. Where the file system has no such locks, a file that only one process can create takes its place.
`filelock` would do this too; it imports asyncio, 44 ms, on a path that has 30 in all.
"""

import errno
import os
import stat
import sys
import time

from progress_plugin.core import outside_file
from progress_plugin.core.errors import AgentProgressError, Busy

_UNUSABLE = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EINVAL}
_HELD = {errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK}
_LONGEST_PAUSE = 0.02
_MARKER = ".held"
_OPEN = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


class FileLock:
    """An exclusive lock named by a file, held inside a `with` block; not reentrant.

    `timeout` is in seconds. Entering raises Busy, with one line saying who holds it and what to do, and
    AgentProgressError where the lock file cannot be made. `method` tells how it is held: system or file.
    """

    __slots__ = ("_handle", "method", "path", "timeout")

    def __init__(self, path: str, timeout: float) -> None:
        self.path = path
        self.timeout = timeout
        self.method = "system"
        self._handle = -1

    def __enter__(self) -> "FileLock":  # noqa: PYI034 - `typing` is a fifth of the start's time
        deadline = time.monotonic() + self.timeout
        pause = 0.001
        while not self._try():
            if time.monotonic() >= deadline:
                raise Busy(self._who())
            time.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)
        return self

    def __exit__(self, *_: object) -> None:
        if self.method == "file":
            os.unlink(self._marker)
            return
        # Closing releases. The file stays: whoever waits on it would otherwise lock a name that is gone.
        os.close(self._handle)
        self._handle = -1

    @property
    def _marker(self) -> str:
        return self.path + _MARKER

    def _try(self) -> bool:
        if self.method == "file":
            return self._try_marker()
        try:
            handle = os.open(self.path, _OPEN, 0o644)
        except OSError as error:
            raise AgentProgressError(f"cannot lock {self.path}: {error.strerror or error}") from error
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            raise AgentProgressError(f"cannot lock {self.path}: it is not a file; move it out of the way")
        try:
            _lock(handle)
        except OSError as error:
            os.close(handle)
            if error.errno in _HELD:
                return False
            if error.errno not in _UNUSABLE:
                raise AgentProgressError(f"cannot lock {self.path}: {error.strerror or error}") from error
            self.method = "file"
            return self._try_marker()
        self._handle = handle
        signature = _signature()
        os.write(handle, signature)
        # Only then, and to about the length it had: a file cut to nothing gives its block back, which takes
        # a millisecond on a disk that is told of every free block.
        os.ftruncate(handle, len(signature))
        return True

    def _try_marker(self) -> bool:
        try:
            handle = os.open(self._marker, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        except FileExistsError:
            self._clear_dead()
            return False
        except OSError as error:
            raise AgentProgressError(f"cannot lock {self.path}: {error.strerror or error}") from error
        try:
            os.write(handle, _signature())
        finally:
            os.close(handle)
        return True

    def _clear_dead(self) -> None:
        """Remove the marker of a process of this host that is gone."""
        if not _is_dead(_read(self._marker)):
            return
        guard = self._marker + ".clearing"
        try:
            handle = os.open(guard, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        except OSError:
            return
        try:
            # Looked at again under the guard: between the first look and this one another process may have
            # cleared the dead marker and taken the lock with a living one.
            if _is_dead(_read(self._marker)):
                os.unlink(self._marker)
        finally:
            os.close(handle)
            os.unlink(guard)

    def _who(self) -> str:
        held = self._marker if self.method == "file" else self.path
        host, pid, since = [*_read(held).split(), "?", "?", "?"][:3]
        holder = f"process {pid} on {host} since {since}" if pid != "?" else "another process"
        advice = f"; if it is gone, remove {held}" if self.method == "file" else ""
        return f"the log is locked by {holder}; waited {self.timeout:g} s, try again{advice}"


class Left:
    """A lock file that stands in place of a system's lock."""

    __slots__ = ("dead", "holder", "path")

    def __init__(self, path: str, holder: str, *, dead: bool) -> None:
        self.path = path
        self.holder = holder
        """Process, host and time, as far as the file tells."""
        self.dead = dead
        """Whether the process is known to be gone; of another host's that cannot be known."""


def marker_left(path: str) -> Left | None:
    """Return the lock file that stands for the lock named by `path`; None where there is none."""
    marker = path + _MARKER
    if not os.path.lexists(marker):
        return None
    signature = _read(marker)
    host, pid, since = [*signature.split(), "?", "?", "?"][:3]
    return Left(marker, f"process {pid} on {host} since {since}", dead=_is_dead(signature))


def _host() -> str:
    # `socket.gethostname` says the same and costs 5 ms to import.
    name = os.environ.get("COMPUTERNAME", "") if sys.platform == "win32" else os.uname().nodename
    return "".join(name.split()) or "localhost"


def _signature() -> bytes:
    since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    return f"{_host()} {os.getpid()} {since}\n".encode()


def _read(path: str) -> str:
    # What stands there is told to people, so no link that a project brings in its place is followed.
    folder, name = os.path.split(path)
    return outside_file.part(name, folder, 500).decode("utf-8", "replace")


def _is_dead(signature: str) -> bool:
    host, pid = [*signature.split(), "", ""][:2]
    if sys.platform == "win32" or host != _host() or not (pid.isascii() and pid.isdecimal()):
        return False  # asking about a process would end it there
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 30

    def _lock(handle: int) -> None:
        # A locked byte cannot be read by others there, so the one locked lies far behind the signature.
        os.lseek(handle, _FAR, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        os.lseek(handle, 0, os.SEEK_SET)
else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
