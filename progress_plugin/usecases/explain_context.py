"""Explain the start context: whether the cache is current, what changed, and the sources of each line."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator
from typing import Any

from progress_plugin.core import data_directory
from progress_plugin.core.data_directory import DATA_DIRECTORY
from progress_plugin.core.paths import database_path
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import MISSING, InputSnapshot, load_start_cache
from progress_plugin.log import archive
from progress_plugin.memory.documents import PATH as DOCUMENT_PATH
from progress_plugin.model.work import Source
from progress_plugin.summary.full_log import full_log_lines
from progress_plugin.summary.own_log import PATH as OWN_PATH
from progress_plugin.text.bounds import some_of
from progress_plugin.usecases.composing import compose_for_this_call
from progress_plugin.usecases.last_session import last_session, last_session_section, logged_sessions
from progress_plugin.usecases.reading import Reading
from progress_plugin.usecases.views import lines_of_ids

NO_CACHE = "no summary was made yet: the next session start makes one"
EntryPlaces = dict[str, tuple[str, int]]  # path and line of each entry of our log and archive, by id
MAX_PLACES = 8  # of one line, e.g. of a row of many stories
Place = dict[str, Any]
"""`path`; `line`, or None; `entry`: the id of an entry, memory row or session, or None."""


def describe_change(snapshot: InputSnapshot, changed: str) -> str:
    """Describe the change of an input: `prd.json is new`."""
    if changed in snapshot.variables:
        return f"{changed} names another database"
    if ".git" in changed.split(os.sep):
        return "branch, commits or worktrees changed"
    if not os.path.lexists(os.path.join(snapshot.root, changed)):
        return f"{changed} is gone"
    before = snapshot.files.get(changed) or snapshot.start_files.get(changed)
    return f"{changed} is new" if before is None or before[0] == MISSING else f"{changed} changed"


def explain_cache(project: Project) -> dict[str, Any]:
    """Return whether the start cache is fresh, the first changed input, and all files that changed."""
    cache = load_start_cache(project.root)
    if cache is None:
        return {"fresh": False, "input": None, "changed": [], "reason": NO_CACHE}
    snapshot = cache.snapshot
    first = snapshot.first_change()
    if first is None:
        reason = "all files and folders that it depends on are as they were"
        return {"fresh": True, "input": None, "changed": [], "reason": reason}
    changed = list(dict.fromkeys([first, *snapshot.changes()]))
    folders = {os.path.dirname(path) or "." for path in changed}  # left out: what changed in them is listed
    changed = [path for path in changed if path == first or os.path.normpath(path) not in folders]
    reason = some_of(list(dict.fromkeys(describe_change(snapshot, path) for path in changed)))
    return {"fresh": False, "input": first, "changed": changed, "reason": reason}


def context_change(project: Project) -> list[str] | None:
    """Return a unified diff from the cached context to the current one; None without a cache."""
    cache = load_start_cache(project.root)
    if cache is None:
        return None
    before, after = cache.context.splitlines(), compose_for_this_call(project).cache.context.splitlines()
    return list(difflib.unified_diff(before, after, "kept", "now", lineterm=""))


def trace_context(project: Project) -> tuple[list[dict[str, Any]], list[str]]:
    """Compose the context and find where each line comes from.

    Return the lines as docs/commands.md describes them, and the paths of all plans and logs that were read.
    """
    composed = compose_for_this_call(project)
    reading, context = composed.reading, composed.cache.context
    session_lines = set(last_session_section(reading.sessions, reading.log).splitlines())
    record = last_session(reading.sessions, logged_sessions(reading.log))
    session = [_place(record.transcript, entry=record.session)] if record and record.transcript else []
    is_summary = reading.config.effective.summary_enabled
    known = composed.summary.lines() if is_summary else full_log_lines(reading.facts)
    sources = {line.text: line.sources for line in known if line.sources}
    entries = _find_entries(project.log_directory)
    lines: list[dict[str, Any]] = []
    for text in context.removesuffix("\n").split("\n") if context else ():
        found: list[Place] = []  # stays empty for a line that was cut or that the program makes
        if text in session_lines:
            found = [*session] if text and not text.startswith("#") else []
        for source in sources.get(text, ()):
            found += [each for each in _places_of(source, reading, entries) if each not in found]
        lines.append({"line": len(lines) + 1, "text": text, "sources": found[:MAX_PLACES]})
    return lines, composed.source_paths


def _find_entries(directory: str) -> EntryPlaces:
    months = [f"{archive.ARCHIVE_FOLDER}/{month}" for month in archive.month_names(directory)]
    return {
        name: (f"{DATA_DIRECTORY}/{path}", line)
        for path in (*months, OWN_PATH)  # an entry that is in both is shown in the log
        for name, line in lines_of_ids(data_directory.read(directory, path) or b"").items()
    }


def _places_of(source: Source, reading: Reading, entries: EntryPlaces) -> Iterator[Place]:
    """Yield the places of a source: lines of a file, the row of a document, or an entry in log or archive."""
    project, records = reading.project, reading.facts.own.records
    if source.path == DOCUMENT_PATH and reading.document is not None:
        path = database_path(project.root, project.main_root)
        yield _place(path, entry=str(reading.document.id))
    elif source.path != OWN_PATH:
        yield from (_place(source.path, line or None) for line in source.lines()[:MAX_PLACES])
    else:
        name = records[source.line - 1].id if 0 < source.line <= len(records) else ""
        path, line = entries.get(name) or (f"{DATA_DIRECTORY}/{OWN_PATH}", None)
        yield _place(path, line, name or None)


def _place(path: str, line: int | None = None, entry: str | None = None) -> Place:
    return {"path": path, "line": line, "entry": entry}
