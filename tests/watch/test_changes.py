"""What changed, in words, and where a change would show."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from progress_plugin.core.files.input_records import Inputs, place_of
from progress_plugin.usecases.starting.stale_reason import changed, differences, in_words
from progress_plugin.watch import folders_of


def _records(root: Path, *paths: str) -> list[bytes]:
    inputs = Inputs(str(root))
    for path in paths:
        inputs.read(path)
    return [record.line() for record in inputs.records()]


def test_the_words_for_each_kind_of_change(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    for name in ("edited", "removed", "kept"):
        (tmp_path / name).write_text("one")
    inputs = Inputs(str(tmp_path))
    inputs.names("specs")
    records = [*_records(tmp_path, "edited", "removed", "kept", "new"), inputs.records()[0].line()]
    assert changed(records, str(tmp_path)) == []
    (tmp_path / "edited").write_text("three")
    (tmp_path / "removed").unlink()
    (tmp_path / "new").write_text("")
    (tmp_path / "specs" / "a").touch()
    assert [in_words(record, str(tmp_path)) for record in changed(records, str(tmp_path))] == [
        "edited changed",
        "removed is gone",
        "new is new",
        "specs has other files in it",
    ]


def test_a_row_of_the_database_has_words_too(tmp_path: Path) -> None:
    record = b"row safe 10 1 0 abc " + os.fsencode(tmp_path / "memory.db")
    assert in_words(record, str(tmp_path)) == "memory.db changed"


def test_two_readings_differ_by_content_alone(tmp_path: Path) -> None:
    for name in ("edited", "touched", "removed"):
        (tmp_path / name).write_text("one")
    names = ("edited", "touched", "removed", "new")
    before = _records(tmp_path, *names)
    (tmp_path / "edited").write_text("two")
    os.utime(tmp_path / "touched", (0, 0))
    (tmp_path / "removed").unlink()
    (tmp_path / "new").write_text("")
    assert list(differences(before, _records(tmp_path, *names, "more"), str(tmp_path)).values()) == [
        "edited changed",
        "removed is gone",
        "new is new",
    ]


def test_a_name_with_odd_characters_is_read_back_as_it_is(tmp_path: Path) -> None:
    name = "50%0A\n.md"
    (record,) = _records(tmp_path, name)
    assert place_of(record) == ("absent", name)


def test_folders_are_watched_where_they_are_and_above_where_they_are_not(tmp_path: Path) -> None:
    root, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    (root / "docs").mkdir(parents=True)
    elsewhere.mkdir()
    (elsewhere / "log.md").write_text("")
    (root / "claude-progress.txt").symlink_to(elsewhere / "log.md")
    (root / "notes").mkdir()
    (root / "notes/log.md").write_text("")
    (root / "progress.md").symlink_to("notes/log.md")
    records = _records(root, "docs/plan.md", "deep/down/prd.json", "progress.md", "claude-progress.txt")
    assert folders_of(records, str(root)) == {str(root), str(root / "docs"), str(root / "notes")}
    (root / "deep").mkdir()
    assert str(root / "deep") in folders_of(records, str(root))


@pytest.mark.parametrize(
    ("digest", "said"),
    [
        (b"?", "it is at work, or was killed within the hour"),
        (b"0f", "has transcripts that were not read to their end"),
    ],
)
def test_a_session_at_work_is_not_told_as_a_fault(tmp_path: Path, digest: bytes, said: str) -> None:
    inputs = Inputs(str(tmp_path))
    inputs.note_transcripts(str(tmp_path / "transcripts"), digest)
    (record,) = [each.line() for each in inputs.records()]
    assert said in in_words(record, str(tmp_path))
