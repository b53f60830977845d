"""Many processes append at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.log.entry import new_draft
from tests.log.conftest import limits

APPEND = """
import sys
from datetime import UTC, datetime
from progress_plugin.config.settings import Settings
from progress_plugin.core.lock import FileLock
from progress_plugin.log import store
from progress_plugin.log.entry import new_draft
print("ready", flush=True)
sys.stdin.readline()
with FileLock(sys.argv[1] + "/lock", 60):
    draft = new_draft("task_completed", {"description": sys.argv[2]}, None, sys.argv[2])
    store.append(sys.argv[1], [draft], Settings(), now=datetime.now(UTC), project_name="demo")
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


READ = """
import os, sys
from collections import Counter
from progress_plugin.log import store
print("ready", flush=True)
readings = 0
while not os.path.exists(sys.argv[2]):
    loaded = store.load_history(sys.argv[1])
    told = Counter(entry["id"] for entry in loaded.effective_entries)
    twice = [name for name, number in told.items() if number > 1]
    missing = [number for number in range(12) if f"old-{number}" not in told]
    if twice or missing:
        sys.exit(f"twice {twice}, missing {missing}")
    readings += 1
print(readings)
"""


def test_a_reader_during_moves_to_the_archive_sees_each_entry_once(place: Any, tmp_path: Path) -> None:
    entries = place.old_entries(12, days=20)
    place.write(entries)
    stop = tmp_path / "stop"
    reader = subprocess.Popen(
        [sys.executable, "-c", READ, place.directory, str(stop)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert reader.stdout is not None
    reader.stdout.readline()
    for days in range(220, 0, -10):
        place.append(new_draft("session_ended", {}), limits=limits(entries=1, days=days))
    stop.write_text("")
    output, errors = reader.communicate()
    assert (reader.returncode, errors) == (0, "")
    assert int(output) > 0
