"""`context --sources`: each line of the context with the places that say it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from progress_plugin.core import data_directory
from progress_plugin.core.data_directory import DATA_DIRECTORY
from progress_plugin.core.paths import database_path
from progress_plugin.core.project import Project
from progress_plugin.log import archive
from progress_plugin.memory.documents import PATH as DOCUMENT_PATH
from progress_plugin.model.work import Line, Source
from progress_plugin.summary.full_log import full_log_lines
from progress_plugin.summary.own_log import PATH as OWN_PATH
from progress_plugin.text.decode import decode_lenient
from progress_plugin.usecases.composing import Composed, compose_for_this_call
from progress_plugin.usecases.last_session import last_session, last_session_section, logged_sessions
from progress_plugin.usecases.sharing import import_shared_entries

MAX_PLACES = 8  # of one line, e.g. of a row of many stories
_ID = re.compile(r'"id": "([^"]+)"')


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
    import_shared_entries(project)
    composed = compose_for_this_call(project)
    session = last_session_section(composed.reading.sessions, composed.reading.log)
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
    record = last_session(composed.reading.sessions, logged_sessions(composed.reading.log))
    return (OriginPlace(record.transcript, entry=record.session),) if record and record.transcript else ()


class _Tracer:
    """Finds the places of the summary's lines, in their order."""

    def __init__(self, composed: Composed) -> None:
        self._reading = composed.reading
        is_summary = composed.reading.config.effective.summary_enabled
        known = composed.summary.lines if is_summary else full_log_lines(composed.reading.facts)
        self._known: list[Line] = [line for line in known if line.sources]
        self._lines: dict[str, dict[str, int]] = {}  # of entries by id, by file

    def lines(self, text: str) -> Iterator[tuple[str, tuple[OriginPlace, ...]]]:
        """Yield each line with its places; a line that was cut or is of our making has none."""
        for line in _split(text):
            if self._known and self._known[0].text == line:
                yield line, tuple(self._places(self._known.pop(0)))
            else:
                yield line, ()

    def _places(self, line: Line) -> list[OriginPlace]:
        places = [place for source in line.sources for place in self._of_source(source)]
        return list(dict.fromkeys(places))[:MAX_PLACES]

    def _of_source(self, source: Source) -> Iterator[OriginPlace]:
        if source.path == DOCUMENT_PATH and self._reading.document is not None:
            project = self._reading.project
            path = database_path(project.root, project.main_root) or DOCUMENT_PATH
            yield OriginPlace(path, entry=str(self._reading.document.id))
        elif source.path != OWN_PATH:
            lines = source.lines()
            yield from (OriginPlace(source.path, line or None) for line in lines[:MAX_PLACES])
        else:
            records = self._reading.facts.own.records
            name = records[source.line - 1].id if 0 < source.line <= len(records) else ""
            yield self._of_entry(name)

    def _of_entry(self, name: str) -> OriginPlace:
        """Return the line in log or archive that an entry begins in."""
        directory = self._reading.project.log_directory
        months = [f"{archive.ARCHIVE_FOLDER}/{month}" for month in reversed(archive.month_names(directory))]
        for path in (OWN_PATH, *months):
            if path not in self._lines:
                text = decode_lenient(data_directory.read(directory, path) or b"", path)[0]
                found = enumerate(map(_ID.search, text.split("\n")), start=1)
                self._lines[path] = {match[1]: number for number, match in found if match}
            if name in self._lines[path]:
                return OriginPlace(f"{DATA_DIRECTORY}/{path}", self._lines[path][name], name)
        return OriginPlace(f"{DATA_DIRECTORY}/{OWN_PATH}", None, name or None)
