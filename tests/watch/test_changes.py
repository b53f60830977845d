"""What changed, in words."""

from __future__ import annotations

from pathlib import Path

from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.usecases.starting.stale_reason import describe_change


def _inputs(root: Path, *paths: str) -> InputSnapshot:
    inputs = InputSnapshot(str(root))
    for path in paths:
        inputs.read(path)
    return inputs


def test_the_words_for_each_kind_of_change(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    for name in ("edited", "removed", "kept"):
        (tmp_path / name).write_text("one")
    inputs = _inputs(tmp_path, "edited", "removed", "kept", "new")
    inputs.list_folder("specs")
    assert inputs.changes() == []
    (tmp_path / "edited").write_text("three")
    (tmp_path / "removed").unlink()
    (tmp_path / "new").write_text("")
    (tmp_path / "specs" / "a").touch()
    assert [describe_change(inputs, path) for path in inputs.changes()] == [
        "edited changed",
        "removed is gone",
        "new is new",
        "a file in specs is new or gone",
    ]
    assert describe_change(inputs, ".git/logs/HEAD") == "the branch or its commits changed"
