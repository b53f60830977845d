"""The recorded sessions of a project as a person, an agent or a report sees them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, NamedTuple

from progress_plugin.core.errors import BadInput
from progress_plugin.core.project import Project
from progress_plugin.log import history
from progress_plugin.text.bounds import counted, some_of
from progress_plugin.text.safe_output import one_line
from progress_plugin.transcripts.passes_in_later_sessions import note_later_passes
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.record_items import CheckRun, by_worth
from progress_plugin.transcripts.requests import asked_for
from progress_plugin.transcripts.session_section import describe, minute
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.usecases.last_session import OFF, last_session, logged_sessions, reads_transcripts
from progress_plugin.usecases.reading import Reading
from progress_plugin.usecases.sessions.reading import catch_up

DEFAULT_SESSIONS = 10
MAX_LINE_CHARS, MAX_FILES = 300, 30
_INTERNAL = ("keys", "timeline", "size", "written_ns", "foreign", "frozen")


class ListedSession(NamedTuple):
    """One recorded session."""

    id: str
    short: str  # as much of the id as tells it from the others
    client: str
    started: str  # ISO 8601 in UTC; empty if the transcript has no time
    ended: str
    request: str  # the first one that says what is to be done
    changed: int  # files of the project that were written
    worktree: str  # the linked worktree that it worked in, if this is another one
    failing: list[str]  # checks whose last run failed, here and in later sessions


class SessionDetails(NamedTuple):
    """All that is kept of one session."""

    lines: list[str]
    facts: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportSession:
    """One session in a report; every text is one line without secrets and invisible characters."""

    id: str
    client: str
    branch: str
    started: str  # `YYYY-MM-DD HH:MM` in UTC; empty if the transcript has no time
    ended: str
    requests: tuple[str, ...]  # the first one and the newest, in their order
    left_out: int  # how many more requests there were
    files: tuple[str, ...]  # newest first, plans and logs last
    checks: tuple[str, ...]  # `pytest failed: E assert 3.3 == 3.5`
    failing: int
    commits: tuple[str, ...]
    open_tasks: tuple[str, ...]
    in_log: bool | None  # whether the log has an entry of it; None without a log


def list_sessions(project: Project, n: int) -> list[ListedSession]:
    """Return the newest `n` recorded sessions, newest first. Raises BadInput if that is switched off."""
    return [_listed(project, record) for record in reversed(_records(project))][:n]


def session_details(project: Project, named: str) -> SessionDetails:
    """Return one session by its id or the beginning of it; `last` is the one that a start shows.

    Raises BadInput if no session or several are meant.
    """
    records = _records(project)
    if not records:
        raise BadInput("no session was recorded yet: a transcript is read at the session's end")
    if named == "last":
        logged = logged_sessions(history.load(project.log_directory))
        found = [last_session(records, logged) or records[-1]]
    else:
        found = [each for each in records if each.session == named]
        found = found or [each for each in records if each.session.startswith(named)]
    if not found:
        raise BadInput(f"no recorded session with the id {named}; `agent-progress sessions` lists them")
    if len(found) > 1:
        names = some_of([each.short for each in found])
        raise BadInput(f"{len(found)} recorded sessions with the id {named}: {names}")
    facts = {name: value for name, value in found[0].as_json().items() if name not in _INTERNAL}
    return SessionDetails(describe(found[0]), facts)


def report_sessions(reading: Reading) -> tuple[ReportSession, ...]:
    """Return every recorded session that asked or did something, the last one first."""
    note_later_passes(reading.sessions)
    logged = logged_sessions(reading.log) if reading.log.log.items else None
    return tuple(_reported(record, logged) for record in reversed(reading.sessions) if record.is_listed)


def _records(project: Project) -> list[SessionRecord]:
    if not reads_transcripts(project):
        raise BadInput(OFF)
    catch_up(project, None)
    records = SessionStore(project).records()
    note_later_passes(records)
    return [record for record in records if record.is_listed]


def _listed(project: Project, record: SessionRecord) -> ListedSession:
    return ListedSession(
        id=record.session,
        short=record.short,
        client=record.client,
        started=record.started,
        ended=record.ended,
        request=next(iter(asked_for(record.requests)), ""),
        changed=len(record.files),
        worktree=record.worktree if record.worktree != (project.worktree or "") else "",
        failing=[run.name for run in record.failing],
    )


def _reported(record: SessionRecord, logged: Collection[str] | None) -> ReportSession:
    runs = sorted(record.checks.values(), key=lambda run: run.when, reverse=True)
    return ReportSession(
        id=record.session,
        client=_line(record.client),
        branch=_line(record.branch),
        started=minute(record.started),
        ended=minute(record.ended),
        requests=tuple(_line(request.text) for request in record.requests),
        left_out=max(record.asked - len(record.requests), 0),
        files=tuple(
            _line(f"{file.path} ({counted(file.times, 'time')})" if file.times > 1 else file.path)
            for file in by_worth(record.files.values())[:MAX_FILES]
        ),
        checks=tuple(_check(run, record.passed_later) for run in runs),
        failing=len(record.failing),
        commits=tuple(_line(f"{each.id[:9]} {each.subject}") for each in record.commits[::-1]),
        open_tasks=tuple(_line(task.text) for task in record.tasks.values() if task.is_open),
        in_log=record.session in logged if logged is not None else None,
    )


def _check(run: CheckRun, passed_later: Collection[str]) -> str:
    ended = {True: "passed", False: "failed", None: "ran, its result is not known"}[run.passed]
    since = ", and passed in a later session" if run.name in passed_later else ""
    return _line(f"{run.name} {ended}{since}{': ' if run.says else ''}{run.says}")


def _line(text: str) -> str:
    return one_line(text, MAX_LINE_CHARS)
