"""What holds a hook up from outside: it ends in time, with exit code 0, and with the best it can show."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core.paths import database_path
from tests.conftest import REPOSITORY
from tests.hooks.simulated_client import Hooks, Repository
from tests.torture.figures import some

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


@pytest.mark.parametrize("ending", ["", "-wal", "-shm", "-journal"])
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


READ_AT_A_START = (
    ".agent-os/progress/progress.json", ".agent-os/progress/progress.md", ".agent-os/progress/lock",
    ".agent-os/progress/config.toml", ".agent-os/progress/.gitignore",
    ".agent-os/progress/progress-summary.md", ".agent-os/progress/archive",
    ".agent-os/progress/archive/index.json", ".agent-os/progress/archive/2026-01.json", ".agent-os/progress/recovery",
    ".agent-os/progress/summaries", ".agent-os/progress/muted.json",
    ".agent-os/progress/templates/progress-summary.md.j2", "prd.json", "progress.md", "progress.txt", "tasks/tasks.json",
    "feature_list.json", "task_plan.md", ".beads/issues.jsonl", ".taskmaster/state.json", "AGENTS.md", ".git/HEAD",
    ".git/logs/HEAD", ".git/packed-refs", ".git", ".agent-os/progress", ".agent-os",
    ".agent-os/progress/archive/stories", ".agent-os/progress/erased.json", ".agent-os/progress/shared",
    ".agent-os/progress/shared/host-b", ".agent-os/progress/shared/host-b/2026-03",
)  # fmt: skip


def replace(path: Path, make: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    make(path)


QUICK = ("prd.json", "progress.md", "config.toml", "progress.json", "lock")


@pytest.mark.parametrize(
    "make",
    [pytest.param(os.mkfifo, id="pipe"), pytest.param(os.mkdir, id="directory", marks=pytest.mark.slow)],
)
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name.endswith(QUICK) else pytest.mark.slow)
        for name in some(READ_AT_A_START, 7)
    ],
)
def test_something_else_in_the_place_of_any_file_holds_no_hook_up(
    place: Repository, name: str, make: Any, home: Path
) -> None:
    hooks = Hooks(place.root)
    hooks.start()
    place.plan(done=5)
    hooks.edited("prd.json")
    replace(place.root / name, make)
    hooks.start()
    hooks.edited("prd.json")
    hooks.event("TaskCompleted", task_subject="coil the ropes", task_id="7")
    hooks.event("SessionEnd", reason="exit")
    hooks.start("resume")
    noted = home / ".cache/agent-progress/swallowed.log"
    for word in (
        "TimeoutError",
        "IsADirectoryError",
        "FileExistsError",
        "NotADirectoryError",
        "ValueError",
        "OSError",
    ):
        assert word not in (noted.read_text() if noted.exists() else "")


USERS = (
    ".config/agent-progress/config.toml", ".cache/agent-progress", ".cache/agent-progress/swallowed.log",
    ".cache/agent-progress/answers", ".cache/agent-progress/baselines", ".cache/agent-progress/pycache",
    ".cache", ".local", ".local/share/agent-progress", ".local/share/agent-progress/python",
    ".local/share/agent-progress/env", ".local/share/agent-progress/no-python", ".config", "",
)  # fmt: skip


@pytest.mark.parametrize("name", USERS)
def test_a_named_pipe_in_the_users_directories_holds_nothing_up(
    place: Repository, tmp_path: Path, name: str
) -> None:
    home = tmp_path / "another-home"
    replace(home / name if name else home, os.mkfifo)
    for words in (["hook", "SessionStart"], ["hook", "Stop"], ["statusline"]):
        done = subprocess.run(
            ["sh", str(REPOSITORY / "bin/agent-progress"), *words], timeout=PATIENT, capture_output=True,
            input=json.dumps({"cwd": str(place.root), "session_id": "s", "source": "startup"}).encode(),
            env={
                "HOME": str(home), "PATH": f"{Path(sys.executable).resolve().parent}:{os.environ['PATH']}",
                "AGENT_PROGRESS_NO_INSTALL": "1", "CLAUDECODE": "1",
            },
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, b"")


def test_without_a_home_a_start_shows_what_there_is(place: Repository) -> None:
    answer = Hooks(place.root)
    answer.environment = {"HOME": ""}
    assert "lit it" in answer.start().context


SHELLS = [
    (found, *rest)
    for name, *rest in (("dash",), ("bash",), ("busybox", "sh"))
    if (found := shutil.which(name))
]


def hanging(folder: Path) -> Path:
    """Make a `python3` that never answers, and whose child would hold a pipe open."""
    folder.mkdir(parents=True)
    (folder / "python3").write_text("#!/bin/sh\nsleep 1000\n", "utf-8")
    (folder / "python3").chmod(0o755)
    return folder
