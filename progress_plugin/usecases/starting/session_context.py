"""What a start shows of sessions apart from the summary: to one that goes on, or without a summary."""

from __future__ import annotations

import os

from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.core.start_cache import REOPENED
from progress_plugin.log import history
from progress_plugin.transcripts.session_section import HEAD, section, with_session, without
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.usecases.last_session import is_logged, last_session, session_beside
from progress_plugin.usecases.project_writes import looks_only
from progress_plugin.usecases.sessions.reading_moments import catch_up, goes_on, running_session
from progress_plugin.usecases.sessions.start_without_log import is_shown, keep_ready, last_session_alone
from progress_plugin.usecases.summarizing.compose import Composed


def context_for_session(project: Project, session: str | None, context: str, *, compacted: bool) -> str:
    """Return a start context for a session that goes on, after a compaction or a resume.

    It is not shown itself as another session: the session before it, or beside it, is shown instead.
    After a compaction its own state is shown there.
    """
    if compacted and context:
        running = running_session(project, session)
        if running is not None:
            return with_session(without(context), section(running, running=True, in_log=None))
    if not compacted and not looks_only():
        goes_on(project, session)
    records = SessionStore(project).told_records()
    last, others = last_session(records), without(context)
    if last is None or last.session != session or others == context:
        return context
    other = last_session(records, besides=session)
    if other is None:
        return others
    in_log = is_logged(history.load(project.log_directory), other)
    beside = session_beside(records, other, besides=session)
    return with_session(others, section(other, running=False, in_log=in_log, beside=beside))


def context_of_start(composed: Composed) -> str:
    """Return what a start prints of what was composed; empty if there is nothing to show."""
    project = composed.sources.project
    if composed.context or project.has_directory or not composed.sources.is_empty:
        return composed.context
    inputs = InputSnapshot(project.root)
    return last_session_alone(project, inputs) if is_shown(project, inputs, os.environ) else ""


def session_alone(project: Project, session: str | None, source: str) -> str:
    """Return what is shown in a project without log and plan; empty if no session did anything."""
    inputs = InputSnapshot(project.root)
    if not is_shown(project, inputs, os.environ):
        return ""
    if source == "compact":
        running = running_session(project, session)
        return HEAD + section(running, running=True, in_log=None) if running is not None else ""
    if not looks_only():
        catch_up(project, session)
        if source in ("resume", REOPENED):
            goes_on(project, session)
        keep_ready(project)
    return last_session_alone(project, inputs, besides=session)
