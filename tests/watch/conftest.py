"""`agent-progress watch` as a real process, and a reader of its lines."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

PATIENCE_S = 20.0


class Watcher:
    """A running watcher; lines are read without their clock time."""

    def __init__(self, root: Path) -> None:
        main = REPOSITORY / "progress_plugin" / "__main__.py"
        self.process = subprocess.Popen(
            [sys.executable, str(main), "-C", str(root), "watch"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            # A shell's background jobs inherit that SIGINT is ignored.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - no threads here
            text=True,
            encoding="utf-8",
        )
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        with self.process.stdout as output:
            for line in output:
                self._lines.put(line.rstrip("\n"))

    def line(self) -> str:
        """Return the next line, waiting for it."""
        line = self._lines.get(timeout=PATIENCE_S)
        return line[10:] if line[2:3] == ":" else line

    def end(self) -> tuple[int, list[str]]:
        """Press Ctrl-C; return the exit code and every line not read yet."""
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(timeout=PATIENCE_S)
        self._reader.join()
        return code, [self.line() for _ in range(self._lines.qsize())]

    def close(self) -> None:
        """End the process, whatever it does."""
        self.process.kill()
        self.process.wait()
        self._reader.join()


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
    """Return a watcher of the project that has said how it stands."""
    del home
    with closing(Watcher(root)) as running:
        assert running.line() == f"Watching {os.path.realpath(root)}; Ctrl-C ends it."
        assert running.line().startswith("1/3 complete (33%), ")
        yield running
