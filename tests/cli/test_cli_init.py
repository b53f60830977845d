"""`agent-progress init`: what it says of plans and logs, read or not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

PLAN = '{"name": "My project", "userStories": [{"id": "US-001", "title": "First story", "passes": false}]}'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a repository without plan and log."""
    (tmp_path / "empty/.git").mkdir(parents=True)
    return tmp_path / "empty"


def test_plans_and_logs_are_read_in_any_folder(root: Path, run: Run) -> None:
    for name, text in (
        ("notes/it's/progress.md", "# Log\n\n## Learnings\n\n- The quay needs 40 stones\n"),
        ("specs/prd.json", PLAN),
    ):
        (root / name).parent.mkdir(parents=True)
        (root / name).write_text(text, "utf-8")
    _, out, _ = run("-C", str(root), "init")
    assert "Read: specs/prd.json, notes/it's/progress.md.\n" in out
    assert "The quay needs 40 stones" in run("-C", str(root), "context")[1]


def test_the_smallest_plan_is_shown_where_there_is_none_and_it_is_one(root: Path, run: Run) -> None:
    assert f"  {PLAN}\n" in run("-C", str(root), "init")[1]
    (root / "prd.json").write_text(PLAN, "utf-8")
    told = json.loads(run("-C", str(root), "status", "--json")[1])
    assert (told["project"], told["counts"]["pending"]) == ("My project", 1)
    assert PLAN not in run("-C", str(root), "init")[1]
