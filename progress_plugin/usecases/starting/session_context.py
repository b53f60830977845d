"""The start context for a session that continues after a compaction or a resume."""

from __future__ import annotations

from progress_plugin.core.project import Project
from progress_plugin.log.store import load_history
from progress_plugin.summary.session_section import HEAD, section, with_session, without
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.usecases.last_session import (
    last_session,
    last_session_section,
    logged_sessions,
    reads_transcripts,
)
from progress_plugin.usecases.reading import read_settings


def context_for_session(project: Project, session: str | None, context: str, *, compacted: bool) -> str:
    """Return the start context for a session that continues after a compaction or a resume.

    It is not shown itself as another session: the session before it, or beside it, is shown instead.
    After a compaction its own state is shown there.
    """
    if not reads_transcripts(project):
        return context
    store, log = SessionStore(project), load_history(project.log_directory)
    records, logged = store.visible_records(store.load().values()), logged_sessions(log)
    running = next((record for record in records if record.session == session), None)
    if compacted and running is not None and (context or read_settings(project).stored.inject):
        own = section(running, running=True)
        return with_session(without(context), own) if context else HEAD + own
    last, others = last_session(records, logged), without(context)
    if last is None or last.session != session or others == context:
        return context
    return with_session(others, last_session_section(records, log, besides=session))
