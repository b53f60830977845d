"""Several clones, each a writer, and many processes of one: everybody ends with the same union."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

from tests.team.clones import SHARED, begun, cloned

_CLONES = 5
_PROCESSES = 6


def test_clones_end_with_the_same_union_and_each_knows_its_own(tmp_path: Path) -> None:
    hub = begun(tmp_path, "hub")
    clones = [cloned(hub, tmp_path, f"clone-{number}") for number in range(_CLONES)]
    own = []
    for number, clone in enumerate(clones):
        own.append({clone.log(f"First of {number}"), clone.log(f"Second of {number}")})
        clone.commit()
        clone.git("push", "-q", "origin", f"HEAD:work-{number}")
    for number in random.Random(7).sample(range(_CLONES), _CLONES):
        hub.git("merge", "-q", "--no-edit", f"work-{number}")
    known = set().union(*own)
    writers = set()
    for number, clone in enumerate(clones):
        clone.git("pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
        clone.run("recent")  # a start leaves it to the background where it has no time
        entries = clone.entries()
        assert set(entries) == known
        assert {name for name, writer in entries.items() if writer is None} == own[number]
        assert clone.git("status", "--porcelain") == ""
        writers |= {writer for writer in entries.values() if writer}
    assert writers == {path.name for path in (hub.root / SHARED).iterdir()}
    assert len(writers) == _CLONES


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
