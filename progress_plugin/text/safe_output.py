"""Sanitise text before it is shown: strip invisible characters, redact, escape tags, shorten.

The order matters. A colour code may hide a secret, or separate it from a word, so secrets are redacted before
and after invisible characters are removed. Half a secret is not recognised, so secrets are redacted before
the text is shortened. A removed part can join the halves of a tag, so tags are escaped after all removals.

`clean` is for text of several lines, `one_line` for one, `cell` for a table cell, `item` for a list item,
`summary_item` for an item of a summary: all are idempotent if they do not shorten and no tag is next to the
name of a secret. `verbatim` redacts text that must stay whole, in a terminal or in JSON. `stored_line` and
`stored_item` are for our own log, which was redacted when it was written. `points` and `statements` split a
text; their results are not sanitised.

All text for people and agents passes here except a progress document, which MCP returns as it was stored
(`mcp/calls.py`). `progress.md` is not redacted again.
"""

from __future__ import annotations

import json
from typing import Any

from progress_plugin.text.escape import escape_cell, escape_item, escape_json, escape_line, escape_text
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.redact import redact, redact_value
from progress_plugin.text.visible import collapse_whitespace, escape_invisible, has_words, strip_invisible

_MARKER = LazyPattern(r"^(?:[-*+•◦‣–]|#{1,6}|>)[ \t]+(?=\S)")
_FENCES = ("```", "~~~")
_MIN_WRAPPED_CHARS = 60  # a line of this length may continue on the next one
_CODE_SPAN = LazyPattern(
    r"(?<![`\w\\])`"
    r"(?=[^`]{0,120}(?:[a-z\d][A-Z]|[_\d/.]|::|\(\)))(?=[^`]{0,40}[A-Za-z]{2})"
    r"((?:\.{0,2}/)?\.?[A-Za-z\d](?:[\w-]|[./](?=[\w-])|::(?=\w)|:(?=\d))*(?:\(\)|/)?)(?<!_)"
    r"`(?![`\w])"
)
"""A path, or a name with `_`, a digit, `::` or an inner capital: recognisable as code without backticks."""


def clean(text: str) -> str:
    """Sanitise text of any number of lines; line ends become line feeds."""
    return escape_text(_without_secrets(text))


def escape_composed(text: str) -> str:
    """Escape lines that were composed of redacted texts.

    They are not redacted again: next to other words an id can look like a secret.
    """
    return escape_text(strip_invisible(text))


def escape_values(value: Any) -> Any:
    """Return a JSON value with each string in it, except names, escaped by `escape_composed`."""
    if isinstance(value, str):
        return escape_composed(value)
    if isinstance(value, dict):
        return {name: escape_values(item) for name, item in value.items()}
    return [*map(escape_values, value)] if isinstance(value, list) else value


def one_line(text: str, limit: int | None = None) -> str:
    """Sanitise text as one line with single blanks, shortened to `limit` characters including the ``…``."""
    return escape_line(_redact_line(text), limit)


def cell(text: str, limit: int | None = None) -> str:
    """Sanitise text as one line for a table cell; `limit` excludes the escapes of ``|``."""
    return escape_cell(_redact_line(text), limit)


def item(text: str, limit: int | None = None) -> str:
    """Sanitise text as one line for a list item, so that it opens no Markdown block; `limit` as in `cell`."""
    return escape_item(_redact_line(text), limit)


def summary_item(text: str, limit: int | None = None) -> str:
    """Sanitise text like `item`, without the backticks around unmistakable code."""
    line = _redact_line(text)
    unmarked = without_marks(line)
    return escape_item(line if unmarked == line else collapse_whitespace(redact(unmarked)[0]), limit)


def without_marks(text: str) -> str:
    """Remove the backticks around unmistakable code: they cost many tokens."""
    return _CODE_SPAN.sub(r"\1", text) if "`" in text else text


def stored_line(text: str) -> str:
    """Sanitise redacted text of our log as one line; it is not shortened, which could cut a secret in two."""
    return escape_line(collapse_whitespace(strip_invisible(text)), None)


def stored_item(text: str) -> str:
    """Sanitise redacted text of our log for a list item."""
    return escape_item(collapse_whitespace(strip_invisible(text)), None)


def verbatim(text: str) -> str:
    """Redact text and escape its invisible characters as in JSON; everything else stays."""
    return escape_invisible(redact(text)[0])


def json_text(value: Any) -> str:
    """Return a value as indented JSON, redacted, with escapes for tags and invisible characters."""
    return escape_json(escape_invisible(json.dumps(redact_value(value)[0], ensure_ascii=False, indent=2)))


def _without_secrets(text: str) -> str:
    """Redact before and after colour codes are removed: only a code may separate a secret from a word."""
    visible = strip_invisible(text)
    if visible != text:
        visible = strip_invisible(redact(text)[0])
    return redact(visible)[0]


def normalise_query(text: str) -> str:
    """Return a query as one line without invisible characters: for a search, not to show."""
    return collapse_whitespace(strip_invisible(text))


def points(text: str) -> list[str]:
    """Split a text into its list items and other lines, without bullets; leave out lines without words.

    A line that starts in lower case continues the previous line if it is indented or the previous line has 60
    or more characters. A text with a secret is not split, because the parts would not be recognised.
    """
    if text.isprintable():  # no line end is printable
        return [_strip_marker(text.strip(" "))] if has_words(text) else []
    lines = strip_invisible(text).split("\n")
    redacted, count = redact(text)
    if len(lines) == 1 or count or redact(" ".join(lines))[1]:
        return [" ".join(redacted.split())] if has_words(text) else []
    found: list[str] = []
    previous = ""
    for raw in lines:
        line = raw.strip()
        if not has_words(line) or line.startswith(_FENCES):
            line = ""
        elif previous and line[0].islower() and (raw[:1].isspace() or len(previous) >= _MIN_WRAPPED_CHARS):
            found[-1] += f" {line}"
        else:
            found.append(_strip_marker(line))
        previous = line
    return found


def statements(text: str) -> list[str]:
    """Return the points of a text with list items, headings or quotes; else the text on one line."""
    lines = map(str.lstrip, text.split("\n"))
    return points(text) if any(map(_MARKER.match, lines)) else [" ".join(text.split())]


def _strip_marker(line: str) -> str:
    return _MARKER.sub("", line, count=1)


def _redact_line(text: str) -> str:
    text = _without_secrets(text)
    line = collapse_whitespace(text)
    # White space between a name and its value may have hidden the secret from a pattern.
    return line if line == text else collapse_whitespace(redact(line)[0])
