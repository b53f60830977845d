"""The progress document at session start: one row of a database others use, too."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from real_doors import REPOSITORY, Hooks, Repository

from progress_plugin.core.start_cache import cache_path


@pytest.fixture
def database(home: Path) -> Path:
    return home / ".local/share/agent-progress/memory.db"


def _save(root: Path, project: str, **content: Any) -> None:
    """Write the document as an agent does, in a process of its own."""
    command = [sys.executable, str(REPOSITORY / "progress_plugin/__main__.py"), "-C", str(root)]
    arguments = ["memory", "progress", project, "--content", json.dumps(content)]
    done = subprocess.run([*command, *arguments], capture_output=True, env=dict(os.environ))
    assert done.returncode == 0, done.stderr


def _cache_bytes(hooks: Hooks) -> bytes:
    return Path(cache_path(str(hooks.root))).read_bytes()


def test_a_document_written_by_another_process_is_shown_at_the_next_start(
    repository: Repository, hooks: Hooks
) -> None:
    repository.plan(done=1)
    assert "light the lamp" not in hooks.start().context
    _save(repository.root, "Lighthouse", goal="light the lamp", next_steps=["buy oil"])
    text = hooks.start().context
    assert "## Work in Progress\n\nGoal: light the lamp\nNext steps:\n- buy oil\n" in text
    _save(repository.root, "Lighthouse", goal="paint the tower")
    assert "Goal: paint the tower" in hooks.start().context


def test_a_document_alone_is_enough_for_a_start(repository: Repository, hooks: Hooks) -> None:
    assert hooks.start().raw == b""
    _save(repository.root, "lighthouse", goal="light the lamp")
    assert "Goal: light the lamp" in hooks.start().context


def test_a_row_of_another_project_changes_nothing_and_renders_nothing(
    repository: Repository, hooks: Hooks, tmp_path: Path
) -> None:
    repository.plan(done=1)
    _save(repository.root, "Lighthouse", goal="light the lamp")
    first = hooks.start()
    summary = repository.root / ".agent-os/progress/progress-summary.md"
    stamp = summary.stat().st_mtime_ns
    (tmp_path / "mill").mkdir()
    _save(tmp_path / "mill", "mill", goal="grind corn")
    before = _cache_bytes(hooks)
    assert hooks.start().raw == first.raw
    renewed = _cache_bytes(hooks)
    assert renewed != before
    assert summary.stat().st_mtime_ns == stamp
    assert hooks.start().raw == first.raw
    assert _cache_bytes(hooks) == renewed


def test_a_program_that_only_reads_the_database_costs_the_next_start_nothing(
    repository: Repository, hooks: Hooks, database: Path
) -> None:
    repository.plan(done=1)
    _save(repository.root, "Lighthouse", goal="light the lamp")
    hooks.start()
    hooks.start()
    before = _cache_bytes(hooks)
    connection = sqlite3.connect(database)
    connection.execute("SELECT count(*) FROM observations").fetchone()
    connection.close()
    hooks.start()
    assert _cache_bytes(hooks).split(b"\n\n")[1] == before.split(b"\n\n")[1]


def test_a_document_bound_to_another_root_is_never_shown(
    repository: Repository, hooks: Hooks, tmp_path: Path
) -> None:
    other = tmp_path / "elsewhere"
    other.mkdir()
    (other / "prd.json").write_text(json.dumps({"project": "Lighthouse", "userStories": []}))
    _save(other, "Lighthouse", goal="somebody else's goal")
    repository.plan(done=1)
    assert "somebody else's goal" not in hooks.start().context


def test_a_document_ages_when_log_or_plan_move_on(repository: Repository, hooks: Hooks) -> None:
    repository.plan(done=1)
    _save(repository.root, "Lighthouse", goal="light the lamp", next_steps=["buy oil"])
    (repository.root / "progress.md").write_text("# Progress\n\n## 2099-01-01 - US-002\n- Much later\n")
    text = hooks.start().context
    assert "is older than log and plan: light the lamp" in text
    assert "buy oil" not in text


def test_a_document_of_another_plan_is_only_counted(repository: Repository, hooks: Hooks) -> None:
    repository.plan(done=1)
    _save(repository.root, "Lighthouse", goal="grind corn", plan="Windmill")
    text = hooks.start().context
    assert "A progress document of another plan is kept (Windmill" in text
    assert "grind corn" not in text


def test_a_broken_database_is_named_and_costs_no_start(
    repository: Repository, hooks: Hooks, database: Path
) -> None:
    repository.plan(done=1)
    database.parent.mkdir(parents=True)
    database.write_bytes(b"this is no database, whatever its name says" * 100)
    text = hooks.start().context
    assert "Stories: 1/14 complete" in text
    assert "memory.db" in text
