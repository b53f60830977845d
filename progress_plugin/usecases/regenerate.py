"""The summary and the start cache, made anew from what stands on the disk (S6, S8)."""

from __future__ import annotations

import os
from datetime import UTC, datetime

from progress_plugin.core import atomic_file, outside_file, own_directory
from progress_plugin.core.errors import AgentProgressError, Refused
from progress_plugin.core.fresh_start import CACHE, MAGIC, OURS, SESSIONS, read_regular, seal
from progress_plugin.core.freshness import Inputs
from progress_plugin.core.lock import FileLock
from progress_plugin.core.project import Project
from progress_plugin.core.version import VERSION
from progress_plugin.log.store import LOCK
from progress_plugin.usecases import answers
from progress_plugin.usecases.compose import Composed, compose
from progress_plugin.usecases.sources import Sources, inputs_under_lock, read_sources, stored_settings
from progress_plugin.usecases.work_document import identity

SUMMARY = "progress-summary.md"
OFF = "summaries are switched off (optimization.progressSummary.enabled)"
SUMMARIES = "summaries"
FIGURES = "regenerations.log"
_HEADING = b"# Progress Summary:"
_MARK = b"\n<!-- agent-progress: made from log and plan, replaced with every change -->\n"
"""The end of a summary in a layout that does not begin with our heading; Markdown does not show it."""
_LARGEST_FIGURES = 64 * 1024
_SESSIONS_KEPT = 50


def lock_of(project: Project, timeout: float) -> FileLock:
    """Return the one lock of a project; its directory must exist. `timeout` in seconds.

    Everything of ours is written under it, so it is not to be had in a directory that a link leads out of
    the project (S16.4): Refused.
    """
    for directory in (project.log_directory, project.directory):
        atomic_file.ensure_inside(own_directory.root_of(directory), directory)
    return FileLock(os.path.join(project.log_directory, LOCK), timeout)


def prepare(project: Project) -> None:
    """Make our directories, here and in the main worktree. Raises what `own_directory.prepare` raises."""
    share = stored_settings(project).share
    for directory in {project.log_directory, project.directory}:
        own_directory.prepare(directory, share=share)


def regenerate(project: Project, read: Sources | None = None) -> Composed:
    """Write summary and cache, and return what was composed. Caller holds the lock.

    `read` is everything there is, read under that lock; without it all is read here.
    """
    sources = read or read_sources(project, inputs_under_lock(project))
    composed = compose(sources, sources.settings)
    if _is_older(read_regular(project.root + OURS + CACHE)):
        from progress_plugin.usecases.inherited import remove_older  # noqa: PLC0415 - once after an update

        remove_older(project, sources.inputs)
    kept = _for_all_calls(composed)
    unwritten = OFF
    if sources.settings.summary_enabled:
        unwritten = _write_summary(project, kept)
        _write_elsewhere(project, sources.inputs, kept)
    if sources.settings.promote_auto:
        _promote(project, kept)
    write_cache(project, sources.inputs, composed)
    if sources.answers is not None:
        answers.keep(project.root, sources.answers)
    return composed._replace(unwritten=unwritten)


def _for_all_calls(composed: Composed) -> Composed:
    """Return what is stored: this call may mean another memory database, and the file knows none (S12)."""
    sources = composed.sources
    if sources.document is None and sources.stored_document is None:
        return composed
    if identity(sources.document) == identity(sources.stored_document):
        return composed
    return compose(sources._replace(document=sources.stored_document), sources.settings)


def compose_for_this_call(project: Project) -> Composed:
    """Compose with this call's environment settings, writing nothing."""
    sources = read_sources(project, Inputs(project.root), os.environ)
    return compose(sources, sources.config.effective)


def write_cache(project: Project, inputs: Inputs, composed: Composed) -> None:
    """Write the cache: what was read, and the ready output behind it (S8.1). Caller holds the lock."""
    inputs.read(summary_path(project))
    records = [record.line() for record in inputs.records()]
    put_cache(project, cache_bytes(project.root, records, composed.cached_output()))
    _forget_old_sessions(project)


def put_cache(project: Project, data: bytes) -> None:
    """Put a cache in its place; a start that finds none for an instant takes the slow way."""
    path = project.root + OURS + CACHE
    atomic_file.replace(path, data, root=project.root, durable=False, unlink_first=True)


def cache_bytes(root: str, records: list[bytes], ready: tuple[bytes, bytes, bytes, bytes]) -> bytes:
    """Return a start cache as it is written: magic and seal, records, an empty line, and what is ready.

    That is context, line for the user, status line and name, in the order of `Cache`.
    """
    head = MAGIC + VERSION.encode() + b" " + (seal(root) or b"unsealed")
    return b"\n".join([head, *records, b"", *ready, b""])


def summary_path(project: Project) -> str:
    """Return where the summary stands."""
    return os.path.join(project.directory, SUMMARY)


def _stored(composed: Composed) -> bytes:
    """Return a summary as it stands in a file: by its heading or its end it is known as ours again."""
    data = composed.text.encode("utf-8", "replace")
    return data if data.startswith(_HEADING) else data + _MARK


def _write_summary(project: Project, composed: Composed) -> str:
    """Write the summary, and return why it was not written; empty where it stands there."""
    path, data = summary_path(project), _stored(composed)
    try:
        present = outside_file.read(path, project.root)
    except outside_file.LeadsOut as error:
        return str(error)  # it is named with the other links
    if present == data:
        return ""
    if present is not None and not _is_ours(present):
        why = f"{SUMMARY} in our directory is not ours; it is left as it is. Move it away to have one made"
        composed.sources.problems.append(why)
        return why
    atomic_file.replace(path, data, root=project.root, durable=False, unlink_first=True)
    _keep_by_plan(project, composed)
    _note_figures(project, composed)
    return ""


def _is_older(cache: bytes | None) -> bool:
    return cache is not None and not cache.startswith(MAGIC)


def _is_ours(data: bytes) -> bool:
    return data.startswith(_HEADING) or data.endswith(_MARK)


def _write_elsewhere(project: Project, inputs: Inputs, composed: Composed) -> None:
    """Write the summary where the user wants it, too; never over a file that is not ours (S6.1)."""
    wanted = composed.sources.settings.summary_path
    if wanted is None:
        return
    path, data = project.path(wanted), _stored(composed)
    try:
        present = outside_file.read(path, project.root)
    except outside_file.LeadsOut as error:
        composed.sources.problems.append(f"the summary is not written to {wanted}: {error}")
        inputs.read(wanted)
        return
    if present is None or _is_ours(present):
        if present != data:
            os.makedirs(os.path.dirname(atomic_file.ensure_inside(project.root, path)), exist_ok=True)
            atomic_file.replace(path, data, root=project.root, durable=False)
    else:
        composed.sources.problems.append(f"{wanted} is not ours; the summary is not written there")
    inputs.read(wanted)


def _promote(project: Project, composed: Composed) -> None:
    """Bring the block of AGENTS.md up to date; the user asked for it once, by `promote.auto` (S7.6)."""
    from progress_plugin.usecases.promote import promote_again  # noqa: PLC0415 - only for those who ask

    try:
        promote_again(project, composed.facts.learnings)
    except AgentProgressError as error:
        composed.sources.problems.append(str(error))


def _keep_by_plan(project: Project, composed: Composed) -> None:
    """Keep the last summary of each plan under the plan's name (S6.6): a second name, no second copy."""
    plan = composed.facts.lead
    if plan is None:
        return
    slug = "".join(char if char.isalnum() else "-" for char in plan.branch or plan.name or plan.path)[:80]
    try:
        folder = own_directory.subfolder(project.directory, SUMMARIES)
        target = os.path.join(folder, f"{slug}.md")
        if os.path.lexists(target):
            os.unlink(target)
        os.link(summary_path(project), target)
    except (OSError, Refused):
        # No links on this file system, or no room: the summary itself stands, the copy is a convenience.
        return


def _note_figures(project: Project, composed: Composed) -> None:
    """Append one line with tokens before, after and saved (S10.2)."""
    before, after = composed.tokens_before, composed.tokens_after
    stamp = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    path = os.path.join(project.directory, FIGURES)
    try:
        if os.path.exists(path) and os.path.getsize(path) > _LARGEST_FIGURES:
            os.replace(path, f"{path}.old")
        line = f"{stamp} tokens (estimated) before {before} after {after} saved {before - after}\n"
        atomic_file.add(path, line.encode())
    except OSError:
        return


def _forget_old_sessions(project: Project) -> None:
    """Remove what the oldest sessions were shown; a resume of them shows everything again."""
    try:
        # A link in its place would have us tidy up somewhere else.
        folder = atomic_file.ensure_inside(project.root, project.root + OURS + SESSIONS)
        names = own_directory.names(project.directory, SESSIONS.strip("/"))
        if len(names) <= _SESSIONS_KEPT:
            return
        paths = sorted((os.path.join(folder, name) for name in names), key=os.path.getmtime)
        for path in paths[: len(paths) - _SESSIONS_KEPT]:
            os.unlink(path)
    except (OSError, Refused):
        return
