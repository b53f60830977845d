"""A file of a client's is searched whole, however large it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from progress_plugin.usecases.correcting import erasable_files


@pytest.mark.parametrize("size", [0, 9, 10, 11, 35])
def test_each_word_is_whole_in_one_of_the_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(erasable_files, "_PIECE", 10)
    monkeypatch.setattr(erasable_files, "_OVERLAP", 4)
    path = tmp_path / "events.jsonl"
    path.write_bytes(b"." * size + b"word")
    assert any(b"word" in piece for piece in erasable_files.pieces(str(path)))
    assert list(erasable_files.pieces(str(tmp_path / "none"))) == []
