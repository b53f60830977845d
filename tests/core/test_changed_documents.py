"""What counts as a change of plans and logs: a changed file, and with folders also a new file."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from progress_plugin.core.project import find_project
from progress_plugin.core.snapshot import has_changed
from progress_plugin.usecases.reading import read_project
from progress_plugin.usecases.recording.last_seen import mark_as_seen


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "quay"
    (root / "src").mkdir(parents=True)
    (root / "progress.md").write_text("# Progress\n\n## 2026-03-01 - US-1: Moor\n- Moored\n")
    for path in (root, root / "src", root / "progress.md"):
        os.utime(path, (1_700_000_000, 1_700_000_000))
    mark_as_seen(read_project(find_project(str(root))))
    return root


@pytest.mark.parametrize(
    ("change", "is_seen", "is_seen_with_folders"),
    [
        (lambda root: root, False, False),
        (lambda root: (root / "main.py").write_text("x"), False, True),
        (lambda root: (root / "progress.md").write_text("## 2026-03-02 - US-2"), True, True),
        (lambda root: (root / "prd.json").write_text("[]"), False, True),
    ],
    ids=["nothing", "a new source file", "the log", "a new plan"],
)
def test_what_counts_as_a_change(
    root: Path, change: Callable[[Path], object], is_seen: bool, is_seen_with_folders: bool
) -> None:
    change(root)
    seen = (has_changed(str(root), with_folders=False), has_changed(str(root), with_folders=True))
    assert seen == (is_seen, is_seen_with_folders)
