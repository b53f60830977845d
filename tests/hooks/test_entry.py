"""A hook ends in time and with exit code 0, whatever its input is and its work does."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.hooks.simulated_client import MAIN, REPOSITORY, Repository

TIMEOUT = 60
EVENTS = [["hook", "SessionStart"], ["hook", "PostToolUse"], ["statusline"]]
pytestmark = pytest.mark.usefixtures("logged")


def start(words: list[str], repository: Repository) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    client = {"CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": str(repository.root)}
    command = [sys.executable, "-I", "-S", MAIN, *words]
    environment = {**os.environ, **client}
    return subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment, cwd=repository.root
    )


def run_code(code: str, seconds: float = 0.2) -> subprocess.CompletedProcess[bytes]:
    """Run a hook whose work is the function `work(run)`."""
    program = f"import sys, time\nfrom progress_plugin.hooks import run_guarded\n{code}\n"
    program += f"run_guarded('Stop', {seconds}, work)\n"
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, cwd=REPOSITORY, timeout=TIMEOUT
    )


def error_log(home: Path) -> str:
    return (home / ".cache/agent-progress/swallowed.log").read_text("utf-8")


def test_a_hook_ends_if_its_input_is_never_closed(repository: Repository) -> None:
    with start(["statusline"], repository) as process:
        assert process.stdin is not None
        process.stdin.write(b'{"session_id": "s')
        process.stdin.flush()
        assert process.wait(TIMEOUT) == 0
        assert process.communicate() == (b"", b"")


@pytest.mark.parametrize("words", EVENTS, ids=" ".join)
@pytest.mark.parametrize(
    "data",
    [b"", b"\xff\xfe", b'{"cwd": 3}', b"[" * 100_000, b'{"a": "' + b"x" * (65 << 20)],
    ids=["empty", "bytes", "number", "nested", "huge"],
)
def test_any_input_is_survived(repository: Repository, words: list[str], data: bytes) -> None:
    with start(words, repository) as process:
        out, errors = process.communicate(data, TIMEOUT)
    assert (process.returncode, errors) == (0, b"")
    assert bool(out) == (words[-1] == "SessionStart")


def test_work_that_fails_is_noted(home: Path) -> None:
    done = run_code("def work(run):\n    raise MemoryError('no room')", TIMEOUT)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert "MemoryError: no room" in error_log(home)


def test_work_that_blocks_signals_is_ended(tmp_path: Path, home: Path) -> None:
    path = tmp_path / "locked.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        done = run_code(
            "import sqlite3\ndef work(run):\n"
            f"    sqlite3.connect({str(path)!r}, timeout=1000).execute('BEGIN EXCLUSIVE')"
        )
    assert done.returncode == 0
    assert "TimeoutError: not finished after 0.2 s" in error_log(home)


def test_the_fallback_is_printed_instead_of_a_late_answer() -> None:
    done = run_code("def work(run):\n    run.fallback = b'{}'\n    time.sleep(60)\n    run.answer(b'{late}')")
    assert (done.returncode, done.stdout) == (0, b"{}")
