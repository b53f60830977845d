"""Find the newest entries of all logs together, and show each with what was chosen of it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from progress_plugin.model.work import AgentLog, Entry, Line, Statement
from progress_plugin.summary.project_facts import Facts
from progress_plugin.summary.shown_text import (
    mark_of,
    name_entry,
    safe_line,
    status_of_entry,
    titles_by_id,
)

MAX_FILES = 6


@dataclass(frozen=True, slots=True)
class RecentEntry:
    """One of the newest entries."""

    path: str
    number: int
    heading: Line
    bullets: tuple[Line, ...] = ()
    files: tuple[str, ...] = ()


def newest_entries(facts: Facts, count: int) -> list[tuple[AgentLog, Entry]]:
    """Return the newest entries, the newest first; those of a log without dates have the date of its file."""
    dated = [
        (date, -place, entry.number, log, entry)
        for place, log in enumerate(facts.logs)
        for date, entry in _with_dates(log, facts.date_of(log.path))
        if entry.title or entry.ids or any(each.entry == entry.number for each in log.statements)
    ]
    ordered = sorted(dated, key=lambda each: each[:3], reverse=True)
    return [(log, entry) for *_, log, entry in ordered[:count]]


def _with_dates(log: AgentLog, of_file: dt.date | None) -> Iterator[tuple[dt.date, Entry]]:
    """Yield each entry with its date, else that of the entry before it."""
    has_dates = any(entry.date for entry in log.entries)
    date = dt.date.min if has_dates or of_file is None else of_file
    for entry in log.entries:
        date = entry.date or date
        yield date, entry


def name_entries(facts: Facts, newest: Sequence[tuple[AgentLog, Entry]]) -> list[RecentEntry]:
    """Return each entry with its heading: date, ids, title and status."""
    titles = titles_by_id(facts.state)
    states = {each.item.id.casefold(): each for each in facts.state.items if each.item.id}
    return [
        RecentEntry(
            log.path,
            entry.number,
            safe_line(name_entry(entry, titles) + mark_of(status_of_entry(entry, states)), entry.source),
            files=tuple(safe_line(path).text for path in entry.files[:MAX_FILES]),
        )
        for log, entry in newest
    ]


def with_bullets(recent: RecentEntry, chosen: Sequence[Statement]) -> RecentEntry:
    """Return an entry with those of the chosen statements that it makes."""
    bullets = [
        safe_line(each.text, each.source)
        for each in chosen
        if each.entry == recent.number and each.source.path == recent.path
    ]
    return RecentEntry(recent.path, recent.number, recent.heading, tuple(bullets), recent.files)
