"""What a start notices without asking git."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from progress_plugin.core.git import find_repository
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.sources.find import find_sources
from tests.sources.test_find import DAY, NOW, git, root, write

__all__ = ["root"]


@pytest.fixture
def snapshot(root: Path) -> InputSnapshot:
    """Return the recorded snapshot of a project whose files and folders are a day old."""
    for path in ("prd.json", "docs/guide.md", "openspec/changes/add-bell/proposal.md", "src/lib/tide.py"):
        write(root, path)
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    for folder, folders, files in os.walk(root):
        for name in (".", *folders, *files):
            os.utime(os.path.join(folder, name), (NOW - DAY, NOW - DAY - 0.5))
    taken = InputSnapshot(str(root))
    find_sources(taken, find_repository(str(root)))
    return InputSnapshot.from_data(taken.to_data())


def test_unchanged_project(snapshot: InputSnapshot) -> None:
    assert snapshot.first_change() is None


@pytest.mark.parametrize(
    "path",
    [
        "prd.json",
        "progress.txt",
        "docs/plan.md",
        "docs/plans/bell.md",
        "src/prd.json",
        "new/deep/folder/progress.md",
        "openspec/changes/add-bell/tasks.md",
        ".kiro/specs/bell/tasks.md",
    ],
)
def test_new_or_changed_plan(snapshot: InputSnapshot, root: Path, path: str) -> None:
    write(root, path, '[{"id": 1, "done": false}]')
    assert snapshot.first_change() is not None


def test_commit(snapshot: InputSnapshot, root: Path) -> None:
    write(root, "src/lib/prd.json", "[]")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "A plan in the midst of the code")
    assert snapshot.first_change() is not None


def test_file_of_the_code(snapshot: InputSnapshot, root: Path) -> None:
    write(root, "src/lib/tide.py", "changed")
    assert snapshot.first_change() is None
