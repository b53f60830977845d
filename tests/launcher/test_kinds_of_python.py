"""Pythons that a distribution or conda manages: each a prefix of its own, made from the one that runs the tests."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

from progress_plugin.core.packages.environment import interpreter
from tests.conftest import REPOSITORY

pytestmark = [pytest.mark.environment, pytest.mark.slow]

MARKER = "[externally-managed]\nError=This environment is managed by the distribution.\n Use pipx.\n"
LAUNCHER = str(REPOSITORY / "bin" / "agent-progress")


def prefix(place: Path, *, without: tuple[str, ...] = ()) -> Path:
    """Return a Python in a prefix of its own, which has its standard library by links, and pip unless left out."""
    base = Path(sysconfig.get_path("stdlib"))
    library = place / "lib" / base.name
    library.mkdir(parents=True)
    for entry in base.iterdir():
        if entry.name not in {"site-packages", "EXTERNALLY-MANAGED", *without}:
            (library / entry.name).symlink_to(entry)
    (library / "site-packages").mkdir()
    pip = importlib.util.find_spec("pip")
    if "pip" not in without and pip and pip.origin:
        (library / "site-packages" / "pip").symlink_to(Path(pip.origin).parent)
    for shared in base.parent.glob("libpython*"):
        (place / "lib" / shared.name).symlink_to(shared)
    (place / "bin").mkdir()
    shutil.copy2(os.path.realpath(interpreter()), place / "bin" / "python3")
    return place


def tools(place: Path) -> Path:
    """Return a folder with what the launcher needs of a system, and no other Python."""
    place.mkdir()
    for name in (
        "sh",
        "readlink",
        "mkdir",
        "mv",
        "rm",
        "date",
        "sleep",
        "cat",
        "dirname",
        "kill",
        "env",
        "git",
    ):
        if found := shutil.which(name):
            (place / name).symlink_to(found)
    return place


def run(python: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run something in an empty home that knows this Python alone."""
    home = python.parent / "home"
    home.mkdir(exist_ok=True)
    if not (python.parent / "tools").exists():
        tools(python.parent / "tools")
    kept = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_"))}
    path = f"{python}/bin:{python.parent}/tools"
    return subprocess.run(
        words, env={"HOME": str(home), "PATH": path, **kept, **more}, cwd=home, capture_output=True, text=True,
        check=False, timeout=600,
    )  # fmt: skip


def has_demo(python: Path) -> bool:
    shown = run(python, "sh", LAUNCHER, "demo")
    return "# Progress Summary: Harbour berth booking" in shown.stdout


def test_an_externally_managed_python_gets_an_environment_and_no_package(tmp_path: Path) -> None:
    python = prefix(tmp_path / "usr")
    library = next((python / "lib").glob("python3.*"))
    (library / "EXTERNALLY-MANAGED").write_text(MARKER)
    if not (library / "site-packages" / "pip").exists():
        pytest.skip("THIS PYTHON HAS NO pip: cannot show that it refuses")
    refused = run(python, str(python / "bin/python3"), "-m", "pip", "install", "--no-index", "agent-progress")
    assert "externally-managed-environment" in refused.stderr
    done = run(python, "sh", LAUNCHER, "setup")
    assert done.returncode == 0, done.stderr
    named = next((tmp_path / "home").glob(".local/share/agent-progress/env/*/python")).read_text("utf-8")
    assert named == f"{python}/bin/python3\n"
    assert has_demo(python)
    assert [path.name for path in (library / "site-packages").iterdir()] == ["pip"]


def test_a_conda_environment_is_used_as_it_is(tmp_path: Path) -> None:
    python = prefix(tmp_path / "conda", without=("ensurepip",))
    (python / "conda-meta").mkdir()
    done = run(python, "sh", LAUNCHER, "setup", CONDA_PREFIX=str(python), CONDA_DEFAULT_ENV="base")
    if not list(python.glob("lib/python3.*/site-packages/pip")):
        pytest.skip("THIS PYTHON HAS NO pip: conda's has one")
    assert done.returncode == 0, done.stderr
    assert has_demo(python)
    assert [path.name for path in (python / "conda-meta").iterdir()] == []


@pytest.mark.parametrize(
    ("conda", "remedy"), [(True, "conda install pip"), (False, "apt install python3-pip")]
)
def test_a_python_without_pip_and_ensurepip_is_told_what_to_install(
    tmp_path: Path, conda: bool, remedy: str
) -> None:
    python = prefix(tmp_path / "bare", without=("ensurepip", "pip"))
    if conda:
        (python / "conda-meta").mkdir()
    done = run(python, "sh", LAUNCHER, "setup")
    assert done.returncode == 3
    assert "has neither pip nor ensurepip" in done.stderr
    assert remedy in done.stderr
    assert len(done.stderr.splitlines()) == 1
