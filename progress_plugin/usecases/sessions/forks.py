"""The part of a transcript that was copied from another session: the fork's own begins behind it.

Claude Code begins a fork with all records of its origin since the last compaction, under their ids, and names
the origin nowhere. Whose they are is known by the ids in the records of sessions, and in the transcripts of
this folder that nobody has read to their end.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from progress_plugin.core.files import read_range
from progress_plugin.transcripts.clients import claude_code
from progress_plugin.transcripts.clients.json_members import text
from progress_plugin.transcripts.events import Asked
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.transcript_files import claude_transcripts
from progress_plugin.transcripts.transcript_lines import MOST, PIECE, Place

_BESIDE = 10
"""Transcripts beside a new one that are looked through, those that were written last."""


class CopiedPart:
    """Tells which lines of a transcript belong to the session that it was copied from."""

    def __init__(self, ids: set[str]) -> None:
        self._ids = ids
        self._reader = claude_code.Reader()
        self._is_behind = False

    def covers(self, line: dict[str, Any]) -> bool:
        """Return whether a line was copied; the lines are given in their order.

        Where the origin is gone, only the ids of its requests are known: all before the first request that
        is none of them is its, too.
        """
        if not self._ids:
            return False
        if text(line, "uuid") in self._ids:
            return True
        if not self._is_behind:
            self._is_behind = any(isinstance(event, Asked) for event in self._reader.events(line))
        return not self._is_behind


def copied_part(path: str, others: Sequence[SessionRecord]) -> CopiedPart:
    """Return what a transcript, of which nothing was read, has copied from other sessions.

    A fork of a fork has copied from both.
    """
    ids = set(claude_code.ids_in(read_range(None, path, 0, PIECE)))
    found: set[str] = set()
    for other in others:
        if not ids.isdisjoint(other.keys):
            found |= _ids_of(next(iter(other.reading), "")) | set(other.keys)
    for beside in _not_read_to_the_end(path, others):
        theirs = _ids_of(beside)
        if not ids.isdisjoint(theirs) and _is_origin(beside, path):
            found |= theirs
    return CopiedPart(found)


def _not_read_to_the_end(path: str, others: Iterable[SessionRecord]) -> Iterator[str]:
    """Yield the transcripts beside this one that may hold what no record tells."""
    states = {place: state for other in others for place, state in other.reading.items()}
    files = [file for file in claude_transcripts(os.path.dirname(path)) if file.path != path]
    for file in files[:_BESIDE]:
        if Place(file.path, states.get(file.path)).unread:
            yield file.path


def _is_origin(other: str, path: str) -> bool:
    """Return whether a transcript copied from another one, which shares records with it, and not vice versa.

    An origin has what came before the last compaction, or nothing of its own. Where both went on, it is the
    one whose client wrote its own notes between the records: a copy has none.
    """
    theirs, ours = list(_ids_by_line(other)), list(_ids_by_line(path))
    shared = {key for keys in theirs for key in keys} & {key for keys in ours for key in keys}
    begun, begin = (_is_in_front(lines, shared) for lines in (theirs, ours))
    if begun != begin:
        return begun
    goes_on, went_on = (_is_behind(lines, shared) for lines in (ours, theirs))
    if goes_on != went_on:
        return goes_on
    return _notes(theirs, shared) > _notes(ours, shared)


def _is_in_front(lines: Sequence[Sequence[str]], shared: set[str]) -> bool:
    """Return whether the first record is none of the shared ones."""
    return shared.isdisjoint(next((keys for keys in lines if keys), ()))


def _is_behind(lines: Sequence[Sequence[str]], shared: set[str]) -> bool:
    """Return whether the last record is none of the shared ones."""
    return shared.isdisjoint(next((keys for keys in reversed(lines) if keys), ()))


def _notes(lines: Sequence[Sequence[str]], shared: set[str]) -> int:
    """Return how many lines without an id stand between the shared records."""
    places = [place for place, keys in enumerate(lines) if not shared.isdisjoint(keys)]
    return sum(not keys for keys in lines[places[0] : places[-1]])


def _ids_of(path: str) -> set[str]:
    return {key for keys in _ids_by_line(path) for key in keys}


def _ids_by_line(path: str) -> Iterator[list[str]]:
    """Yield the ids in each line."""
    at, begun = 0, b""
    while at < MOST and (piece := read_range(None, path, at, PIECE)):
        at += len(piece)
        *lines, begun = (begun[-PIECE:] + piece).split(b"\n")
        for line in lines:
            yield claude_code.ids_in(line)
