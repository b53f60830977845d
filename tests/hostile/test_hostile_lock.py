"""Somebody tidies up among our files while writers hold the lock: nothing acknowledged may be lost."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from progress_plugin.core.errors import Busy
from progress_plugin.core.lock import FileLock
from tests.torture.deleted_lock import write_while_it_is_deleted

HOLD = """
import sys
from progress_plugin.core.lock import FileLock
with FileLock(sys.argv[1], 5):
    print("held", flush=True)
    sys.stdin.readline()
"""
OLD_HOLD = """
import fcntl, os, sys
handle = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
fcntl.flock(handle, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.readline()
"""


def held(path: Path, how: str = HOLD) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", how, str(path)]
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


def test_nothing_acknowledged_is_lost_while_somebody_deletes_the_lock_file(tmp_path: Path) -> None:
    acknowledged, stored, deletions = write_while_it_is_deleted(tmp_path / "shop", writers=64, entries=2)
    assert len(acknowledged) >= 64
    assert deletions
    assert sorted(acknowledged) == sorted(set(stored) & set(acknowledged))
    assert len(stored) == len(set(stored))


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


def test_an_older_version_that_holds_the_file_keeps_us_out_and_we_keep_it_out(tmp_path: Path) -> None:
    old = held(tmp_path / "lock", OLD_HOLD)
    with pytest.raises(Busy), FileLock(str(tmp_path / "lock"), 0):
        pass
    let_go(old)
    with FileLock(str(tmp_path / "lock"), 0):
        handle = os.open(tmp_path / "lock", os.O_RDWR)
        with pytest.raises(BlockingIOError):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.close(handle)


def test_the_log_is_whole_after_it_all(tmp_path: Path) -> None:
    write_while_it_is_deleted(tmp_path / "shop", writers=4, entries=1)
    assert json.loads((tmp_path / "shop/.agent-os/progress/progress.json").read_bytes())["version"] == "1.0"
