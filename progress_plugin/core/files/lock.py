"""One writer at a time, across processes.

How long is waited is `PATIENCE`; hooks (`usecases.recording.hook_event`, `_LOCK_TIMEOUT`), starts, `config`
and readers of transcripts name a time of their own.

The lock is the operating system's: it ends with the process that holds it, however that ends. It is taken
twice, on a file and on the directory that the file is in. The file says who holds it, and is what older
versions lock; but somebody who tidies up deletes it, and the next one locks another file of that name. The
directory cannot be deleted without all that the lock is for, so it is what decides. A look whether the file
is still in its place would not do: it can go between that look and the write.

Where a file system locks files but no directories (NFS), that look is all there is. Where it has no such
locks at all, a file that only one process can create takes their place. `filelock` would do this too; it
imports asyncio, 44 ms, on a path that has 30 in all.
"""

import errno
import os
import stat
import sys
import time

from progress_plugin.core.errors import BadInput, Busy, DiskRefused
from progress_plugin.core.files import safe_read

_UNUSABLE = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EINVAL}
_HELD = {errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK}
_LONGEST_PAUSE = 0.02
_MARKER = ".held"
_OPEN = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_OPEN_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_NONE = -1
PATIENCE = 10.0
"""Seconds that anything but a hook waits for another writer."""


class FileLock:
    """An exclusive lock named by a file, held inside a `with` block; not reentrant, one in a directory.

    `timeout` is in seconds, `busy` says what another process is at. Entering raises Busy, with one line
    saying who holds it and what to do, BadInput where something else is in the file's place, and
    AgentProgressError where it cannot be made. `method` says how it is held: by the system or by the file.
    """

    __slots__ = ("_busy", "_folder", "_handle", "_signature", "method", "path", "timeout")

    def __init__(self, path: str, timeout: float, busy: str = "the log is locked") -> None:
        self.path = path
        self.timeout = timeout
        self._busy = busy
        self.method = "system"
        self._handle = _NONE
        self._folder = _NONE
        self._signature = b""

    @property
    def handles(self) -> tuple[int, ...]:
        """What a process that is started now can be given to hold the lock as well, by `take_over`.

        Empty where it is held by a file of its own, which belongs to one process.
        """
        return tuple(handle for handle in (self._handle, self._folder) if handle != _NONE)

    def take_over(self, handles: "tuple[int, ...]") -> "FileLock":
        """Hold what the process that started us holds: it need not let go first, for another to get it."""
        for handle in handles:
            os.fstat(handle)  # raises OSError for what was not handed over
            os.set_inheritable(handle, False)
        self._handle, self._folder = [*handles, _NONE][:2]
        self._sign()
        return self

    def __enter__(self) -> "FileLock":  # noqa: PYI034 - `typing` is a fifth of the start's time
        if self._handle != _NONE:
            return self
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
            self._remove_marker()
        else:
            # Closing releases. The file stays: it says who held the lock last.
            self._close()

    @property
    def _marker(self) -> str:
        return self.path + _MARKER

    def _try(self) -> bool:
        if self.method == "file":
            return self._try_marker()
        self._handle = self._open()
        try:
            _lock(self._handle)
        except OSError as error:
            self._close()
            if error.errno in _HELD:
                return False
            if error.errno not in _UNUSABLE:
                raise DiskRefused(f"cannot lock {self.path}", error) from error
            self.method = "file"
            return self._try_marker()
        if not self._lock_folder() or not _is_at(self._handle, self.path):
            self._close()
            return False
        self._sign()
        return True

    def _sign(self) -> None:
        signature = _signature()
        os.lseek(self._handle, 0, os.SEEK_SET)
        os.write(self._handle, signature)
        # Only then, and to about the length it had: a file cut to nothing gives its block back, which takes
        # a millisecond on a disk that discards every free block.
        os.ftruncate(self._handle, len(signature))

    def _open(self) -> int:
        try:
            handle = os.open(self.path, _OPEN, 0o644)
        except IsADirectoryError as error:
            raise BadInput(_NO_FILE.format(self.path)) from error
        except OSError as error:
            raise DiskRefused(f"cannot lock {self.path}", error) from error
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            raise BadInput(_NO_FILE.format(self.path))
        return handle

    def _lock_folder(self) -> bool:
        """Lock the directory as well, where that can be; False while another process holds it."""
        folder = os.path.dirname(self.path) or "."
        try:
            self._folder = os.open(folder, _OPEN_FOLDER)
            _lock(self._folder)
        except OSError as error:
            # Only this one says that it is held: network file systems refuse directories in many words.
            return error.errno not in (errno.EWOULDBLOCK, errno.EAGAIN)
        return _is_at(self._folder, folder)

    def _close(self) -> None:
        for handle in (self._folder, self._handle):
            if handle != _NONE:
                os.close(handle)
        self._folder = self._handle = _NONE

    def _try_marker(self) -> bool:
        try:
            handle = os.open(self._marker, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        except FileExistsError:
            self._clear_dead()
            return False
        except OSError as error:
            raise DiskRefused(f"cannot lock {self.path}", error) from error
        self._signature = _signature()
        try:
            os.write(handle, self._signature)
        finally:
            os.close(handle)
        return True

    def _remove_marker(self) -> None:
        """Remove our own marker: where somebody deleted it, another process's may be there by now."""
        if _read(self._marker) == self._signature.decode():
            os.unlink(self._marker)

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
        return f"{self._busy} by {holder}; waited {self.timeout:g} s, try again{advice}"


_NO_FILE = "cannot lock {}: it is not a file; move it out of the way"


def _is_at(handle: int, path: str) -> bool:
    """Return whether what is open is still what is at `path`."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except FileNotFoundError:
        return False


class Left:
    """A lock file that is in place of a system's lock."""

    __slots__ = ("dead", "holder", "path")

    def __init__(self, path: str, holder: str, *, dead: bool) -> None:
        self.path = path
        self.holder = holder
        """Process, host and time, as far as the file says."""
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
    # What is there is shown to people, so no link that a project brings in its place is followed.
    folder, name = os.path.split(path)
    return safe_read.part(name, folder, 500).decode("utf-8", "replace")


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
        # A locked byte cannot be read by others there, so the one locked lies far after the signature.
        # What is open cannot be deleted there, and a directory cannot be opened: the file is enough.
        os.lseek(handle, _FAR, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        os.lseek(handle, 0, os.SEEK_SET)
else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
