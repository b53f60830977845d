"""The recorded sessions of a project as a person, an agent or a report sees them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from progress_plugin.core.errors import BadInput
from progress_plugin.core.project import Project
from progress_plugin.log import store
from progress_plugin.summary.session_section import describe
from progress_plugin.text.bounds import counted, some_of
from progress_plugin.transcripts.record import SessionRecord, Step, newest_files_first
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.usecases.last_session import OFF_REASON, last_session, logged_sessions, reads_transcripts
from progress_plugin.usecases.reading import Reading
from progress_plugin.usecases.sessions.read_transcripts import read_changed_transcripts
from progress_plugin.usecases.views import View

DEFAULT_SESSIONS = 10
MAX_FILES = 30
_INTERNAL = {"steps", "size", "written_ns", "foreign", "frozen"}


def list_sessions(project: Project, n: int) -> list[View]:
    """Return the last `n` sessions that are listed, newest first. Raises BadInput if transcripts are off."""
    log = store.load_history(project.log_directory)
    logged = logged_sessions(log) if log.log.items else None
    return [_view_session(record, project, logged) for record in reversed(_records(project)[-n:])]


def report_sessions(reading: Reading) -> list[View]:
    """Return every recorded session that asked or did something, the last one first."""
    logged = logged_sessions(reading.log) if reading.log.log.items else None
    listed = (record for record in reversed(reading.sessions) if record.is_listed)
    return [_view_session(record, reading.project, logged) for record in listed]


def session_details(project: Project, named: str) -> tuple[list[str], dict[str, Any]]:
    """Return the lines and the facts of one session, by its id or the beginning of it.

    `last` is the one that a start shows, else the newest. Raises BadInput unless one session is meant.
    """
    records = _records(project)
    if named == "last":
        logged = logged_sessions(store.load_history(project.log_directory))
        found = [each for each in (last_session(records, logged), *records[-1:]) if each][:1]
    else:
        found = [each for each in records if each.session == named]
        found = found or [each for each in records if each.session.startswith(named)]
    if not found:
        raise BadInput(f"no recorded session is {named}; `agent-progress sessions` lists them")
    if len(found) > 1:
        names = some_of([each.short for each in found])
        raise BadInput(f"{len(found)} recorded sessions have an id that begins with {named}: {names}")
    facts = {name: value for name, value in found[0].to_data().items() if name not in _INTERNAL}
    return describe(found[0]), facts


def _records(project: Project) -> list[SessionRecord]:
    if not reads_transcripts(project):
        raise BadInput(OFF_REASON)
    read_changed_transcripts(project, None)
    return [record for record in SessionStore(project).records() if record.is_listed]


def _view_session(record: SessionRecord, project: Project, logged: Collection[str] | None) -> View:
    """Return one recorded session; every text is one line that is safe to show, as in its record."""
    files = newest_files_first(record.files.values())
    return {
        "id": record.session,
        "short": record.short,  # the beginning of the id, long enough to be unique as a rule
        "client": record.client,
        "branch": record.branch,
        "worktree": record.worktree if record.worktree != (project.worktree or "") else "",
        "started": record.started,  # ISO 8601 in UTC; empty if the transcript has no time
        "ended": record.ended,
        "request": next(iter(record.request_texts), ""),  # the first request that states the task
        "requests": [request.text for request in record.requests],  # the first one and the newest
        "left_out": max(record.asked - len(record.requests), 0),  # requests
        "changed": len(files),
        "files": [
            f"{file.path} ({counted(file.times, 'time')})" if file.times > 1 else file.path
            for file in files[:MAX_FILES]
        ],
        "checks": [_check(run, record.passed_later) for run in reversed(record.checks.values())],
        "failing": [run.what for run in record.failing],  # their last run failed, and none passed later
        "commits": [f"{each.id[:9]} {each.subject}" for each in record.commits[::-1]],
        "open_tasks": [task.text for task in record.tasks.values() if task.is_open],
        "in_log": record.session in logged if logged is not None else None,  # None without a log
    }


def _check(run: Step, passed_later: Collection[str]) -> str:
    ended = {True: "passed", False: "failed", None: "ran, its result is not known"}[run.passed]
    since = ", and passed in a later session" if run.what in passed_later else ""
    return f"{run.what} {ended}{since}{': ' if run.says else ''}{run.says}"
