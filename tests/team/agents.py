"""Agents of a simulation: most of them forks of one process that has loaded everything, each a process all the same.

What starting Python a thousand times takes would be all that a simulation of a thousand agents does. A fork
works as the process that it stands for: with the home, folder and clock of its machine, locks of its own, and a sync
behind it that it does not wait for, which is a fork, too, and can be killed at any instant.

    python -m tests.team.agents REGISTRY     reads a JSON line for each agent, answers with ids and a line `done STATUS`
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import traceback
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from progress_plugin.core.errors import Busy
from progress_plugin.core.project import find_project
from progress_plugin.log import team_sync
from progress_plugin.usecases.recording.log_entry import log_entry
from progress_plugin.usecases.team.background_sync import run_sync

_REPOSITORY = Path(__file__).parents[2]  # without `tests.conftest`, which watches the home of who imports it
_MOST_HANDLES = 1024


class Agent(NamedTuple):
    """One agent that works for a moment."""

    name: str
    entries: int
    days: float
    """By how many its machine's clock is wrong."""
    root: str
    environment: dict[str, str]


def work(agent: Agent) -> None:
    """Log so many entries, and print the id of each that was acknowledged."""
    for number in range(agent.entries):
        while True:
            with suppress(Busy):
                now = datetime.now(UTC) + timedelta(days=agent.days)
                text = f"{agent.name} did {number}"
                logged = log_entry(
                    find_project(os.getcwd()),
                    "milestone_reached",
                    now=now,
                    session=agent.name,
                    description=text,
                )
                sys.stdout.write(f"{logged.entries[-1]['id']}\n")
                sys.stdout.flush()
                break


def alone(agent: Agent) -> list[str]:
    """Let an agent work as a process of its own, whose syncs are, too, and return the acknowledged ids."""
    script = (
        "import json, sys; from tests.team.agents import Agent, work; work(Agent(*json.loads(sys.argv[1])))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, json.dumps(agent)],
        cwd=agent.root, env=agent.environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


class Forks:
    """A process that has loaded everything, and works as one agent after another."""

    def __init__(self, registry: Path, environment: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.team.agents", str(registry)],
            cwd=_REPOSITORY, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def work(self, agent: Agent) -> list[str]:
        """Let an agent work, and return the acknowledged ids."""
        asked, answers = self._process.stdin, self._process.stdout
        assert asked
        assert answers
        asked.write(json.dumps(agent) + "\n")
        asked.flush()
        ids = []
        for line in answers:
            if line.startswith("done "):
                assert line == "done 0\n", f"{agent.name}: {line}"
                return ids
            ids.append(line.strip())
        raise AssertionError(f"{agent.name}: the process is gone")

    def end(self) -> None:
        """End it."""
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()
        assert self._process.stdout
        self._process.stdout.close()


def living(registry: Path, root: Path | None = None) -> list[int]:
    """Return the forks that sync, of one machine or of all."""
    found = []
    for path in registry.iterdir():
        with suppress(OSError):
            process, where = int(path.name), path.read_text("utf-8")
            if not Path(f"/proc/{process}").exists():
                path.unlink(missing_ok=True)
            elif root is None or where == str(root):
                found.append(process)
    return found


def _sync_apart(registry: Path, root: str) -> None:
    """Sync in a process that nobody waits for, with no handle of this one, as after a write."""
    between = os.fork()
    if between:
        os.waitpid(between, 0)
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    os.closerange(0, _MOST_HANDLES)
    for _ in range(3):
        os.open(os.devnull, os.O_RDWR)
    mark = registry / str(os.getpid())
    try:
        mark.write_text(root, "utf-8")
        run_sync(root)
    finally:
        mark.unlink(missing_ok=True)
        os._exit(0)


def _forked(agent: Agent, registry: Path) -> int:
    """Return the status of a fork that works as an agent."""
    process = os.fork()
    if process:
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    status = 1
    try:
        os.environ.clear()
        os.environ.update(agent.environment)
        os.chdir(agent.root)
        team_sync.start = lambda root: _sync_apart(registry, root)
        work(agent)
        status = 0
    finally:
        if status:
            traceback.print_exc()  # nobody above gets it
        os._exit(status)


def main() -> None:
    registry = Path(sys.argv[1])
    importlib.import_module("psycopg")
    importlib.import_module("progress_plugin.usecases.team.sync")
    for line in sys.stdin:
        status = _forked(Agent(*json.loads(line)), registry)
        sys.stdout.write(f"done {status}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
