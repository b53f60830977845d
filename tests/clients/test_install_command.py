"""`agent-progress install` and `uninstall` with the real clients, from a package that pip installed."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.clients.conftest import STORY, Client, every
from tests.clients.harness.client_run import base_env
from tests.packaging.conftest import build_wheel

pytestmark = [pytest.mark.client, pytest.mark.environment, pytest.mark.slow]

REGISTRATIONS = json.loads(Path(__file__).with_name("registrations.json").read_text("utf-8"))
"""The files in which a client lists its plugins, and its copy of the plugin."""


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the command of a package, installed by pip into an environment of its own."""
    place = tmp_path_factory.mktemp("package")
    wheel = build_wheel(place / "built")
    subprocess.run([sys.executable, "-m", "venv", place / "venv"], check=True)
    pip = [place / "venv" / "bin" / "pip", "install", "--quiet", wheel]
    subprocess.run(pip, check=True, timeout=600, env={**os.environ, "PIP_NO_COMPILE": "1"})
    return str(place / "venv" / "bin" / "agent-progress")


@pytest.fixture(scope="module")
def environments(tmp_path_factory: pytest.TempPathFactory, command: str) -> Path:
    """Return the folder with the environment that the package made for its hooks."""
    home = tmp_path_factory.mktemp("home")
    subprocess.run([command, "setup"], env={**os.environ, "HOME": str(home)}, check=True)
    return home / ".local/share/agent-progress/env"


@every()
def test_an_installed_package_registers_and_removes_itself(
    client: Client, command: str, environments: Path
) -> None:
    (link,) = client.home.glob(".local/share/agent-progress/env/*")
    link.unlink()
    link.symlink_to(environments / link.name)
    own = base_env(client.home, client.program, "http://127.0.0.1:9")
    install = [command, "install", client.name]
    first = client.run("hello", plugin_dir=None, before=[install, install])
    registered, again = (step["output"] for step in first.setup[-2:])
    assert ": registered\n" in registered
    assert ": registered already\n" in again
    assert len(first.places(STORY)) == 1
    if named := re.search(r"call it as `(sh [^`]+/bin/agent-progress)`", first.text()):
        words = [*shlex.split(named[1]), "status"]
        status = subprocess.run(
            words, env=own, cwd=client.project, capture_output=True, text=True, check=True
        )
        assert "1/2 complete (50%)" in status.stdout

    done = subprocess.run(
        [command, "uninstall", "--all"],
        env=own,
        cwd=client.project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    files = [client.home / name for name in REGISTRATIONS[client.name]["settings"]]
    assert not [
        path for path in files if path.exists() and re.search("agent-progress|progress@", path.read_text())
    ]
    copy = REGISTRATIONS[client.name]["copy"]
    assert copy is None or not (client.home / copy).exists()
    left = {path.name for path in (client.home / ".local/share/agent-progress").iterdir()}
    assert left <= {"env", "sessions"}
