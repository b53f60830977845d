"""The summary kept current while files change: what `watch` does each time it looks.

It makes summary and cache anew and records nothing: an entry belongs to the session that did the work, and
only that session's hooks know it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project, find_project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.summary.head_lines import describe_count
from progress_plugin.text.bounds import some_of
from progress_plugin.usecases.composing import Composed, compose
from progress_plugin.usecases.project_writes import prepare, summary_path
from progress_plugin.usecases.reading import read_project
from progress_plugin.usecases.recording.shared_arrivals import take_in_arrivals
from progress_plugin.usecases.starting.stale_reason import describe_change
from progress_plugin.usecases.summary_files import regenerate

_TOLD = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentSummary:
    """What was found at one look."""

    inputs: InputSnapshot
    told: str
    """One line for a person; empty where nothing happened that shows."""


def first_look(root: str) -> CurrentSummary:
    """Bring the summary of the project at `root` up to date, and return it. Raises as `refresh` does."""
    made = _made(find_project(root))
    return CurrentSummary(inputs=made.reading.inputs, told=_describe(made))


def refresh(root: str, inputs: InputSnapshot) -> CurrentSummary | None:
    """Bring it up to date if an input has changed; None if none has.

    Raises BadInput where the root is gone, Busy where another process holds the lock for long, and
    AgentProgressError where the disk refuses.
    """
    changed = inputs.changes()
    if not changed:
        return None
    project = find_project(root)
    happened = _happened(project, inputs, changed)
    made = _made(project)
    told = f"{happened}: {_describe(made)}" if happened else ""
    return CurrentSummary(inputs=made.reading.inputs, told=told)


def _made(project: Project) -> Composed:
    """Make summary and cache anew, unless another process has just done it."""
    reading = read_project(project)
    if not project.has_directory and reading.is_empty:
        return compose(reading, reading.settings)
    prepare(project)
    if take_in_arrivals(project, DEFAULT_TIMEOUT_S):
        reading = read_project(project)
    return regenerate(project, DEFAULT_TIMEOUT_S, reading)


def _happened(project: Project, inputs: InputSnapshot, changed: Sequence[str]) -> str:
    """Return what has happened to these inputs, for a person."""
    words = {path: describe_change(inputs, path) for path in changed}
    repository = project.repository
    moved = [words.pop(path, None) for path in repository.state_files()] if repository else []
    if repository and any(moved):
        words[repository.head_file] = f"branch is {repository.head()[0] or 'none'} now"
    summary = os.path.relpath(summary_path(project), project.root)
    return some_of([said for path, said in words.items() if path != summary], _TOLD)


def _describe(composed: Composed) -> str:
    reading = composed.reading
    if reading.is_empty and not reading.project.has_directory:
        return "no log and no plan here"
    problems = len(reading.problems)
    note = f"; {problems} not read, see: agent-progress status" if problems else ""
    before, after = composed.tokens_before, composed.tokens_after
    return f"{describe_count(reading.facts.state)}, {after:,} tokens of {before:,}{note}"
