"""A snapshot notices that an input has changed by its size and time."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from progress_plugin.core.snapshot import RACY_NS, InputSnapshot


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "folder").mkdir()
    (tmp_path / "log.md").write_text("one")
    for path in (tmp_path / "folder", tmp_path / "log.md"):
        os.utime(path, ns=(1, 1_000_000_000_000_000_001))
    return tmp_path


def kept(snapshot: InputSnapshot) -> InputSnapshot:
    """Return the snapshot as another process reads it."""
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
    later = kept(inputs)
    change(root)
    assert later.first_change() == changed
    assert later.changes() == ([changed] if changed else [])


def test_a_file_written_just_before_it_was_recorded_counts_as_changed(root: Path) -> None:
    inputs = InputSnapshot(str(root))
    inputs.read("log.md")
    later = kept(inputs)
    later.recorded_ns = 1_000_000_000_000_000_001 + RACY_NS // 2
    assert later.first_change() == "log.md"
    later.recorded_ns += RACY_NS
    assert later.first_change() is None


def test_what_only_starts_compare_is_left_out_by_others(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inputs = InputSnapshot(str(root))
    inputs.note_for_starts(str(root / "memory.db"))
    inputs.note_names(f"{root}/fold*")
    inputs.note_variable("AGENT_PROGRESS_DB")
    later = kept(inputs)
    assert later.first_change() is None
    (root / "folder-2").mkdir()
    assert later.first_change() == f"{root}/fold*"
    assert later.first_change(at_start=False) is None
    (root / "folder-2").rmdir()
    monkeypatch.setenv("AGENT_PROGRESS_DB", "/elsewhere")
    assert later.first_change() == "AGENT_PROGRESS_DB"


def test_a_link_out_of_the_project_is_not_read_and_named(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    secret = tmp_path_factory.mktemp("elsewhere") / "secret"
    secret.write_text("secret")
    (root / "progress.md").symlink_to(secret)
    inputs = InputSnapshot(str(root))
    assert inputs.read("progress.md") is None
    assert inputs.problems == ["progress.md is a link out of the project; not read"]
