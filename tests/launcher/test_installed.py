"""A plugin that pip and the like installed: it has its packages, and builds no environment (S21.1)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click
import pytest

from progress_plugin.core import environment, version
from progress_plugin.server_behind import Packages
from progress_plugin.usecases import setup

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
    assert environment.standing() == str(site)
    assert setup.build(silent, now=NOON, patience=0) == str(site)
    assert setup.start_in_background(NOON) is None
    assert not (home / ".local").exists()


def test_packages_for_another_python_are_not_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, "python3.99")
    assert environment.standing() is None


def test_a_package_that_is_gone_is_named_with_who_can_bring_it_back(site: Path) -> None:
    (site / "mcp").unlink()
    told = environment.given_up(ImportError("No module named 'mcp'", name="mcp"))
    assert told == (
        "a package it was installed with is missing (No module named 'mcp'); install it again: "
        "pipx reinstall agent-progress, or pip install --force-reinstall agent-progress"
    )
    assert environment.standing() is None


def test_a_checkout_is_not_taken_for_an_installed_package() -> None:
    assert environment.installed_in() is None
    assert environment.installed_packages() is None


def test_a_directory_that_python_has_entered_is_not_entered_a_second_time(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A .pth file may do something: what Python's own start did is not done again.
    entered = tmp_path / "entered"
    (site / "telling.pth").write_text(f"import os; os.mkdir({str(entered)!r})\n")
    monkeypatch.setattr(sys, "path", [*sys.path, str(site)])
    monkeypatch.delenv(environment.SITE_VARIABLE, raising=False)
    assert Packages().is_there()
    assert not entered.exists()
    assert os.fspath(site) in sys.path
