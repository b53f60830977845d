"""With any streams, directories and names, a command ends with at most one line and its exit code."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from progress_plugin.cli.main import main
from tests.conftest import PYCACHE_FLAGS, REPOSITORY
from tests.hooks.simulated_client import Repository

COMMANDS = (
    ("status", "--json"), ("status", "summarize"), ("context",), ("log", "task_completed", "-m", "did it"), ("recent",),
    ("report", "--json"), ("archive",), ("verify",), ("repair",), ("mute", "--list"), ("init",), ("config", "list"),
    ("memory", "progress"), ("memory", "search", "lamp"), ("recall", "lamp"), ("sessions",), ("sync",),
)  # fmt: skip
FILES = (
    "prd.json", "progress.md", ".git/HEAD", ".agent-os/progress", ".agent-os/progress/config.toml",
    ".agent-os/progress/progress.json", ".agent-os/progress/lock", ".agent-os/progress/archive/index.json",
    ".agent-os/progress/recovery", ".agent-os/progress/progress-summary.md",
)  # fmt: skip
USERS = (
    ".local/share/agent-progress/memory.db",
    ".config/agent-progress/config.toml",
    ".cache/agent-progress",
)
CLOSED = (">&-", "2>/dev/full", "<&- >&- 2>&-")


def well_ended(words: tuple[str, ...], code: int, errors: str) -> None:
    assert code in (0, 1, 2, 3), (words, code)
    assert "internal error" not in errors, (words, errors)
    assert "Traceback" not in errors, (words, errors)
    assert errors.count("\n") <= (1 if code else 20), (words, errors)


@pytest.fixture
def place(tmp_path: Path) -> Repository:
    repository = Repository(tmp_path / "lighthouse")
    repository.plan(done=4)
    return repository


def run(words: list[str], cwd: Path, before: str = "", after: str = "") -> subprocess.CompletedProcess[bytes]:
    """Run a command as the launcher does, in a shell that runs `before` and redirects its streams."""
    main_file = str(REPOSITORY / "progress_plugin/__main__.py")
    program = [sys.executable, "-I", "-S", "-X", "utf8", *PYCACHE_FLAGS, main_file, *words]
    command = ["sh", "-c", f'{before} "$@" {after}', "sh", *program]
    event = json.dumps({"cwd": str(cwd), "session_id": "s"}).encode()
    return subprocess.run(command, input=event, capture_output=True, cwd=cwd, timeout=120)


@pytest.mark.slow
@pytest.mark.parametrize("is_users", [False, True])
def test_a_directory_in_the_place_of_a_file_is_named_in_a_line(
    place: Repository,
    home: Path,
    is_users: bool,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(place.root)
    assert main(["-C", str(place.root), "log", "task_completed", "-m", "before"]) == 0
    for name in USERS if is_users else FILES:
        path = (home if is_users else place.root) / name
        kept = path.with_name("kept")
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            path.rename(kept)
        path.mkdir()
        for words in COMMANDS:
            capfd.readouterr()
            code = main(["-C", str(place.root), *words])
            well_ended(words, code, capfd.readouterr().err)
        shutil.rmtree(path)
        if kept.exists():
            kept.rename(path)


def test_a_path_that_is_no_utf_8_is_a_path_like_any_other(tmp_path: Path) -> None:
    odd = Repository(Path(os.fsdecode(os.fsencode(tmp_path) + b"/latin-\xe9\xff")))
    odd.plan(done=4)
    for words in (["status", "--json"], ["log", "task_completed", "-m", "did it"], ["recent", "--json"]):
        done = run(words, odd.root)
        assert (done.returncode, done.stderr) == (0, b"")


def test_a_working_directory_that_is_gone_is_said_so(tmp_path: Path) -> None:
    for words in (["status"], ["log", "task_completed", "-m", "did it"]):
        gone = tmp_path / words[0]
        gone.mkdir()
        done = run(words, gone, 'rmdir "$PWD" &&')
        assert done.returncode in (1, 2)
        well_ended((*words,), done.returncode, done.stderr.decode())


@pytest.mark.parametrize("streams", CLOSED)
def test_whatever_stream_is_closed_or_full_a_command_ends_as_specified(
    place: Repository, streams: str
) -> None:
    done = run(["status"], place.root, after=streams)
    well_ended(("status",), done.returncode, done.stderr.decode())
    if streams == ">&-":
        assert done.returncode == 3
        assert done.stderr.startswith(b"agent-progress: the output could not be written (")
    for words in (["hook", "SessionStart"], ["statusline"]):
        done = run(words, place.root, after=streams)
        assert (done.returncode, done.stderr) == (0, b"")
    run(["log", "task_completed", "-m", "did it"], place.root, after=streams)
    text = (place.root / ".agent-os/progress/progress.json").read_text("utf-8")
    assert [entry["data"]["description"] for entry in json.loads(text)["entries"]] == ["did it"]
    assert (place.root / ".agent-os/progress/lock").read_text().count("\n") == 1
