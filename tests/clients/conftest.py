"""The real clients, a home with the packages, and a project with a plan and a log."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core import environment
from tests.clients.harness.client_run import ClientRun, run_client
from tests.clients.harness.clients import Json
from tests.clients.harness.installed_copy import copy_plugin
from tests.conftest import link_pycache
from tests.run import AGENTS, CLIENTS

STORY, LEARNING = "Lay the first stone", "quarry gate locks at noon"
GOTCHA = "Mortar in `src/wall.py` must set for a day before the scaffold goes"
PLAN = """{"project": "Quarry", "userStories": [
 {"id": "US-001", "title": "Lay the first stone", "passes": true, "priority": 1},
 {"id": "US-002", "title": "Raise the zinc roof", "passes": false, "priority": 2}]}
"""
LOG = f"""# Progress Log

## 2026-01-05 10:00 - US-001: {STORY}
- Laid the first stone on the granite shelf
- Files changed: wall.py
- **Learnings for future iterations:**
  - {GOTCHA}
  - The {LEARNING}
---
"""
FILE_TOOLS = {
    "claude": ("^Read$", "^Write$", "file_path", "content"),
    "copilot": ("^view$", "^create$", "path", "file_text"),
    "gemini": ("^read_file$", "^write_file$", "file_path", "content"),
    "opencode": ("^read$", "^write$", "filePath", "content"),
}
"""Each client's tools that read and write a file, and their arguments; Codex has only its shell."""


@dataclass
class Client:
    """A coding agent in a home and a project that stay from run to run."""

    name: str
    program: str
    home: Path
    project: Path
    plugin: Path

    def run(self, prompt: str, *turns: Json, args: tuple[str, ...] = (), **more: Any) -> ClientRun:
        """Send one prompt to a model that takes these turns; the client must exit with 0."""
        where = {"home": self.home, "project_dir": self.project, "plugin_dir": self.plugin, **more}
        script = {"turns": [*turns, {"text": "done"}], "rules": where.pop("rules", [])}
        run = run_client(self.name, prompt=prompt, client_bin=self.program, script=script, args=args, **where)
        assert run.exit_code == 0, run.stderr
        assert [step for step in run.setup if step["exit_code"]] == []
        return run

    def read(self, name: str) -> Json:
        """Return the turn in which the model reads a file."""
        if self.name == "codex":
            return {"shell": f"cat {name}"}
        tool, _, path, _ = FILE_TOOLS[self.name]
        return {"tool_use": [{"match": tool, "input": {path: str(self.project / name)}}]}

    def write(self, name: str) -> Json:
        """Return the turn in which the model writes a new file."""
        if self.name == "codex":
            return {"shell": f"echo x > {name}"}
        _, tool, path, content = FILE_TOOLS[self.name]
        return {"tool_use": [{"match": tool, "input": {path: str(self.project / name), content: "x"}}]}


@pytest.fixture(scope="session")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the plugin without tests and documents, used once: no client waits for its compilation."""
    place = copy_plugin(tmp_path_factory.mktemp("plugin") / "progress")
    home = used_home(tmp_path_factory.mktemp("home"))
    for words in (["demo"], ["mcp"]):
        command = ["sh", str(place / "bin/agent-progress"), *words]
        variables = {"HOME": str(home), "PATH": os.environ["PATH"]}
        subprocess.run(command, input=b"", stdout=subprocess.DEVNULL, env=variables, cwd=home, check=True)
    return place


def used_home(home: Path) -> Path:
    """Give a home the packages and the compiled code of the tests; return the home."""
    place = home / ".local/share/agent-progress/env" / os.path.basename(environment.directory())
    place.parent.mkdir(parents=True)
    place.symlink_to(sys.prefix)
    link_pycache(home)
    return home


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a repository with a plan of two stories, one done, an agent's log, and source files."""
    root = tmp_path / "quarry"
    (root / "src").mkdir(parents=True)
    (root / "prd.json").write_text(PLAN)
    (root / "progress.txt").write_text(LOG)
    for name in ("wall.py", "gate.py"):
        (root / "src" / name).write_text("stone = 1\n")
    for words in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "Begin"]):
        git = ["git", "-C", str(root), "-c", "user.name=A", "-c", "user.email=a@example.org"]
        subprocess.run([*git, *words], check=True)
    return root


@pytest.fixture
def client(request: pytest.FixtureRequest, home: Path, project: Path, plugin: Path) -> Client:
    """Return the client that the test names, such as `codex` or `claude-code-2.1.330`, as `tests/run.py` installed it."""
    agent = next(agent for agent in AGENTS if request.param in (agent.program, agent.name))
    program = Path(CLIENTS, agent.name, "node_modules", ".bin", agent.program)
    if not program.exists():
        pytest.skip(f"{agent.name} IS NOT HERE: python3 tests/run.py --only clients installs it")
    return Client(agent.program, str(program), used_home(home), project, plugin)


def every(*names: str) -> pytest.MarkDecorator:
    """Run a test with each of these clients; `claude` includes all its versions."""
    agents = [agent.name for agent in AGENTS if not names or agent.program in names]
    return pytest.mark.parametrize("client", agents, indirect=True)
