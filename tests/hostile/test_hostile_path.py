"""Programs and directories that variables name inside the project are not used."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from progress_plugin.core import git
from progress_plugin.core.processes import find_program
from tests.conftest import REPOSITORY

PLACES = ("here", "above", "named", "by a link", "by the process")
"""From where a folder of the project is one: the working directory, the repository's top, a client's word."""


class Stage:
    """A project, a folder in it with programs that leave a trace, and the variables that name this folder."""

    def __init__(self, top: Path, kind: str) -> None:
        self.root = top / "lighthouse"
        self.acted = top / "acted"
        self.start = self.root / "src" if kind == "above" else self.root
        self.folder = self.root / "evil"
        self.variables: dict[str, str] = {}
        for folder in (self.root / "src", self.folder):
            folder.mkdir(parents=True)
        if kind == "above":
            (self.root / ".git").mkdir()
        if kind == "named":
            self.start = top / "elsewhere"
            self.start.mkdir()
            self.variables["CLAUDE_PROJECT_DIR"] = str(self.root)
        self.path = str(self.folder)
        if kind == "by a link":
            (top / "link").symlink_to(self.folder)
            self.path = str(top / "link")
        if kind == "by the process":
            self.path = "/proc/self/cwd/evil"

    def program(self, *names: str) -> None:
        """Put programs into the folder that leave a trace and then act as Python."""
        for name in names:
            (self.folder / name).write_text(
                f'#!/bin/sh\necho "$0" >>{self.acted}\nexec {sys.executable} "$@"\n'
            )
            (self.folder / name).chmod(0o755)


@pytest.fixture(params=PLACES)
def stage(request: pytest.FixtureRequest, tmp_path: Path) -> Stage:
    if request.param == "by the process" and not Path("/proc/self/cwd").exists():
        pytest.skip("no /proc here")
    return Stage(tmp_path, str(request.param))


@pytest.mark.parametrize("stage", ["above", "by a link"], indirect=True)
@pytest.mark.parametrize("browser", ["", "sh -c {place}/firefox %s"])
def test_a_page_is_shown_by_no_program_of_the_project(stage: Stage, tmp_path: Path, browser: str) -> None:
    stage.program("xdg-open", "www-browser", "firefox", "sensible-browser", "open", "osascript")
    (stage.root / "progress.md").write_text("# Log\n\n## 2026-03-01 10:00 - US-1: x\n- did x\n")
    done = subprocess.run(
        [sys.executable, str(REPOSITORY / "progress_plugin/__main__.py"), "-C", str(stage.root), "report", "--open"],
        env={
            "HOME": str(tmp_path), "DISPLAY": ":0", "PATH": stage.path, "BROWSER": browser.format(place=stage.path),
            **stage.variables,
        },
        cwd=stage.start, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 3, done.stderr
    assert "no browser could be started" in done.stderr
    assert not stage.acted.exists(), stage.acted.read_text()


def ask_git(directory: str, words: list[str]) -> bytes | None:
    repository = git.find_repository(directory)
    return repository.run(words) if repository else None


def test_neither_git_nor_an_installer_nor_what_they_start_is_one_of_the_project(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.program("git", "uv", "sh")
    monkeypatch.chdir(stage.start)
    for name, value in {**stage.variables, "PATH": f"{stage.path}:/usr/bin:/bin"}.items():
        monkeypatch.setenv(name, value)
    ask_git(str(stage.root), ["version"])
    assert not stage.acted.exists()
    assert find_program("uv") != f"{stage.path}/uv"
    assert find_program("sh") != f"{stage.path}/sh"
    assert git.git_variables()["PATH"] == "/usr/bin:/bin"


@pytest.mark.parametrize("variable", ["XDG_CONFIG_HOME", "HOME"])
def test_git_writes_no_trace_that_settings_ask_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    assert shutil.which("git")
    root, settings, trace = tmp_path / "lighthouse", tmp_path / "settings", tmp_path / "trace"
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (settings / "git").mkdir(parents=True)
    text = "".join(f"[trace2]\n\t{name}Target = {trace}\n" for name in ("normal", "perf", "event"))
    for name in ("git/config", ".gitconfig"):
        (settings / name).write_text(text)
    monkeypatch.setenv(variable, str(settings))
    monkeypatch.setenv("GIT_TRACE", str(trace))
    assert ask_git(str(root), ["ls-files"]) == b""
    assert not trace.exists()
