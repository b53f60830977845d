"""One writer at a time (core.files.lock)."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Never

import pytest

from progress_plugin.core.errors import AgentProgressError, Busy
from progress_plugin.core.files.lock import FileLock

HOLD = """
import sys
{prelude}
from progress_plugin.core.files.lock import FileLock
with FileLock(sys.argv[1], 5):
    print("held", flush=True)
    sys.stdin.readline()
"""
NO_FLOCK = """
import errno, fcntl
def refuse(*_): raise OSError(errno.ENOLCK, "no locks here")
fcntl.flock = refuse
"""
INHERIT = """
import sys
from progress_plugin.core.files.lock import FileLock
with FileLock(sys.argv[1], 0).take_over(tuple(map(int, sys.argv[2:]))):
    print("held", flush=True)
    sys.stdin.readline()
print("free", flush=True)
sys.stdin.readline()
"""
COUNT = """
import sys
{prelude}
from progress_plugin.core.files.lock import FileLock
for _ in range(20):
    with FileLock(sys.argv[1], 60):
        number = int(open(sys.argv[2]).read())
        open(sys.argv[2], "w").write(str(number + 1))
"""


@pytest.fixture
def no_flock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The file system has no locks, as some network ones."""

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)


def hold(path: Path, prelude: str = "") -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD.format(prelude=prelude), str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def let_go(process: subprocess.Popen[str]) -> None:
    process.communicate("\n")


def test_a_second_one_is_told_who_holds_it_and_what_to_do(tmp_path: Path) -> None:
    holder = hold(tmp_path / "lock")
    with pytest.raises(Busy) as refused, FileLock(str(tmp_path / "lock"), 0):
        pass
    let_go(holder)
    host = os.uname().nodename
    assert re.fullmatch(
        rf"the log is locked by process {holder.pid} on {host} since \d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\dZ; waited 0 s, try again",
        str(refused.value),
    )


def test_it_is_free_again_after_its_block_also_after_a_fault(tmp_path: Path) -> Never:
    lock = FileLock(str(tmp_path / "lock"), 0)
    with pytest.raises(KeyError), lock:
        raise KeyError
    with lock:
        assert lock.method == "system"


def test_a_killed_holder_leaves_it_free(tmp_path: Path) -> None:
    holder = hold(tmp_path / "lock")
    holder.send_signal(signal.SIGKILL)
    holder.communicate()
    with FileLock(str(tmp_path / "lock"), 0):
        pass


@pytest.mark.parametrize("prelude", ["", NO_FLOCK], ids=["system", "file"])
def test_processes_that_count_under_it_lose_no_number(tmp_path: Path, prelude: str) -> None:
    counter = tmp_path / "counter"
    counter.write_text("0")
    command = [sys.executable, "-c", COUNT.format(prelude=prelude), str(tmp_path / "lock"), str(counter)]
    processes = [subprocess.Popen(command) for _ in range(4)]
    assert [process.wait() for process in processes] == [0, 0, 0, 0]
    assert counter.read_text() == "80"


@pytest.mark.usefixtures("no_flock")
def test_without_system_locks_a_file_is_one_and_goes_with_the_block(tmp_path: Path) -> None:
    lock = FileLock(str(tmp_path / "lock"), 0)
    with lock:
        assert lock.method == "file"
        assert (tmp_path / "lock.held").read_text().split()[:2] == [os.uname().nodename, str(os.getpid())]
        with (
            pytest.raises(Busy, match=r"if it is gone, remove .*lock\.held"),
            FileLock(str(tmp_path / "lock"), 0),
        ):
            pass
    assert not (tmp_path / "lock.held").exists()


@pytest.mark.usefixtures("no_flock")
def test_a_lock_file_of_a_dead_process_of_this_host_is_cleared(tmp_path: Path) -> None:
    holder = hold(tmp_path / "lock", NO_FLOCK)
    holder.send_signal(signal.SIGKILL)
    holder.communicate()
    assert (tmp_path / "lock.held").exists()
    with FileLock(str(tmp_path / "lock"), 1):
        assert (tmp_path / "lock.held").read_text().split()[1] == str(os.getpid())
    assert sorted(os.listdir(tmp_path)) == ["lock"]


@pytest.mark.usefixtures("no_flock")
def test_a_lock_file_of_another_host_is_never_cleared(tmp_path: Path) -> None:
    held = f"elsewhere {2**22 + 1} 2026-01-05T10:30:00Z\n"
    (tmp_path / "lock.held").write_text(held)
    with (
        pytest.raises(Busy, match="on elsewhere since 2026-01-05T10:30:00Z"),
        FileLock(str(tmp_path / "lock"), 0),
    ):
        pass
    assert (tmp_path / "lock.held").read_text() == held


def test_a_place_that_cannot_hold_it_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(AgentProgressError, match=r"cannot lock .*lock: No such file or directory"):
        FileLock(str(tmp_path / "no" / "lock"), 0).__enter__()


def test_a_link_in_its_place_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "lock").symlink_to(tmp_path / "victim")
    with pytest.raises(AgentProgressError, match="cannot lock"):
        FileLock(str(tmp_path / "lock"), 0).__enter__()
    assert not (tmp_path / "victim").exists()


@pytest.mark.usefixtures("no_flock")
def test_a_lock_file_that_came_to_life_while_it_was_looked_at_is_not_cleared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = hold(tmp_path / "lock", NO_FLOCK)
    gone.send_signal(signal.SIGKILL)
    gone.communicate()
    living = f"{os.uname().nodename} {os.getpid()} 2026-01-05T10:30:00Z\n"
    open_as_it_is = os.open

    def another_is_faster(path: str, *arguments: int, **named: int | None) -> int:
        if path.endswith(".clearing"):
            (tmp_path / "lock.held").write_text(living)
        return open_as_it_is(path, *arguments, **named)

    monkeypatch.setattr(os, "open", another_is_faster)
    with pytest.raises(Busy), FileLock(str(tmp_path / "lock"), 0):
        pass
    assert (tmp_path / "lock.held").read_text() == living


def test_a_process_that_is_started_with_the_lock_holds_it_when_the_first_one_has_let_go(
    tmp_path: Path,
) -> None:
    path = str(tmp_path / "lock")
    with FileLock(path, 0) as lock:
        heir = subprocess.Popen(
            [sys.executable, "-c", INHERIT, path, *map(str, lock.handles)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=lock.handles,
            text=True,
        )
    assert heir.stdin is not None
    assert heir.stdout is not None
    with pytest.raises(Busy), FileLock(path, 0):
        pass
    assert heir.stdout.readline() == "held\n"
    with pytest.raises(Busy, match=f"process {heir.pid} "), FileLock(path, 0):
        pass
    heir.stdin.write("\n")
    heir.stdin.flush()
    assert heir.stdout.readline() == "free\n"
    with FileLock(path, 0):
        heir.communicate("\n")
