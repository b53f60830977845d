"""Hooks sync, too, where their environment was built before anybody thought of a team."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import jinja2
import pytest

from progress_plugin.core.packages import environment, team_packages
from tests.conftest import REPOSITORY
from tests.team.members import Member, member, waited_for
from tests.team.postgres import Database

_PACKAGES = Path(jinja2.__file__).parents[1]
_OFFLINE = {"UV_OFFLINE": "1", "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": ""}


class _Machine:
    """A machine where `demo` has built the environment, and a user who then named a team's server."""

    def __init__(self, clone: Member) -> None:
        self.clone = clone
        self.home = clone.home / ".local/share/agent-progress/env"
        site = self.home / environment.identity() / "site-packages"
        site.mkdir(parents=True)
        (site.parent / "python").write_text(f"{environment.interpreter()}\n", "utf-8")
        for found in _PACKAGES.iterdir():
            if not found.name.startswith("psycopg") and found.suffix != ".pth":
                (site / found.name).symlink_to(found)
        self.installed = self.home / team_packages.name_for(team_packages.own().version) / "site-packages"

    def run(self, *command: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a command as the user does, who lets packages be installed."""
        given = self.clone.environment
        for name in ("AGENT_PROGRESS_SITE", "AGENT_PROGRESS_NO_INSTALL", "PYTHONPATH"):
            del given[name]
        return subprocess.run(
            [*command], cwd=self.clone.root, env={**given, **variables}, capture_output=True, text=True, check=False,
        )  # fmt: skip

    def by_package(self, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run the command line of a package that was installed with its extra `team`."""
        return self.run(
            sys.executable, "-m", "progress_plugin", *words, PYTHONPATH=str(REPOSITORY), **variables
        )

    def by_launcher(self, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run what a client's agent runs."""
        return self.run("sh", str(REPOSITORY / "bin/agent-progress"), *words, **variables)


@pytest.fixture
def machine(tmp_path: Path, database: Database) -> _Machine:
    """Return such a machine, its clone part of no team yet."""
    return _Machine(member(tmp_path, "ours", database))


def arrived(database: Database) -> int:
    """Return how many entries are on the server."""
    return int(database.do("select count(*) from agent_progress.entries")[0][0])


@pytest.mark.environment
@pytest.mark.slow
def test_naming_a_server_gives_psycopg_to_the_environment_that_hooks_use(
    machine: _Machine, database: Database
) -> None:
    told = machine.by_package("config", "set", "--user", "team.url", database.url)
    assert told.returncode == 0, told.stderr
    assert f"psycopg is in {machine.installed}, where commands and hooks find it\n" in told.stderr
    assert (machine.installed / "psycopg/__init__.py").is_file()
    assert machine.by_package("sync").returncode == 0
    for word in ("log", "claim", "sync"):
        arguments = {"log": ["task_completed", "-m", "Berths are listed"], "claim": ["US-001"], "sync": []}[
            word
        ]
        done = machine.by_launcher(word, *arguments)
        assert (done.returncode, "psycopg" in done.stderr) == (0, False), done.stderr
    until = time.monotonic() + 60
    machine.by_launcher("log", "task_completed", "-m", "Bookings are refused")
    while arrived(database) < 2 and time.monotonic() < until:
        time.sleep(0.1)
    assert arrived(database) == 2
    waited_for(machine.clone)
    assert not (machine.clone.home / ".cache/agent-progress/swallowed.log").exists()


@pytest.mark.environment
@pytest.mark.slow
def test_a_sync_in_the_background_installs_what_its_python_lacks(
    machine: _Machine, database: Database
) -> None:
    assert machine.by_package("sync", AGENT_PROGRESS_NO_INSTALL="1").returncode == 0
    assert not machine.installed.exists()
    assert machine.by_launcher("log", "task_completed", "-m", "Berths are listed").returncode == 0
    until = time.monotonic() + 120
    while not arrived(database) and time.monotonic() < until:
        time.sleep(0.1)
    assert arrived(database) == 1
    assert (machine.installed / "psycopg").is_dir()


@pytest.mark.slow
def test_where_it_cannot_be_installed_the_setting_is_made_and_one_line_says_what_to_do(
    machine: _Machine, database: Database
) -> None:
    told = machine.by_package("config", "set", "--user", "team.url", database.url, **_OFFLINE)
    assert told.returncode == 0
    assert "psycopg, which a team's server needs, could not be installed" in told.stderr
    assert "`agent-progress setup` tries this again" in told.stderr
    assert machine.by_package("config", "get", "team.url").stdout == f"{database.url}\n"
    assert machine.by_package("sync", **_OFFLINE).returncode == 0  # not tried again for an hour
    assert not machine.installed.exists()


def test_where_the_user_forbade_it_nothing_is_installed(machine: _Machine, database: Database) -> None:
    told = machine.by_package(
        "config", "set", "--user", "team.url", database.url, AGENT_PROGRESS_NO_INSTALL="1"
    )
    assert (told.returncode, told.stderr) == (0, "")
    done = machine.by_launcher("sync", AGENT_PROGRESS_NO_INSTALL="1")
    assert done.returncode == 2
    assert "psycopg 3, which is not installed" in done.stderr
    assert not machine.installed.exists()


def test_without_a_team_nothing_of_psycopg_is_installed(machine: _Machine) -> None:
    (machine.clone.home / ".config/agent-progress/config.toml").unlink()
    assert machine.by_launcher("setup").returncode == 0
    assert machine.by_launcher("config", "set", "--user", "max_learnings", "7").returncode == 0
    assert not machine.installed.exists()
