"""Write the summary and the files that go with it: `status summarize`, `init`, `demo`."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections import Counter
from contextlib import nullcontext, suppress
from typing import Any

from progress_plugin.core import error_log
from progress_plugin.core.data_directory import SUMMARY_FILE
from progress_plugin.core.environment import PLUGIN_ROOT
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.files import make_folder, read_inside, write_atomic
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.paths import make_state_directory
from progress_plugin.core.project import Project, find_project
from progress_plugin.core.snapshot import CACHE_FILE, FILE_NOTES_FILE, start_cache_bytes
from progress_plugin.model.status import Status
from progress_plugin.model.work import LearningKind
from progress_plugin.usecases.composing import Composed, compose
from progress_plugin.usecases.file_notes import FileNote, ProjectFiles, file_notes, index_of
from progress_plugin.usecases.project_writes import MAX_READ_ATTEMPTS, lock_of, prepare, summary_path
from progress_plugin.usecases.promote import promote
from progress_plugin.usecases.reading import CONFIG_FILE, Reading, read_project
from progress_plugin.usecases.recording.last_seen import mark_as_seen

SUMMARY_OFF = "summaries are switched off (`summary_enabled`)"
INPUTS_UNSTABLE = "plans or logs kept changing during the read; the next start reads them again"
SUMMARIES_FOLDER = "summaries"  # the last summary of each plan
MAX_SLUG_CHARS = 80
EXAMPLE = os.path.join(PLUGIN_ROOT, "examples", "harbour")
EXAMPLE_FILES = ("prd.json", "progress.md")
EXAMPLE_CONFIG = "inject = true\nsummary_enabled = true\n"  # the user's own configuration may say otherwise
_HEADING = b"# Progress Summary:"
_MARK = b"\n<!-- agent-progress: made from log and plan, replaced with every change -->\n"
"""Identifies a summary of ours that does not begin with our heading; Markdown does not show it."""


def write_summary(project: Project, timeout: float, reading: Reading | None = None) -> Composed:
    """Write summary and cache. Return the composed summary; `unwritten` is the reason if it was not written.

    `reading` is passed if the project was just read. Without a directory of ours only the cache is written.
    No source is read under the lock. If an input has changed meanwhile, everything is done again: at most
    three attempts in all.
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
    """Write the summary, its copies and our block in AGENTS.md. The caller holds the lock.

    Return why the summary was not written; empty if it was.
    """
    reading, project, settings = composed.reading, composed.reading.project, composed.reading.settings
    text = composed.summary.text.encode("utf-8", "replace")
    data = text if text.startswith(_HEADING) else text + _MARK
    if not project.has_directory:
        return "the project has no directory of ours"
    unwritten = SUMMARY_OFF
    if settings.summary_enabled:
        unwritten = _write_if_ours(reading, summary_path(project), data)
        if not unwritten:
            _keep_by_plan(composed, data)
        if settings.summary_path:
            _write_if_ours(reading, project.path(settings.summary_path), data)
    if settings.promote_auto:
        try:
            promote(project, reading.facts.learnings, apply=True)
        except AgentProgressError as error:
            reading.problems.append(str(error))
    return unwritten


def _keep_by_plan(composed: Composed, data: bytes) -> None:
    """Keep the summary under the name of its leading plan, too."""
    project, plans = composed.reading.project, composed.reading.facts.inputs.plans
    if not plans:
        return
    named = "-".join(filter(None, (plans[0].branch, plans[0].name))) or plans[0].path
    slug = "".join(char if char.isalnum() else "-" for char in named)[:MAX_SLUG_CHARS]
    with suppress(AgentProgressError):  # the summary itself is written
        folder = make_folder(project.root, os.path.join(project.directory, SUMMARIES_FOLDER))
        write_atomic(os.path.join(folder, f"{slug}.md"), data, root=project.root, durable=False)


def _write_if_ours(reading: Reading, path: str, data: bytes) -> str:
    """Write a summary; return why it has no place here. A file that is not ours is never overwritten."""
    root = reading.project.root
    try:
        present = reading.inputs.read(path)
        present = read_inside(root, path) if present is None else present
        make_folder(root, os.path.dirname(path))
    except AgentProgressError as error:
        reading.problems.append(str(error))
        return str(error)
    if present is not None and not (present.startswith(_HEADING) or present.endswith(_MARK)):
        reason = f"{path} is not from agent-progress, so it stays. Move it away to have a summary there"
        reading.problems.append(reason)
        return reason
    if present != data:
        write_atomic(path, data, root=root, durable=False)
        reading.inputs.note_written(path)
    return ""


def _write_private_files(composed: Composed, note_index: bytes | None) -> None:
    """Write the start cache, and write or remove the index of file notes. A failure only slows starts."""
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


def summarize(project: Project) -> dict[str, Any]:
    """Write the summary, and return its figures."""
    prepare(project)
    return {**_figures(write_summary(project, DEFAULT_TIMEOUT_S)), "path": summary_path(project)}


def _figures(composed: Composed) -> dict[str, Any]:
    reading, summary = composed.reading, composed.summary
    kinds = Counter(each.statement.kind for each in reading.facts.learnings)
    states = Counter(each.status for each in reading.facts.state.items)
    before, after = composed.tokens_before, composed.tokens_after
    return {
        "project": reading.facts.name,
        "stories": {
            "total": states.total(),
            **{status: states[status] for status in Status if states[status]},
        },
        "learnings": {kind: kinds[kind] for kind in LearningKind},
        "learnings_shown": summary.learnings,
        "recent": summary.recent,
        "tokens": {
            "estimated": True,
            "before": before,
            "after": after,
            "saved": before - after,
            "saved_percent": round(100 * (before - after) / before) if before else None,
        },
        "written": not composed.unwritten,
        "unwritten": composed.unwritten or None,
        "sources": composed.source_paths,
        "problems": list(reading.problems),
    }


def init(project: Project) -> dict[str, Any]:
    """Make our directory, mark the state of plans and logs as seen, and write the first summary."""
    existed = os.path.isdir(project.directory)
    prepare(project)
    composed = write_summary(project, DEFAULT_TIMEOUT_S)
    facts, proposed = composed.reading.facts, None
    leading = next(iter(facts.inputs.plans), None)
    if leading and leading.settings and not composed.reading.settings.summary_path:
        # Its workflow reads the summary beside the plan, but there we write only what the user asks for.
        proposed = os.path.join(os.path.dirname(leading.path), SUMMARY_FILE)
    return {
        "project": facts.name,
        "directory": project.directory,
        "log_directory": project.log_directory,
        "created": not existed,
        "sources": composed.source_paths,
        "stories": len(facts.state.items),
        "passed_over": [f"{file.path}: {file.reason}" for file in facts.files if file.role == "passed over"],
        "proposed_summary_path": proposed,
    }


def demo() -> dict[str, Any]:
    """Make the summary of a temporary copy of the example, and return the output of its first start.

    Raises AgentProgressError if the example is missing, or no temporary directory can be written.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="agent-progress-demo-") as root:
            for name in EXAMPLE_FILES:
                shutil.copyfile(os.path.join(EXAMPLE, name), os.path.join(root, name))
            project = find_project(root)
            prepare(project)
            with open(os.path.join(project.directory, CONFIG_FILE), "w", encoding="utf-8") as file:
                file.write(EXAMPLE_CONFIG)
            started = time.perf_counter()
            composed = write_summary(project, DEFAULT_TIMEOUT_S)
            return {
                "context": composed.cache.context,
                "user_line": composed.cache.user_message,
                "summary": composed.summary.text,
                "figures": _figures(composed),
                "source_bytes": sum(os.path.getsize(project.path(name)) for name in EXAMPLE_FILES),
                "milliseconds": round((time.perf_counter() - started) * 1000),
            }
    except OSError as error:
        fault = f"the example cannot be copied: {error}; install the plugin again"
        raise AgentProgressError(fault) from error
