"""A snapshot notices that an input has changed by its size and time."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from progress_plugin.core.snapshot import RACY_NS, InputSnapshot

LONG_AGO_NS = 1_000_000_000_000_000_001


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "folder").mkdir()
    (tmp_path / "log.md").write_text("one")
    for path in (tmp_path / "folder", tmp_path / "log.md"):
        os.utime(path, ns=(1, LONG_AGO_NS))
    return tmp_path


def reloaded(snapshot: InputSnapshot) -> InputSnapshot:
    return InputSnapshot.from_data(json.loads(json.dumps(snapshot.to_data())))


@pytest.mark.parametrize(
    ("change", "changed"),
    [
        (os.fspath, None),
        (lambda root: (root / "log.md").write_text("two"), "log.md"),
        (lambda root: (root / "log.md").unlink(), "log.md"),
        (lambda root: (root / "prd.json").touch(), "prd.json"),
        (lambda root: (root / "folder/x").touch(), "folder"),
    ],
)
def test_the_first_change_is_named(root: Path, change: Callable[[Path], object], changed: str | None) -> None:
    inputs = InputSnapshot(str(root))
    assert inputs.read("log.md") == b"one"
    assert inputs.read(str(root / "prd.json")) is None
    assert inputs.list_folder("folder") == []
    later = reloaded(inputs)
    change(root)
    assert later.first_change() == changed


def test_a_file_written_just_before_it_was_recorded_counts_as_changed(root: Path) -> None:
    inputs = InputSnapshot(str(root))
    inputs.read("log.md")
    later = reloaded(inputs)
    later.recorded_ns = LONG_AGO_NS + RACY_NS // 2
    assert later.first_change() == "log.md"
