"""The real clients, a home with the packages in it, and a project with something to tell."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from progress_plugin.core import environment

ROOT = Path(__file__).resolve().parents[2]
CLIENTS = Path(os.environ.get("AGENT_PROGRESS_CLIENTS") or ROOT / ".clients")
NEW, OLD = "2.1.330", "2.1.197"
_REQUIRED = os.environ.get("AGENT_PROGRESS_REQUIRE_CLIENTS") == "1"


def _claude(version: str) -> str:
    program = CLIENTS / f"claude-code-{version}" / "node_modules" / ".bin" / "claude"
    if not program.exists():
        line = f"CLAUDE CODE {version} IS NOT HERE: python3 tests/run.py --only clients installs it"
        if _REQUIRED:
            pytest.fail(line)
        pytest.skip(line)
    return str(program)


@pytest.fixture
def claude() -> str:
    """Return the newest Claude Code we test with."""
    return _claude(NEW)


@pytest.fixture
def claude_old() -> str:
    """Return the Claude Code that npm picks on Node 20."""
    return _claude(OLD)


@pytest.fixture(params=[NEW, OLD])
def any_claude(request: pytest.FixtureRequest) -> str:
    """Return each Claude Code in turn."""
    return _claude(request.param)


@pytest.fixture
def ready_home(home: Path) -> Path:
    """Return a home in which the environment stands: the packages are those the tests run with."""
    import click

    place = home / ".local" / "share" / "agent-progress" / "env" / environment.identity()
    place.mkdir(parents=True)
    (place / "site-packages").symlink_to(Path(str(click.__file__)).parents[1])
    (place / "python").write_text(environment.interpreter() + "\n", "utf-8")
    return home


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a repository with a plan of two stories, one done, and an agent's log of the first."""
    root = tmp_path / "quarry"
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
