"""Settings of others, with comments: one thing is taken out, everything else stays as it is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.core.errors import BadInput
from progress_plugin.text import jsonc

SETTINGS = """\
// what I like
{
  "theme": "a // b", /* "plugin": [] */
  "plugin": [
    "file:///mine", // keep
    "/ours", // from somebody else
  ],
  "end": {"a": 1,}
}
"""


def test_comments_and_trailing_commas_are_read() -> None:
    assert jsonc.parse(SETTINGS) == {
        "theme": "a // b",
        "plugin": ["file:///mine", "/ours"],
        "end": {"a": 1},
    }


def test_an_item_goes_and_every_comment_stays() -> None:
    assert jsonc.without(SETTINGS, ("plugin", 1)) == SETTINGS.replace(
        '    "/ours", // from somebody else\n', "     // from somebody else\n"
    )


def test_the_line_of_an_item_goes_with_it() -> None:
    text = '{\n  "plugin": [\n    "/a",\n    "/ours"\n  ]\n}\n'
    assert jsonc.without(text, ("plugin", 1)) == '{\n  "plugin": [\n    "/a"\n  ]\n}\n'
    assert jsonc.without(text, ("plugin", 0)) == '{\n  "plugin": [\n    "/ours"\n  ]\n}\n'
    assert jsonc.without(text, ("plugin",)) == "{\n}\n"


def test_of_a_member_that_stands_twice_the_one_that_counts_is_found_or_nothing_is_changed() -> None:
    with pytest.raises(BadInput, match="cannot be edited safely"):
        jsonc.without('{"a": 1, "a": 2}', ("a",))


@pytest.mark.parametrize("text", ["{", '{"a": }', "/* open", '{"a": [1 2]}', "[" * 100_000])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        jsonc.parse(text)
    with pytest.raises(BadInput, match="cannot be edited safely"):
        jsonc.without(text, ("a",))


def test_what_is_not_there_is_refused() -> None:
    for path in (("b",), ("a", 3), ("a", "b"), ()):
        with pytest.raises(BadInput, match="cannot be edited safely"):
            jsonc.without('{"a": [1]}', path)


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=4), _VALUES, min_size=1, max_size=4), st.data(), st.booleans())
def test_any_member_of_anything_can_be_taken_out(value: dict[str, Any], data: Any, spread: bool) -> None:
    key = data.draw(st.sampled_from(sorted(value)))
    text = json.dumps(value, indent=2 if spread else None, ensure_ascii=data.draw(st.booleans()))
    rest = {name: each for name, each in value.items() if name != key}
    assert jsonc.parse(jsonc.without(text, (key,))) == rest
