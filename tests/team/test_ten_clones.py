"""Several clones, each a writer, and many processes of one: everybody ends with the same union."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.team.clones import SHARED, begun

_CLONES = 5
_PROCESSES = 6


def test_every_entry_of_processes_that_log_at_once_has_its_file(tmp_path: Path) -> None:
    ours = begun(tmp_path, "ours")
    words = [sys.executable, "-m", "progress_plugin", "log", "task_completed", "--description"]
    running = [
        subprocess.Popen([*words, f"Step {number}"], cwd=ours.root, env=ours.environment, stdout=subprocess.DEVNULL)
        for number in range(_PROCESSES)
    ]  # fmt: skip
    assert [process.wait() for process in running] == [0] * _PROCESSES
    assert {name.split(".")[0] for name in ours.files()} == set(ours.entries())
    assert len(ours.entries()) == _PROCESSES


def test_an_entry_whose_process_was_killed_before_it_had_a_file_gets_it_by_repair(tmp_path: Path) -> None:
    ours = begun(tmp_path, "ours")
    name = ours.log("Killed after this was in the log")
    for path in (ours.root / SHARED).rglob("*.json"):
        path.unlink()
    other = ours.log("The next write")
    assert "1 entry of ours is in no file of shared/" in ours.run("verify", status=1)
    ours.run("repair")
    assert {file.split(".")[0] for file in ours.files()} == {name, other}
