"""What the server's door may load before the tools are listed (B17), and what it leaves to the SDK."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import mcp
import pytest

from tests.documents.ready_answers import request
from tests.mcp.doors import MODERN, hello

REPOSITORY = Path(__file__).resolve().parents[2]
PYTHON = getattr(sys, "_base_executable", sys.executable)
NOT_TO_LIST = {
    "_json", "asyncio", "collections", "functools", "json", "mcp", "os", "pydantic", "re", "site", "sqlite3", "subprocess", "threading", "typing",
}  # fmt: skip


def _loaded(project: Path, home: Path, version: str) -> set[str]:
    said = "\n".join([*hello(version), request(2, "tools/list", version), ""])
    door = (PYTHON, "-I", "-S", "-X", "utf8", "-X", "importtime", str(REPOSITORY / "hooks/mcp.py"))
    variables = {"HOME": str(home), "CLAUDE_PROJECT_DIR": str(project), "AGENT_PROGRESS_SITE": "/nowhere"}
    done = subprocess.run(door, input=said.encode(), capture_output=True, env=variables, check=True)
    assert b'"mem_progress"' in done.stdout
    lines = done.stderr.decode().splitlines()
    return {line.rsplit("|", 1)[1].strip() for line in lines if "|" in line}


@pytest.mark.parametrize("version", ["2025-11-25", MODERN])
def test_the_tools_are_listed_by_a_handful_of_modules(tmp_path: Path, home: Path, version: str) -> None:
    project = tmp_path / "harbour"
    (project / ".git").mkdir(parents=True)
    loaded = _loaded(project, home, version)
    assert "progress_plugin.core.fast.ready_answers" in loaded
    assert sorted(NOT_TO_LIST & loaded) == []
    assert len(loaded) <= 44


def test_the_same_with_a_summary_that_is_fresh(tmp_path: Path, home: Path) -> None:
    project = tmp_path / "harbour"
    (project / ".git").mkdir(parents=True)
    (project / "progress.md").write_text("## 2026-01-05 - US-001: Light the lamp\n- Lit it\n", "utf-8")
    start = (PYTHON, "-I", "-S", "-X", "utf8", str(REPOSITORY / "hooks/start.py"), "SessionStart")
    told = f'{{"session_id": "s", "cwd": "{project}", "source": "startup"}}'
    subprocess.run(start, input=told.encode(), capture_output=True, env={"HOME": str(home)}, check=True)
    assert (project / ".agent-os/progress/start.cache").exists()
    assert sorted(NOT_TO_LIST & _loaded(project, home, MODERN)) == []


def test_what_a_call_needs_of_ours_is_kept_compiled_for_the_next_server(tmp_path: Path, home: Path) -> None:
    project, cache = tmp_path / "harbour", tmp_path / "pycache"
    (project / ".git").mkdir(parents=True)
    call = {"name": "mem_progress", "arguments": {"project": "harbour"}}
    said = "\n".join([*hello("2025-11-25"), request(2, "tools/call", "2025-11-25", **call), ""])
    flags = ("-I", "-S", "-X", "utf8", "-X", f"pycache_prefix={cache}", "-v")
    variables = {
        "HOME": str(home),
        "CLAUDE_PROJECT_DIR": str(project),
        "AGENT_PROGRESS_SITE": str(Path(mcp.__file__).parents[1]),
    }
    server = (PYTHON, *flags, str(REPOSITORY / "hooks/mcp.py"))
    read = []
    for _ in range(2):
        with subprocess.Popen(
            server, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=variables
        ) as process:
            assert process.stdin
            assert process.stdout
            assert process.stderr
            told: list[bytes] = []
            watch = threading.Thread(target=lambda to=told, from_=process.stderr: to.append(from_.read()))
            watch.start()
            process.stdin.write(said.encode())
            process.stdin.flush()
            while b'"id":2' not in (line := process.stdout.readline()):
                assert line
            assert b"structuredContent" in line
            process.stdin.close()
            watch.join()
        lines = [line for line in told[0].decode().splitlines() if line.startswith("# code object from")]
        read.append([line for line in lines if "/progress_plugin/text/" in line])
    assert read[0]
    assert not read[1]
    assert len(list(cache.rglob("*-calls.*"))) == 2
