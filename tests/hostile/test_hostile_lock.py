"""Somebody tidies up among our files while writers hold the lock: nothing acknowledged may be lost."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import subprocess
from pathlib import Path

import pytest

from progress_plugin.core.errors import Busy
from progress_plugin.core.lock import FileLock
from tests.core.test_lock import start_holder


def test_who_deletes_the_lock_file_does_not_get_the_lock(tmp_path: Path) -> None:
    holder = start_holder(str(tmp_path / "lock"))
    (tmp_path / "lock").unlink()
    with pytest.raises(Busy), FileLock(str(tmp_path / "lock"), 0):
        pass
    holder.communicate("\n")
    with FileLock(str(tmp_path / "lock"), 0):
        pass


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
