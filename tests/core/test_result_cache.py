"""Results of a slow function are kept from one process to the next, and never used if they may be wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from progress_plugin import VERSION
from progress_plugin.core.result_cache import MIN_CHARS, ResultCache

LONG = "The tide was low. " * MIN_CHARS


def words(text: str) -> list[str]:
    return text.split()


def forgotten(text: str) -> list[str]:
    raise AssertionError(f"{len(text)} characters are read again")


def kept(path: Path, *texts: str) -> None:
    results = ResultCache(words, str(path))
    for text in texts:
        assert results(text) == text.split()
    results.keep()


def test_what_was_kept_is_not_made_again_and_what_is_not_used_again_is_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    kept(path, LONG, "short")
    again = ResultCache(forgotten, str(path))
    assert again(LONG) == words(LONG)
    with pytest.raises(AssertionError, match="5 characters"):
        again("short")
    kept(path, LONG + "and high")
    with pytest.raises(AssertionError):
        ResultCache(forgotten, str(path))(LONG)


@pytest.mark.parametrize("content", ["", "{", "[]", "null", '{"version": 1}', '{"results": {}}'])
def test_what_cannot_be_read_is_made_again(tmp_path: Path, content: str) -> None:
    path = tmp_path / "kept.json"
    path.write_text(content)
    kept(path, LONG)
    assert ResultCache(forgotten, str(path))(LONG) == words(LONG)


def test_the_results_of_another_version_are_made_again(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    kept(path, LONG)
    path.write_text(path.read_text().replace(VERSION, f"{VERSION}.1"))
    with pytest.raises(AssertionError):
        ResultCache(forgotten, str(path))(LONG)


def test_without_a_folder_to_keep_it_in_nothing_is_kept_and_nothing_fails(tmp_path: Path) -> None:
    kept(tmp_path / "missing" / "kept.json", LONG)
    assert not (tmp_path / "missing").exists()
