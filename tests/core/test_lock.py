"""One writer at a time."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from progress_plugin.core.errors import BadInput, Busy
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


def start_holder(path: str) -> subprocess.Popen[str]:
    """Start a process and wait until it holds the lock."""
    command, pipe = [sys.executable, "-c", HOLD, path], subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "lock")


def test_a_second_process_is_refused_with_the_holder_until_that_is_killed(path: str) -> None:
    holder = start_holder(path)
    with (
        pytest.raises(Busy, match=rf"locked by process {holder.pid} on .*; waited 0 s, try again"),
        FileLock(path, 0),
    ):
        pass
    holder.send_signal(signal.SIGKILL)
    holder.communicate()
    with FileLock(path, 0):
        pass


def test_a_link_in_the_place_of_the_file_is_not_followed(tmp_path: Path, path: str) -> None:
    Path(path).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BadInput, match="it is not a file; move it out of the way"), FileLock(path, 0):
        pass
    assert not (tmp_path / "elsewhere").exists()


def test_processes_that_count_lose_no_number_though_one_deletes_the_file(tmp_path: Path, path: str) -> None:
    counter = tmp_path / "counter"
    counter.write_text("0")
    processes = [subprocess.Popen([sys.executable, "-c", COUNT, path, str(counter)]) for _ in range(4)]
    assert [process.wait() for process in processes] == [0, 0, 0, 0]
    assert counter.read_text() == "80"
