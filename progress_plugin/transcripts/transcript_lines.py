"""The lines of a transcript from where the last reading stopped, however large it is.

Lines end with a line feed alone: other ends of lines stand raw inside strings. One that has no end yet is
being written, and left for later. A line that is no JSON object, or holds millions of values, is counted and
passed over.
"""

import json
import os
from binascii import crc32
from collections.abc import Iterator
from typing import Any

from progress_plugin.core.files import read_range
from progress_plugin.transcripts.clients.json_members import is_dense

PIECE = 4 * 1024 * 1024
LONGEST = 32 * 1024 * 1024
"""Bytes of a line that is parsed; a longer one holds pictures or a whole history."""
MOST = 128 * 1024 * 1024
"""Bytes that are read of what is new; of more the newest."""
_MARK = 256
_TAIL = 64 * 1024
"""Bytes in which the last record is looked for."""


class Place:
    """How far a file was read, and by what it is known again."""

    __slots__ = ("broken", "mark", "offset", "path", "skipped")

    def __init__(self, path: str, state: Any = None) -> None:
        known = state if isinstance(state, dict) else {}
        self.path = path
        self.offset = _number(known, "offset")
        self.mark = _number(known, "mark")
        self.broken = _number(known, "broken")
        """Lines that could not be read."""
        self.skipped = _number(known, "skipped")
        """Bytes that were too many to be read."""

    @property
    def is_begun(self) -> bool:
        """Whether anything was read of it."""
        return self.offset > 0

    @property
    def unread(self) -> int:
        """Bytes that are new."""
        try:
            return max(os.stat(self.path).st_size - self.offset, 0)
        except OSError:
            return 0

    def still_fits(self) -> bool:
        """Return whether the file is still the one that was read, only longer."""
        return not self.offset or self._mark_at(self.offset) == self.mark

    def as_json(self) -> dict[str, int]:
        """Return what a later reading needs to know."""
        return {"offset": self.offset, "mark": self.mark, "broken": self.broken, "skipped": self.skipped}

    def lines(self, most: int = MOST) -> Iterator[dict[str, Any]]:
        """Yield each new whole line that is a JSON object; `offset` moves on with them."""
        if self.unread > most:
            self._leave_out(self.unread - most)
        begun = b""
        at = self.offset
        while piece := read_range(None, self.path, at, PIECE):
            at += len(piece)
            ready, feed, rest = (
                (begun + piece).rpartition(b"\n") if b"\n" in piece else (b"", b"", begun + piece)
            )
            for line in ready.split(b"\n") if feed else ():
                yield from self._parsed(line)
            self.offset = at - len(rest)
            begun = rest
            if len(begun) > LONGEST:
                end = self._end_of_line(at)
                if end is None:
                    break
                self.broken += 1
                self.offset = at = end
                begun = b""
        self.mark = self._mark_at(self.offset)

    def _parsed(self, line: bytes) -> Iterator[dict[str, Any]]:
        line = line.strip(b"\x00 \r\t")
        if not line:
            return
        told = line.decode("utf-8", "replace")
        if is_dense(told):
            self.broken += 1
            return
        try:
            value = json.loads(told)
        except (ValueError, RecursionError):
            self.broken += 1
            return
        if isinstance(value, dict):
            yield value
        else:
            self.broken += 1

    def _leave_out(self, number: int) -> None:
        """Go on behind so many bytes, at the beginning of a line if there is one."""
        end = self._end_of_line(self.offset + number) or self.offset + number
        self.skipped += end - self.offset
        self.offset = end

    def _end_of_line(self, at: int) -> int | None:
        while piece := read_range(None, self.path, at, PIECE):
            found = piece.find(b"\n")
            if found >= 0:
                return at + found + 1
            at += len(piece)
        return None

    def _mark_at(self, offset: int) -> int:
        start = max(offset - _MARK, 0)
        return crc32(read_range(None, self.path, start, offset - start))


def last_record(path: str) -> dict[str, Any]:
    """Return the last whole record of a transcript; empty where there is none, or it is long or broken."""
    lines = read_range(None, path, -_TAIL, _TAIL).split(b"\n")
    try:
        value = json.loads(lines[-2]) if len(lines) > 1 else None
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _number(state: dict[str, Any], name: str) -> int:
    value = state.get(name, 0)
    return value if isinstance(value, int) and value >= 0 else 0
