"""The user's directories agree with platformdirs, and no variable moves them into the project."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import platformdirs
import pytest

from progress_plugin.core import paths
from progress_plugin.core.processes import child_variables
from progress_plugin.hooks.session_start import known_outside
from progress_plugin.log.outside_copies import folder_of

Place = Callable[[], str | None]
PAIRS: list[tuple[Place, Callable[..., str]]] = [
    (paths.user_data, platformdirs.user_data_dir),
    (paths.user_config, platformdirs.user_config_dir),
    (paths.user_cache, platformdirs.user_cache_dir),
    (paths.user_state, platformdirs.user_state_dir),
]


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
@pytest.mark.parametrize(
    "variables",
    [
        {},
        {"XDG_DATA_HOME": "/x/data", "XDG_CONFIG_HOME": "/x/config", "XDG_CACHE_HOME": "/x/cache"},
        {"XDG_DATA_HOME": "", "XDG_CONFIG_HOME": "", "XDG_CACHE_HOME": ""},
        {"XDG_DATA_HOME": "relative", "XDG_CONFIG_HOME": "./here", "XDG_CACHE_HOME": "~/x"},
    ],
)
def test_they_are_where_platformdirs_says(
    ours: Place, theirs: Callable[..., str], variables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert ours() == theirs("agent-progress", appauthor=False)


@pytest.mark.parametrize("home", [None, "", "relative"])
def test_without_a_home_there_are_none(home: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOME")
    if home is not None:
        monkeypatch.setenv("HOME", home)
    assert [ours() for ours, _ in PAIRS] == [None] * 4


def test_an_absolute_xdg_directory_serves_without_a_home(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert paths.user_data() == str(tmp_path / "agent-progress")


def test_on_a_mac_they_are_in_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setenv("HOME", "/Users/me")
    from platformdirs.macos import MacOS

    mac = MacOS("agent-progress", appauthor=False)
    answers = [paths.user_data(), paths.user_config(), paths.user_cache()]
    assert answers == [mac.user_data_dir, mac.user_config_dir, mac.user_cache_dir]


def test_a_start_looks_for_the_copies_of_a_log_where_they_are_written(tmp_path: Path, home: Path) -> None:
    del home
    root = tmp_path / "a\\b:c%d é"
    (root / ".git").mkdir(parents=True)
    assert not known_outside(str(root))
    folder = folder_of(str(root / ".agent-os/progress"))
    assert folder is not None
    os.makedirs(folder)
    assert known_outside(str(root))


def repository_at(root: Path) -> Path:
    (root / ".git").mkdir(parents=True)
    (root / "src").mkdir()
    return root


@pytest.mark.parametrize(
    "place", ["{root}/evil", "{root}", "{root}/gone/../evil", "{top}/link", "/proc/self/cwd/x"]
)
@pytest.mark.parametrize("variable", ["XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"])
def test_no_variable_moves_them_into_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, place: str
) -> None:
    root = repository_at(tmp_path / "lighthouse")
    (tmp_path / "link").symlink_to(root / "evil")
    monkeypatch.chdir(root / "src")
    before = [ours() for ours, _ in PAIRS]
    monkeypatch.setenv(variable, place.format(root=root, top=tmp_path))
    assert [ours() for ours, _ in PAIRS] == before
    assert variable not in child_variables()


@pytest.mark.parametrize("variable", ["CLAUDE_PROJECT_DIR", "AGENT_PROGRESS_PROJECT_DIR"])
def test_the_project_that_the_client_names_counts_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    root = repository_at(tmp_path / "lighthouse")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert paths.is_outside(str(root / "x"))
    monkeypatch.setenv(variable, str(root / "src"))
    assert not paths.is_outside(str(root / "x"))
    assert paths.is_outside(str(tmp_path / "lighthouse-2"))


def test_code_stays_where_it_is_whatever_variables_say(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "elsewhere"))
    assert paths.user_data() == str(tmp_path / "elsewhere/agent-progress")
    assert paths.user_code() == str(home / ".local/share/agent-progress")


def test_a_home_under_version_control_is_not_a_project(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / ".git").mkdir(parents=True)
    monkeypatch.chdir(home)
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "mine"))
    assert paths.user_data() == str(home / "mine/agent-progress")


def test_a_private_directory_is_open_to_the_user_alone(tmp_path: Path) -> None:
    paths.make_private(str(tmp_path / "a/b"))
    assert [(tmp_path / name).stat().st_mode & 0o777 for name in ("a", "a/b")] == [0o700, 0o700]
