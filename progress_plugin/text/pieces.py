"""Long text in pieces that can stand alone: a list of whole statements instead of one cut line (S6.4)."""

from __future__ import annotations

import re
from collections.abc import Iterator

_END = re.compile(r"(?:[.!?](?=\s+[^\sa-z])|;(?=\s)|[。！？；])\s*")
"""Where a statement ends: a full stop before anything but a small letter, a semicolon, their wide forms."""
_WHOLE = re.compile(r"(?<!`)(`++).+?(?<!`)\1(?!`)|\([^()]*\)|\[[^\[\]]*\]")


def pieces(text: str, room: int) -> list[str]:
    """Return a text of one line as pieces of at most `room` characters, none torn inside a statement.

    A single statement that is longer stays whole: whoever shows it shortens it. Code spans and what stands in
    brackets are not torn either. Linear in the length of the text.
    """
    if len(text) <= room:
        return [text]
    found: list[str] = []
    current = ""
    for statement in _statements(text):
        if current and len(current) + len(statement) > room:
            found.append(current.rstrip("; "))
            current = ""
        current += statement
    return [*found, current.strip()] if current.strip() else found


def _statements(text: str) -> Iterator[str]:
    wholes = [match.span() for match in _WHOLE.finditer(text)]
    start = place = 0
    for end in _END.finditer(text):
        while place < len(wholes) and wholes[place][1] <= end.start():
            place += 1
        if place < len(wholes) and wholes[place][0] <= end.start():
            continue
        yield text[start : end.end()]
        start = end.end()
    if start < len(text):
        yield text[start:]
