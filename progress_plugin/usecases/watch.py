"""The summary kept current while files change: what `watch` does each time it looks.

It makes summary and cache anew and records nothing: an entry belongs to the session that did the work, and
only that session's hooks know it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.fast.start_cache import SESSIONS_KIND, first_change, read_cache
from progress_plugin.core.files.input_records import Inputs, place_of
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project, find_project
from progress_plugin.summary.build import completion
from progress_plugin.text.bounds import some_of
from progress_plugin.usecases.recording.shared_arrivals import take_in_arrivals
from progress_plugin.usecases.starting.cache_refresh import renewed
from progress_plugin.usecases.starting.stale_reason import changed, differences
from progress_plugin.usecases.summarizing.compose import Composed, compose
from progress_plugin.usecases.summarizing.sources import read_sources
from progress_plugin.usecases.summarizing.summary_files import prepare, regenerate, summary_path

_TOLD = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentSummary:
    """What was found at one look."""

    records: list[bytes]
    """Every input as it was read, as lines of the start cache."""
    told: str
    """One line for a person; empty where nothing happened that shows."""


def first_look(root: str) -> CurrentSummary:
    """Bring the summary of the project at `root` up to date, and return it. Raises as `refresh` does."""
    made = _made(find_project(root))
    return CurrentSummary(records=_of_project(made.records), told=_standing(made))


def refresh(root: str, records: Sequence[bytes]) -> CurrentSummary | None:
    """Bring it up to date if an input is not as in `records`; None where all of them are.

    Raises BadInput where the root is gone, Busy where another process holds the lock for long, and
    AgentProgressError where the disk refuses.
    """
    news = changed(records, root)
    if not news:
        return None
    project = find_project(root)
    if all(place_of(record).kind == "row" for record in news):
        # Other projects use the database, too; the stats of its files change with every one of them.
        cache = renewed(project, DEFAULT_TIMEOUT_S)
        if cache is not None:
            return CurrentSummary(records=_of_project(cache.records), told="")
    made = _made(project)
    happened = _happened(project, records, made.records)
    told = f"{happened}: {_standing(made)}" if happened else ""
    return CurrentSummary(records=_of_project(made.records), told=told)


def _of_project(records: Sequence[bytes]) -> list[bytes]:
    """Return the inputs without the client's folder of transcripts: it changes while an agent works."""
    return [record for record in records if not record.startswith(SESSIONS_KIND)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Made:
    records: list[bytes]
    composed: Composed | None
    """None where there is nothing to make a summary of."""


def _made(project: Project) -> _Made:
    """Make summary and cache anew, unless another process has just done it, or there is nothing here."""
    if not project.has_directory:
        inputs = Inputs(project.root)
        if read_sources(project, inputs).is_empty:
            return _Made(records=[record.line() for record in inputs.records()], composed=None)
    prepare(project)
    take_in_arrivals(project, DEFAULT_TIMEOUT_S)
    cache = read_cache(project.root)
    if cache is not None and first_change(cache.records, project.root) is None:
        sources = read_sources(project, Inputs(project.root))
        return _Made(records=cache.records, composed=compose(sources, sources.settings))
    composed = regenerate(project, DEFAULT_TIMEOUT_S)
    cache = read_cache(project.root)
    if cache is None:
        raise AgentProgressError(f"the start cache in {project.directory} cannot be read back")
    return _Made(records=cache.records, composed=composed)


def _happened(project: Project, before: Sequence[bytes], after: Sequence[bytes]) -> str:
    """Return what differs between two readings; the disk may be newer than both by now."""
    found = differences(before, after, project.root)
    found.pop(summary_path(project), None)
    repository = project.repository
    moved = [found.pop(path, None) for path in repository.state_files()] if repository else []
    if repository and any(moved):
        found[repository.head_file] = f"branch is {repository.head()[0] or 'none'} now"
    return some_of(list(found.values()), _TOLD)


def _standing(made: _Made) -> str:
    if made.composed is None:
        return "no log and no plan here"
    before, after = made.composed.tokens_before, made.composed.tokens_after
    problems = len(made.composed.sources.problems)
    note = f"; {problems} not read, see: agent-progress status" if problems else ""
    return f"{completion(made.composed.history)}, {after:,} tokens of {before:,}{note}"
