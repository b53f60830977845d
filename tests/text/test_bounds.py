"""Long texts are cut at whole words; estimates of tokens are close to the counts of two vocabularies."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.text.bounds import estimate_tokens as estimate
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


_SAMPLES = json.loads((Path(__file__).parent / "token_samples.json").read_text("utf-8"))


@pytest.mark.parametrize("sample", _SAMPLES, ids=[sample["name"] for sample in _SAMPLES])
def test_no_script_is_estimated_far_too_low(sample: dict[str, object]) -> None:
    assert isinstance(sample["text"], str)
    for vocabulary in ("o200k_base", "cl100k_base"):
        assert estimate(sample["text"]) >= 0.8 * int(str(sample[vocabulary])), vocabulary


def test_english_and_code_are_estimated_within_a_tenth() -> None:
    for sample in _SAMPLES:
        if sample["name"] in {"English log", "code"}:
            assert estimate(sample["text"]) == pytest.approx(sample["o200k_base"], rel=0.11), sample["name"]


def test_the_empty_text_has_no_tokens_and_any_other_has_some() -> None:
    assert estimate("") == 0
    assert estimate(" ") == 1
    assert estimate("\ud800") >= 1


@given(st.lists(st.text(min_size=1, max_size=40), min_size=1, max_size=10))
def test_the_estimates_of_lines_add_up_to_that_of_the_whole(lines: list[str]) -> None:
    whole = estimate("\n".join(lines))
    parts = sum(estimate(line) + 1 for line in lines)
    assert whole <= parts + 1
    assert parts <= whole + 2 * len(lines) + 1


@given(st.text(), st.text(min_size=1))
def test_more_text_is_never_fewer_tokens_but_for_a_word_that_is_continued(text: str, more: str) -> None:
    assert estimate(text + more) >= estimate(text)
