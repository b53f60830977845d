"""A hook ends in time and with exit code 0, whatever its input, its streams and its work do."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from real_doors import MAIN, REPOSITORY, Repository

TIMEOUT = 60
EVENTS = [["hook", "SessionStart"], ["hook", "Stop"], ["hook", "PostToolUse"], ["statusline"]]


@pytest.fixture
def place(repository: Repository) -> Repository:
    """Return a repository with a plan and an agent's log."""
    repository.plan(done=4)
    log = "# Progress\n\n## 2026-03-01 - US-001: Light the lamp\n- lit it\n"
    (repository.root / "progress.md").write_text(log, "utf-8")
    return repository


def start(words: list[str], place: Repository, flags: tuple[str, ...] = ()) -> subprocess.Popen[bytes]:
    variables = {
        **os.environ,
        "CLAUDECODE": "1",
        "CLAUDE_PROJECT_DIR": str(place.root),
    }
    return subprocess.Popen(
        [sys.executable, "-I", "-S", *flags, MAIN, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env=variables, cwd=place.root,
    )  # fmt: skip


def run_code(code: str, seconds: float = 0.2, grace: float = 0.1) -> subprocess.CompletedProcess[bytes]:
    """Run a hook whose work is `work(run)`."""
    program = (
        f"import sys, time\nfrom progress_plugin.hooks import entry\nentry.GRACE_SECONDS = {grace}\n{code}\n"
    )
    program += f"entry.run_guarded('Stop', {seconds}, work)\n"
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, cwd=REPOSITORY, timeout=TIMEOUT
    )


@pytest.mark.parametrize("words", EVENTS, ids=" ".join)
@pytest.mark.parametrize("data", [b"", b'{"session_id": "s'])
def test_a_hook_ends_if_its_input_is_never_closed(place: Repository, words: list[str], data: bytes) -> None:
    with start(words, place) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(data)
        process.stdin.flush()
        assert process.wait(TIMEOUT) == 0
        assert process.stderr.read() == b""
        assert bool(process.stdout.read()) == (words[-1] == "SessionStart")


@pytest.mark.parametrize("words", EVENTS, ids=" ".join)
@pytest.mark.parametrize(
    "data",
    [b"", b"\xff\xfe", b'{"cwd": 3}', b"[" * 100_000, b'{"a": "' + b"x" * (65 << 20)],
    ids=["empty", "bytes", "number", "nested", "huge"],
)  # fmt: skip
def test_any_input_is_survived(place: Repository, words: list[str], data: bytes) -> None:
    with start(words, place) as process:
        out, errors = process.communicate(data, TIMEOUT)
    assert (process.returncode, errors) == (0, b"")
    assert bool(out) == (words[-1] == "SessionStart")


def test_an_object_that_comes_in_pieces_is_read_whole(place: Repository) -> None:
    fields = {"text": 'a "quoted\\" } part', "session_id": "s-1", "n": {"x": {}}}
    data = json.dumps(fields).encode()
    for cut in range(1, len(data), 9):
        code = (
            "import json; from progress_plugin.hooks.entry import read_input; print(json.dumps(read_input()))"
        )
        read, write = os.pipe()
        with subprocess.Popen(
            [sys.executable, "-c", code], stdin=read, stdout=subprocess.PIPE, cwd=REPOSITORY
        ) as reader:
            os.close(read)
            os.write(write, data[:cut])
            os.write(write, data[cut:])
            out, _ = reader.communicate(timeout=TIMEOUT)
            os.close(write)
        assert json.loads(out) == fields


def test_work_that_fails_is_noted(home: Path) -> None:
    done = run_code("def work(run):\n    raise MemoryError('no room')", TIMEOUT)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert "MemoryError: no room" in (home / ".cache/agent-progress/swallowed.log").read_text("utf-8")


def test_work_that_hears_no_signal_is_ended(tmp_path: Path, home: Path) -> None:
    path = tmp_path / "held.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        done = run_code(
            "import sqlite3\n"
            "def work(run):\n"
            "    run.raise_at_deadline()\n"
            f"    sqlite3.connect({str(path)!r}, timeout=1000).execute('BEGIN EXCLUSIVE')"
        )
    assert done.returncode == 0
    assert "HookTimeout: ended after 0.3 s" in (home / ".cache/agent-progress/swallowed.log").read_text(
        "utf-8"
    )


def test_at_the_deadline_locks_and_files_are_released(home: Path) -> None:
    done = run_code(
        "def work(run):\n"
        "    run.raise_at_deadline()\n"
        "    try:\n"
        "        time.sleep(60)\n"
        "    finally:\n"
        "        run.answer(b'released')",
        grace=TIMEOUT,
    )
    assert (done.returncode, done.stdout) == (0, b"released")


def test_the_fallback_is_printed_instead_of_a_late_answer() -> None:
    done = run_code(
        "def work(run):\n"
        "    run.fallback = b'{}'\n"
        "    while not run._answered.locked():\n"
        "        time.sleep(0.001)\n"
        "    run.answer(b'{late}')\n"
        "    time.sleep(60)"
    )
    assert (done.returncode, done.stdout) == (0, b"{}")
