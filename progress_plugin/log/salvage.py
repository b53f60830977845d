"""Every complete entry of a log that does not parse, in work that grows with its size."""

from __future__ import annotations

import json
import re
from typing import Any

from progress_plugin.log.entry import entry_identity, when_of
from progress_plugin.text.lenient_json import finite
from progress_plugin.text.patterns import LazyPattern

_LIST = LazyPattern(r'"entries"\s*:\s*\[')
_BETWEEN = LazyPattern(r"[\s,\x00]*")
_ENTRY = LazyPattern(r'\{\s*"(?:id|timestamp|type|spec|task_id)"\s*:')
# No line of a JSON file can begin like this, since strings hold no raw line ends.
_MARKER = LazyPattern(r"^(<{7}|>{7}|\|{7}|={7})(?: [^\n]*)?\r?$", re.MULTILINE)
_FIRST_WINDOW_CHARS = 4096
_MAX_WORK = 64  # times the length of the text
_MAX_TOO_DEEP = 100  # each such value costs a thousand levels of parsing


def _integer(digits: str) -> int | str:
    try:
        return int(digits)
    except ValueError:
        return digits  # Python refuses thousands of digits


_DECODER = json.JSONDecoder(strict=False, parse_int=_integer, parse_float=finite, parse_constant=str)


def salvage(text: str) -> tuple[dict[str, Any], list[Any]]:
    """Return what is before the entries, and every complete entry in the order of the file.

    After the first broken entry, only an object that looks like an entry counts.
    """
    beginning = _LIST.search(text)
    if beginning is None:
        return {}, _find_entries(text)
    items: list[Any] = []
    position = beginning.end()
    while True:
        between = _BETWEEN.match(text, position)
        position = between.end() if between else position
        try:
            item, position = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            break
        items.append(item)
    known = {entry_identity(item) for item in items}
    found = _find_entries(text[position:])
    return _head(text[: beginning.start()]), [*items, *(x for x in found if entry_identity(x) not in known)]


def has_conflict(text: str) -> bool:
    """Return whether git left a conflict in this JSON text."""
    return any(not marker[1].startswith("=") for marker in _MARKER.finditer(text))


def read_both_sides(text: str) -> tuple[dict[str, Any], list[Any]]:
    """Return the head and the entries of both sides of a conflict, in order of time; the base is left out."""
    lines = []
    is_base = False
    for line in text.split("\n"):
        marker = _MARKER.match(line)
        if marker is None and not is_base:
            lines.append(line)
        elif marker is not None:
            is_base = marker[1].startswith("|")
    head, items = salvage("\n".join(lines))
    once: dict[str, Any] = {}
    for item in items:
        once.setdefault(entry_identity(item), item)
    return head, sorted(once.values(), key=when_of)


def _head(text: str) -> dict[str, Any]:
    try:
        value = _DECODER.decode(text + '"entries": []}')
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _find_entries(text: str) -> list[Any]:
    found = []
    too_deep = 0
    work = _MAX_WORK * len(text)
    match = _ENTRY.search(text)
    while match and too_deep < _MAX_TOO_DEEP:
        start, position, window = match.start(), match.start() + 1, _FIRST_WINDOW_CHARS
        while work > 0 or window == _FIRST_WINDOW_CHARS:
            # An error makes Python count the lines before it: of a whole log for each entry without a window.
            piece = text[start : start + window]
            work -= len(piece)
            try:
                item, length = _DECODER.raw_decode(piece)
            except RecursionError:
                too_deep += 1
                break
            except ValueError:
                if len(piece) < window:
                    break
                window *= 8
                continue
            position = start + length
            if isinstance(item.get("type"), str) and "timestamp" in item:
                found.append(item)
            break
        match = _ENTRY.search(text, position)
    return found
