"""What a start shows to a session that goes on, after a compaction or a resume."""

from __future__ import annotations

from progress_plugin.core.project import Project
from progress_plugin.core.variables import looks_only
from progress_plugin.log import history
from progress_plugin.transcripts.session_section import HEAD, section, with_session, without
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.usecases.last_session import is_logged, last_session, session_beside
from progress_plugin.usecases.reading import read_settings
from progress_plugin.usecases.sessions.reading_moments import goes_on, running_session


def context_for_session(project: Project, session: str | None, context: str, *, compacted: bool) -> str:
    """Return a start context for a session that goes on, after a compaction or a resume.

    It is not shown itself as another session: the session before it, or beside it, is shown instead.
    After a compaction its own state is shown there.
    """
    if compacted and (context or read_settings(project).stored.inject):
        running = running_session(project, session)
        if running is not None:
            own = section(running, running=True, in_log=None)
            return with_session(without(context), own) if context else HEAD + own
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
