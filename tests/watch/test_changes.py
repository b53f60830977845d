"""What changed, in words, and where a change would show."""

from __future__ import annotations

from pathlib import Path

from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.usecases.starting.stale_reason import describe_change
from progress_plugin.watch import folders_of


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


def test_a_session_at_work_is_not_told_as_a_fault(tmp_path: Path) -> None:
    inputs = InputSnapshot(str(tmp_path))
    inputs.note_names(str(tmp_path), is_settled=False)
    assert "a session is still open" in describe_change(inputs, str(tmp_path))
    inputs.note_names(str(tmp_path))
    assert "has transcripts that were not read" in describe_change(inputs, str(tmp_path))


def test_folders_are_watched_where_they_are_and_above_where_they_are_not(tmp_path: Path) -> None:
    root, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    (root / "docs").mkdir(parents=True)
    elsewhere.mkdir()
    (elsewhere / "log.md").write_text("")
    (root / "claude-progress.txt").symlink_to(elsewhere / "log.md")
    (root / "notes").mkdir()
    (root / "notes/log.md").write_text("")
    (root / "progress.md").symlink_to("notes/log.md")
    inputs = _inputs(root, "docs/plan.md", "deep/down/prd.json", "progress.md", "claude-progress.txt")
    assert folders_of(inputs) == {str(root), str(root / "docs"), str(root / "notes")}
    (root / "deep").mkdir()
    assert str(root / "deep") in folders_of(inputs)
