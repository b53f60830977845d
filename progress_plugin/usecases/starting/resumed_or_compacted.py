"""What a start tells of sessions apart from the summary: of one that goes on, or without a summary.

The last session of an ordinary start is chosen in `usecases.summarizing.last_session` (`last_session`), what
is told of it, in `transcripts.session_section`.
"""

import os

from progress_plugin.core.fast.file_note_index import ID_LENGTH
from progress_plugin.core.fast.minimal_os import content_digest
from progress_plugin.core.fast.start_hook import REOPENED
from progress_plugin.core.files.input_records import Inputs
from progress_plugin.core.project import Project
from progress_plugin.log import history
from progress_plugin.transcripts.session_section import HEAD, section, with_session, without
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.usecases.sessions.reading_moments import catch_up, goes_on, running_session
from progress_plugin.usecases.sessions.start_without_log import is_shown, keep_ready, last_session_alone
from progress_plugin.usecases.summarizing.compose import Composed
from progress_plugin.usecases.summarizing.last_session import is_logged, last_session, session_beside
from progress_plugin.usecases.summarizing.summary_files import looks_only


def context_for_session(project: Project, session: str | None, context: str, *, compacted: bool) -> str:
    """Return a start context for a session that goes on, after a compaction or a resume.

    It is not told of itself as of another one: the session before it, or beside it, is told in its place.
    After a compaction what it was at stands there instead.
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


def lines_by_id(context: str) -> dict[bytes, str]:
    """Return the lines of a start context that tell of another session, by what is noted of each as told."""
    lines = context.splitlines()
    kept = set(without(context).splitlines())
    return {
        content_digest(line.encode("utf-8", "replace"))[:ID_LENGTH]: line
        for line in lines
        if line not in kept
    }


def context_of_start(composed: Composed) -> str:
    """Return what a start prints of what was composed; empty where there is nothing to tell."""
    project = composed.sources.project
    if composed.context or project.has_directory or not composed.sources.is_empty:
        return composed.context
    inputs = Inputs(project.root)
    return last_session_alone(project, inputs) if is_shown(project, inputs, os.environ) else ""


def session_alone(project: Project, session: str | None, source: str | None) -> str:
    """Return what is told in a project without log and plan; empty where no session did anything."""
    inputs = Inputs(project.root)
    if not is_shown(project, inputs, os.environ):
        return ""
    if source == "compact":
        running = running_session(project, session)
        return HEAD + section(running, running=True, in_log=None) if running is not None else ""
    if not looks_only():
        catch_up(project, session)
        keep_ready(project)
        if source in ("resume", REOPENED):
            goes_on(project, session)
    return last_session_alone(project, inputs, besides=session)
