"""Write the summary, the start cache and the index of file notes from the files on disk."""

from __future__ import annotations

import os
from contextlib import nullcontext, suppress

from progress_plugin.core import error_log
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.files import make_folder, read_inside, write_atomic
from progress_plugin.core.paths import make_state_directory
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import CACHE_FILE, FILE_NOTES_FILE, start_cache_bytes
from progress_plugin.usecases.composing import Composed, compose
from progress_plugin.usecases.file_notes import FileNote, ProjectFiles, file_notes, index_of
from progress_plugin.usecases.project_writes import MAX_READ_ATTEMPTS, lock_of, summary_path
from progress_plugin.usecases.promote import promote
from progress_plugin.usecases.reading import Reading, read_project
from progress_plugin.usecases.recording.last_seen import mark_as_seen

SUMMARY_OFF = "summaries are switched off (optimization.progressSummary.enabled)"
INPUTS_UNSTABLE = "plans or logs kept changing during the read; the next start reads them again"
SUMMARIES_FOLDER = "summaries"  # the last summary of each plan
MAX_SLUG_CHARS = 80
_HEADING = b"# Progress Summary:"
_MARK = b"\n<!-- agent-progress: made from log and plan, replaced with every change -->\n"
"""The end of a summary in a layout that does not begin with our heading; Markdown does not show it."""


def write_summary(project: Project, timeout: float, reading: Reading | None = None) -> Composed:
    """Write summary and cache. Return the composed summary; `unwritten` is the reason if it was not written.

    `reading` is passed if the project was just read. Without a directory of ours only the cache is written.
    No source is read under the lock. If an input has changed meanwhile, everything is done again, at most
    three times. Raises Busy if another process holds the lock for `timeout` seconds, AgentProgressError if
    the disk refuses.
    """
    for _ in range(MAX_READ_ATTEMPTS):
        reading = reading or read_project(project)
        composed = compose(reading, reading.settings)
        notes: list[FileNote] = []
        if reading.settings.jit and reading.settings.inject and project.has_directory:
            notes = file_notes(reading.facts, ProjectFiles(reading.paths))
        with lock_of(project, timeout) if project.has_directory else nullcontext():
            if not reading.inputs.changes():
                composed = composed._replace(unwritten=_write_summaries(composed))
                _write_private_files(composed, index_of(notes) if notes else None)
                mark_as_seen(reading)
                return composed
        reading = None
    return composed._replace(unwritten=INPUTS_UNSTABLE)


def _write_summaries(composed: Composed) -> str:
    """Write the summary and what is made with it; return why it was not written, empty if it was.

    The caller holds the lock.
    """
    reading, project, settings = composed.reading, composed.reading.project, composed.reading.settings
    text = composed.summary.text.encode("utf-8", "replace")
    data = text if text.startswith(_HEADING) else text + _MARK
    unwritten = SUMMARY_OFF
    if settings.summary_enabled and project.has_directory:
        unwritten = _write_if_ours(reading, summary_path(project), data)
        if not unwritten:
            _keep_by_plan(composed, data)
        if settings.summary_path:
            _write_if_ours(reading, project.path(settings.summary_path), data)
    if settings.promote_auto and project.has_directory:
        try:
            promote(project, reading.facts.learnings, apply=True)
        except AgentProgressError as error:
            reading.problems.append(str(error))
    return unwritten


def _keep_by_plan(composed: Composed, data: bytes) -> None:
    """Keep the summary under the name of its plan, too."""
    project, plans = composed.reading.project, composed.reading.facts.inputs.plans
    if not plans:
        return
    named = "-".join(filter(None, (plans[0].branch, plans[0].name))) or plans[0].path
    slug = "".join(char if char.isalnum() else "-" for char in named)[:MAX_SLUG_CHARS]
    with suppress(AgentProgressError):  # the summary itself is written
        folder = make_folder(project.root, os.path.join(project.directory, SUMMARIES_FOLDER))
        write_atomic(os.path.join(folder, f"{slug}.md"), data, root=project.root, durable=False)


def _write_if_ours(reading: Reading, path: str, data: bytes) -> str:
    """Write a summary; return why it cannot be written. A file that is not ours is never overwritten."""
    root = reading.project.root
    try:
        present = reading.inputs.read(path)
        present = read_inside(root, path) if present is None else present
    except AgentProgressError as error:
        reading.problems.append(str(error))
        return str(error)
    if present is not None and not (present.startswith(_HEADING) or present.endswith(_MARK)):
        reason = f"{path} is not ours; it is left as it is. Move it away to have a summary there"
        reading.problems.append(reason)
        return reason
    if present != data:
        make_folder(root, os.path.dirname(path))
        write_atomic(path, data, root=root, durable=False)
        reading.inputs.note_written(path)
    return ""


def _write_private_files(composed: Composed, note_index: bytes | None) -> None:
    """Write the index of the notes, or remove it, and the start cache; if that fails, no start is fast."""
    try:
        folder = make_state_directory(composed.reading.project.root)
        index = os.path.join(folder, FILE_NOTES_FILE)
        if note_index is not None:
            write_atomic(index, note_index, durable=False, private=True)
        elif os.path.exists(index):
            os.unlink(index)
        cache = start_cache_bytes(composed.cache)
        write_atomic(os.path.join(folder, CACHE_FILE), cache, durable=False, private=True)
    except AgentProgressError as error:
        error_log.note("start cache", error)
