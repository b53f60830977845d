"""`bin/agent-progress` runs the Python of the environment, else the first Python that is new enough."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from progress_plugin import VERSION
from progress_plugin.core import environment
from tests.packaging.conftest import LAUNCHER, Machine

VERSION_LINE = f"agent-progress, version {VERSION}\n"


def write_program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


@pytest.mark.parametrize("shell", ["sh", "dash", "bash"])
def test_with_an_environment_nothing_else_is_needed(machine: Machine, shell: str) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not here")
    machine.link_environment()
    done = machine.run("--version", command=(program, str(LAUNCHER)), PATH="/nowhere")
    assert (done.stdout, done.stderr) == (VERSION_LINE, "")


def test_it_can_be_a_link_on_path(machine: Machine, tmp_path: Path) -> None:
    machine.link_environment()
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "first").symlink_to(LAUNCHER)
    (tmp_path / "links" / "agent-progress").symlink_to("first")
    path = f"{tmp_path / 'links'}:/usr/bin:/bin"
    done = machine.run("-c", "agent-progress --version", command=("/bin/sh",), PATH=path)
    assert done.stdout == VERSION_LINE
    assert list((machine.home / ".cache/agent-progress/pycache").rglob("*.pyc"))


@pytest.mark.parametrize("variable", ["XDG_DATA_HOME", "XDG_CACHE_HOME"])
def test_no_variable_of_a_project_names_the_code_that_runs(machine: Machine, variable: str) -> None:
    machine.link_environment()
    evil = machine.project / "evil"
    write_program(
        evil / f"agent-progress/env/{os.path.basename(environment.directory())}/bin/python", "echo evil"
    )
    assert machine.run("--version", **{variable: str(evil)}).stdout == VERSION_LINE
    assert sorted(path.name for path in (evil / "agent-progress").iterdir()) == ["env"]


def test_a_disabled_hook_ends_at_once(machine: Machine) -> None:
    machine.link_environment()
    for words in (("hook", "SessionStart"), ("hook", "Stop"), ("statusline",)):
        done = machine.run(*words, AGENT_PROGRESS_DISABLED="1", PATH="/nowhere")
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_without_a_python_a_command_says_so_and_a_hook_exits_0(machine: Machine) -> None:
    done = machine.run("status", PATH="/nowhere")
    assert (done.returncode, done.stdout) == (3, "")
    assert "Python 3.11 or newer was not found" in done.stderr
    assert "Python 3.11" in machine.hook("SessionStart", PATH="/nowhere")["systemMessage"]
    assert machine.hook("Stop", PATH="/nowhere") == {}


def test_a_python_that_is_too_old_or_not_absolute_is_passed_over(machine: Machine, tmp_path: Path) -> None:
    write_program(tmp_path / "old" / "python3.14", "exit 1")
    write_program(machine.project / "python3.13", "echo relative")
    (tmp_path / "good").mkdir()
    (tmp_path / "good" / "python3.12").symlink_to(environment.base_python())
    path = f"{tmp_path / 'old'}:.:{tmp_path / 'good'}:/usr/bin:/bin"
    done = machine.run("status", PATH=path, AGENT_PROGRESS_NO_INSTALL="1")
    assert "AGENT_PROGRESS_NO_INSTALL forbids" in done.stderr
    assert os.listdir(machine.home) in ([], [".cache"])


def test_no_python_of_the_project_runs_in_a_folder_of_it_either(machine: Machine) -> None:
    write_program(machine.project / ".venv/bin/python3.14", "echo evil")
    (machine.project / ".git").mkdir()
    (machine.project / "src").mkdir()
    command = ("/bin/sh", "-c", 'cd src && exec "$0" "$@"', str(LAUNCHER))
    path = f"{machine.project / '.venv/bin'}:{os.path.dirname(environment.base_python())}:/usr/bin:/bin"
    done = machine.run("status", command=command, PATH=path, AGENT_PROGRESS_NO_INSTALL="1")
    assert "AGENT_PROGRESS_NO_INSTALL forbids" in done.stderr
    assert done.stdout == ""


def test_doctor_starts_a_session_with_the_packages_of_the_environment(machine: Machine) -> None:
    machine.link_environment()
    done = machine.run("doctor", "--verbose")
    assert "session start: " in done.stdout
    assert done.returncode == 0
