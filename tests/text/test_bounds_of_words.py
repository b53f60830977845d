"""A text that is too long loses a whole word at its bound, for half a secret is known by no shape."""

from __future__ import annotations

import pytest

from progress_plugin.text.bounds import head, tail


@pytest.mark.parametrize(
    ("text", "most", "first", "last"),
    [
        ("one two three", 13, "one two three", "one two three"),
        ("one two three", 10, "one two ", " two three"),
        ("one two three", 7, "one two", " three"),
        ("one two three", 4, "one ", ""),
        ("onetwothree", 5, "", ""),
        ("      ", 3, "   ", "   "),
        ("潮汐表里有一个错误", 4, "潮汐表里", "一个错误"),
        ("", 0, "", ""),
    ],
)
def test_the_word_at_the_bound_is_left_out(text: str, most: int, first: str, last: str) -> None:
    assert (head(text, most), tail(text, most)) == (first, last)
