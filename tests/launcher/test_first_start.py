"""The first sessions on a machine without our packages, with the plugin itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
_WAIT = "from progress_plugin.usecases import setup; print(setup.wait_for_environment(300))"

pytestmark = [pytest.mark.environment, pytest.mark.slow]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project with a plan of two stories, one of them done."""
    place = tmp_path / "quarry"
    (place / ".git").mkdir(parents=True)
    stories = [
        {"id": "US-001", "title": "Lay the first stone", "passes": True},
        {"id": "US-002", "title": "Raise the zinc roof", "passes": False},
    ]
    (place / "prd.json").write_text(json.dumps({"project": "Quarry", "userStories": stories}))
    return place


def session_start(project: Path, home: Path, **changes: str) -> dict[str, Any]:
    """Run the hook as Claude Code does; return what it printed."""
    event = {"session_id": "s", "cwd": str(project), "hook_event_name": "SessionStart", "source": "startup"}
    kept = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "UV_", "SSL_"))}
    done = subprocess.run(
        ["sh", str(ROOT / "bin" / "agent-progress"), "hook", "SessionStart"],
        input=json.dumps(event),
        env={"HOME": str(home), "PATH": os.environ["PATH"], "CLAUDECODE": "1", **kept, **changes},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stderr == ""
    printed = json.loads(done.stdout)
    assert isinstance(printed, dict)
    return printed


def context(printed: dict[str, Any]) -> str:
    return str(printed["hookSpecificOutput"]["additionalContext"])


def test_the_first_start_shows_the_whole_summary_and_announces_the_build(project: Path, home: Path) -> None:
    first = session_start(project, home)
    assert "## Completion Status" in context(first)
    assert "Raise the zinc roof" in context(first)
    assert first["systemMessage"].startswith("progress: 1/2, US-002 next; installing its Python packages")
    subprocess.run([sys.executable, "-c", _WAIT], cwd=ROOT, check=True, timeout=400)
    second = session_start(project, home)
    assert context(second) == context(first)
    assert second["systemMessage"] == "progress: 1/2, US-002 next"


def test_a_project_s_own_template_waits_for_the_packages_and_is_used_once_they_are_there(
    project: Path, home: Path
) -> None:
    own = project / ".agent-os/progress/templates/progress-summary.md.j2"
    own.parent.mkdir(parents=True)
    own.write_text("Harbour style: {{ name }}\n")
    first = session_start(project, home)
    assert "it waits for the packages (agent-progress setup)" in context(first)
    subprocess.run([sys.executable, "-c", _WAIT], cwd=ROOT, check=True, timeout=400)
    assert "Harbour style: Quarry" in context(session_start(project, home))


def test_a_summary_that_is_ready_does_not_hide_that_the_packages_are_missing(
    project: Path, home: Path
) -> None:
    (project / ".agent-os/progress").mkdir(parents=True)
    session_start(project, home, AGENT_PROGRESS_NO_INSTALL="1")
    assert (project / ".agent-os/progress/start.cache").exists()
    assert "installing" in session_start(project, home)["systemMessage"]


def test_where_the_user_forbade_installing_the_start_is_whole_and_says_nothing_of_it(
    project: Path, home: Path
) -> None:
    printed = session_start(project, home, AGENT_PROGRESS_NO_INSTALL="1")
    assert "## Completion Status" in context(printed)
    assert "installing" not in printed.get("systemMessage", "")
    assert not (home / ".local" / "share" / "agent-progress" / "env").exists()


def test_with_nowhere_to_write_the_start_is_whole(project: Path, home: Path) -> None:
    printed = session_start(project, home, HOME="/proc/nothing")
    assert "## Completion Status" in context(printed)
    assert [path.name for path in project.iterdir() if path.name != "prd.json"] == [".git"]
