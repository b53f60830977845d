"""Focus, next steps and blockers that documents state and that still hold (rules 8 and 9)."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from progress_plugin.model.status import FINISHED, Status
from progress_plugin.model.work import AgentLog, Entry, Report, Source, Statement
from progress_plugin.plans.status_phrases import is_bare_status, says_resolved, split_status
from progress_plugin.state.matching import NameIndex, shares_words
from progress_plugin.state.rules import FinishedNames, Reports
from progress_plugin.state.state import Record, Work

MAX_STATED = 50  # of the steps of one document, and of its blockers
MAX_STEP_AGE_DAYS = 30  # before the newest entry
_ANNOUNCEMENT = re.compile(r"\b(?:will|yet|until|later|todo|wird|noch|todavía)\b|尚未|まだ")
_CONDITION = re.compile(r"\b(?:if|when|whenever|unless|wenn|si)\b")  # with one, "will" announces nothing
UNFINISHED = frozenset({Status.ACTIVE, Status.BLOCKED, Status.FAILED, Status.PENDING})
SAME_STATEMENT = 0.9  # share of the words of the shorter statement that the longer one must have


class Statements(NamedTuple):
    """The focus, next steps and blockers that documents state, the newest document first."""

    focus: Work | None = None
    steps: tuple[Work, ...] = ()
    blockers: tuple[Work, ...] = ()
    ended: frozenset[tuple[str, int]] = frozenset()  # file and line of statements that no longer hold


def newest_date(logs: Iterable[AgentLog], records: Iterable[Record]) -> dt.date | None:
    """Return the date of the newest entry or record."""
    dates = [entry.date for log in logs for entry in log.entries] + [record.date for record in records]
    return max((date for date in dates if date), default=None)


def read_statements(
    logs: Sequence[AgentLog],
    records: Sequence[Record],
    finished: FinishedNames,
    reports: Reports,
    *,
    is_planned: bool,
) -> Statements:
    """Collect the statements that still hold: of each document of `_newest_of_series` the first 50 of a kind.

    If a plan has a next item (`is_planned`), no step that is older than the newest entry holds.
    """
    newest = newest_date(logs, records)
    ends = _endings(logs, records)
    about_items = _sources_about_items(reports)
    steps: list[Work] = []
    blockers: list[Work] = []
    ended: set[tuple[str, int]] = set()
    focus: Work | None = None
    for log in logs:
        ended.update(each.source[:2] for each in log.statements if _is_overtaken(each, finished))
    for log in _newest_of_series(logs):
        entries = _Entries(log)

        def keep_open_reports(
            reports: Iterable[Report], max_age: float = math.inf, entries: _Entries = entries
        ) -> list[Work]:
            kept = []
            for report in reports:
                if _age(report, newest) > max_age or _has_ended(report, entries, ends, finished):
                    ended.add(report.source[:2])
                else:
                    kept.append(_work(report, newest))
            return kept

        of_focus = [log.focus] if log.focus else []
        focus = focus or next(iter(keep_open_reports(of_focus, MAX_STEP_AGE_DAYS)), None)
        steps += keep_open_reports(log.next_steps[:MAX_STATED], 0 if is_planned else MAX_STEP_AGE_DAYS)
        blockers += keep_open_reports(
            each for each in log.blockers[:MAX_STATED] if not _belongs_to_item(each, entries, about_items)
        )
    blockers += [step for step in steps if step.status is Status.BLOCKED]
    return Statements(
        focus if focus and focus.status is not Status.BLOCKED else None,
        tuple(_distinct(step for step in steps if step.status is not Status.BLOCKED)),
        tuple(_distinct(blockers)),
        frozenset(ended),
    )


def _sources_about_items(reports: Reports) -> frozenset[Source | str]:
    """Return the source or id of each entry and record about an item, if it states a blocker or no status."""
    stated = [
        each
        for of_item in reports.values()
        for each in of_item
        if not each.is_plan and each.status in {Status.BLOCKED, None}
    ]
    return frozenset(each.record or each.source for each in stated)


def _belongs_to_item(blocker: Report, entries: _Entries, about_items: frozenset[Source | str]) -> bool:
    """Return whether a blocker is about an item, or says only "blocked": then it is not listed by itself.

    A blocker of our log may say only "blocked", since its entry names the work.
    """
    entry = entries.find_at(blocker.source.line)
    is_status = is_bare_status(blocker.text) and not blocker.record
    return blocker.record in about_items or is_status or (entry is not None and entry.source in about_items)


class _Ending(NamedTuple):
    """An entry or a record, which may end a statement that is older than it."""

    text: str
    date: dt.date | None
    status: Status | None
    log: str = ""  # path of the agent's log that has the entry
    number: int = 0  # of the entry in this log


def _endings(logs: Sequence[AgentLog], records: Iterable[Record]) -> list[_Ending]:
    ends = [
        _Ending(entry.title, entry.date, entry.status, log.path, entry.number)
        for log in logs
        for entry in log.entries
    ]
    ends += [_Ending(record.text, record.date, record.status) for record in records]
    return [end for end in ends if end.status not in UNFINISHED]


class _Entries:
    """Finds the entry around a line of one log, and whether later entries finished an id."""

    def __init__(self, log: AgentLog) -> None:
        self._entries = log.entries
        self._names = NameIndex(name for entry in log.entries for name in entry.ids)
        self._finished = {
            name: entry.number for entry in log.entries if entry.status is Status.DONE for name in entry.ids
        }

    def find_at(self, line: int) -> Entry | None:
        """Return the entry that a line is in, or None outside of entries."""
        return next((each for each in self._entries if each.source.line <= line <= each.source.last), None)

    def are_finished_after(self, number: int, text: str) -> bool:
        """Return whether a text names entries by id, and later entries say that all are done."""
        named = self._names.find(text)
        return bool(named) and all(self._finished.get(name, 0) > number for name in named)


def _newest_of_series(logs: Sequence[AgentLog]) -> list[AgentLog]:
    """Return the newest document of each series, the newest series first.

    The logs in a folder are one series, e.g. one file for each session. So are the hand-offs in a folder.
    """
    newest: dict[tuple[str, str], AgentLog] = {}
    for log in sorted(logs, key=lambda log: _date_of(log) or dt.date.min, reverse=True):
        series = log.path.rpartition("/")[0] if log.kind in {"log", "handoff"} else log.path
        newest.setdefault((series, log.kind), log)
    return list(newest.values())


def _date_of(log: AgentLog) -> dt.date | None:
    dates = [entry.date for entry in log.entries if entry.date]
    stated = [report.source.date for report in (log.focus, *log.next_steps, *log.blockers) if report]
    return max([*dates, *(date for date in stated if date)], default=None)


def _work(report: Report, newest: dt.date | None) -> Work:
    status = split_status(report.text)[1]
    status = status if status in {Status.BLOCKED, Status.ACTIVE} else report.status
    status, is_outdated = status or Status.PENDING, _age(report, newest) > 0
    return Work(report.text, report.source, status=status, is_outdated=is_outdated, record=report.record)


def _is_overtaken(statement: Statement, finished: FinishedNames) -> bool:
    """Return whether a statement announces work of other items (`US-7 will add it`) that are finished."""
    low = statement.text.lower()
    is_announcement = _ANNOUNCEMENT.search(low) and not _CONDITION.search(low)
    return bool(is_announcement) and finished.has_all_named_in(statement.text, statement.story or "")


def _age(statement: Report, newest: dt.date | None) -> int:
    """Return the days from a statement to the newest entry; 0 if unknown."""
    return (newest - statement.source.date).days if newest and statement.source.date else 0


def _has_ended(report: Report, entries: _Entries, ends: Sequence[_Ending], finished: FinishedNames) -> bool:
    """Return whether a statement is over: by its words, by finished items or a newer entry about its work."""
    is_done = split_status(report.text)[1] in FINISHED or finished.has_all_named_in(report.text)
    is_done = is_done or (report.status is Status.BLOCKED and says_resolved(report.text))
    if is_done:
        return True
    entry, date = entries.find_at(report.source.line), report.source.date
    number = entry.number if entry else 0
    if entries.are_finished_after(number, report.text):
        return True
    return any(
        (
            (end.date and date and end.date > date)
            or (number and end.log == report.source.path and end.number > number)
        )
        and shares_words(report.text, end.text)
        for end in ends
    )


def _distinct(works: Iterable[Work]) -> list[Work]:
    kept: list[Work] = []
    for work in works:
        texts = [other.text for other in kept]
        if work.text not in texts and not any(
            shares_words(work.text, text, SAME_STATEMENT) for text in texts
        ):
            kept.append(work)
    return kept
