"""The one way for text to be shown: made visible, redacted, made harmless, shortened.

The order matters, and no caller can choose another. A colour inside a secret hides it, so what is invisible
goes first. Secrets go while the text is whole, since half a secret is not recognised. Tags come last, so that
nothing that was cut out can leave one.

`clean` is for text of several lines, `one_line` for one, `cell` for a table cell, `item` for a list item,
`summary_item` for one of a summary: all are idempotent. `verbatim` is for what must stay whole, in a terminal
or in JSON. `stored_line` and `stored_item` are for our own log, which was redacted when it was written.
"""

from __future__ import annotations

import json
from typing import Any

from progress_plugin.text.escape import defused, defused_cell, defused_item, defused_json, defused_line
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.redact import redact, redact_value
from progress_plugin.text.visible import flat, has_words, spelt_out, visible

__all__ = ["has_words"]  # the only name that is passed on

_MARKER = LazyPattern(r"^(?:[-*+•◦‣–]|#{1,6}|>)[ \t]+(?=\S)")
_FENCES = ("```", "~~~")
_MIN_WRAPPED_CHARS = 60  # of a line that may have been ended by the width of a page
_CODE_SPAN = LazyPattern(
    r"(?<![`\w\\])`"
    r"(?=[^`]{0,120}(?:[a-z\d][A-Z]|[_\d/.]|::|\(\)))(?=[^`]{0,40}[A-Za-z]{2})"
    r"((?:\.{0,2}/)?\.?[A-Za-z\d](?:[\w-]|[./](?=[\w-])|::(?=\w)|:(?=\d))*(?:\(\)|/)?)(?<!_)"
    r"`(?![`\w])"
)
"""A path, or a name with `_`, a digit, `::` or a capital within: code also without its backticks."""


def clean(text: str) -> str:
    """Return text of any number of lines, its ends line feeds, that cannot act on an agent or a terminal."""
    return defused(_without_secrets(text))


def composed(text: str) -> str:
    """Return lines composed of texts that were made safe one by one.

    They are not redacted again: beside other words an id can look like a secret.
    """
    return defused(visible(text))


def one_line(text: str, limit: int | None = None) -> str:
    """Return clean text with white space collapsed; more than `limit` characters end in ``…`` within it."""
    return defused_line(_line(text), limit)


def cell(text: str, limit: int | None = None) -> str:
    """Return one line in which no ``|`` ends a table cell; `limit` counts without the escapes."""
    return defused_cell(_line(text), limit)


def item(text: str, limit: int | None = None) -> str:
    """Return one line that opens no block of Markdown as the text of a list item; `limit` as in `cell`."""
    return defused_item(_line(text), limit)


def summary_item(text: str, limit: int | None = None) -> str:
    """Return the same for a summary, with code that can be nothing else without its backticks."""
    line = _line(text)
    bare = without_marks(line)
    return defused_item(line if bare == line else flat(redact(bare)[0]), limit)


def without_marks(text: str) -> str:
    """Return a line without the backticks around what can be nothing but code: they cost many tokens."""
    return _CODE_SPAN.sub(r"\1", text) if "`" in text else text


def stored_line(text: str) -> str:
    """Return text of our own log as one line; it is never shortened, which could cut a secret in two."""
    return defused_line(flat(visible(text)), None)


def stored_item(text: str) -> str:
    """Return the same as the text of a list item."""
    return defused_item(flat(visible(text)), None)


def verbatim(text: str) -> str:
    """Return text of which only secrets are gone: what cannot be seen is spelt out as JSON would do it."""
    return spelt_out(redact(text)[0])


def json_text(value: Any) -> str:
    """Return a value as indented JSON: no secrets, and escapes for tags and what cannot be seen."""
    return defused_json(spelt_out(json.dumps(redact_value(value)[0], ensure_ascii=False, indent=2)))


def _without_secrets(text: str) -> str:
    """Return visible text without secrets: also without one that a colour parts from the word before it."""
    seen = visible(text)
    if seen != text:
        seen = visible(redact(text)[0])
    return redact(seen)[0]


def typed(text: str) -> str:
    """Return a typed text as one line without invisible characters: for a search, not to show."""
    return flat(visible(text))


def points(text: str) -> list[str]:
    """Return the items and paragraphs of a text, without bullets, none if it says nothing.

    A line in small letters goes on with the one before if indented, or if that is long.
    A text that holds a secret is one point: in pieces it would not be recognised.
    """
    if text.isprintable():  # no line end is printable
        return [_unmarked(text.strip(" "))] if text and not text.isspace() else []
    lines = visible(text).split("\n")
    whole = " ".join(text.split())
    redacted, count = redact(text)
    left = redact(" ".join(lines))[1]
    if len(lines) == 1 or count or left:
        # On one line a secret may not be recognised that a list of lines gives away.
        return [whole if left >= count else " ".join(redacted.split())] if has_words(text) else []
    found: list[str] = []
    before = ""
    for raw in lines:
        line = raw.strip()
        if not has_words(line) or line.startswith(_FENCES):
            line = ""
        elif before and line[0].islower() and (raw[:1].isspace() or len(before) >= _MIN_WRAPPED_CHARS):
            found[-1] += f" {line}"
        else:
            found.append(_unmarked(line))
        before = line
    return found


def items(text: str) -> list[str]:
    """Return the points of a text that is a list of them, else the whole as one line: it is one statement."""
    lines = map(str.lstrip, text.split("\n"))
    return points(text) if any(map(_MARKER.match, lines)) else [" ".join(text.split())]


def _unmarked(line: str) -> str:
    return _MARKER.sub("", line, count=1)


def _line(text: str) -> str:
    text = _without_secrets(text)
    line = flat(text)
    # White space between a name and its value may have been what kept a pattern from seeing both.
    return line if line == text else flat(redact(line)[0])
