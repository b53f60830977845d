"""On a file system without locks for directories the lock file may be replaced while it is opened."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import subprocess
from pathlib import Path

import pytest

from progress_plugin.core.lock import FileLock


def test_a_lock_file_that_was_replaced_while_it_was_opened_is_not_taken_for_the_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The only defence on a file system that locks files, but no directories, as NFS."""
    path, flock = tmp_path / "lock", fcntl.flock
    times = []

    def replaced_meanwhile(handle: int, operation: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(errno.EBADF, "Bad file descriptor")
        if not times:
            path.unlink()
        times.append(handle)
        flock(handle, operation)

    monkeypatch.setattr(fcntl, "flock", replaced_meanwhile)
    with FileLock(str(path), 5):
        assert path.exists()
        monkeypatch.setattr(fcntl, "flock", flock)
        other = subprocess.run(
            ["flock", "-n", str(path), "true"], check=False, env={"PATH": os.environ["PATH"]}
        )
        assert other.returncode == 1
