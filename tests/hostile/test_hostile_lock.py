"""Somebody tidies up among our files while writers hold the lock: nothing acknowledged may be lost."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from progress_plugin.core.errors import Busy
from progress_plugin.core.lock import FileLock

HOLD = """
import sys
from progress_plugin.core.lock import FileLock
with FileLock(sys.argv[1], 5):
    print("held", flush=True)
    sys.stdin.readline()
"""


def held(path: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", HOLD, str(path)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def let_go(process: subprocess.Popen[str]) -> None:
    process.communicate("\n")
    assert process.returncode == 0


def no_directories(monkeypatch: pytest.MonkeyPatch) -> None:
    """The file system locks files, but no directories, as NFS."""
    flock = fcntl.flock

    def refuse(handle: int, operation: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(errno.EBADF, "Bad file descriptor")
        flock(handle, operation)

    monkeypatch.setattr(fcntl, "flock", refuse)


def test_who_deletes_the_lock_file_does_not_get_the_lock(tmp_path: Path) -> None:
    holder = held(tmp_path / "lock")
    (tmp_path / "lock").unlink()
    with pytest.raises(Busy), FileLock(str(tmp_path / "lock"), 0):
        pass
    let_go(holder)
    with FileLock(str(tmp_path / "lock"), 0):
        pass


def test_a_lock_file_that_was_replaced_while_it_was_opened_is_not_taken_for_the_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The only defence where directories cannot be locked."""
    no_directories(monkeypatch)
    path, flock = tmp_path / "lock", fcntl.flock
    times = []

    def replaced_meanwhile(handle: int, operation: int) -> None:
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
