"""Settings of others, with comments: one entry is taken out, everything else stays as it is."""

from __future__ import annotations

import pytest

from progress_plugin.core.errors import BadInput
from progress_plugin.text import lenient_json

SETTINGS = """\
// what I like
{
  "theme": "a // b", /* "plugin": [] */
  "plugin": [
    "file:///mine", // keep
    "/ours",
  ],
  "end": {"a": 1, "b": true,}
}
"""


def test_comments_and_trailing_commas_are_read() -> None:
    assert lenient_json.parse(SETTINGS) == {
        "theme": "a // b",
        "plugin": ["file:///mine", "/ours"],
        "end": {"a": 1, "b": True},
    }


def test_an_entry_goes_with_its_line_and_comments_stay() -> None:
    assert lenient_json.without(SETTINGS, "plugin", 1) == SETTINGS.replace('    "/ours",\n', "")
    assert lenient_json.without(SETTINGS, "end", "a") == SETTINGS.replace('"a": 1, ', "")


@pytest.mark.parametrize(
    ("text", "number", "left"),
    [
        ('{"plugin": ["/a", "/ours"]}', 1, '{"plugin": ["/a"]}'),
        ('{"plugin": ["/ours", "/a"]}', 0, '{"plugin": ["/a"]}'),
        ('{"plugin": ["/ours"]}', 0, '{"plugin": []}'),
        ('{\n  "plugin": [\n    "/a",\n    "/ours"\n  ]\n}\n', 1, '{\n  "plugin": [\n    "/a"\n  ]\n}\n'),
        ('{"name": "/ours", "plugin": ["/ours"]}', 0, '{"name": "/ours", "plugin": []}'),
    ],
)
def test_a_strict_text_stays_strict(text: str, number: int, left: str) -> None:
    assert lenient_json.without(text, "plugin", number) == left


def test_what_cannot_be_cut_out_is_refused() -> None:
    with pytest.raises(BadInput, match="cannot be edited safely"):
        lenient_json.without('{"end": {"a": [1]}}', "end", "a")
    for text in ("{", '{"a": }', "/* open", '{"a": [1 2]}', "[" * 100_000):
        with pytest.raises(ValueError):
            lenient_json.parse(text)
