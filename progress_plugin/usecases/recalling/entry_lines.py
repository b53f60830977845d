"""On which line of progress.json an entry says something: JSON is read as a whole and knows no lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from progress_plugin.text.safe_output import points

MAX_BEGINNING_CHARS = 24  # by which a statement is found: what follows may be cut
MAX_ID_CHARS = 200
_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"')


class EntryLines:
    """The lines of the entries in one file."""

    def __init__(self, raw: bytes) -> None:
        self._lines: dict[tuple[str, str], int] = {}
        entry, previous = "", ""
        for number, line in enumerate(raw.decode("utf-8", "replace").split("\n"), 1):
            for literal in _STRING.findall(line):
                text = _value(literal)
                if previous == "id" and len(text) <= MAX_ID_CHARS:
                    entry = text
                    self._lines.setdefault((entry, ""), number)
                previous = text
                for point in points(text):
                    self._lines.setdefault((entry, point[:MAX_BEGINNING_CHARS]), number)

    def find(self, ids: Iterable[str], text: str) -> int:
        """Return the line on which one of these entries says a text, else 0; of an empty text its id's."""
        beginnings = dict.fromkeys(each[:MAX_BEGINNING_CHARS] for each in (text, text.partition(": ")[2]))
        places = ((name, beginning) for name in ids for beginning in beginnings if beginning or not text)
        return next((self._lines[place] for place in places if place in self._lines), 0)


def _value(literal: str) -> str:
    try:
        return str(json.loads(literal, strict=False))
    except ValueError:
        return literal[1:-1]
