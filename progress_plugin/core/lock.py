"""One writer at a time, across processes, by a lock of the operating system that ends with its holder.

The lock is taken on a file, which names the holder, and on the folder of that file. If the file is
deleted, the next process locks a new file of that name, but still the same folder.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from typing import Self

from progress_plugin.core.errors import BadInput, Busy, DiskRefused
from progress_plugin.core.files import read_beginning

DEFAULT_TIMEOUT_S = 10.0
MAX_PAUSE_S = 0.02
MAX_SIGNATURE_BYTES = 500

_FILE_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
_FOLDER_FLAGS = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)

if sys.platform == "win32":
    import msvcrt

    _LOCKED_BYTE = 1 << 30  # far after the signature: a locked byte cannot be read

    def _lock(handle: int) -> None:
        os.lseek(handle, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        os.lseek(handle, 0, os.SEEK_SET)
else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FileLock:
    """An exclusive lock for a `with` block; not reentrant, one per folder.

    Entering raises Busy if it is still held after `timeout` seconds; `busy` begins that message. It raises
    BadInput if a link or anything but a file is in the place of the file, and DiskRefused if the file cannot
    be made or the file system has no locks.
    """

    def __init__(self, path: str, timeout: float, busy: str = "the log is locked") -> None:
        self.path = path
        self.timeout = timeout
        self._busy = busy
        self._handles: list[int] = []

    def __enter__(self) -> Self:
        deadline = time.monotonic() + self.timeout
        pause = 0.001
        while not self._try():
            if time.monotonic() >= deadline:
                raise Busy(f"{self._busy} by {self._holder()}; waited {self.timeout:g} s, try again")
            time.sleep(pause)
            pause = min(pause * 2, MAX_PAUSE_S)
        return self

    def __exit__(self, *_: object) -> None:
        self._release()

    def _try(self) -> bool:
        is_held = False
        try:
            is_held = self._lock_file() and self._lock_folder()
            if is_held:
                self._sign()
        finally:
            if not is_held:
                self._release()
        return is_held

    def _lock_file(self) -> bool:
        not_a_file = BadInput(f"cannot lock {self.path}: it is not a file; move it out of the way")
        try:
            self._handles.append(os.open(self.path, _FILE_FLAGS, 0o644))
        except OSError as error:
            if os.path.isdir(self.path) or os.path.islink(self.path):
                raise not_a_file from None
            raise DiskRefused(f"cannot lock {self.path}", error) from error
        if not stat.S_ISREG(os.fstat(self._handles[0]).st_mode):
            raise not_a_file
        try:
            _lock(self._handles[0])
        except (BlockingIOError, PermissionError):  # it is held
            return False
        except OSError as error:
            raise DiskRefused(f"cannot lock {self.path}", error) from error
        return _is_at(self._handles[0], self.path)

    def _lock_folder(self) -> bool:
        folder = os.path.dirname(self.path) or "."
        try:
            self._handles.append(os.open(folder, _FOLDER_FLAGS))
            _lock(self._handles[1])
        except BlockingIOError:
            return False
        except OSError:  # Windows and some network file systems lock no folders: there the file must do
            return True
        return _is_at(self._handles[1], folder)

    def _sign(self) -> None:
        since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        signature = f"process {os.getpid()} on {_host()} since {since}\n".encode()
        os.lseek(self._handles[0], 0, os.SEEK_SET)
        os.write(self._handles[0], signature)
        os.ftruncate(self._handles[0], len(signature))

    def _release(self) -> None:
        # Closing releases the locks. The file stays: it names the last holder.
        while self._handles:
            os.close(self._handles.pop())

    def _holder(self) -> str:
        signature = read_beginning(os.path.dirname(self.path), self.path, MAX_SIGNATURE_BYTES)
        return signature.decode("utf-8", "replace").strip() or "another process"


def _is_at(handle: int, path: str) -> bool:
    """Return whether the open file or folder is still the one at its path."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except FileNotFoundError:
        return False


def _host() -> str:
    name = os.environ.get("COMPUTERNAME", "") if sys.platform == "win32" else os.uname().nodename
    return "".join(name.split()) or "localhost"
