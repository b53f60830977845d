"""What a hook reports is recorded once, however long another process holds the lock."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from progress_plugin.core.lock import FileLock
from progress_plugin.core.paths import state_file
from tests.journeys.project_life import OURS, Life, Session

_AT_MOST = 120.0
"""Seconds that a process left behind may take on a machine that has much else to do."""


_ENDED_BY_THE_WATCHDOG = """
import sys, time
from progress_plugin.hooks import events

class NoTimeToImport:
    @staticmethod
    def find_spec(name, *where):
        if name == "progress_plugin.usecases.recording.record":
            time.sleep(600)

if sys.argv[1] == "importing":
    sys.meta_path.insert(0, NoTimeToImport)
else:
    from progress_plugin.usecases.recording import record
    record.record_waiting_under_lock = lambda *arguments: time.sleep(600)
events.RECORDING_SECONDS = 0.5
events.run_event(["TaskCompleted"])
"""


def somebody_writes(life: Life) -> FileLock:
    """Return the lock, held by another process for long."""
    return FileLock(str(life.main / OURS / "lock"), 60)


def spool(life: Life) -> Path:
    """Return the folder of the events that wait."""
    return Path(state_file(str(life.main), "spool"))


def waiting(life: Life) -> list[Path]:
    """Return the events that are kept on the disk until somebody records them."""
    return sorted(spool(life).glob("*.json"))


def finished(life: Life) -> list[str]:
    return [entry["data"]["description"] for entry in life.entries("task_completed")]


def until_recorded(life: Life) -> None:
    """Wait for the background process of a hook."""
    deadline = time.monotonic() + _AT_MOST
    while waiting(life):
        assert time.monotonic() < deadline, f"{len(waiting(life))} events wait, and nobody records them"
        time.sleep(0.01)


def begun(life: Life) -> Session:
    """Return a session in a project that keeps a log."""
    agent = life.starts()
    agent.logs("milestone_reached", "The keel is laid")
    return agent


def test_a_task_finished_while_another_process_writes_is_recorded_when_that_has_let_go(life: Life) -> None:
    agent = begun(life)
    with somebody_writes(life):
        agent.finishes_task("Paint the hull")
        assert finished(life) == []
        assert len(waiting(life)) == 1, "the hook has ended, and nothing stands on the disk"
    until_recorded(life)
    assert finished(life) == ["Paint the hull"]
    assert life.entries("task_completed")[0]["data"]["session_id"] == agent.name
    assert "Paint the hull" in life.context


def left_behind(life: Life) -> int:
    """Return the background process of a hook; the lock file names it once it has the lock."""
    while True:
        process = int((spool(life) / "drainer").read_text().split()[1])
        with suppress(ProcessLookupError):
            os.kill(process, 0)
            return process
        os.sched_yield()


def test_what_a_killed_process_left_is_recorded_by_the_next_event(life: Life) -> None:
    agent = begun(life)
    with somebody_writes(life):
        agent.finishes_task("Paint the hull")
        os.kill(left_behind(life), signal.SIGKILL)
        with FileLock(str(spool(life) / "drainer"), 60):
            assert len(waiting(life)) == 1
    life.session().stops()
    assert (finished(life), waiting(life)) == (["Paint the hull"], [])


def test_an_event_whose_process_was_killed_after_it_had_written_is_recorded_once(life: Life) -> None:
    agent = begun(life)
    with somebody_writes(life):
        agent.finishes_task("Paint the hull")
        agent.ends()
        left = {path: path.read_bytes() for path in waiting(life)}
    until_recorded(life)
    for path, data in left.items():
        path.write_bytes(data)
    life.session().logs("milestone_reached", "The mast is set")
    assert waiting(life) == []
    assert finished(life) == ["Paint the hull"]
    assert len(life.entries("session_ended")) == 1


@pytest.mark.parametrize("step", ["importing", "recording"])
def test_a_task_whose_hook_had_no_time_left_is_recorded_in_the_background(life: Life, step: str) -> None:
    begun(life)
    told = {"task_subject": "Paint the hull", "task_id": "1", "session_id": "s", "cwd": str(life.root)}
    hook = [sys.executable, "-c", _ENDED_BY_THE_WATCHDOG, step]
    done = subprocess.run(hook, input=json.dumps(told).encode(), timeout=_AT_MOST)
    assert done.returncode == 0
    until_recorded(life)
    assert finished(life) == ["Paint the hull"]


def test_what_waits_is_recorded_before_what_a_person_logs(life: Life) -> None:
    agent = begun(life)
    spool(life).mkdir(parents=True, exist_ok=True)
    nobody_else = FileLock(str(spool(life) / "drainer"), 0)
    with somebody_writes(life), nobody_else:
        agent.finishes_task("Paint the hull")
    agent.logs("task_completed", "Set the mast")
    assert finished(life) == ["Paint the hull", "Set the mast"]


def test_a_secret_does_not_wait_on_the_disk(life: Life) -> None:
    agent = begun(life)
    secret = "ghp_" + "a1B2" * 9
    with somebody_writes(life):
        agent.finishes_task(f"Rotate {secret}")
        assert secret not in waiting(life)[0].read_text()
    until_recorded(life)
    assert secret not in (life.main / OURS / "progress.json").read_text()


@pytest.mark.slow
def test_a_log_that_is_busy_for_ten_seconds_is_said_to_be_so(life: Life) -> None:
    begun(life)
    with somebody_writes(life):
        done = life.try_command("log", "task_completed", "-m", "Set the mast")
    assert done.returncode == 3
    assert "the log is locked by process" in done.stderr
    assert finished(life) == []
