"""One writer at a time, across processes, by a lock of the operating system that ends with its holder."""

from __future__ import annotations

import os
import platform
import stat
import sys
import time
from typing import Self

from progress_plugin.core.errors import BadInput, Busy, DiskRefused
from progress_plugin.core.files import read_range

DEFAULT_TIMEOUT_S = 10.0
PAUSE_S = 0.01
_NOT_A_FILE = "it is not a file; move it out of the way"
MAX_SIGNATURE_BYTES = 500

_FILE_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)

if sys.platform == "win32":
    import msvcrt

    _LOCKED_BYTE = 1 << 30  # far behind the signature: a locked byte cannot be read

    def _lock(handle: int) -> None:
        os.lseek(handle, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        os.lseek(handle, 0, os.SEEK_SET)
else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FileLock:
    """An exclusive lock for a `with` block; not reentrant. The file stays: it names the last holder.

    Entering raises Busy if another process holds it after `timeout` seconds, BadInput if something else is in
    the place of the file, and DiskRefused if the file cannot be made or the file system has no locks.
    """

    def __init__(self, path: str, timeout: float, busy: str = "the log is locked") -> None:
        self.path = path
        self.timeout = timeout
        self._busy = busy
        self._handle = -1

    def __enter__(self) -> Self:
        deadline = time.monotonic() + self.timeout
        while not self._try():
            if time.monotonic() >= deadline:
                raise Busy(f"{self._busy} by {self._holder()}; waited {self.timeout:g} s, try again")
            time.sleep(PAUSE_S)
        since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        os.ftruncate(self._handle, 0)
        os.write(self._handle, f"{platform.node()} {os.getpid()} {since}\n".encode())
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._handle)

    def _try(self) -> bool:
        try:
            handle = os.open(self.path, _FILE_FLAGS, 0o644)
        except IsADirectoryError:
            raise BadInput(f"cannot lock {self.path}: {_NOT_A_FILE}") from None
        except OSError as error:
            raise DiskRefused(f"cannot lock {self.path}", error) from error
        is_held = False
        try:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise BadInput(f"cannot lock {self.path}: {_NOT_A_FILE}")
            _lock(handle)
            is_held = _is_at(handle, self.path)
        except (BlockingIOError, PermissionError):  # another process holds it
            return False
        except OSError as error:
            raise DiskRefused(f"cannot lock {self.path}", error) from error
        finally:
            if not is_held:
                os.close(handle)
        self._handle = handle
        return is_held

    def _holder(self) -> str:
        signature = read_range(os.path.dirname(self.path), self.path, 0, MAX_SIGNATURE_BYTES)
        words = signature.decode("utf-8", "replace").split()
        return "process {1} on {0} since {2}".format(*words) if len(words) == 3 else "another process"  # noqa: PLR2004


def _is_at(handle: int, path: str) -> bool:
    """Return whether the open file is still the one at its path."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except FileNotFoundError:
        return False
