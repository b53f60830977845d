"""The summary kept current while files change: what `watch` does each time it looks.

It makes summary and cache anew and records nothing: an entry belongs to the session that did the work, and
only that session's hooks know it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project, find_project
from progress_plugin.core.snapshot import MISSING, InputSnapshot
from progress_plugin.summary.head_lines import describe_count
from progress_plugin.text.bounds import some_of
from progress_plugin.usecases.composing import Composed, compose
from progress_plugin.usecases.project_writes import prepare, summary_path
from progress_plugin.usecases.reading import read_project
from progress_plugin.usecases.sharing import take_in_arrivals
from progress_plugin.usecases.starting.stale_reason import describe_change
from progress_plugin.usecases.summary_files import regenerate

MAX_NAMED_CHANGES = 3
MISSING_STAMP = [MISSING, 0]


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentSummary:
    """What was found at one look."""

    inputs: InputSnapshot
    line: str  # for a person; empty if nothing changed that shows


def first_look(root: str) -> CurrentSummary:
    """Bring the summary of the project at `root` up to date, and return it. Raises as `refresh` does."""
    made = _made(find_project(root))
    return CurrentSummary(inputs=made.reading.inputs, line=_describe(made))


def refresh(root: str, inputs: InputSnapshot) -> CurrentSummary | None:
    """Bring it up to date if an input has changed; None if none has.

    Raises BadInput if the root is gone, Busy if another process holds the lock for long, and
    AgentProgressError if the disk refuses.
    """
    if not inputs.changes() and not inputs.has_start_changes():
        return None
    project = find_project(root)
    made = _made(project)
    changed = _describe_changes(project, inputs, made.reading.inputs)
    return CurrentSummary(inputs=made.reading.inputs, line=f"{changed}: {_describe(made)}" if changed else "")


def _made(project: Project) -> Composed:
    """Make summary and cache anew, unless another process has just done it."""
    reading = read_project(project)
    if not project.has_directory and reading.is_empty:
        return compose(reading, reading.settings)
    prepare(project)
    if take_in_arrivals(project, DEFAULT_TIMEOUT_S):
        reading = read_project(project)
    return regenerate(project, DEFAULT_TIMEOUT_S, reading)


def _describe_changes(project: Project, before: InputSnapshot, after: InputSnapshot) -> str:
    """Return what has happened to the inputs between two looks, for a person."""
    summary = os.path.relpath(summary_path(project), project.root)
    changed = [
        path
        for path in {**before.files, **after.files}
        if path != summary
        and before.files.get(path, MISSING_STAMP) != after.files.get(path, MISSING_STAMP)
        and not os.path.isdir(project.path(path))
    ]
    words = {path: describe_change(before, path) for path in changed}
    repository = project.repository
    moved = [words.pop(path, None) for path in repository.state_files()] if repository else []
    if repository and any(moved):
        words[repository.head_file] = f"branch is {repository.head()[0] or 'none'} now"
    return some_of(list(words.values()), MAX_NAMED_CHANGES)


def _describe(composed: Composed) -> str:
    reading = composed.reading
    if reading.is_empty and not reading.project.has_directory:
        return "no log and no plan here"
    problems = len(reading.problems)
    note = f"; {problems} not read, see: agent-progress status" if problems else ""
    before, after = composed.tokens_before, composed.tokens_after
    return f"{describe_count(reading.facts.state)}, {after:,} tokens of {before:,}{note}"
