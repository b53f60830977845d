"""The real clients, a home with the packages in it, and a project with something to tell."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from progress_plugin.core import environment
from tests.clients.harness.installed_copy import copy_plugin
from tests.run import AGENTS

ROOT = Path(__file__).resolve().parents[2]
CLIENTS = Path(os.environ.get("AGENT_PROGRESS_CLIENTS") or ROOT / ".clients")
NEW, OLD = (agent.version for agent in AGENTS if agent.program == "claude")


def _program(name: str, version: str | None = None) -> str:
    """Return where `tests/run.py` has put an agent, or skip by its name."""
    agent = next(agent for agent in AGENTS if agent.program == name and version in (None, agent.version))
    program = CLIENTS / agent.name / "node_modules" / ".bin" / name
    if not program.exists():
        line = f"{agent.name.upper()} IS NOT HERE: python3 tests/run.py --only clients installs it"
        if agent.required:
            pytest.fail(line)
        pytest.skip(line)
    return str(program)


@pytest.fixture
def claude() -> str:
    """Return the newest Claude Code we test with."""
    return _program("claude", NEW)


@pytest.fixture
def claude_old() -> str:
    """Return the Claude Code that npm picks on Node 20."""
    return _program("claude", OLD)


@pytest.fixture(params=[NEW, OLD])
def any_claude(request: pytest.FixtureRequest) -> str:
    """Return each Claude Code in turn."""
    return _program("claude", request.param)


@pytest.fixture(scope="session")
def codex() -> str:
    """Return the Codex CLI."""
    return _program("codex")


@pytest.fixture(scope="session")
def copilot() -> str:
    """Return the Copilot CLI."""
    return _program("copilot")


@pytest.fixture(scope="session")
def gemini() -> str:
    """Return the Gemini CLI."""
    return _program("gemini")


@pytest.fixture(scope="session")
def opencode() -> str:
    """Return OpenCode."""
    return _program("opencode")


def _environment(home: Path) -> None:
    """Make an environment stand in a home, of the packages that the tests run with."""
    place = home / ".local" / "share" / "agent-progress" / "env" / environment.lock_hash()
    place.parent.mkdir(parents=True)
    place.symlink_to(sys.prefix)


def _compiled(home: Path) -> Path:
    """Return where compiled code is kept for a home."""
    return home / ".cache" / "agent-progress" / "pycache"


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a place of compiled code: no client waits for a server that compiles its packages first."""
    warm = tmp_path_factory.mktemp("warm")
    _environment(warm)
    variables = {"HOME": str(warm), "PATH": os.environ["PATH"]}
    server = ["sh", str(ROOT / "bin" / "agent-progress"), "mcp"]
    # What is no request is handed to the SDK's server, which is compiled by that.
    subprocess.run(
        server, input=b"{}\n", stdout=subprocess.DEVNULL, env=variables, cwd=warm, check=True, timeout=120
    )
    return _compiled(warm)


def used_before(home: Path, compiled: Path) -> Path:
    """Make the environment stand in a home as if it had been used before; return the home."""
    _environment(home)
    place = _compiled(home)
    place.parent.mkdir(parents=True)
    place.symlink_to(compiled)
    return home


@pytest.fixture
def ready_home(home: Path, compiled: Path) -> Path:
    """Return a home in which the environment stands and has been used before."""
    return used_before(home, compiled)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a repository with a plan of two stories, one done, and an agent's log of the first."""
    return quarry(tmp_path / "quarry")


def quarry(root: Path) -> Path:
    """Make that repository."""
    root.mkdir()
    (root / "prd.json").write_text(
        '{"project": "Quarry", "userStories": [\n'
        ' {"id": "US-001", "title": "Lay the first stone", "passes": true, "priority": 1},\n'
        ' {"id": "US-002", "title": "Raise the zinc roof", "passes": false, "priority": 2}]}\n'
    )
    (root / "progress.txt").write_text(
        "# Progress Log\n\n## 2026-01-05 10:00 - US-001: Lay the first stone\n"
        "- Laid the first stone on the granite shelf\n- Files changed: wall.py\n"
        "- **Learnings for future iterations:**\n  - The quarry gate locks at noon\n---\n"
    )
    git = ["git", "-C", str(root), "-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run([*git, "init", "-q", "-b", "main"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "Begin"], check=True)
    return root


@pytest.fixture(scope="session")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_plugin(tmp_path_factory.mktemp("plugin") / "progress")
