"""A transcript whose newest part has no end of a line is not looked through for one."""

from __future__ import annotations

from pathlib import Path

from progress_plugin.transcripts.transcript_lines import Place


def test_where_no_line_ends_in_the_newest_bytes_the_older_ones_are_left_out_all_the_same(
    tmp_path: Path,
) -> None:
    path, size, most = tmp_path / "events.jsonl", 50_000_000_000, 1_000_000
    with path.open("wb") as file:
        file.truncate(size)  # a hole: it takes no room on the disk
    place = Place(str(path))
    assert list(place.lines(most)) == []
    assert (place.offset, place.skipped) == (size - most, size - most)


def test_what_follows_a_line_that_was_cut_is_read(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(b'{"a": "' + b"x" * 3000 + b'"}\n{"b": 1}\n')
    place = Place(str(path))
    assert list(place.lines(1000)) == [{"b": 1}]
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(b'{"a": "' + b"x" * 3000)
    place = Place(str(cut))
    assert list(place.lines(1000)) == []
    with cut.open("ab") as file:
        file.write(b'"}\n{"b": 1}\n')
    assert list(place.lines(10_000)) == [{"b": 1}]
