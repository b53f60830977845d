"""Every complete entry out of a file that does not parse."""

from __future__ import annotations

import json
from typing import Any

from progress_plugin.log.entry import entry_identity
from progress_plugin.text.finite_json import finite
from progress_plugin.text.patterns import LazyPattern

_LIST = LazyPattern(r'"entries"\s*:\s*\[')
_BETWEEN = LazyPattern(r"[\s,\x00]*")
_BEGINNING = LazyPattern(r'\{\s*"(?:id|timestamp|type|spec|task_id)"\s*:')
_WINDOW = 4096
_WIDER = 8
_WORK = 64
"""Times the length of the text that may be read for objects which have no end."""
_MOST_TOO_DEEP = 100
"""Too deep values after which the rest is given up: each costs a thousand levels of parsing."""


def _number(digits: str) -> int | str:
    try:
        return int(digits)
    except ValueError:
        return digits  # thousands of digits: Python refuses, and the entry must not be lost for it


_DECODER = json.JSONDecoder(strict=False, parse_int=_number, parse_float=finite, parse_constant=str)


def salvage(text: str) -> tuple[dict[str, Any], list[Any]]:
    """Return what is before the entries, and every entry that is complete, in the order of the file.

    After the entries' list has been left, or after a broken entry, only what looks like an entry counts.
    """
    beginning = _LIST.search(text)
    if beginning is None:
        return {}, _rest(text, 0)
    items: list[Any] = []
    position = beginning.end()
    while True:
        position = _skip(text, position)
        try:
            item, position = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            break
        items.append(item)
    known = {entry_identity(item) for item in items}
    return _header(text[: beginning.start()]), items + [
        item for item in _rest(text, position) if entry_identity(item) not in known
    ]


def _header(text: str) -> dict[str, Any]:
    try:
        value = _DECODER.decode(text + '"entries": []}')
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _rest(text: str, position: int) -> list[Any]:
    found = []
    too_deep = 0
    work = _WORK * len(text)
    candidate = _BEGINNING.search(text, position)
    while candidate and too_deep < _MOST_TOO_DEEP:
        start = candidate.start()
        end = start + 1
        try:
            item, length, done = _value_at(text, start, work)
        except RecursionError:
            too_deep += 1
        else:
            work -= done
            if length:
                end = start + length
                if isinstance(item.get("type"), str) and "timestamp" in item:
                    found.append(item)
        candidate = _BEGINNING.search(text, end)
    return found


def _value_at(text: str, start: int, work: int) -> tuple[Any, int, int]:
    """Return the object that begins at a place with its length, 0 for none, and the characters looked at.

    It is tried within a window first, since an error makes Python count the lines before it: of a whole log
    for each of its entries. The window grows to the end of the text while there is `work` left.
    """
    window = done = 0
    while window < len(text) - start and (not window or done < work):
        window = window * _WIDER or _WINDOW
        done += window
        try:
            item, length = _DECODER.raw_decode(text[start : start + window], 0)
        except ValueError:
            continue
        return item, length, done
    return None, 0, done


def _skip(text: str, position: int) -> int:
    between = _BETWEEN.match(text, position)
    return between.end() if between else position
