"""What a session start may load, open and sync: the budgets as far as they can be held without a clock."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import jinja2
import pytest
from watched_door import PYTHON, door, watched

DOOR = door("start.py")
NOT_TO_RENDER = {
    "asyncio", "click", "concurrent.futures", "contextlib", "dataclasses", "email", "hashlib", "inspect", "jinja2", "mcp", "multiprocessing",
    "pickle", "platformdirs", "pydantic", "rich", "shutil", "socket", "sqlite3", "ssl", "subprocess", "tempfile", "tomllib", "typing",
    "unittest", "urllib", "watchdog",
    "progress_plugin.memory.database", "progress_plugin.usecases.recording.entries_from_signals", "progress_plugin.usecases.recording.log_entry",
}  # fmt: skip
WATCHED = watched("start.py", "SessionStart")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a repository with an agent's log."""
    root = tmp_path / "harbour"
    (root / ".git").mkdir(parents=True)
    (root / ".git/HEAD").write_text("ref: refs/heads/main\n")
    (root / "progress.md").write_text("## 2026-01-05 - US-001: Light the lamp\n- Lit it\n", "utf-8")
    return root


def _start(project: Path, home: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    said = {"session_id": "session-1", "cwd": str(project), "source": "startup"}
    environment = {
        "HOME": str(home),
        "AGENT_PROGRESS_SITE": str(Path(jinja2.__file__).parents[1]),
        "CLAUDECODE": "1",
    }
    command = [PYTHON, "-I", "-S", "-X", "utf8", *words]
    return subprocess.run(
        command, input=json.dumps(said).encode(), capture_output=True, env=environment, check=True
    )


def _watched(project: Path, home: Path) -> list[str]:
    return _start(project, home, "-c", WATCHED).stderr.decode().splitlines()


def test_a_stale_start_loads_no_more_than_rendering_needs(project: Path, home: Path) -> None:
    done = _start(project, home, "-X", "importtime", DOOR, "SessionStart")
    loaded = {line.rsplit("|", 1)[1].strip() for line in done.stderr.decode().splitlines() if "|" in line}
    assert b"Light the lamp" in done.stdout
    assert "progress_plugin.summary.render" in loaded
    assert not NOT_TO_RENDER & loaded
    assert len(loaded) <= 273


def test_where_a_client_may_have_left_transcripts_a_stale_start_loads_only_what_looks_for_them(
    project: Path, home: Path
) -> None:
    (home / ".claude/projects").mkdir(parents=True)
    done = _start(project, home, "-X", "importtime", DOOR, "SessionStart")
    loaded = {line.rsplit("|", 1)[1].strip() for line in done.stderr.decode().splitlines() if "|" in line}
    assert b"Light the lamp" in done.stdout
    assert "progress_plugin.usecases.sessions.reading_moments" in loaded
    assert not NOT_TO_RENDER & loaded
    assert len(loaded) <= 309


def test_a_start_where_nothing_is_ours_loads_next_to_nothing(project: Path, home: Path) -> None:
    (project / "progress.md").unlink()
    done = _start(project, home, "-X", "importtime", DOOR, "SessionStart")
    loaded = {line.rsplit("|", 1)[1].strip() for line in done.stderr.decode().splitlines() if "|" in line}
    assert done.stdout == b""
    assert "progress_plugin.core.fast.transcript_folder" in loaded
    assert [name for name in loaded if name.startswith("encodings.utf_16")] == []
    assert len(loaded) <= 45


def test_a_fresh_start_opens_its_cache_and_nothing_else(project: Path, home: Path) -> None:
    _start(project, home, DOOR, "SessionStart")
    assert _watched(project, home) == [f"read {project}/.agent-os/progress/start.cache"]


def _others_share(project: Path, number: int) -> None:
    """Put entries of ten others where git puts them."""
    (project / ".agent-os/progress/shared").mkdir(parents=True, exist_ok=True)
    (project / ".agent-os/progress/config.toml").write_text("share = true\n", "utf-8")
    for at in range(number):
        name = f"entry-20261120-101500-{at:06}"
        entry = {
            "id": name,
            "timestamp": "2026-11-20T10:15:00Z",
            "type": "task_completed",
            "data": {"notes": "x"},
        }
        path = project / f".agent-os/progress/shared/host-{at % 10}/2026-11/{name}.0123456789ab.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(entry), "utf-8")


def test_a_fresh_start_opens_nothing_of_what_others_have_shared(project: Path, home: Path) -> None:
    _others_share(project, 200)
    assert _watched(project, home).count(f"read {project}/.agent-os/progress/shared/host-0/2026-11/"
                                         "entry-20261120-101500-000000.0123456789ab.json") == 1  # fmt: skip
    assert _watched(project, home) == [f"read {project}/.agent-os/progress/start.cache"]


def test_a_stale_start_opens_of_what_others_have_shared_what_is_new(project: Path, home: Path) -> None:
    _others_share(project, 200)
    _start(project, home, DOOR, "SessionStart")
    _others_share(project, 201)
    (project / "progress.md").write_text("## 2026-01-06 - US-002: Ring the bell\n- Rang it\n", "utf-8")
    opened = [line for line in _watched(project, home) if "0123456789ab.json" in line]
    assert [line.rpartition("/")[2] for line in opened] == ["entry-20261120-101500-000200.0123456789ab.json"]


def test_reading_syncs_nothing_fresh_or_stale(project: Path, home: Path) -> None:
    first = _watched(project, home)
    again = _watched(project, home)
    assert any(line.startswith("read") for line in first)
    assert not [line for line in (*first, *again) if line.startswith("sync")]


def test_a_stale_start_opens_each_of_its_inputs_once(project: Path, home: Path) -> None:
    _start(project, home, DOOR, "SessionStart")
    (project / "progress.md").write_text("## 2026-01-06 - US-002: Ring the bell\n- Rang it\n", "utf-8")
    opened = _watched(project, home)
    assert (
        1 <= opened.count(f"read {project}/progress.md") <= 2
    )  # once to read it, once more where the clock has not moved on since


def test_what_hooks_may_run_takes_the_names_of_typing_where_they_cost_nothing() -> None:
    packages = (
        "core", "text", "model", "config", "log", "plans", "authored", "learnings", "passages", "worth", "summary",
        "transcripts", "recall", "usecases/starting", "usecases/summarizing", "usecases/recording", "usecases/sessions",
        "usecases/recalling",
    )  # fmt: skip
    top = Path(__file__).parents[2] / "progress_plugin"
    found = {
        path.relative_to(top).as_posix()
        for package in packages
        for path in (top / package).rglob("*.py")
        if re.search(r"^(?:from typing import|import typing)", path.read_text("utf-8"), re.MULTILINE)
    }
    # The first is for pydantic, the others are for databases and for building packages, which take longer.
    assert found == {
        "config/schema.py",
        "transcripts/clients/client_database.py",
        "core/packages/old_environments.py",
    }
