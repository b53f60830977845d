"""The environment is really made from the package index, by uv and by pip."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from progress_plugin.core import environment
from tests.conftest import REPOSITORY
from tests.packaging.conftest import LAUNCHER, Machine

pytestmark = [pytest.mark.environment, pytest.mark.slow]


@pytest.fixture(scope="module")
def wheelhouse(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a directory with the wheels of the lock file."""
    place = tmp_path_factory.mktemp("wheels")
    lock = str(REPOSITORY / "requirements.lock")
    pip = [environment.base_python(), "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
    subprocess.run([*pip, "--only-binary", ":all:", "--dest", str(place), "-r", lock], check=True)
    return str(place)


@pytest.mark.parametrize("installer", ["pip", "uv"])
def test_demo_is_one_command_on_an_empty_home(machine: Machine, installer: str) -> None:
    path = f"{os.path.dirname(environment.base_python())}:/usr/bin:/bin"
    if installer == "uv":
        uv = shutil.which("uv", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
        path = f"{Path(uv or pytest.skip('uv is not here')).parent}:{path}"
    certificates = os.environ.get("PIP_CERT") or os.environ.get("SSL_CERT_FILE")
    done = machine.run("demo", PATH=path, **({"SSL_CERT_FILE": certificates} if certificates else {}))
    assert done.returncode == 0, done.stderr
    assert f"installing packages with {installer}" in done.stderr
    assert "# Progress Summary: Harbour berth booking" in done.stdout
    assert machine.run("demo", PATH=path).stderr == ""


def test_a_damaged_environment_is_made_anew_without_a_network(machine: Machine, wheelhouse: str) -> None:
    machine.variables |= {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": "0"}
    assert machine.run("setup", "--wheelhouse", wheelhouse).returncode == 0
    (click,) = machine.environment.glob("lib/python*/site-packages/click/core.py")
    click.write_bytes(b"\0" * 100)
    assert machine.run("status").returncode == 3
    done = machine.run("setup", f"--wheelhouse={wheelhouse}")
    assert done.returncode == 0, done.stderr
    assert machine.run("demo").returncode == 0
    (machine.environment / "bin" / "python").unlink()
    assert machine.run("setup", "--wheelhouse", wheelhouse).returncode == 0
    assert machine.run("demo").returncode == 0


def test_two_at_once_build_once(machine: Machine, wheelhouse: str) -> None:
    command = ["/bin/sh", str(LAUNCHER), "setup", "--wheelhouse", wheelhouse]
    given = {"HOME": str(machine.home), "PATH": f"{os.path.dirname(environment.base_python())}:/usr/bin:/bin"}
    both = [
        subprocess.Popen(command, env=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in "ab"
    ]
    errors = [process.communicate(timeout=600)[1] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sum("installing packages" in error for error in errors) == 1


def test_team_installs_psycopg_into_the_environment(machine: Machine) -> None:
    assert machine.run("demo").returncode == 0
    machine.run("config", "set", "--user", "team.url", "postgresql://127.0.0.1:9/team")
    assert list(machine.environment.glob("lib/python*/site-packages/psycopg/__init__.py"))
