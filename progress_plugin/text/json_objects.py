"""Where in a text its JSON objects are, each with its own strings: the JSON parser gives no positions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from progress_plugin.text.patterns import LazyPattern

_READER = json.JSONDecoder(strict=False)
_NEXT = LazyPattern(r'["{}]')
_TOKEN = LazyPattern(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{}:,]|[^"\[\]{}:,\s]++', re.DOTALL)


class ObjectSpan(NamedTuple):
    """One object of a text."""

    start: int
    """Offset of its brace."""
    stop: int
    """Offset after its last brace."""
    strings: tuple[str, ...]
    """Its names and texts in their order, those of objects inside it left out."""

    def has(self, name: str, value: str) -> bool:
        """Return whether a member has this text."""
        return (name, value) in zip(self.strings, self.strings[1:], strict=False)


def flat_members(text: str) -> dict[str, Any]:
    """Return those members of the outermost object that are texts, numbers, true or false.

    For a text whose other members nest deeper than the parser goes. Of a name that is there twice the last.
    """
    found: dict[str, str] = {}
    depth, name, last = 0, None, ""
    for part in _TOKEN.findall(text):
        if part == ":":
            name = last if depth == 1 else name
        elif part in ("[", "{"):
            depth, name = depth + 1, None
        elif part in ("]", "}"):
            depth -= 1
        elif depth == 1 and part != ",":
            if name is not None:
                found[name] = part
            name, last = None, part
    members = {str(_value(name)): _value(part) for name, part in found.items()}
    return {name: value for name, value in members.items() if value is not None}


def _value(part: str) -> Any:
    try:
        return json.loads(part)
    except ValueError:
        return None


def spans(text: str) -> Iterator[ObjectSpan]:
    """Yield the objects of a text, inner ones first, as far as it is JSON; also of JSON Lines."""
    open_: list[tuple[int, list[str]]] = []
    at = 0
    while found := _NEXT.search(text, at):
        at = found.end()
        sign = found[0]
        if sign == "{":
            open_.append((found.start(), []))
        elif sign == '"':
            try:
                value, at = _READER.raw_decode(text, found.start())
            except ValueError:
                return
            if open_:
                open_[-1][1].append(value)
        elif open_:
            start, strings = open_.pop()
            yield ObjectSpan(start, at, tuple(strings))
