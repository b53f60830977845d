"""`agent-progress watch` as a real process, and a reader of its lines."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import REPOSITORY

PATIENCE_S = 20.0


class Watcher:
    """A running watcher; lines are read without their clock time."""

    def __init__(self, root: Path) -> None:
        main = str(REPOSITORY / "progress_plugin" / "__main__.py")
        command = [sys.executable, main, "-C", str(root), "watch"]
        # A shell's background jobs inherit that SIGINT is ignored.
        ready: Any = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
        out: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "encoding": "utf-8"}
        self.process = subprocess.Popen(command, preexec_fn=ready, **out)  # noqa: PLW1509 - no threads here

    def line(self) -> str:
        """Return the next line, waiting for it."""
        assert self.process.stdout
        line = self.process.stdout.readline().rstrip("\n")
        return line[10:] if line[2:3] == ":" else line

    def close(self) -> None:
        """End the process as Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)
        assert self.process.communicate(timeout=PATIENCE_S)[0].endswith("Ended.\n")
        assert self.process.returncode == 0


def plan(done: int, total: int = 3) -> str:
    """Return a plan of which the first `done` stories are finished."""
    stories = [{"id": f"US-{n}", "title": f"Story {n}", "passes": n <= done} for n in range(1, total + 1)]
    return json.dumps({"project": "Quarry", "userStories": stories})


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a project with a plan of three stories, one finished."""
    place = tmp_path / "quarry"
    place.mkdir()
    (place / "prd.json").write_text(plan(1))
    return place


@pytest.fixture
def watcher(root: Path, home: Path) -> Iterator[Watcher]:
    """Return a watcher of the project that has printed its first line."""
    del home
    with closing(Watcher(root)) as running:
        assert running.line() == f"Watching {os.path.realpath(root)}; Ctrl-C ends it."
        assert running.line().startswith("1/3 complete (33%), ")
        yield running
