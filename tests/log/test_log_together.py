"""Many processes append at once (S16.2)."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

APPEND = """
import sys
from datetime import UTC, datetime
from progress_plugin.core.lock import FileLock
from progress_plugin.log import store
from progress_plugin.log.entry import Draft
print("ready", flush=True)
sys.stdin.readline()
with FileLock(sys.argv[1] + "/lock", 60):
    draft = Draft("task_completed", {"description": sys.argv[2]}, None, sys.argv[2])
    store.append(sys.argv[1], [draft], now=datetime.now(UTC), project_name="demo")
"""


@pytest.mark.parametrize("number", [20, pytest.param(64, marks=pytest.mark.slow)])
def test_as_many_entries_as_processes_stand_in_the_log(place: Any, number: int) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", APPEND, place.directory, f"US-{task}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for task in range(number)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(b"\n")
        process.stdin.flush()
    for process in processes:
        process.communicate()
    assert [process.returncode for process in processes] == [0] * number
    entries = place.document()["entries"]
    assert sorted(entry["task_id"] for entry in entries) == sorted(f"US-{task}" for task in range(number))
    assert len({entry["id"] for entry in entries}) == number
    assert place.document()["metadata"]["total_entries"] == number
    readable = (place.path / "progress.md").read_text()
    assert readable.count("✅ Task Completed") == number
