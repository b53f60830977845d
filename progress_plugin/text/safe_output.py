"""The one way for text to be shown: made visible, then redacted, then made harmless (S16.3).

The order matters, and no caller can choose another. A colour code inside a secret hides it from
every pattern, so what cannot be seen goes first. Secrets go while the text is whole, since a shortened one is
no longer known by its shape. Tags come last, and what was cut out cannot leave one.

`clean` is for text of several lines, `one_line` for one, `cell` for a table cell, `item` for a list item: all
four idempotent, a limit counts characters. `verbatim` is for what must stay whole, in a terminal or in JSON.
"""

from __future__ import annotations

import json
from typing import Any

from progress_plugin.text.escape import defused, defused_cell, defused_item, defused_json, defused_line
from progress_plugin.text.invisible_characters import flat, has_words, spelt_out, visible
from progress_plugin.text.redact import redact, redact_value

__all__ = ["cell", "clean", "has_words", "item", "json_text", "one_line", "verbatim"]


def clean(text: str) -> str:
    """Return text of any number of lines, its ends line feeds, that cannot act on an agent or a terminal."""
    return defused(redact(visible(text))[0])


def one_line(text: str, limit: int | None = None) -> str:
    """Return clean text with white space collapsed; more than `limit` characters end in ``…`` within it."""
    return defused_line(_line(text), limit)


def cell(text: str, limit: int | None = None) -> str:
    """Return one line in which no ``|`` ends a table cell; `limit` counts without the escapes."""
    return defused_cell(_line(text), limit)


def item(text: str, limit: int | None = None) -> str:
    """Return one line that opens no block of Markdown as the text of a list item; `limit` as in `cell`."""
    return defused_item(_line(text), limit)


def verbatim(text: str) -> str:
    """Return text of which only secrets are gone: what cannot be seen is spelt out as JSON would do it."""
    return spelt_out(redact(text)[0])


def json_text(value: Any) -> str:
    """Return a value as indented JSON: no secrets, and escapes for tags and what cannot be seen."""
    return defused_json(spelt_out(json.dumps(redact_value(value)[0], ensure_ascii=False, indent=2)))


def _line(text: str) -> str:
    text = redact(visible(text))[0]
    line = flat(text)
    # White space between a name and its value may have been what kept a pattern from seeing both.
    return line if line == text else redact(line)[0]
