"""The lines of a transcript as JSON objects."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

from progress_plugin.core.files import read_range

MAX_BYTES = 32 << 20  # of a larger transcript the first line and its end are read
MAX_LINE_BYTES = 8 << 20  # a longer line holds pictures or a whole history
PIECE_BYTES = 1 << 20
FIRST_LINE_BYTES = 256 << 10  # the first line names the directory


def transcript_lines(path: str) -> Iterator[dict[str, Any]]:
    """Yield each line that is a JSON object. A line that cannot be read is left out.

    Lines end with a line feed alone: other ends of lines occur inside strings.
    """
    try:
        start = max(os.stat(path).st_size - MAX_BYTES, 0)
    except (OSError, ValueError):
        return
    if start:
        yield from _parsed(read_range(None, path, 0, FIRST_LINE_BYTES).partition(b"\n")[0])
    for number, line in enumerate(_lines(path, start)):
        if not start or number:  # the first one was cut
            yield from _parsed(line)


def _lines(path: str, position: int) -> Iterator[bytes]:
    rest = b""
    while piece := read_range(None, path, position, PIECE_BYTES):
        position += len(piece)
        *lines, rest = (rest + piece).split(b"\n")
        yield from lines
        if len(rest) > MAX_LINE_BYTES:
            rest = b"{"  # what follows of this line cannot be read either
    yield rest


def _parsed(line: bytes) -> Iterator[dict[str, Any]]:
    try:
        value = json.loads(line.strip(b"\x00").decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return
    if isinstance(value, dict):
        yield value
