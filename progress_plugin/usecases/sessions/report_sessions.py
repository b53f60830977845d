"""The recorded sessions as a report shows them: what was asked, done, checked and left open."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import one_line
from progress_plugin.transcripts.passes_in_later_sessions import note_later_passes
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.record_items import CheckRun, by_worth
from progress_plugin.usecases.last_session import is_logged
from progress_plugin.usecases.reading import Reading

_LINE = 300
_FILES, _TASKS, _COMMITS = 30, 30, 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportSession:
    """One session; every text is one line without secrets and invisible characters."""

    id: str
    client: str
    branch: str
    started: str
    """`YYYY-MM-DD HH:MM` in UTC; empty if the transcript has no time."""
    ended: str
    requests: tuple[str, ...]
    """The first one and the newest, in their order."""
    left_out: int
    """How many more requests there were."""
    files: tuple[str, ...]
    """What was written of the project, the newest first, plans and logs last."""
    checks: tuple[str, ...]
    """`pytest failed: E assert 3.3 == 3.5`: tests, builds, type checkers, linters, with their last result."""
    failing: int
    """How many of them failed, and have not passed in a later session."""
    commits: tuple[str, ...]
    open_tasks: tuple[str, ...]
    """Of the client's own list."""
    in_log: bool | None
    """Whether the log has an entry of it; None where there is no log."""


def report_sessions(reading: Reading) -> tuple[ReportSession, ...]:
    """Return every recorded session that asked or did something, the last one first."""
    note_later_passes(reading.sessions)
    return tuple(_session(record, reading) for record in reversed(reading.sessions) if record.is_listed)


def _session(record: SessionRecord, reading: Reading) -> ReportSession:
    runs = sorted(record.checks.values(), key=lambda run: run.when, reverse=True)
    return ReportSession(
        id=record.session,
        client=_line(record.client),
        branch=_line(record.branch),
        started=_minute(record.started),
        ended=_minute(record.ended),
        requests=tuple(_line(request.text) for request in record.requests),
        left_out=max(record.asked - len(record.requests), 0),
        files=tuple(
            _line(f"{file.path} ({counted(file.times, 'time')})" if file.times > 1 else file.path)
            for file in by_worth(record.files.values())[:_FILES]
        ),
        checks=tuple(_check(run, record.passed_later) for run in runs),
        failing=len(record.failing),
        commits=tuple(_line(f"{each.id[:9]} {each.subject}") for each in record.commits[::-1][:_COMMITS]),
        open_tasks=tuple(_line(task.text) for task in record.tasks.values() if task.is_open)[:_TASKS],
        in_log=is_logged(reading.log, record),
    )


def _check(run: CheckRun, passed_later: Collection[str]) -> str:
    ended = {True: "passed", False: "failed", None: "ran, its result is not known"}[run.passed]
    since = ", and passed in a later session" if run.name in passed_later else ""
    return _line(f"{run.name} {ended}{since}{': ' if run.says else ''}{run.says}")


def _minute(when: str) -> str:
    return when[:16].replace("T", " ")


def _line(text: str) -> str:
    return one_line(text, _LINE)
