"""A hook that is held up from outside ends in time, with exit code 0, and shows the best it has."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from progress_plugin.core.paths import database_path
from tests.conftest import REPOSITORY
from tests.hooks.simulated_client import Hooks, Repository

PATIENT = 60
"""Seconds after which a test says that something hangs; nothing is judged by less."""


@pytest.fixture
def place(tmp_path: Path) -> Repository:
    """Return a repository with a plan and an agent's log."""
    repository = Repository(tmp_path / "lighthouse")
    repository.plan(done=4)
    log = "# Progress\n\n## 2026-03-01 - US-001: Light the lamp\n- lit it\n"
    (repository.root / "progress.md").write_text(log, "utf-8")
    return repository


@pytest.fixture
def database(home: Path) -> Path:
    """Return a memory database with one document."""
    subprocess.run(
        [sys.executable, "-m", "progress_plugin", "memory", "progress", "lighthouse", "--content", '{"goal": "see"}'],
        check=True, cwd=REPOSITORY, capture_output=True,
    )  # fmt: skip
    path = database_path()
    assert path is not None
    assert Path(path).is_file()
    return Path(path)


def test_a_start_does_not_wait_for_a_database_that_another_process_holds(
    place: Repository, database: Path
) -> None:
    with closing(sqlite3.connect(database, isolation_level=None)) as holder:
        holder.execute("PRAGMA journal_mode = DELETE")
        holder.execute("BEGIN EXCLUSIVE")
        holder.execute("UPDATE observations SET content = 'half written'")
        (place.root / ".agent-os/progress").mkdir(parents=True)
        answer = Hooks(place.root).start()
    assert "lit it" in answer.context
    assert "held by another process" in answer.context


@pytest.mark.parametrize("ending", ["", "-wal"])
def test_a_named_pipe_in_the_place_of_the_database_costs_its_document_and_nothing_else(
    place: Repository, database: Path, ending: str
) -> None:
    file = Path(f"{database}{ending}")
    file.unlink(missing_ok=True)
    os.mkfifo(file)
    (place.root / ".agent-os/progress").mkdir(parents=True)
    answer = Hooks(place.root).start()
    assert "lit it" in answer.context
    assert "is not a file" in answer.context


@pytest.mark.parametrize("name", [".config/agent-progress/config.toml", ".cache"])
def test_a_named_pipe_in_the_users_directories_holds_nothing_up(
    place: Repository, tmp_path: Path, name: str
) -> None:
    home = tmp_path / "another-home"
    (home / name).parent.mkdir(parents=True)
    os.mkfifo(home / name)
    for words in (["hook", "SessionStart"], ["statusline"]):
        done = subprocess.run(
            ["sh", str(REPOSITORY / "bin/agent-progress"), *words], timeout=PATIENT, capture_output=True,
            input=json.dumps({"cwd": str(place.root), "session_id": "s", "source": "startup"}).encode(),
            env={
                "HOME": str(home), "PATH": f"{Path(sys.executable).resolve().parent}:{os.environ['PATH']}",
                "AGENT_PROGRESS_NO_INSTALL": "1", "CLAUDECODE": "1",
            },
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, b"")
