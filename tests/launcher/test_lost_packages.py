"""Packages that have gone from an environment are told by starts, and installed anew."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from progress_plugin.core.lock import FileLock
from progress_plugin.core.packages.environment import identity, interpreter
from tests.conftest import REPOSITORY

Start = Callable[..., str]


@pytest.fixture
def site(home: Path) -> Path:
    """Return the packages of an environment: links to those of the tests; each can be removed."""
    site = home / ".local/share/agent-progress/env" / identity() / "site-packages"
    site.mkdir(parents=True)
    (site.parent / "python").write_text(interpreter())
    for package in Path(pytest.__file__).parents[1].iterdir():
        (site / package.name).symlink_to(package)
    return site


@pytest.fixture
def start(tmp_path: Path, home: Path, site: Path) -> Start:
    """Return what begins a session as the launcher does, and returns the user's line."""
    project = tmp_path / "harbour"
    (project / ".git").mkdir(parents=True)
    (project / ".agent-os/progress").mkdir(parents=True)
    (project / "progress.md").write_text("## 2026-01-05 - US-001: Light the lamp\n- Lit it\n", "utf-8")
    said = json.dumps({"session_id": "s", "cwd": str(project), "source": "startup"})
    command = [
        interpreter(),
        "-I",
        "-S",
        "-X",
        "utf8",
        str(REPOSITORY / "progress_plugin/__main__.py"),
        "hook",
        "SessionStart",
    ]

    def run(**changes: str) -> str:
        variables = {"HOME": str(home), "PATH": "/usr/bin:/bin", "CLAUDECODE": "1", **changes}
        variables["AGENT_PROGRESS_SITE"] = str(site) if (site.parent / "python").exists() else ""
        done = subprocess.run(
            command, cwd=project, env=variables, input=said, capture_output=True, text=True, check=True
        )
        return str(json.loads(done.stdout).get("systemMessage", ""))

    return run


def lose(site: Path, package: str) -> None:
    """Remove a package and what was recorded of it."""
    for each in site.iterdir():
        if each.name == package or each.name.startswith(f"{package}-"):
            each.unlink()


def test_a_start_names_them_once_a_day_where_installing_is_forbidden(site: Path, start: Start) -> None:
    assert "no longer" not in start(AGENT_PROGRESS_NO_INSTALL="1")
    lose(site, "anyio")
    told = start(AGENT_PROGRESS_NO_INSTALL="1")
    assert f"anyio no longer in {site}; run: " in told
    assert "agent-progress setup" in told
    assert "anyio" not in start(AGENT_PROGRESS_NO_INSTALL="1")
    assert (site.parent / "python").exists()


def test_a_start_has_them_installed_anew_though_its_summary_is_ready(site: Path, start: Start) -> None:
    start()
    lose(site, "anyio")
    with FileLock(os.path.join(site.parents[1], "build.lock"), 0):
        assert "installing its Python packages" in start()
    assert not (site.parent / "python").exists()
