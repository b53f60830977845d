"""Two versions of a progress document joined by a machine: nothing that anybody said is lost."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.memory.document_sync_merge import join, with_other_versions
from progress_plugin.memory.team_session import OTHER_VERSIONS


@pytest.mark.parametrize(
    ("base", "first", "second", "joined", "fields"),
    [
        ({"goal": "a"}, {"goal": "a"}, {"goal": "b"}, {"goal": "b"}, []),
        ({"goal": "a"}, {"goal": "b"}, {"goal": "a"}, {"goal": "b"}, []),
        ({"goal": "a"}, {"goal": "b"}, {"goal": "c"}, {"goal": "b"}, ["goal"]),
        ({"a": {"b": 1}}, {"a": {"b": 2}}, {"a": {"b": 3}}, {"a": {"b": 2}}, ["a.b"]),
        ({"goal": "a", "x": 1}, {"goal": "a"}, {"goal": "a", "x": 1}, {"goal": "a"}, []),
        ({"goal": "a", "x": 1}, {"goal": "a"}, {"goal": "a", "x": 2}, {"goal": "a", "x": 2}, []),
        ({"x": 1}, {"x": 2}, {}, {"x": 2}, []),
        (None, {"a": 1}, {"b": 2}, {"a": 1, "b": 2}, []),
        (None, {"a": 1}, {"a": 2}, {"a": 1}, ["a"]),
        ({"s": [1, 2, 3]}, {"s": [1, 3, 4]}, {"s": [1, 2, 5]}, {"s": [1, 4, 5]}, []),
        ({"s": [1]}, {"s": [1, True]}, {"s": [1, "1"]}, {"s": [1, True, "1"]}, []),
        (
            {"next_steps": ["Sweep", "Paint"]},
            {"next_steps": ["Paint"], "completed": ["Sweep"]},
            {"next_steps": ["Sweep", "Paint", "sweep "]},
            {"next_steps": ["Paint"], "completed": ["Sweep"]},
            [],
        ),
        (1, 2, 3, 2, [""]),
        ([1], [1, 2], [1, 3], [1, 2, 3], []),
    ],
)
def test_what_one_side_changed_is_changed_and_of_two_the_first_stands(
    base: Any, first: Any, second: Any, joined: Any, fields: list[str]
) -> None:
    found, differences = join(base, first, second)
    assert found == joined
    assert [each.field for each in differences] == fields


_WORDS = st.sampled_from(["Sweep", "Paint", "Grease", "Moor"])
_DOCUMENTS = st.dictionaries(
    st.sampled_from(["goal", "next_steps", "completed", "notes"]),
    st.one_of(_WORDS, st.lists(_WORDS, max_size=4, unique=True), st.dictionaries(_WORDS, _WORDS)),
)


@given(base=st.none() | _DOCUMENTS, first=_DOCUMENTS, second=_DOCUMENTS)
def test_every_word_that_either_added_is_there(base: Any, first: Any, second: Any) -> None:
    joined, differences = join(base, first, second)
    told = json.dumps(with_other_versions(joined, differences, "host-b"))
    before = json.dumps(base or {})
    for side in (first, second):
        added = {word for word in _said(side) if word not in before}
        assert all(word in told for word in added)


def _said(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [word for pair in value.items() for each in pair for word in _said(each)]
    return [word for each in value for word in _said(each)] if isinstance(value, list) else [value]


def test_another_version_is_told_once_and_only_where_there_is_room() -> None:
    _, differences = join({"goal": "a"}, {"goal": "b"}, {"goal": "c"})
    once = with_other_versions({"goal": "b"}, differences, "host-b")
    assert once[OTHER_VERSIONS] == [{"field": "goal", "by": "host-b", "value": "c"}]
    assert with_other_versions(once, differences, "host-b") == once
    assert with_other_versions([1], differences, "host-b") == [1]
    assert with_other_versions({OTHER_VERSIONS: "mine"}, differences, "host-b") == {OTHER_VERSIONS: "mine"}
