"""Read a transcript: its lines as JSON objects, and what they mean as the events of its client."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from importlib import import_module
from itertools import chain
from typing import Any

from progress_plugin.core.files import read_range
from progress_plugin.transcripts.clients import parse_json
from progress_plugin.transcripts.events import Event
from progress_plugin.transcripts.locate import Transcript, subagent_transcripts

MAX_BYTES = 32 << 20  # of a larger transcript the first line and its end are read
MAX_LINE_BYTES = 8 << 20  # a longer line holds pictures or a whole history
PIECE_BYTES = 1 << 20
FIRST_LINE_BYTES = 256 << 10  # the first line names the directory
_CLIENTS = ("claude", "codex", "copilot", "gemini", "opencode")


def can_read(client: str) -> bool:
    """Return whether a client's transcripts are understood."""
    return client in _CLIENTS


def transcript_events(transcript: Transcript) -> Iterator[Event]:
    """Yield the events of a session, then those of its sub-agents that have transcripts of their own."""
    client, path = transcript.client, transcript.path
    if client == "opencode":
        from progress_plugin.transcripts.clients.opencode import read_lines  # noqa: PLC0415 - SQLite: 7 ms

        yield from read_events(client, read_lines(path, transcript.session))
        return
    yield from read_events(client, transcript_lines(path))
    for beside in subagent_transcripts(path):
        yield from read_events(client, transcript_lines(beside))


def read_events(client: str, lines: Iterable[dict[str, Any]]) -> Iterator[Event]:
    """Yield the events of a transcript, given all of its lines as JSON objects in their order.

    A `Setting` names the session's directory as soon as a line does.
    """
    # Most machines have one client, and only OpenCode's needs SQLite.
    module = import_module(f"progress_plugin.transcripts.clients.{client}")
    found: Iterator[Event] = module.read_events(lines)
    return found


def transcript_lines(path: str) -> Iterator[dict[str, Any]]:
    """Yield each line that is a JSON object. A line that cannot be read is left out.

    Lines end with a line feed alone: other ends of lines occur inside strings.
    """
    try:
        start = max(os.stat(path).st_size - MAX_BYTES, 0)
    except (OSError, ValueError):
        return
    first = read_range(None, path, 0, FIRST_LINE_BYTES).partition(b"\n")[0] if start else b""
    lines = _lines(path, start)
    if start:
        next(lines)  # the first one was cut
    for line in chain((first,), lines):
        value = parse_json(line.strip(b"\x00").decode("utf-8", "replace"))
        if isinstance(value, dict):
            yield value


def _lines(path: str, position: int) -> Iterator[bytes]:
    rest = b""
    while piece := read_range(None, path, position, PIECE_BYTES):
        position += len(piece)
        *lines, rest = (rest + piece).split(b"\n")
        yield from lines
        if len(rest) > MAX_LINE_BYTES:
            rest = b"{"  # what follows of this line cannot be read either
    yield rest
