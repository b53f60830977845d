"""`context --sources`: each line of the context with the places that say it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from progress_plugin.core.data_directory import DATA_DIRECTORY
from progress_plugin.core.project import Project
from progress_plugin.model.work import Line, Source
from progress_plugin.summary.full_log import full_log_lines
from progress_plugin.summary.own_log import PATH as OWN_PATH
from progress_plugin.text.decode import decode_lenient
from progress_plugin.usecases.composing import Composed, compose_for_this_call
from progress_plugin.usecases.last_session import last_session, last_session_section
from progress_plugin.usecases.progress_document import PATH as DOCUMENT_PATH
from progress_plugin.usecases.recording.shared_arrivals import take_in_latest

MAX_PLACES = 8  # of one line, e.g. of a row that stands for many stories
_WORD = re.compile(r"[^\W_]{2,}")


class OriginPlace(NamedTuple):
    """One place that says what a line says."""

    path: str  # relative to the project root if it lies inside
    line: int | None = None  # counted from 1; None if only the file is known
    entry: str | None = None  # id of an entry of our log, of a row of the memory database, or of a session


class TracedLine(NamedTuple):
    """One line of the context."""

    line: int  # counted from 1
    text: str
    sources: tuple[OriginPlace, ...]  # empty for headings and other lines of our making


class TracedContext(NamedTuple):
    """A whole context, line by line."""

    lines: tuple[TracedLine, ...]  # empty if an agent gets nothing
    made_from: tuple[str, ...]  # the files that lines of our making were made from


def trace_context(project: Project) -> TracedContext:
    """Compose the context and find where each line comes from; nothing is written."""
    take_in_latest(project)
    composed = compose_for_this_call(project)
    session = last_session_section(composed.reading)
    before, shown, after = composed.context.partition(session) if session else (composed.context, "", "")
    of_session = _places_of_session(composed)
    traced = _Tracer(composed)
    lines = [*traced.lines(before)]
    lines += [(text, of_session if text and not text.startswith("#") else ()) for text in _split(shown)]
    lines += traced.lines(after)
    numbered = (TracedLine(number, text, places) for number, (text, places) in enumerate(lines, start=1))
    return TracedContext(tuple(numbered), tuple(composed.source_paths))


def _split(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []


def _places_of_session(composed: Composed) -> tuple[OriginPlace, ...]:
    record = last_session(composed.reading.sessions)
    path = next(iter(record.reading), "") if record is not None else ""
    return (OriginPlace(path, entry=record.session),) if record is not None and path else ()


class _Tracer:
    """Finds the places of the summary's lines, in their order."""

    def __init__(self, composed: Composed) -> None:
        self._reading = composed.reading
        is_summary = composed.reading.config.effective.summary_enabled
        known = composed.summary.lines if is_summary else full_log_lines(composed.reading.facts)
        self._known: list[Line] = [line for line in known if line.sources]
        self._own_lines: list[str] | None = None

    def lines(self, text: str) -> Iterator[tuple[str, tuple[OriginPlace, ...]]]:
        """Yield each line with its places; a line that was cut or is of our making has none."""
        for line in _split(text):
            if self._known and self._known[0].text == line:
                yield line, tuple(self._places(self._known.pop(0)))
            else:
                yield line, ()

    def _places(self, line: Line) -> list[OriginPlace]:
        places = [self._place(source, line.text) for source in line.sources[:MAX_PLACES]]
        return list(dict.fromkeys(places))

    def _place(self, source: Source, text: str) -> OriginPlace:
        if source.path == DOCUMENT_PATH and self._reading.document is not None:
            return OriginPlace(DOCUMENT_PATH, entry=str(self._reading.document.id))
        if source.path != OWN_PATH:
            return OriginPlace(source.path, source.line or None)
        records = self._reading.facts.own.records
        name = records[source.line - 1].id if 0 < source.line <= len(records) else None
        return OriginPlace(f"{DATA_DIRECTORY}/{OWN_PATH}", self._line_of_entry(name, text), name)

    def _line_of_entry(self, name: str | None, text: str) -> int | None:
        """Return the line of an entry in `progress.json` that shares most words with a text."""
        if self._own_lines is None:
            data = self._reading.inputs.read(f"{self._reading.project.log_directory}/{OWN_PATH}") or b""
            self._own_lines = decode_lenient(data, OWN_PATH)[0].split("\n")
        starts = [number for number, line in enumerate(self._own_lines) if f'"{name}"' in line]
        if not name or not starts:
            return None
        words = set(_WORD.findall(text.casefold()))
        of_entry = _lines_of_entry(self._own_lines, starts[0])
        shared = [
            len(words.intersection(_WORD.findall(self._own_lines[each].casefold()))) for each in of_entry
        ]
        return of_entry[shared.index(max(shared))] + 1


def _lines_of_entry(lines: Sequence[str], start: int) -> list[int]:
    """Return the numbers of an entry's lines: up to the next line with an id at the same indentation."""
    indentation = lines[start][: len(lines[start]) - len(lines[start].lstrip())]
    end = start + 1
    while end < len(lines) and not lines[end].startswith(f'{indentation}"id"'):
        end += 1
    return list(range(start, end))
