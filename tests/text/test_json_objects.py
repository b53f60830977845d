"""Where the objects of a JSON text stand, whatever stands around and inside them."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.text.json_objects import spans

_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


def _objects(value: object) -> list[object]:
    if isinstance(value, dict):
        return [each for inner in value.values() for each in _objects(inner)] + [value]
    return [each for inner in value for each in _objects(inner)] if isinstance(value, list) else []


@given(_VALUES, st.sampled_from([None, 1]), st.booleans())
def test_every_object_is_found_where_it_stands(value: object, indent: int | None, ascii_: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_)
    assert [json.loads(text[span.start : span.stop]) for span in spans(text)] == _objects(value)


def test_an_object_has_its_own_strings_and_not_those_inside_it() -> None:
    inner, outer = spans('{"id": "US-1", "part": {"id": "a \\"{\\" b"}}')
    assert outer.has("id", "US-1")
    assert not outer.has("id", 'a "{" b')
    assert inner.strings == ("id", 'a "{" b')


def test_json_lines_and_text_that_breaks_off_give_what_is_whole() -> None:
    assert [span.strings for span in spans('{"a": "1"}\n{"a": "2"}\n{"a": "3')] == [("a", "1"), ("a", "2")]
