"""A text as it reads once the escapes of JSON are undone, whatever state the JSON is in.

A log that was cut off ends inside a string, and one that lost a quote has its strings where nothing should
be: no parser reads those, but a person does.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right

from progress_plugin.text.patterns import LazyPattern

_ESCAPE = LazyPattern(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[\"\\/bfnrt])"
)


class Unescaped:
    """The text that reads so, and where each part of it is in the one that was given."""

    def __init__(self, raw: str) -> None:
        self.raw = raw
        parts: list[str] = []
        self._read, self._written = [0], [0]
        """Where pieces begin that are unchanged: in the text, and in what was given."""
        length = done = 0
        for escape in _ESCAPE.finditer(raw):
            plain, sign = raw[done : escape.start()], str(json.loads(f'"{escape[0]}"'))
            parts += (plain, sign)
            length, done = length + len(plain) + len(sign), escape.end()
            self._read.append(length)
            self._written.append(done)
        self.text = "".join([*parts, raw[done:]])

    def replaced(self, pattern: re.Pattern[str], mark: str) -> tuple[str, int]:
        """Return what was given with `mark` for every match in the text, and how many there are."""
        parts: list[str] = []
        done = count = 0
        for count, found in enumerate(pattern.finditer(self.text), 1):  # noqa: B007 - it is asked for at the end
            parts += (self.raw[done : self._place(found.start())], mark)
            done = self._place(found.end())
        return "".join([*parts, self.raw[done:]]), count

    def _place(self, position: int) -> int:
        piece = bisect_right(self._read, position) - 1
        return self._written[piece] + position - self._read[piece]
