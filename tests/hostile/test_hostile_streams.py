"""Descriptors, directories and names that no terminal gives: one line at most, the exit code of S13."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.cli.main import main
from tests.conftest import PYCACHE_FLAGS, REPOSITORY
from tests.hooks.simulated_client import Repository
from tests.torture.figures import some

LOG = "# Progress\n\n## 2026-03-01 - US-001: Light the lamp\n- lit it\n- Gotcha: mind the tide\n"
COMMANDS = (
    ("status",), ("status", "--json"), ("status", "summarize"), ("status", "why"), ("context",), ("context", "--json"),
    ("log", "task_completed", "-m", "did it"), ("log", "task_completed", "-m", "did it", "--json"),
    ("recent",), ("recent", "--json"), ("report", "--output", "report.html"), ("report", "--json"),
    ("extract", "progress.md"), ("extract", "progress.md", "--json"), ("archive",), ("verify",), ("verify", "--json"),
    ("repair",), ("retract", "entry-1"), ("erase", "nothing-like-it"), ("mute", "1"), ("mute", "--list"), ("promote",),
    ("init",), ("config", "list"), ("config", "list", "--json"), ("config", "set", "max_learnings", "9"),
    ("config", "get", "max_learnings"), ("config", "path"),
    ("doctor",), ("doctor", "--json"), ("statusline",), ("memory", "progress"), ("memory", "progress", "--json"),
    ("memory", "progress", "--content", '{"goal": "see"}'), ("memory", "search", "lamp"), ("memory", "search", "lamp", "--json"),
    ("memory", "save", "--title", "t", "--content", "c", "--type", "decision"), ("memory", "compact", "--older-than-days", "3"),
    ("memory", "restore"), ("recall", "lamp"), ("recall", "lamp", "--json"), ("sessions",), ("sessions", "--json"),
    ("hook", "SessionStart"), ("hook", "Stop"), ("demo",), ("--help",), ("status", "--help"),
    ("--version",), ("no-such-command",),
)  # fmt: skip
WITHOUT_ANYTHING_TO_DO = (
    ("claim", "US-005"), ("claim", "US-005", "--json"), ("release", "US-005"), ("sync",), ("sync", "--json"), ("sessions", "last"),
)  # fmt: skip


def well_ended(words: tuple[str, ...], code: int, errors: str) -> None:
    assert code in (0, 1, 2, 3), (words, code)
    assert "internal error" not in errors, (words, errors)
    assert "Traceback" not in errors, (words, errors)
    assert errors.count("\n") <= (1 if code else 20), (words, errors)


@pytest.fixture
def place(tmp_path: Path) -> Repository:
    repository = Repository(tmp_path / "lighthouse")
    repository.plan(done=4)
    (repository.root / "progress.md").write_text(LOG, "utf-8")
    return repository


NAMES = (
    "prd.json", "progress.md", "AGENTS.md", ".git", ".git/HEAD", ".agent-os", ".agent-os/progress",
    *(
        f".agent-os/progress/{name}"
        for name in (
            "config.toml", "progress.json", "progress.md", "lock", "start.cache", "baseline.json", ".gitignore", "archive",
            "archive/index.json", "archive/2026-01.json", "recovery", "sessions", "summaries", "progress-summary.md",
            "muted.json", "templates/progress-summary.md.j2", "archive/stories", "erased.json", "files.index",
            "shared", "shared.state", "shared/host-b", "shared/host-b/2026-03", "shown.counts",
            "spool", "summary-wanted", "team", "team/claims.json", "team/erased", "team/fault", "team/memory", "team/state",
            "told.log", "unshared.json",
        )
    ),
)  # fmt: skip
USERS = (
    ".local/share/agent-progress/memory.db", ".config/agent-progress/config.toml",
    ".cache/agent-progress/swallowed.log", ".cache/agent-progress", ".local/share/agent-progress", ".local", ".claude/settings.json",
)  # fmt: skip


def put(path: Path, make: Callable[[Path], object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    make(path)


def every_command(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for words in (*COMMANDS, *WITHOUT_ANYTHING_TO_DO):
        if words[0] in ("demo", "doctor"):
            continue  # they start processes, and have tests of their own
        capfd.readouterr()
        code = main(["-C", str(root), *words])
        well_ended(words, code, capfd.readouterr().err)


KINDS = [pytest.param(os.mkdir, id="directory"), pytest.param(os.mkfifo, id="pipe", marks=pytest.mark.slow)]
QUICK = ("prd.json", "progress.md", "config.toml", "progress.json", "lock", "start.cache", "memory.db")


def swept(names: Sequence[str]) -> list[Any]:
    """Return names as parameters, the rarer ones for those who have time."""
    return [pytest.param(name, marks=() if name.endswith(QUICK) else pytest.mark.slow) for name in names]


@pytest.mark.parametrize("make", KINDS)
@pytest.mark.parametrize("name", swept(some(NAMES, 9)))
def test_something_else_in_the_place_of_a_file_is_named_in_a_line(
    place: Repository, name: str, make: Callable[[Path], object], capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(place.root)
    for words in (("init",), ("log", "task_completed", "-m", "before")):
        assert main(["-C", str(place.root), *words]) == 0
    put(place.root / name, make)
    every_command(place.root, capfd)


@pytest.mark.parametrize("make", KINDS)
@pytest.mark.parametrize("name", swept(USERS))
def test_something_else_in_the_place_of_a_users_file_is_named_in_a_line(
    place: Repository, home: Path, name: str, make: Callable[[Path], object], capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(place.root)
    put(home / name, make)
    every_command(place.root, capfd)


@pytest.fixture
def odd(tmp_path: Path) -> Repository:
    """Return a repository in a directory whose name is no UTF-8."""
    repository = Repository(Path(os.fsdecode(os.fsencode(tmp_path) + b"/latin-\xe9\xff")))
    repository.plan(done=4)
    (repository.root / "progress.md").write_text(LOG, "utf-8")
    return repository


def run(
    words: tuple[str, ...], cwd: Path | None = None, shell: str = "", **more: str
) -> subprocess.CompletedProcess[bytes]:
    """Run a command as the launcher does, with redirections of a shell."""
    program = [
        sys.executable, "-I", "-S", "-X", "utf8", *PYCACHE_FLAGS, str(REPOSITORY / "progress_plugin/__main__.py"), *words,
    ]  # fmt: skip
    command = ["sh", "-c", f'"$@" {shell}', "sh", *program]
    variables = {**os.environ, **more}
    return subprocess.run(
        command, capture_output=True, cwd=cwd, env=variables, stdin=subprocess.DEVNULL, timeout=120
    )


@pytest.mark.parametrize("words", some(COMMANDS, 5), ids=" ".join)
def test_a_path_that_is_no_utf_8_is_a_path_like_any_other(odd: Repository, words: tuple[str, ...]) -> None:
    done = run(words, odd.root)
    well_ended(words, done.returncode, done.stderr.decode())
    expected = {
        "no-such-command": 2,
        "retract": 2,
        "mute": 2,
        "memory": 1,
        "erase": 1,
        "doctor": 1,
        "recall": 1,
    }
    assert done.returncode in (0, 1 if words == ("status", "why") else expected.get(words[0], 0)), done.stderr
    if "--json" in words:
        json.loads(done.stdout)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_working_directory_that_is_gone_is_said_so(tmp_path: Path, words: tuple[str, ...]) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    program = [
        sys.executable,
        "-I",
        "-S",
        "-X",
        "utf8",
        *PYCACHE_FLAGS,
        str(REPOSITORY / "progress_plugin/__main__.py"),
        *words,
    ]
    done = subprocess.run(
        ["sh", "-c", 'rmdir "$PWD" && "$@"', "sh", *program],
        capture_output=True, cwd=gone, env={**os.environ}, stdin=subprocess.DEVNULL, timeout=120,
    )  # fmt: skip
    errors = done.stderr.decode()
    well_ended(words, done.returncode, errors)
    if done.returncode and words[0] != "no-such-command":
        assert done.returncode in (1, 2), errors


PRINTING = [
    words
    for words in COMMANDS
    if words[0] in ("status", "log", "doctor", "hook", "--help", "no-such-command")
]
PRINTING += [("report", "--json"), ("memory", "search", "lamp"), ("demo",)]
CLOSED = ("<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-", ">/dev/full", "2>/dev/full")


@pytest.mark.parametrize("shell", CLOSED)
@pytest.mark.parametrize("words", some(PRINTING, 5), ids=" ".join)
def test_whatever_stream_is_closed_or_full_a_command_ends_as_specified(
    place: Repository, words: tuple[str, ...], shell: str
) -> None:
    done = run(words, place.root, shell)
    errors = done.stderr.decode()
    well_ended(words, done.returncode, errors)
    lost = ">&-" in shell.replace("2>&-", "") or shell == ">/dev/full"
    if lost and words[0] == "hook":
        assert done.returncode == 0
    elif lost and words == ("status",):
        assert done.returncode == 3
        if "2>&-" not in shell:
            assert errors.startswith("agent-progress: the output could not be written (")


@pytest.mark.parametrize("shell", CLOSED)
def test_no_file_of_ours_takes_the_place_of_a_closed_stream(place: Repository, shell: str) -> None:
    run(("log", "task_completed", "-m", "did it"), place.root, shell)
    text = (place.root / ".agent-os/progress/progress.json").read_text("utf-8")
    assert [entry["data"]["description"] for entry in json.loads(text)["entries"]] == ["did it"]
    assert (place.root / ".agent-os/progress/lock").read_text().count("\n") == 1


@pytest.mark.parametrize("shell", CLOSED)
@pytest.mark.parametrize("event", ["SessionStart", "Stop", "statusline"])
def test_a_hook_ends_with_exit_code_0_whatever_stream_is_closed_or_full(
    place: Repository, event: str, shell: str
) -> None:
    words = [event] if event == "statusline" else ["hook", event]
    for _ in range(2):
        done = subprocess.run(
            ["sh", "-c", f'"$@" {shell}', "sh", sys.executable, str(REPOSITORY / "progress_plugin/__main__.py"), *words],
            capture_output=True, input=json.dumps({"cwd": str(place.root), "session_id": "s"}).encode(),
            env={**os.environ, "CLAUDE_PROJECT_DIR": str(place.root)},
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, b"")
