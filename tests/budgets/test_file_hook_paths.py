"""What the hook at a file may load, open and read: the budgets as far as they can be held without a clock."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import jinja2
import pytest
from watched_door import PYTHON, door, watched

from progress_plugin.core.fast.file_note_index import HEAD, SLOT

_READS = """
import posix
real = posix.read
def counted(handle, size):
    data = real(handle, size)
    if handle > 2:
        posix.write(2, f"bytes {{len(data)}}\\n".encode())
    return data
posix.read = counted
{program}
"""
HEAVY = {"json", "os", "re", "sqlite3", "typing", "enum", "hashlib", "pathlib"}


def _log(learnings: int) -> str:
    lines = ["# Progress Log", ""]
    for number in range(learnings):
        if number % 10 == 0:
            lines += [f"## 2026-01-05 - US-{number // 10 + 1:03}: Story", "- Done", "- **Learnings:**"]
        lines.append(f"  - Lamp {number} in `src/lamp{number}.ts` needs its own fuse {number}")
    return "\n".join(lines) + "\n"


@pytest.fixture(params=[20, 600])
def project(request: pytest.FixtureRequest, tmp_path: Path, home: Path) -> Path:
    """Return a project with so many learnings about files, and a file that nobody names."""
    root = tmp_path / "harbour"
    (root / ".git").mkdir(parents=True)
    (root / ".git/HEAD").write_text("ref: refs/heads/main\n")
    (root / "progress.md").write_text(_log(request.param), "utf-8")
    (root / "src").mkdir()
    for name in ("lamp7.ts", "bell.ts"):
        (root / "src" / name).write_text("light\n", "utf-8")
    (root / ".agent-os/progress").mkdir(parents=True)
    (root / ".agent-os/progress/config.toml").write_text("max_learnings = 0\n", "utf-8")
    _run(root, home, "SessionStart", {"source": "startup"}, door("start.py"), "SessionStart")
    return root


def _run(
    root: Path, home: Path, event: str, fields: dict[str, object], *words: str
) -> subprocess.CompletedProcess[bytes]:
    told = {"session_id": "session-1", "cwd": str(root), "hook_event_name": event, **fields}
    variables = {
        "HOME": str(home),
        "AGENT_PROGRESS_SITE": str(Path(jinja2.__file__).parents[1]),
        "CLAUDECODE": "1",
    }
    command = [PYTHON, "-I", "-S", "-X", "utf8", *words]
    return subprocess.run(
        command, input=json.dumps(told).encode(), capture_output=True, env=variables, check=True
    )


def _read(root: Path, home: Path, name: str, *words: str) -> subprocess.CompletedProcess[bytes]:
    fields: dict[str, object] = {"tool_name": "Read", "tool_input": {"file_path": str(root / "src" / name)}}
    return _run(root, home, "PostToolUse", fields, *words)


def test_at_a_file_that_nobody_names_it_loads_next_to_nothing(project: Path, home: Path) -> None:
    done = _read(project, home, "bell.ts", "-X", "importtime", door("record.py"), "PostToolUse")
    loaded = {line.rsplit("|", 1)[1].strip() for line in done.stderr.decode().splitlines() if "|" in line}
    assert "progress_plugin.core.fast.file_note_index" in loaded
    assert "progress_plugin.core.fast.file_hook" not in loaded
    assert not HEAVY & loaded
    assert len(loaded) <= 37


def test_at_a_file_that_nobody_names_it_reads_a_line_and_a_slot_of_one_file(
    project: Path, home: Path
) -> None:
    program = watched("record.py", "PostToolUse")
    done = _read(project, home, "bell.ts", "-c", _READS.format(program=program))
    assert done.stdout == b""
    lines = done.stderr.decode().splitlines()
    assert [line for line in lines if line.startswith(("read", "write", "sync"))] == [
        f"read {project}/.agent-os/progress/files.index"
    ]
    assert sum(int(line.split()[1]) for line in lines if line.startswith("bytes")) <= HEAD + SLOT + 1024


def test_at_a_file_that_is_named_it_loads_a_handful_of_modules_more(project: Path, home: Path) -> None:
    done = _read(project, home, "lamp7.ts", "-X", "importtime", door("record.py"), "PostToolUse")
    assert b"needs its own fuse" in done.stdout
    loaded = {line.rsplit("|", 1)[1].strip() for line in done.stderr.decode().splitlines() if "|" in line}
    assert not HEAVY & loaded
    assert len(loaded) <= 42


def test_at_a_file_that_is_named_it_syncs_nothing_and_writes_what_it_told_and_a_count(
    project: Path, home: Path
) -> None:
    done = _read(project, home, "lamp7.ts", "-c", watched("record.py", "PostToolUse"))
    lines = done.stderr.decode().splitlines()
    assert [line for line in lines if line.startswith(("write", "sync"))] == [
        f"write {project}/.agent-os/progress/sessions/session-1.told",
        f"write {project}/.agent-os/progress/told.log",
    ]
