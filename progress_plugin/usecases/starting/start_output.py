"""The output of a session start, made from what is on the disk now, and kept where it may be."""

from __future__ import annotations

from progress_plugin.core import error_log
from progress_plugin.core.clients import literal
from progress_plugin.core.data_directory import has_shared
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.fast.start_cache import Cache
from progress_plugin.core.fast.start_hook import changes_output
from progress_plugin.core.project import Project, has_log
from progress_plugin.log import earlier_versions, pending_events, store
from progress_plugin.usecases.recording.shared_arrivals import take_in_arrivals
from progress_plugin.usecases.starting.cache_refresh import renewed
from progress_plugin.usecases.summarizing.accepted_baselines import accept_baselines
from progress_plugin.usecases.summarizing.compose import Composed
from progress_plugin.usecases.summarizing.last_session import may_have_transcripts
from progress_plugin.usecases.summarizing.summary_files import (
    compose_for_this_call,
    composed_and_kept,
    looks_only,
    prepare,
)

_FOR_THE_LOCK = 1.5
"""Seconds to wait for another process; the answer does not depend on it."""


def start_output(project: Project, session: str | None = None) -> Cache:
    """Return the output for now, and keep it where it may be written; raises what reading raises.

    `session` is the one that starts: what others left unread of their transcripts is read before.
    """
    kept = keeps_output(project)
    said = None
    if kept:
        said = _returned(project)
        take_in_arrivals(project, _FOR_THE_LOCK)
    if not looks_only():
        _catch_up(project, session)
    cache = renewed(project, _FOR_THE_LOCK) if kept else None
    if cache is not None:
        return cache
    composed = regenerated(project) if kept else None
    if composed is None:
        composed = compose_for_this_call(project)
        if not project.has_directory and not looks_only():
            accept_baselines(composed.sources)()
    cache = _as_cache(composed)
    if said:
        cache.user_line = literal(f"progress: {said}")
    return cache


def _returned(project: Project) -> str | None:
    """Return a line about entries that git took with the log and that came back; nearly always None."""
    directory = project.log_directory
    try:
        data = store.raw(directory)
        if data is not None and earlier_versions.is_last_written(directory, data):
            return None
        if data is None and not has_shared(project.directory):
            return None
        from progress_plugin.usecases.starting.entries_lost_to_git import returned  # noqa: PLC0415 - hardly ever

        return returned(project, _FOR_THE_LOCK)
    except (AgentProgressError, OSError) as error:
        error_log.note("SessionStart", error)
        return None


def _catch_up(project: Project, session: str | None) -> None:
    if may_have_transcripts():
        from progress_plugin.usecases.sessions.reading_moments import catch_up  # noqa: PLC0415 - where there is a client's

        catch_up(project, session)


def keeps_output(project: Project) -> bool:
    """Return whether the output of a start is written down for the next one."""
    return not (looks_only() or changes_output()) and (project.has_directory or has_log(project.root))


def regenerated(project: Project) -> Composed | None:
    """Renew summary, cache and baseline; None where our directory is not to be had.

    Where another process holds the lock, what was composed is returned all the same, and not kept.
    """
    try:
        prepare(project)
    except AgentProgressError as error:
        error_log.note("SessionStart", error)
        return None
    _record_waiting(project)
    composed, fault = composed_and_kept(project, _FOR_THE_LOCK)
    if fault is not None:
        error_log.note("SessionStart", fault)
    return composed


def _record_waiting(project: Project) -> None:
    if not pending_events.names(project.log_directory):
        return
    from progress_plugin.usecases.recording.record_events import drain  # noqa: PLC0415 - hardly ever

    try:
        drain(project, _FOR_THE_LOCK)
    except AgentProgressError as error:
        error_log.note("SessionStart", error)  # it goes on waiting


def _as_cache(composed: Composed) -> Cache:
    return Cache([], *composed.cached_output())
