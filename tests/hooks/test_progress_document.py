"""The progress document at session start: one row of a database others use, too."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from real_doors import REPOSITORY, Hooks, Repository


@pytest.fixture
def database(home: Path) -> Path:
    return home / ".local/share/agent-progress/memory.db"


def _save(root: Path, project: str, **content: Any) -> None:
    """Write the document as an agent does, in a process of its own."""
    command = [sys.executable, str(REPOSITORY / "progress_plugin/__main__.py"), "-C", str(root)]
    arguments = ["memory", "progress", project, "--content", json.dumps(content)]
    done = subprocess.run([*command, *arguments], capture_output=True, env=dict(os.environ))
    assert done.returncode == 0, done.stderr


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


def test_a_document_bound_to_another_root_is_never_shown(
    repository: Repository, hooks: Hooks, tmp_path: Path
) -> None:
    other = tmp_path / "elsewhere"
    other.mkdir()
    (other / "prd.json").write_text(json.dumps({"project": "Lighthouse", "userStories": []}))
    _save(other, "Lighthouse", goal="somebody else's goal")
    repository.plan(done=1)
    assert "somebody else's goal" not in hooks.start().context


def test_a_broken_database_is_named_and_costs_no_start(
    repository: Repository, hooks: Hooks, database: Path
) -> None:
    repository.plan(done=1)
    database.parent.mkdir(parents=True)
    database.write_bytes(b"this is no database, whatever its name says" * 100)
    text = hooks.start().context
    assert "Stories: 1/14 complete" in text
    assert "memory.db" in text
