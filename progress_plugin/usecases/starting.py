"""Start a session after inputs have changed: import shared entries, write the summary and show it."""

from __future__ import annotations

from collections.abc import Callable

from progress_plugin import team
from progress_plugin.core import error_log, snapshot
from progress_plugin.core.clients import HookEvent
from progress_plugin.core.data_directory import has_team
from progress_plugin.core.errors import AgentProgressError, NoProject
from progress_plugin.core.paths import is_read_only, variables_change_output
from progress_plugin.core.project import Project, find_project
from progress_plugin.core.session_state import load_session, remember_start
from progress_plugin.log import store
from progress_plugin.summary.session_section import HEAD, remove_session, section, with_session
from progress_plugin.summary.start_context import changed_lines
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.usecases.composing import compose, compose_for_this_call
from progress_plugin.usecases.last_session import (
    last_session,
    last_session_section,
    logged_sessions,
    reads_transcripts,
)
from progress_plugin.usecases.project_writes import prepare
from progress_plugin.usecases.reading import read_project, read_settings
from progress_plugin.usecases.recording.record import record_waiting
from progress_plugin.usecases.sessions.read_transcripts import read_changed_transcripts
from progress_plugin.usecases.sharing import import_shared_entries
from progress_plugin.usecases.summaries import write_summary

LOCK_TIMEOUT_S = 1.5


def start(event: HookEvent, set_fallback: Callable[[str, str], None]) -> tuple[str, str]:
    """Return the context and the user message of a session start.

    `set_fallback` is called with a first version of both, to be printed if the deadline passes.
    """
    source, session = event.text("source"), event.session
    try:
        project = find_project(start=event.directory)
    except NoProject:
        return "", ""
    previous_context = load_session(session).shown if source == "resume" else ""
    # After a compaction the session's own transcript is read, too.
    cache = _load_or_make_cache(project, None if source == "compact" else session)
    context = cache.context
    set_fallback(context, cache.user_message)
    if source in ("compact", "resume", snapshot.REOPENED):
        context = _context_for_session(project, session, context, compacted=source == "compact")
    remember_start(event, project.root, context)
    if previous_context:
        context = "" if previous_context == context else changed_lines(previous_context, context)
    if has_team(project.log_directory):
        team.start_if_due(project.main_root)
    return context, cache.user_message


def _context_for_session(project: Project, session: str | None, context: str, *, compacted: bool) -> str:
    """Return the start context of a session that continues.

    Compaction: show this session's progress. Resume: show the last other session.
    """
    if not reads_transcripts(project):
        return context
    sessions, log = SessionStore(project), store.load_history(project.log_directory)
    records, logged = sessions.visible_records(sessions.load().values()), logged_sessions(log)
    running = next((record for record in records if record.session == session), None)
    if compacted and running is not None and (context or read_settings(project).stored.inject):
        own = section(running, running=True)
        return with_session(remove_session(context), own) if context else HEAD + own
    last, without_session = last_session(records, logged), remove_session(context)
    if last is None or last.session != session or without_session == context:
        return context
    return with_session(without_session, last_session_section(records, log, excluded=session))


def _load_or_make_cache(project: Project, session: str | None) -> snapshot.StartCache:
    """Return a fresh start cache; after an error, one with the last summary or the last entries."""
    try:
        return ensure_fresh_cache(project, session)
    except Exception as error:  # noqa: BLE001 - an older summary is better than none
        error_log.note("SessionStart", error)
        if isinstance(error, ImportError | SyntaxError):
            from progress_plugin.bootstrap import start_build  # noqa: PLC0415 - after a failure

            start_build()  # a package may be damaged
    context = snapshot.older_context(project.root) or store.describe_last_entries(project.log_directory)
    inputs = snapshot.InputSnapshot(project.root)
    return snapshot.StartCache(inputs, context=context, user_message=snapshot.FAILURE)


def ensure_fresh_cache(project: Project, session: str | None) -> snapshot.StartCache:
    """Record waiting events, read new transcripts except that of `session`, and return a fresh start cache.

    A read-only call only composes the cache. If a variable changes the output, `shared/` is imported first.
    """
    if is_read_only() or variables_change_output():
        return compose_for_this_call(project).cache
    try:
        record_waiting(project, LOCK_TIMEOUT_S)
    except AgentProgressError as error:
        error_log.note("SessionStart", error)  # the events stay in the spool
    read_changed_transcripts(project, session)
    return snapshot.load_fresh_cache(project.root) or renew_cache(project)  # another start may have made it


def renew_cache(project: Project) -> snapshot.StartCache:
    """Import shared entries, then make and store the start cache."""
    had_directory = project.has_directory
    if had_directory:
        import_shared_entries(project, LOCK_TIMEOUT_S)
    reading = read_project(project)
    has_log = any(log.kind == "log" for log in reading.facts.inputs.logs)
    try:
        if has_log or had_directory:  # write nothing into a project without a log
            prepare(project)
        is_current = project.has_directory == had_directory
        return write_summary(project, LOCK_TIMEOUT_S, reading if is_current else None).cache
    except AgentProgressError as error:
        error_log.note("SessionStart", error)
        return compose(reading, reading.settings).cache
