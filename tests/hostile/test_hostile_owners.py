"""Code and programs that another user could have put there are not run: only our own and the system's."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from progress_plugin.core.packages.environment import interpreter
from tests.hostile.test_hostile_path import SHELLS
from tests.launcher.tiny_plugin import HASH, Plugin, make_plugin

STRANGER = 65534
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to somebody else")


@pytest.fixture
def plugin(tmp_path: Path, home: Path) -> Plugin:
    found = make_plugin(tmp_path / "the plugin", home, "/usr/bin:/bin")
    found.environment()
    return found


def given_away(path: Path, uid: int = STRANGER) -> None:
    """Have a file, or a folder with all that is in it, belong to somebody else."""
    for each in (path, *path.rglob("*")):
        os.chown(each, uid, -1, follow_symlinks=False)


def strange_environment(place: Path, acted: Path) -> None:
    """Put what looks like an environment of ours there, with a Python that leaves a trace."""
    env = place / f"agent-progress/env/{HASH}-3.11"
    (env / "site-packages").mkdir(parents=True)
    python = place / "python3"
    python.write_text(f'#!/bin/sh\necho ran >>{acted}\nexec {interpreter()} "$@"\n')
    python.chmod(0o755)
    (env / "python").write_text(f"{python}\n")


@as_root
@pytest.mark.parametrize("shell", SHELLS, ids=lambda shell: Path(shell[0]).name)
@pytest.mark.parametrize("inner", ["", "agent-progress", "not/yet"])
def test_a_named_directory_of_another_user_is_not_followed(
    plugin: Plugin, tmp_path: Path, home: Path, inner: str, shell: tuple[str, ...]
) -> None:  # fmt: skip
    plugin.shell = shell
    place, acted = tmp_path / "named", tmp_path / "acted"
    strange_environment(place, acted)
    (place / "agent-progress/pycache").mkdir()
    given_away(place if inner != "agent-progress" else place / inner)
    named = str(place / inner) if inner == "not/yet" else str(place)
    seen = plugin.door("status", XDG_DATA_HOME=named, XDG_CACHE_HOME=named)
    assert not acted.exists()
    assert seen["pycache_prefix"] == str(plugin.cache / "pycache")


@as_root
@pytest.mark.parametrize("shell", SHELLS, ids=lambda shell: Path(shell[0]).name)
def test_our_own_and_the_systems_are(plugin: Plugin, tmp_path: Path, shell: tuple[str, ...]) -> None:
    ours, systems = tmp_path / "ours", tmp_path / "systems"
    for place in (ours, systems):
        (place / "agent-progress/pycache").mkdir(parents=True)
    given_away(ours, 1001)
    (systems / "agent-progress/pycache").chmod(0o777)
    for above in (tmp_path, *tmp_path.parents):
        if above != Path("/tmp") and above.is_relative_to("/tmp"):
            above.chmod(0o755)
    given_away(Path(plugin.variables["HOME"]), 1001)
    for place in (ours, systems):
        done = subprocess.run(
            [*shell, str(plugin.root / "bin/agent-progress"), "status"],
            env={**plugin.variables, "XDG_CACHE_HOME": str(place)}, capture_output=True, text=True, user=1001,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
        assert f'"pycache_prefix": "{place}/agent-progress/pycache"' in done.stdout


@as_root
@pytest.mark.parametrize("shell", SHELLS, ids=lambda shell: Path(shell[0]).name)
def test_in_a_home_of_another_user_no_compiled_code_is_read_or_kept(
    plugin: Plugin, shell: tuple[str, ...]
) -> None:
    plugin.shell = shell
    (plugin.cache / "pycache").mkdir(parents=True)
    given_away(plugin.cache)
    seen = plugin.door("status")
    assert (seen["pycache_prefix"], seen["writes_bytecode"]) == (None, False)


@pytest.mark.parametrize("shell", SHELLS, ids=lambda shell: Path(shell[0]).name)
def test_what_holds_code_or_names_a_python_is_made_open_to_nobody_else(
    tmp_path: Path, home: Path, shell: tuple[str, ...]
) -> None:
    """Whoever the umask let in could put code there, or name the Python that runs, until it was closed."""
    python = Path(interpreter())
    plugin = make_plugin(tmp_path / "the plugin", home, f"{python.parent}:/usr/bin:/bin")
    plugin.shell = shell
    before = os.umask(0)
    try:
        plugin.door("status")
    finally:
        os.umask(before)
    folders = (plugin.cache / "pycache", plugin.cache, plugin.cache.parent, plugin.data, plugin.data.parent)
    assert [folder.stat().st_mode & 0o777 for folder in folders] == [0o700] * 5
    assert (plugin.data / "python").stat().st_mode & 0o777 == 0o600
