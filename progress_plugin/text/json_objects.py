"""Where in a text its JSON objects stand, each with its own strings: the reader of JSON tells no places."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

_READER = json.JSONDecoder(strict=False)
_NEXT = re.compile(r'["{}]')


class ObjectSpan(NamedTuple):
    """One object of a text."""

    start: int
    """Offset of its brace."""
    stop: int
    """Offset behind its last brace."""
    strings: tuple[str, ...]
    """Its names and texts in their order, those of objects inside it left out."""

    def has(self, name: str, value: str) -> bool:
        """Return whether a member has this text."""
        return (name, value) in zip(self.strings, self.strings[1:], strict=False)


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
