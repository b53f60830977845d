"""Foreign bytes become text, or one clear line."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.core.errors import BadInput
from progress_plugin.text.decode import decode

ENCODINGS = {
    "utf-8": b"",
    "utf-8-sig": b"",
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
}


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(text=st.text(st.characters(exclude_characters="\ufeff\x00", codec="utf-8")))
def test_text_is_the_same_in_every_encoding_that_carries_a_mark(encoding: str, text: str) -> None:
    assert decode(ENCODINGS[encoding] + text.encode(encoding), "plan") == text


def test_a_zero_byte_in_utf_8_stays() -> None:
    assert decode(b"one\0two", "progress.txt") == "one\0two"


def test_bytes_of_another_encoding_are_named_with_file_and_line() -> None:
    with pytest.raises(BadInput) as caught:
        decode("première\nannée".encode("latin-1"), "notes.md")
    assert str(caught.value) == "notes.md: not valid UTF-8 text at byte 5 (line 1); save the file as UTF-8"


def test_half_a_utf_16_character_is_named_too() -> None:
    with pytest.raises(BadInput, match=r"^prd\.json: not valid UTF-16 text at byte 4 \(line 1\); save"):
        decode(codecs.BOM_UTF16_LE + b"a\0b", "prd.json")


@given(st.binary())
def test_any_bytes_are_text_or_a_line_that_names_the_file(data: bytes) -> None:
    try:
        said = decode(data, "progress.md")
    except BadInput as error:
        said = str(error)
        named = said.startswith("progress.md: ") and "\n" not in said
    else:
        named = True
    assert named, said
