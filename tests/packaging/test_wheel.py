"""The wheel is an ordinary package, with the plugin's other files inside it."""

from __future__ import annotations

import json
import os
import subprocess
import zipfile
from pathlib import Path

import pytest

from progress_plugin import VERSION
from progress_plugin.core import environment
from tests.conftest import REPOSITORY
from tests.packaging.conftest import Machine, build_wheel

INSIDE = {
    ".claude-plugin", ".codex-plugin", ".cursor-plugin", ".mcp.json", "LICENSE", "bin", "commands", "examples",
    "gemini-extension.json", "hooks", "opencode", "package.json", "plugin.json", "requirements-team.lock",
    "requirements.lock", "skills", "templates",
}  # fmt: skip


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the wheel that is built from the sdist of this checkout."""
    return build_wheel(tmp_path_factory.mktemp("built"))


@pytest.mark.slow
def test_it_holds_the_package_and_the_files_of_the_plugin(wheel: Path) -> None:
    listed = subprocess.run(
        ["git", "-C", str(REPOSITORY), "ls-files"], capture_output=True, text=True, check=True
    )
    tracked = [name for name in listed.stdout.splitlines() if (REPOSITORY / name).is_file()]
    package = {name for name in tracked if name.startswith("progress_plugin/")}
    plugin = {f"progress_plugin/plugin/{name}" for name in tracked if name.partition("/")[0] in INSIDE}
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {name for name in names if ".dist-info/" not in name} == package | plugin


@pytest.mark.environment
@pytest.mark.slow
def test_installed_by_pip_it_runs_and_registers_a_copy(machine: Machine, wheel: Path, tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    subprocess.run([environment.base_python(), "-m", "venv", str(venv)], check=True)
    subprocess.run([venv / "bin" / "pip", "install", "--quiet", str(wheel)], check=True)
    command = (str(venv / "bin" / "agent-progress"),)
    assert machine.run("--version", command=command).stdout == f"agent-progress, version {VERSION}\n"
    assert "Harbour berth booking" in machine.run("demo", command=command).stdout
    event = json.dumps({"session_id": "s", "cwd": str(machine.project)})
    assert "zinc roof" in machine.run("hook", "SessionStart", stdin=event, command=command).stdout
    (machine.home / ".cursor").mkdir()
    done = machine.run("install", "cursor", command=command)
    assert done.returncode == 0, done.stderr
    copy = machine.home / ".local/share/agent-progress/plugin"
    machine.link_environment()
    launcher = ("/bin/sh", str(copy / "bin" / "agent-progress"))
    assert machine.run("--version", command=launcher, PATH="/nowhere").stdout.endswith(f"{VERSION}\n")
    assert os.access(copy / "bin" / "agent-progress", os.X_OK)
