"""The three-way merge of two versions of a progress document."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.memory.json_values import merge

MERGES = Path(__file__).with_name("data") / "merges.json"


@pytest.mark.parametrize("case", json.loads(MERGES.read_text("utf-8")), ids=str)
def test_a_change_of_one_side_is_taken_and_of_two_the_first(case: dict[str, Any]) -> None:
    merged = merge(case["base"], case["first"], case["second"])
    assert merged.value == case["value"]
    assert (merged.conflicts, merged.removals) == (case["conflicts"], case["removals"])


WORDS = st.sampled_from(["Sweep", "Paint", "Grease", "Moor"])
DOCUMENTS = st.dictionaries(
    st.sampled_from(["goal", "next_steps", "completed", "notes"]),
    st.one_of(WORDS, st.lists(WORDS, max_size=4, unique=True), st.dictionaries(WORDS, WORDS)),
)


@given(base=st.none() | DOCUMENTS, first=DOCUMENTS, second=DOCUMENTS)
def test_every_word_that_either_side_added_is_kept(base: Any, first: Any, second: Any) -> None:
    merged = merge(base, first, second)
    before, text = json.dumps(base or {}), json.dumps(merged.value)
    for side in (first, second):
        assert merged.conflicts or all(word in text for word in _words(side) if word not in before)


def _words(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [word for pair in value.items() for each in pair for word in _words(each)]
    return [word for each in value for word in _words(each)] if isinstance(value, list) else [value]
