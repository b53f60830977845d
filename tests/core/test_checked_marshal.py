"""Values of our own in the user's cache: what is damaged is as good as not there."""

from __future__ import annotations

import marshal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.core.caches import checked_marshal

VALUE = ("version", {"berth": (1, b"code" * 2000, frozenset({"a", "b"})), "crane": None})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kept"


def test_what_was_kept_comes_back(path: Path) -> None:
    checked_marshal.write(str(path), VALUE)
    assert checked_marshal.read(str(path)) == VALUE


def test_nothing_comes_back_where_nothing_was_kept(path: Path) -> None:
    assert checked_marshal.read(str(path)) is None
    path.mkdir()
    assert checked_marshal.read(str(path)) is None


@given(st.data())
def test_one_bit_that_differs_anywhere_makes_it_unusable(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("bits") / "kept"
    checked_marshal.write(str(path), VALUE)
    content = bytearray(path.read_bytes())
    content[data.draw(st.integers(0, len(content) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(content)
    assert checked_marshal.read(str(path)) is None


@pytest.mark.parametrize("at", [0, 8, 4096])
def test_a_page_left_empty_or_a_file_cut_short_makes_it_unusable(path: Path, at: int) -> None:
    checked_marshal.write(str(path), VALUE)
    whole = path.read_bytes()
    path.write_bytes(whole[:at] + bytes(len(whole[at : at + 4096])) + whole[at + 4096 :])
    assert checked_marshal.read(str(path)) is None
    path.write_bytes(whole[:at])
    assert checked_marshal.read(str(path)) is None


def test_what_is_no_plain_value_is_refused_and_leaves_what_was_there(path: Path) -> None:
    checked_marshal.write(str(path), VALUE)
    with pytest.raises(ValueError, match="unmarshallable"):
        checked_marshal.write(str(path), object())
    assert checked_marshal.read(str(path)) == VALUE


def test_what_was_written_without_a_checksum_is_unusable(path: Path) -> None:
    path.write_bytes(marshal.dumps(VALUE))
    assert checked_marshal.read(str(path)) is None
