"""A plugin that pip and the like installed: it has its packages, and builds no environment."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import click
import pytest

from progress_plugin.core import version
from progress_plugin.core.packages import environment
from progress_plugin.core.packages.damaged_packages import given_up
from progress_plugin.core.packages.old_environments import lost_files
from progress_plugin.usecases import setup
from tests.conftest import REPOSITORY

NOON = 1_800_000_000.0


def silent(line: str) -> None:
    raise AssertionError(f"nothing was to be reported, but: {line}")


def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: str) -> Path:
    """Have the plugin stand in a `site-packages` with the packages that the tests run with; return that."""
    site = tmp_path / "lib" / library / "site-packages"
    site.mkdir(parents=True)
    for place in Path(str(click.__file__)).parents[1].iterdir():
        (site / place.name).symlink_to(place)
    monkeypatch.setattr(environment, "PLUGIN_ROOT", str(site / "progress_plugin" / "plugin"))
    return site


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the `site-packages` that this Python has the plugin installed in."""
    return install(tmp_path, monkeypatch, f"python{version.python_name()}")


def test_its_own_packages_stand_and_setup_builds_nothing(site: Path, home: Path) -> None:
    assert environment.installed_site() == str(site)
    assert setup.build(silent, now=NOON, timeout=0) == str(site)
    assert setup.start_in_background(NOON) is None
    assert not (home / ".local").exists()


def test_packages_for_another_python_are_not_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, "python3.99")
    assert environment.installed_site() is None


def test_a_package_that_is_gone_is_named_with_who_can_bring_it_back(site: Path) -> None:
    (site / "mcp").unlink()
    told = given_up(ImportError("No module named 'mcp'", name="mcp"))
    assert told == (
        "a package it was installed with is missing (No module named 'mcp'); install it again: "
        "pipx reinstall agent-progress, or pip install --force-reinstall agent-progress"
    )
    assert environment.installed_site() is None


@pytest.mark.parametrize("words", [("status",), ("setup",), ("-C", ".", "demo")])
def test_without_any_package_a_command_is_one_line_and_builds_nothing(
    words: tuple[str, ...], tmp_path: Path, home: Path
) -> None:
    site = tmp_path / "site-packages"
    (site / "progress_plugin").mkdir(parents=True)
    (site / "progress_plugin" / "__init__.py").write_bytes(
        (REPOSITORY / "distribution" / "__init__.py").read_bytes()
    )
    plugin = site / "progress_plugin" / "plugin"
    plugin.mkdir()
    shutil.copytree(REPOSITORY / "progress_plugin", plugin / "progress_plugin")
    shutil.copy(REPOSITORY / "requirements.lock", plugin)
    program = (
        "import sys; sys.path[:] = [place for place in sys.path if 'site-packages' not in place]; "
        f"sys.path.insert(0, {str(site)!r}); from progress_plugin.__main__ import console; console()"
    )
    done = subprocess.run(
        [environment.interpreter(), "-B", "-c", program, *words],
        env={"HOME": str(home), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == (
        "agent-progress: a package it was installed with is missing; install it again: "
        "pipx reinstall agent-progress, or pip install --force-reinstall agent-progress\n"
    )
    assert not (home / ".local").exists()


def test_files_that_other_packages_lost_are_none_of_its_business(site: Path, home: Path) -> None:
    (site / "another-1.0.dist-info").mkdir()
    (site / "another-1.0.dist-info" / "RECORD").write_text("another.py,,\n")
    assert lost_files(str(site)) == []
    lent = home / "env" / "site-packages"
    lent.parent.mkdir()
    lent.symlink_to(site)
    assert lost_files(str(lent)) == []


def test_a_checkout_is_not_taken_for_an_installed_package() -> None:
    assert environment.installed_in() is None
    assert environment.installed_packages() is None
