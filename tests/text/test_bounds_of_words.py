"""A text that is too long loses a whole word at its bound, for half a secret is known by no shape."""

from __future__ import annotations

import pytest

from progress_plugin.text.bounds import head, shortened, tail


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


_TOKEN = "ghp_" + "aB3dE6gH9jK2" * 3


@pytest.mark.parametrize(
    ("text", "most", "left"),
    [
        ("one two", 7, "one two"),
        ("one two three", 9, "one two…"),
        ("x" * 70, 60, "xxxxxxxx…"),
        ("", 0, ""),
        (_TOKEN, 20, "ghp_aB3d…"),
        (f"status {_TOKEN}", 20, "status…"),
        (" " * 30 + _TOKEN, 20, "…"),
    ],
)
def test_of_a_word_alone_that_is_too_long_only_the_beginning_stays(text: str, most: int, left: str) -> None:
    assert shortened(text, most, "…") == left
