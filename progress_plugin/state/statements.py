"""Focus, next steps and blockers that documents state, except what newer statements end (rules 8 and 9)."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from progress_plugin.model.status import FINISHED, Status
from progress_plugin.model.work import AgentLog, Entry, Report, Source
from progress_plugin.plans.status_phrases import says_resolved, split_status
from progress_plugin.state.matching import shares_words
from progress_plugin.state.rules import Statuses, is_named, names_finished_work
from progress_plugin.state.state import Record, Work

SAME_STATEMENT = 0.9  # share of the words of the shorter statement
_POSITION = re.compile(r"\d+ (?:of|/) \d+\b")  # `Plan: 2 of 4` is a count, not a step


@dataclass(frozen=True)
class Statements:
    """What documents state about the present, the newest document first."""

    focus: Work | None = None
    steps: tuple[Work, ...] = ()
    blockers: tuple[Work, ...] = ()


def newest_date(logs: Iterable[AgentLog], records: Iterable[Record]) -> dt.date | None:
    """Return the date of the newest entry or record."""
    dates = [entry.date for log in logs for entry in log.entries] + [record.date for record in records]
    return max((date for date in dates if date), default=None)


def read_statements(logs: Sequence[AgentLog], records: Sequence[Record], statuses: Statuses) -> Statements:
    """Collect the statements of all documents that still hold."""
    newest = newest_date(logs, records)
    ends = [
        _Ending(entry.title, entry.date, entry.status, entry.source) for log in logs for entry in log.entries
    ]
    ends += [_Ending(record.text, record.date, record.status, Source(record.path)) for record in records]

    def works(log: AgentLog, reports: Iterable[Report]) -> list[Work]:
        kept = [report for report in reports if not _has_ended(log, report, ends, statuses)]
        return [_work(report, newest) for report in kept]

    ordered = sorted(logs, key=lambda log: _date_of(log) or dt.date.min, reverse=True)
    focus = next((work for log in ordered for work in works(log, [log.focus] if log.focus else [])), None)
    steps = [work for log in ordered for work in works(log, log.next_steps)]
    blockers = [work for log in ordered for work in works(log, log.blockers)]
    blockers += [step for step in steps if step.status is Status.BLOCKED]
    return Statements(
        focus if focus and focus.status is not Status.BLOCKED else None,
        tuple(_distinct(step for step in steps if step.status is not Status.BLOCKED)),
        tuple(_distinct(blockers)),
    )


@dataclass(frozen=True)
class _Ending:
    """What may end an older statement: an entry or a record."""

    text: str
    date: dt.date | None
    status: Status | None
    source: Source


def _date_of(log: AgentLog) -> dt.date | None:
    dates = [entry.date for entry in log.entries if entry.date]
    stated = [report.source.date for report in (log.focus, *log.next_steps, *log.blockers) if report]
    return max([*dates, *(date for date in stated if date)], default=None)


def _work(report: Report, newest: dt.date | None) -> Work:
    status = split_status(report.text)[1]
    is_outdated = bool(newest and report.source.date and report.source.date < newest)
    status = status if status in {Status.BLOCKED, Status.ACTIVE} else report.status
    return Work(report.text, report.source, None, status or Status.PENDING, "", is_outdated)


def _has_ended(log: AgentLog, report: Report, ends: Sequence[_Ending], statuses: Statuses) -> bool:
    """Return whether a statement says that it is done, names finished work, or a newer entry did the same."""
    is_done = split_status(report.text)[1] in FINISHED or names_finished_work(report.text, statuses)
    is_done = is_done or (report.status is Status.BLOCKED and says_resolved(report.text))
    if is_done or _POSITION.match(report.text):
        return True
    own = _entry_of(log, report)
    if _names_finished_entries(log, own, report.text):
        return True
    for end in ends:
        if end.status in {Status.ACTIVE, Status.BLOCKED, Status.FAILED, Status.PENDING}:
            continue
        is_newer = end.date and report.source.date and end.date > report.source.date
        is_later = own is not None and end.source.path == log.path and _follows(log, own, end.source)
        if (is_newer or is_later) and shares_words(report.text, end.text):
            return True
    return False


def _names_finished_entries(log: AgentLog, own: Entry | None, text: str) -> bool:
    """Return whether a text names entries of its log by id, and later entries say that all are done."""
    later = [entry for entry in log.entries if own is None or entry.number > own.number]
    named = {name for entry in log.entries for name in entry.ids if is_named(name, text)}
    done = {name for entry in later for name in entry.ids if entry.status is Status.DONE}
    return bool(named) and named <= done


def _entry_of(log: AgentLog, report: Report) -> Entry | None:
    inside = (entry for entry in log.entries if entry.source.line <= report.source.line <= entry.source.last)
    return next(inside, None)


def _follows(log: AgentLog, entry: Entry, source: Source) -> bool:
    return any(other.source == source and other.number > entry.number for other in log.entries)


def _distinct(works: Iterable[Work]) -> list[Work]:
    kept: list[Work] = []
    for work in works:
        texts = [other.text for other in kept]
        if work.text not in texts and not any(
            shares_words(work.text, text, SAME_STATEMENT) for text in texts
        ):
            kept.append(work)
    return kept
