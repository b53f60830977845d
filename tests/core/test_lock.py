"""One writer at a time (core.lock)."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Never

import pytest

from progress_plugin.core.errors import AgentProgressError, BadInput, Busy
from progress_plugin.core.lock import FileLock

HOLD = """
import sys
from progress_plugin.core.lock import FileLock
with FileLock(sys.argv[1], 5):
    print("held", flush=True)
    sys.stdin.readline()
"""
COUNT = """
import os, sys
from progress_plugin.core.lock import FileLock
for _ in range(20):
    with FileLock(sys.argv[1], 60):
        number = int(open(sys.argv[2]).read())
        if number % 7 == 0:
            os.unlink(sys.argv[1])
        open(sys.argv[2], "w").write(str(number + 1))
"""
NO_LOCKS = """
import errno, fcntl, sys
def refuse(*_): raise OSError(errno.ENOLCK, "No locks available")
fcntl.flock = refuse
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.lock import FileLock
try:
    FileLock(sys.argv[1], 0).__enter__()
except AgentProgressError as error:
    print(error)
"""


def start(program: str, *words: str) -> subprocess.Popen[str]:
    """Start a program and wait until it holds the lock."""
    command = [sys.executable, "-c", program, *words]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "lock")


def test_a_second_process_learns_who_holds_it(path: str) -> None:
    holder = start(HOLD, path)
    with pytest.raises(Busy) as refused, FileLock(path, 0):
        pass
    holder.communicate("\n")
    host = os.uname().nodename
    assert re.fullmatch(
        rf"the log is locked by process {holder.pid} on {host} since \d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\dZ; waited 0 s, try again",
        str(refused.value),
    )


def test_it_is_free_after_its_block_and_after_an_error(path: str) -> Never:
    lock = FileLock(path, 0)
    with pytest.raises(KeyError), lock:
        raise KeyError
    with lock:
        pass


def test_a_killed_holder_leaves_it_free(path: str) -> None:
    holder = start(HOLD, path)
    holder.send_signal(signal.SIGKILL)
    holder.communicate()
    with FileLock(path, 0):
        pass


def test_processes_that_count_lose_no_number_though_somebody_deletes_the_file(
    tmp_path: Path, path: str
) -> None:
    counter = tmp_path / "counter"
    counter.write_text("0")
    processes = [subprocess.Popen([sys.executable, "-c", COUNT, path, str(counter)]) for _ in range(4)]
    assert [process.wait() for process in processes] == [0, 0, 0, 0]
    assert counter.read_text() == "80"


def test_something_else_in_the_place_of_the_file_is_named(tmp_path: Path, path: str) -> None:
    os.mkfifo(path)
    (tmp_path / "folder").mkdir()
    for name in (path, str(tmp_path / "folder")):
        with pytest.raises(BadInput, match="it is not a file; move it out of the way"), FileLock(name, 0):
            pass
    (tmp_path / "link").symlink_to("target")
    with pytest.raises(AgentProgressError, match="cannot lock"), FileLock(str(tmp_path / "link"), 0):
        pass
    assert not (tmp_path / "target").exists()


def test_a_file_system_without_locks_is_an_error_that_says_so(path: str) -> None:
    done = subprocess.run([sys.executable, "-c", NO_LOCKS, path], capture_output=True, text=True, check=True)
    assert done.stdout == (
        f"cannot lock {path}: No locks available; that file system has no locks: keep the project on another one\n"
    )
