"""The user's directories agree with platformdirs, and no variable moves them into the project."""

from __future__ import annotations

import sys
from pathlib import Path

import platformdirs
import pytest

from progress_plugin.core import paths

OURS = (paths.user_data, paths.user_config, paths.user_cache, paths.user_state)
EXPECTED = (
    platformdirs.user_data_dir,
    platformdirs.user_config_dir,
    platformdirs.user_cache_dir,
    platformdirs.user_state_dir,
)
VARIABLES = ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME")


@pytest.mark.parametrize("value", [None, "", "relative", "/x"])
def test_the_directories_are_those_of_platformdirs(
    value: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in VARIABLES if value is not None else ():
        monkeypatch.setenv(name, value or "")
    assert [ours() for ours in OURS] == [expected("agent-progress", appauthor=False) for expected in EXPECTED]


def test_on_macos_they_are_in_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    from platformdirs.macos import MacOS

    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setenv("HOME", "/Users/me")
    mac = MacOS("agent-progress", appauthor=False)
    expected = [mac.user_data_dir, mac.user_config_dir, mac.user_cache_dir]
    assert [paths.user_data(), paths.user_config(), paths.user_cache()] == expected


@pytest.mark.parametrize("home", ["", "relative"])
def test_without_a_home_they_cannot_exist(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", home)
    assert [ours().startswith("/dev/null/") for ours in OURS] == [True] * 4


@pytest.mark.parametrize("place", ["{root}/evil", "{root}/gone/../evil", "{top}/link", "/proc/self/cwd/x"])
def test_no_variable_moves_them_into_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    root = tmp_path / "lighthouse"
    for folder in (".git", "src"):
        (root / folder).mkdir(parents=True)
    (tmp_path / "link").symlink_to(root / "evil")
    monkeypatch.chdir(root / "src")
    before = [ours() for ours in OURS]
    for name in VARIABLES:
        monkeypatch.setenv(name, place.format(root=root, top=tmp_path))
    assert [ours() for ours in OURS] == before


@pytest.mark.parametrize("variable", ["CLAUDE_PROJECT_DIR", "AGENT_PROGRESS_PROJECT_DIR"])
def test_the_project_that_the_client_names_counts_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    for name in ("lighthouse/.git", "elsewhere"):
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert paths.is_outside(str(tmp_path / "lighthouse/x"))
    monkeypatch.setenv(variable, str(tmp_path / "lighthouse"))
    assert not paths.is_outside(str(tmp_path / "lighthouse/x"))
    assert paths.is_outside(str(tmp_path / "lighthouse-2"))


def test_a_private_directory_is_open_to_the_user_alone(tmp_path: Path) -> None:
    paths.make_private(str(tmp_path / "a/b"))
    assert [(tmp_path / name).stat().st_mode & 0o777 for name in ("a", "a/b")] == [0o700, 0o700]
