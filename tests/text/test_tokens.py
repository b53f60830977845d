"""The token estimate, held to counts that two real vocabularies gave (docs/tokens.md)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.text.bounds import estimate_tokens as estimate

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
