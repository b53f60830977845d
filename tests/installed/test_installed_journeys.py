"""Installed by each of the ways that people have, in an empty home: what it does then."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from progress_plugin.core.packages.environment import locked_hash

from progress_plugin.core.version import VERSION
from tests.conftest import REPOSITORY
from tests.installed.built import Built
from tests.installed.machine import Machine, machine, works
from tests.installed.pythons import pythons

pytestmark = [pytest.mark.environment, pytest.mark.slow]


@pytest.fixture(autouse=True)
def downloads(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every package downloaded once for all tests; homes are empty all the same."""
    place = tmp_path_factory.getbasetemp() / "downloads"
    monkeypatch.setenv("PIP_CACHE_DIR", str(place / "pip"))
    monkeypatch.setenv("UV_CACHE_DIR", str(place / "uv"))


def builds_nothing(ours: Machine) -> None:
    assert not (ours.home / ".local" / "share" / "agent-progress" / "env").exists()


def two_pythons() -> list[str]:
    """Return the versions to install for: all there are; a build server must have two of them."""
    found = list(pythons())
    if len(found) < 2 and os.environ.get("AGENT_PROGRESS_REQUIRE_CLIENTS") == "1":
        found.append("a second Python (3.11 to 3.14) is missing here")
    return found


def test_pip_installs_a_checkout(tmp_path: Path) -> None:
    python = next(iter(pythons().values()))
    ours = machine(tmp_path, [str(tmp_path / "venv" / "bin" / "agent-progress")])
    ours.install(python, "-m", "venv", tmp_path / "venv")
    ours.install(tmp_path / "venv" / "bin" / "pip", "install", REPOSITORY)
    works(ours)
    builds_nothing(ours)
    module = [str(tmp_path / "venv" / "bin" / "python"), "-m", "progress_plugin", "--version"]
    assert ours.start(module).stdout == f"agent-progress, version {VERSION}\n"


@pytest.mark.parametrize("version", two_pythons())
def test_the_wheel_works_isolated_on_every_python_there_is(
    version: str, built: Built, tmp_path: Path
) -> None:
    # What pipx does: a virtual environment of its own, and a link to its command on PATH.
    venv, command = tmp_path / "venvs" / "agent-progress", tmp_path / "bin" / "agent-progress"
    ours = machine(tmp_path, [str(command)])
    ours.install(pythons()[version], "-m", "venv", venv)
    ours.install(venv / "bin" / "pip", "install", "--no-compile", built.wheel)
    command.parent.mkdir()
    command.symlink_to(venv / "bin" / "agent-progress")
    works(ours)
    builds_nothing(ours)
    launcher = next(venv.glob("lib/*/site-packages/progress_plugin/plugin/bin/agent-progress"))
    works_by_launcher(ours, launcher)
    builds_nothing(ours)


def works_by_launcher(ours: Machine, launcher: Path) -> None:
    """Start a hook as a client does that loads the plugin from where it was installed."""
    shutil.rmtree(ours.place / "quarry")
    works(Machine(ours.place, ["sh", str(launcher)]))


def test_uvx_runs_it_from_the_checkout(tmp_path: Path) -> None:
    uvx = shutil.which("uvx")
    ours = machine(tmp_path, [])
    if uvx is None:
        ours.install(next(iter(pythons().values())), "-m", "venv", tmp_path / "venv")
        ours.install(tmp_path / "venv" / "bin" / "pip", "install", "uv")
        uvx = str(tmp_path / "venv" / "bin" / "uvx")
    python = next(iter(pythons().values()))
    ours.command = [uvx, "--quiet", "--python", python, "--from", str(REPOSITORY), "agent-progress"]
    works(ours)
    builds_nothing(ours)


@pytest.fixture
def wheelhouse(tmp_path: Path) -> Path:
    """Return a directory of wheels, made as docs/install.md says."""
    place = tmp_path / "wheels"
    python = next(iter(pythons().values()))
    download = [python, "-m", "pip", "download", "--require-hashes", "--only-binary", ":all:"]
    lock = str(REPOSITORY / "requirements.lock")
    subprocess.run([*download, "--dest", place, "-r", lock], check=True, capture_output=True, timeout=600)
    return place


def test_the_launchers_own_environment_is_built_of_a_wheelhouse_without_any_network(
    wheelhouse: Path, tmp_path: Path
) -> None:
    python = next(iter(pythons().values()))
    ours = machine(tmp_path, ["sh", str(REPOSITORY / "bin" / "agent-progress")])
    closed = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "PIP_INDEX_URL"), "http://127.0.0.1:9")
    kept = {name: value for name, value in ours.variables.items() if not name.startswith(("PIP_", "UV_"))}
    path = f"{Path(python).parent}:/usr/bin:/bin"
    done = subprocess.run(
        [*ours.command, "setup", "--wheelhouse", wheelhouse.name],
        cwd=wheelhouse.parent,
        env={**kept, **closed, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    place = ours.home / ".local" / "share" / "agent-progress" / "env"
    assert done.stdout.startswith(f"ready: {place}/{locked_hash()}-")
    works(ours)
