"""Find the newest entries of all logs together, and give each entry its chosen statements."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator, Sequence
from itertools import chain
from posixpath import dirname
from typing import NamedTuple

from progress_plugin.model.work import AgentLog, Entry, Line, Source, Statement
from progress_plugin.selection.words import word_list
from progress_plugin.state.matching import entries_of_these_plans
from progress_plugin.summary.project_facts import Facts
from progress_plugin.summary.shown_text import items_by_id, mark_of, name_entry, safe_line, status_of_entry
from progress_plugin.text.labels import words_of
from progress_plugin.text.patterns import LazyPattern

MAX_DOCUMENTS = 2  # state or hand-off documents without entries
MAX_STATUS_LINES = 5  # of each such document
COUNT = LazyPattern(r"(?<!\d)\d{1,9} ?(?:of|/|%)(?: ?\d|\W|$)")  # the head shows the counts


class RecentEntry(NamedTuple):
    """One of the newest entries, or a document without entries."""

    path: str
    number: int  # 0 for a document without entries
    heading: Line
    bullets: tuple[Line, ...] = ()
    older: tuple[int, ...] = ()  # numbers of older entries about the same story

    @property
    def numbers(self) -> tuple[int, ...]:
        return (self.number, *self.older) if self.number else ()

    def has(self, statement: Statement) -> bool:
        return statement.source.path == self.path and statement.entry in self.numbers


def find_recent(facts: Facts, count: int) -> list[RecentEntry]:
    """Return the newest entries, at most `count`, then documents without entries that still hold."""
    return [*newest_stories(facts, count), *describe_documents(facts)]


def newest_entries(facts: Facts) -> list[tuple[AgentLog, Entry]]:
    """Return the entries that say anything, newest first; without dates in a log, by the date of its file.

    Entries of one day have the order of the commits that name their stories, else that of the logs.
    """
    dated = [
        (date, commit, -place, entry.number, log, entry)
        for place, log in enumerate(facts.logs)
        for (date, entry), commit in zip(
            _with_dates(log, facts.date_of(log.path)), _commits_of(log, facts), strict=True
        )
        if entry.title or entry.ids or any(each.entry == entry.number for each in log.statements)
    ]
    return [(log, entry) for *_, log, entry in sorted(dated, key=lambda each: each[:4], reverse=True)]


def _commits_of(log: AgentLog, facts: Facts) -> list[float]:
    """Return for each entry the place of its last commit in `facts.commits`, else that of the next entry.

    The last entries of the leading log may not be committed yet: they are newer than all commits.
    """
    commits = [*enumerate(facts.commits)]
    beside = [pair for pair in commits if dirname(pair[1].plan) == dirname(log.path)]
    places = {commit.story.casefold(): place for place, commit in beside or commits}
    named = [
        [places[name.casefold()] for name in entry.ids if name.casefold() in places] for entry in log.entries
    ]
    place = math.inf if log is facts.logs[0] else max(chain(*named), default=-1)
    found = []
    for of_entry in reversed(named):
        place = max(of_entry, default=place)
        found.append(place)
    return found[::-1]


def newest_stories(facts: Facts, count: int) -> list[RecentEntry]:
    """Return the newest entries, each story of a log once."""
    found: dict[tuple[str, object], RecentEntry] = {}
    plans = facts.inputs.plans
    planned = {log.path: items_by_id(facts.state, log.path).keys() for log in facts.logs}
    begun = {log.path: entry.number for log in facts.logs for entry in entries_of_these_plans(log, plans)[:1]}
    for log, entry in newest_entries(facts):
        is_planned = all(name.casefold() in planned[log.path] for name in entry.ids)
        # without a plan, an agent's log may use an id again
        title = "" if is_planned or log is facts.own.log else entry.title
        key = (log.path, (entry.ids, title) if entry.ids else entry.number)
        if first := found.get(key):
            if entry.number >= begun[log.path]:  # an older entry is about another story with this id
                found[key] = first._replace(older=(*first.older, entry.number))
        elif len(found) < count:
            found[key] = with_heading(facts, log, entry)
    return [*found.values()]


def _with_dates(log: AgentLog, of_file: dt.date | None) -> Iterator[tuple[dt.date, Entry]]:
    """Yield each entry with its date, else the date of the entry before; if none has one, of the file."""
    has_dates = any(entry.date for entry in log.entries)
    date = dt.date.min if has_dates or of_file is None else of_file
    for entry in log.entries:
        date = entry.date or date
        yield date, entry


def with_heading(facts: Facts, log: AgentLog, entry: Entry) -> RecentEntry:
    """Return an entry with its heading: date, ids, title and status."""
    items = items_by_id(facts.state, log.path)
    record = facts.own.records[entry.number - 1] if log is facts.own.log else None
    evidence, writer = (facts.evidence.get(record.id, ""), record.writer) if record else ("", "")
    mark = mark_of(status_of_entry(entry, items), evidence, writer)
    places = [entry.source._replace(line=line, last=0) for line in (entry.source.line, entry.title_line)]
    story = items.get(entry.ids[0].casefold()) if entry.ids and not entry.title else None
    places[1:] = [story.item.source] if story else places[1:] if entry.title_line else []
    return RecentEntry(log.path, entry.number, safe_line(name_entry(entry, items) + mark, *places))


def describe_documents(facts: Facts) -> list[RecentEntry]:
    """Return the current status that state and hand-off documents state, unless an entry is newer.

    Of a log without entries, e.g. a plain list, the last lines are shown.
    """
    newest = facts.state.newest
    found = []
    for log in facts.logs:
        date = facts.date_of(log.path)
        is_old = newest is not None and date is not None and date < newest
        if log.entries or is_old:
            continue
        lines = [each for each in _stated_lines(log, facts) if not facts.state.has_ended(each.source)]
        if bullets := tuple(safe_line(each.text, each.source) for each in lines[-MAX_STATUS_LINES:]):
            writer = f" by {lines[0].source.writer}" if lines[0].source.writer else ""
            name = ", ".join(filter(None, (log.path + writer, _stated_date(log))))
            found.append(RecentEntry(log.path, 0, safe_line(name, Source(log.path)), bullets))
    return found[:MAX_DOCUMENTS]


def _stated_lines(log: AgentLog, facts: Facts) -> list[Statement]:
    if log.kind in {"state", "handoff"}:
        found = (each for each in log.statements if each.section in {"status", "focus"})
        found = (each for each in found if each.form != "box" and not each.text.endswith((":", "：")))
        stated = [each for each in found if not COUNT.search(each.text)]
        is_only_source = not (stated or log.next_steps or facts.state.plans or facts.state.entries)
        items = [each for each in log.statements if each.form == "item"]
        return items[:MAX_STATUS_LINES] if is_only_source else stated
    is_log = any(file.path == log.path and file.kind == "log" for file in facts.files)
    return [each for each in log.statements if is_log and each.section is None]


def _stated_date(log: AgentLog) -> str:
    """Return the first date of the focus, steps and blockers of a document, or an empty text."""
    stated = [report for report in (log.focus, *log.next_steps, *log.blockers) if report]
    return next((str(report.source.date) for report in stated if report.source.date), "")


def with_bullets(recent: RecentEntry, chosen: Sequence[Statement]) -> RecentEntry:
    """Return an entry with the chosen statements that are in it."""
    if not recent.number:
        return recent
    heading = words_of(recent.heading.text)
    own = [each for each in chosen if recent.has(each) and not _repeats(heading, each.text)]
    return recent._replace(bullets=tuple(safe_line(each.text, each.source) for each in own))


def _repeats(heading: frozenset[str], text: str) -> bool:
    """Return whether a text only says that the work of a heading is done: `Implemented the login page`."""
    new = words_of(text) - heading
    return bool(new) and new <= word_list("accomplished")
