"""The summary and the start cache, made anew from what is on the disk."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from progress_plugin.core import data_directory, error_log
from progress_plugin.core.data_directory import SUMMARY_FILE
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.file_note_index import INDEX_FILE
from progress_plugin.core.files import append_line, read_inside, resolve_inside, write_atomic
from progress_plugin.core.paths import make_state_directory, state_file
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot, Stamp, stamp_of
from progress_plugin.core.start_cache import (
    CACHE_FILE,
    StartCache,
    cache_path,
    start_cache_bytes,
)
from progress_plugin.usecases.project_writes import (
    TURNS,
    lock_of,
    summary_path,
)
from progress_plugin.usecases.summarizing import learning_cache
from progress_plugin.usecases.summarizing.accepted_baselines import accept_baselines
from progress_plugin.usecases.summarizing.compose import Composed, compose
from progress_plugin.usecases.summarizing.file_notes import file_notes, index_of, told_ids
from progress_plugin.usecases.summarizing.progress_document_input import document_identity
from progress_plugin.usecases.summarizing.sources import (
    Sources,
    of_others,
    read_sources,
)

if TYPE_CHECKING:
    from progress_plugin.usecases.promote import Promotion

OFF = "summaries are switched off (optimization.progressSummary.enabled)"
FIGURES = "regenerations.log"
_HEADING = b"# Progress Summary:"
_MARK = b"\n<!-- agent-progress: made from log and plan, replaced with every change -->\n"
"""The end of a summary in a layout that does not begin with our heading; Markdown does not show it."""
_LARGEST_FIGURES = 64 * 1024
_RESTLESS = "plans or logs changed again and again while they were read; the next start looks again"

Compared = Callable[[Sources], Callable[[], None] | None]


def regenerate(
    project: Project, timeout: float, read: Sources | None = None, compared: Compared | None = None
) -> Composed:
    """Write summary and cache, and return what was composed; its `unwritten` says why it was not written.

    `read` is everything there is, as somebody has just read it. Under the same lock the sources are taken as
    known, unless they have changed meanwhile (`accept_baselines`): a start with a fresh cache looks at no
    plan. `compared` returns what is done instead where somebody has just kept them. Our directory exists.
    Raises Busy where another process holds the lock, AgentProgressError where the disk refuses.
    """
    composed, fault = composed_and_kept(project, timeout, read, compared)
    if fault is not None:
        raise fault
    return composed


def composed_and_kept(
    project: Project, timeout: float, read: Sources | None = None, compared: Compared | None = None
) -> tuple[Composed, AgentProgressError | None]:
    """Do what `regenerate` does, and return what was composed also where it could not be kept, and why.

    Nothing is read under the lock, so what was composed is put in its place only if a look shows that its
    sources are as they were read. If they have changed, all is done again, three times at most. If they
    change all the time, the last reading is put there so long as our own log holds and nobody else has put
    anything there since; else it is left, and the cache is stale for the next start.
    """
    for turn in range(1, TURNS + 1):
        ready = _made_ready(project, read)
        read, sources = None, ready.composed.sources
        finish = (compared(sources) if compared is not None else None) or accept_baselines(sources)
        try:
            with lock_of(project, timeout):
                moved = sources.inputs.changes()
                if not moved or (turn == TURNS and _may_stand(project, ready, moved)):
                    _put(project, ready)
                    if not moved:
                        finish()
                    break
        except AgentProgressError as fault:
            return ready.composed, fault
    else:
        return ready.composed._replace(unwritten=_RESTLESS), None
    if sources.answers is not None:
        learning_cache.keep(project.root, sources.answers)
    return ready.composed._replace(unwritten=ready.unwritten), None


class _Copy(NamedTuple):
    """A place where the summary is to be."""

    path: str
    is_due: bool
    """Whether something else is there, which may be replaced."""


class _AboutFiles(NamedTuple):
    """What hooks need to tell what is recorded about files."""

    file_index: bytes | None
    """None where nothing is to be told."""
    told: list[str]
    """Ids of what the context tells already."""


class _Ready(NamedTuple):
    """All that is written under the lock, made before it."""

    composed: Composed
    kept: Composed
    """The same as it is stored: for all calls."""
    data: bytes
    summary: _Copy
    elsewhere: _Copy | None
    promotion: Promotion | None
    unwritten: str
    """Why the summary is not written; empty where it is, or is there already."""
    about_files: _AboutFiles
    cache_before: Stamp
    """What the start cache said before the sources were read."""


def _made_ready(project: Project, read: Sources | None) -> _Ready:
    """Compose, and look at the places where it is to go; everything that takes time is done here."""
    before = stamp_of(cache_path(project.root))
    sources = read or read_sources(project, InputSnapshot(project.root))
    composed = compose(sources, sources.settings)
    kept = _for_all_calls(composed)
    data = _stored(kept)
    summary, unwritten, elsewhere = _Copy(summary_path(project), is_due=False), OFF, None
    if sources.settings.summary_enabled:
        summary, unwritten = _summary_copy(project, kept, data)
        elsewhere = _copy_elsewhere(project, kept, data)
    sources.inputs.read(summary.path)
    promotion = _promotion(project, kept) if sources.settings.promote_auto else None
    about_files = _about_files(project, composed)
    return _Ready(composed, kept, data, summary, elsewhere, promotion, unwritten, about_files, before)


def _about_files(project: Project, composed: Composed) -> _AboutFiles:
    settings = composed.sources.settings
    if not (settings.jit and settings.inject):
        return _AboutFiles(None, told_ids(composed.stated, (), composed.context))
    roots = (project.root, data_directory.root_of(project.log_directory))
    notes = file_notes(composed.facts, roots, composed.sources.answers)
    told = told_ids(composed.stated, notes, composed.context)
    return _AboutFiles(index_of(notes, composed.sources.answers) if notes else None, told)


def _may_stand(project: Project, ready: _Ready, moved: Sequence[str]) -> bool:
    """Return whether what was made may be put in place though some of its sources have changed since.

    It is newer than what is there: our own log is as it was read, and nobody has put anything there.
    """
    written = [copy.path for copy in (ready.summary, ready.elsewhere) if copy is not None]
    ours = [path for path in moved if project.path(path) in written]
    others = of_others(ready.composed.sources, moved)
    return not ours and len(others) == len(moved) and stamp_of(cache_path(project.root)) == ready.cache_before


def _put(project: Project, ready: _Ready) -> None:
    """Put everything in its place. Caller holds the lock."""
    inputs = ready.composed.sources.inputs
    if ready.summary.is_due:
        write_atomic(ready.summary.path, ready.data, root=project.root, durable=False)
        if ready.kept.facts.lead is not None:
            from progress_plugin.usecases.summarizing.summary_per_plan import keep_by_plan  # noqa: PLC0415 - with a plan

            keep_by_plan(project, ready.kept.facts.lead, ready.summary.path)
        _note_figures(project, ready.kept)
    if ready.elsewhere is not None and ready.elsewhere.is_due:
        path = ready.elsewhere.path
        os.makedirs(os.path.dirname(resolve_inside(project.root, path)), exist_ok=True)
        write_atomic(path, ready.data, root=project.root, durable=False)
    if ready.promotion is not None:
        ready.promotion.write()
    written = [copy.path for copy in (ready.summary, ready.elsewhere) if copy is not None and copy.is_due]
    for path in written:
        inputs.note_written(path)
    _put_index(project, ready.about_files.file_index)
    put_cache(project, ready.composed.start_cache(ready.about_files.told))


def _put_index(project: Project, data: bytes | None) -> None:
    """Write the index of file notes, or remove it if there are none."""
    path = state_file(project.root, INDEX_FILE)
    if data is not None:
        _write_private(project, INDEX_FILE, data)
    elif os.path.exists(path):
        os.unlink(path)


def _for_all_calls(composed: Composed) -> Composed:
    """Return what is stored: this call may mean another memory database, and the file knows none."""
    sources = composed.sources
    if sources.document is None and sources.stored_document is None:
        return composed
    if document_identity(sources.document) == document_identity(sources.stored_document):
        return composed
    return compose(sources._replace(document=sources.stored_document), sources.settings)


def compose_for_this_call(project: Project) -> Composed:
    """Compose with this call's environment settings, writing nothing."""
    sources = read_sources(project, InputSnapshot(project.root), os.environ)
    return compose(sources, sources.config.effective)


def put_cache(project: Project, cache: StartCache) -> None:
    """Keep the output for the next start; if it cannot be written, the next start makes its own."""
    _write_private(project, CACHE_FILE, start_cache_bytes(cache))


def _write_private(project: Project, name: str, data: bytes) -> None:
    try:
        path = os.path.join(make_state_directory(project.root), name)
        write_atomic(path, data, durable=False, private=True)
    except AgentProgressError as error:
        error_log.note("start cache", error)


def _stored(composed: Composed) -> bytes:
    """Return a summary as it is in a file: by its heading or its end it is known as ours again."""
    data = composed.text.encode("utf-8", "replace")
    return data if data.startswith(_HEADING) else data + _MARK


def _summary_copy(project: Project, composed: Composed, data: bytes) -> tuple[_Copy, str]:
    """Return where the summary is, and why it is not written; empty where it is."""
    path = summary_path(project)
    try:
        present = _present(project, composed, path)
    except AgentProgressError as error:
        return _Copy(path, is_due=False), str(error)  # `read_plans` has named it
    if present is None or _is_ours(present):
        return _Copy(path, is_due=present != data), ""
    why = f"{SUMMARY_FILE} in our directory is not ours; it is left as it is. Move it away to have one made"
    composed.sources.problems.append(why)
    return _Copy(path, is_due=False), why


def _present(project: Project, composed: Composed, path: str) -> bytes | None:
    """Return what is at the place to write to, recorded as an input. Raises as `read_inside`."""
    present = composed.sources.inputs.read(path)
    return read_inside(project.root, path) if present is None else present


def _is_ours(data: bytes) -> bool:
    return data.startswith(_HEADING) or data.endswith(_MARK)


def _copy_elsewhere(project: Project, composed: Composed, data: bytes) -> _Copy | None:
    """Return where the user wants the summary, too; never over a file that is not ours."""
    wanted, problems = composed.sources.settings.summary_path, composed.sources.problems
    if wanted is None:
        return None
    path = project.path(wanted)
    try:
        present = _present(project, composed, path)
    except AgentProgressError as error:
        problems.append(f"the summary is not written to {wanted}: {error}")
        return None
    if present is None or _is_ours(present):
        return _Copy(path, is_due=present != data)
    problems.append(f"{wanted} is not ours; the summary is not written there")
    return None


def _promotion(project: Project, composed: Composed) -> Promotion | None:
    """Return how the block of AGENTS.md is to be; the user asked for it once, by `promote.auto`."""
    from progress_plugin.usecases.promote import promotion  # noqa: PLC0415 - only for those who ask
    from progress_plugin.usecases.reading import read_project  # noqa: PLC0415 - only for those who ask

    try:
        return promotion(project, read_project(project).facts.learnings)
    except AgentProgressError as error:
        composed.sources.problems.append(str(error))
        return None


def _note_figures(project: Project, composed: Composed) -> None:
    """Append one line with tokens before, after and saved."""
    before, after = composed.tokens_before, composed.tokens_after
    stamp = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    try:
        path = os.path.join(make_state_directory(project.root), FIGURES)
        if os.path.exists(path) and os.path.getsize(path) > _LARGEST_FIGURES:
            os.replace(path, f"{path}.old")
        line = f"{stamp} tokens (estimated) before {before} after {after} saved {before - after}\n"
        append_line(path, line.encode())
    except (OSError, AgentProgressError):
        return
