"""The user's directories agree with platformdirs, which is too slow to ask (core.directories)."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import platformdirs
import pytest

from progress_plugin.core import directories
from progress_plugin.core.fast.unused_project import known_outside
from progress_plugin.log.outside_copies import folder_of

Place = Callable[[], str | None]
PAIRS: list[tuple[Place, Callable[..., str]]] = [
    (directories.user_data, platformdirs.user_data_dir),
    (directories.user_config, platformdirs.user_config_dir),
    (directories.user_cache, platformdirs.user_cache_dir),
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
    assert [ours() for ours, _ in PAIRS] == [None, None, None]


def test_an_absolute_xdg_directory_serves_without_a_home(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert directories.user_data() == str(tmp_path / "agent-progress")


def test_on_a_mac_they_are_in_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setenv("HOME", "/Users/me")
    from platformdirs.macos import MacOS

    mac = MacOS("agent-progress", appauthor=False)
    answers = [directories.user_data(), directories.user_config(), directories.user_cache()]
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
