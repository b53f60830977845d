"""JSON of others: numbers beyond all floats, comments, trailing commas; and an entry cut out of it."""

from __future__ import annotations

import json
import re
from math import isfinite
from typing import Any

from progress_plugin.core.errors import BadInput
from progress_plugin.text.patterns import LazyPattern

_STRING = r'"(?:[^"\\]++|\\.)*+"'
_COMMENT = LazyPattern(rf"{_STRING}|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/", re.DOTALL)
_TRAILING_COMMA = LazyPattern(rf"{_STRING}|,(?=\s*+[}}\]])", re.DOTALL)
_VALUE = rf"(?:\s*:\s*(?:true|false|null|[\d.]+|{_STRING}))?"


def finite(digits: str) -> float | str:
    """Return a number as a float, and one that is beyond all floats as it was written, such as ``1e999``."""
    number = float(digits)
    return number if isfinite(number) else digits


def loads(text: str | bytes) -> Any:
    """Return the value of a JSON text without any NaN or infinity, which no strict parser takes.

    Raises ValueError and RecursionError as `json` does.
    """
    return json.loads(text, parse_float=finite, parse_constant=str)


def parse(text: str) -> Any:
    """Return the value of JSON with comments and trailing commas; raises ValueError for anything else."""
    try:
        return json.loads(_TRAILING_COMMA.sub(_blank, _COMMENT.sub(_blank, text)).lstrip("\ufeff"))
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _blank(found: re.Match[str]) -> str:
    return found[0] if found[0][0] == '"' else " "


def without(text: str, section: str, key: str | int) -> str:
    """Return the text without an item or a member of a section, and everything else as it is.

    Raises BadInput if no cut does just that.
    """
    wanted = parse(text)
    name = key if isinstance(key, str) else wanted[section][key]
    del wanted[section][key]
    entry = "|".join(re.escape(json.dumps(name, ensure_ascii=escaped)) for escaped in (True, False))
    entry = f"(?:{entry}){_VALUE}"
    for cut in (
        rf",\s*{entry}(?=\s*[\]}}])",  # the last one, with the comma before it
        rf"(?m:^[ \t]*){entry}\s*(?:,[ \t]*)?\n",  # a line of its own
        rf"{entry}\s*,\s*",
        entry,
    ):
        for found in re.finditer(cut, text):
            edited = text[: found.start()] + text[found.end() :]
            if _is_strict(text) <= _is_strict(edited) and _value_of(edited) == wanted:
                return edited
    raise BadInput("it cannot be edited safely")


def _is_strict(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _value_of(text: str) -> Any:
    try:
        return parse(text)
    except ValueError:
        return None
