"""Views of stories, blockers, learnings and entries: the same fields for every output.

A view is an object as `--json` prints it, which docs/commands.md describes. Every text except ids is one
line without secrets or invisible characters.
"""

from __future__ import annotations

import datetime as dt
import itertools
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from progress_plugin.log.entry import data_of, text_of, texts_of, time_of, writer_of
from progress_plugin.log.merge import read_blockers
from progress_plugin.log.progress_md import headline
from progress_plugin.log.timestamp import format_time
from progress_plugin.model.status import FINISHED, SHOWN_MARKS, Status
from progress_plugin.model.work import AgentLog, Item, Learning, Report, Source
from progress_plugin.selection.merge import Merged
from progress_plugin.state import rules
from progress_plugin.state.state import ItemState, PlanState, Work
from progress_plugin.summary.own_log import PATH as OWN_PATH
from progress_plugin.summary.project_facts import Facts
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.evidence import Evidence

MAX_TITLE_CHARS = 120
MAX_TEXT_CHARS = 1000
FIRST_YEAR, LAST_YEAR = 1990, 2099  # a date beyond them is an error of the writer

_ID = re.compile(rb'"id": ?"(\w[\w.-]{0,200})"')

View = dict[str, Any]
Entries = Mapping[str, dict[str, Any]]
"""Entries of our own log by id."""


def view_learning(merged: Merged[Learning]) -> View:
    """Return a learning with the places of all its mentions."""
    statement = merged.statement
    return {
        "kind": statement.kind,
        "text": as_line(statement.text),
        "mentions": len(merged.sources),
        "story": as_line(statement.story, MAX_TITLE_CHARS),
        "places": [*map(describe_place, merged.sources)],
    }


def entries_by_id(entries: Sequence[dict[str, Any]]) -> Entries:
    return {name: entry for entry in entries if (name := text_of(entry, "id"))}


def lines_of_ids(log: bytes) -> dict[str, int]:
    """Return the number of the line with each entry of a log or an archived month, by the entry's id."""
    lines: dict[str, int] = {}
    for number, text in enumerate(log.split(b"\n"), 1):
        for name in _ID.findall(text):
            lines.setdefault(name.decode(), number)
    return lines


def view_stories(plan: PlanState, facts: Facts) -> list[View]:
    """Return the leaves of a plan in its order."""
    by_id = rules.items_by_id(plan.plan.items)
    statuses = {each.item: each.status for each in (*plan.items, *plan.groups)}
    file_date = facts.date_of(plan.plan.path)

    def waits_for(item: Item) -> tuple[str, ...]:
        found = rules.find_dependencies(item, by_id)
        return tuple(as_line(other.id) for other in found if statuses[other] not in FINISHED)

    return [
        {
            "id": as_line(each.item.id, MAX_TITLE_CHARS),
            "title": as_line(each.item.title),
            "status": each.status,
            "mark": SHOWN_MARKS[each.status],
            "agent": as_line(each.item.agent, MAX_TITLE_CHARS),
            "attempts": each.item.attempts,
            "waits_for": () if each.status in FINISHED else waits_for(each.item),
            "parents": tuple(as_line(parent.id or parent.title, MAX_TITLE_CHARS) for parent in each.parents),
            "finished": _finished(each, file_date),
            "entries": sum(not report.is_plan for report in each.reports),
            "plan": as_line(plan.plan.path),
            "line": each.item.source.line,
        }
        for each in plan.items
    ]


def _finished(state: ItemState, file_date: dt.date | None) -> str:
    """Return the day a story was finished: by its plan, unless that is `file_date`, else by its entries."""
    if state.status is not Status.DONE:
        return ""
    dated = [each for each in state.reports if is_plausible(each.source.date)]
    of_plan = [each for each in dated if each.is_plan and each.source.date != file_date]
    others = [each for each in dated if not each.is_plan]
    done = [*itertools.takewhile(lambda each: each.status is Status.DONE, reversed(others))]
    return next((str(each.source.date) for each in (*of_plan, *done[-1:], *others[-1:])), "")


def is_plausible(date: dt.date | None) -> bool:
    """Return whether a date is given and is no obvious error."""
    return date is not None and FIRST_YEAR <= date.year <= LAST_YEAR


def view_blockers(facts: Facts) -> list[View]:
    return [_view_blocker(*blocked) for blocked in _blocked_work(facts)]


def open_blockers_of_log(facts: Facts, entries: Entries) -> list[dict[str, Any]]:
    """Return the entries of our own log about currently blocked work, oldest first."""
    found = {name: entries[name] for _, _, names in _blocked_work(facts) for name in names if name in entries}
    return sorted(found.values(), key=lambda entry: text_of(entry, "timestamp") or "")


def _blocked_work(facts: Facts) -> Iterator[tuple[Work, list[Report], list[str]]]:
    """Yield blocked work with its reports and the ids of its entries, the newest first."""
    states = {each.item: each for plan in facts.state.plans for each in plan.items}
    for work in facts.state.blocked:
        stated = rules.blocking_reports(states[work.item].reports) if work.item else []
        records = [work.record, *(each.record for each in stated)]
        yield work, stated, [record for record in records if record]


def _view_blocker(work: Work, stated: list[Report], names: list[str]) -> View:
    dates = [each.source.date for each in stated if each.source.date and not each.is_plan]
    places = [each.source for each in stated if each.source.line and not each.is_plan] or [work.source]
    since = min(dates, default=None if work.item else work.source.date)
    return {
        "id": as_line(work.item.id, MAX_TITLE_CHARS) if work.item else "",
        "title": as_line(work.text),
        "why": as_line(work.reason),
        "since": str(since or ""),
        "by": as_line(work.writer or work.source.writer, MAX_TITLE_CHARS),
        "entry": names[0] if names else "",
        "place": describe_place(places[0]),
    }


def view_logged_blocker(entry: dict[str, Any]) -> View:
    """Return a blocker as an entry of our own log states it."""
    when, task = time_of(entry), text_of(entry, "task_id")
    issue = text_of(data_of(entry), "issue") or headline(entry)
    date = when.astimezone().date() if when else None
    source = Source(OWN_PATH, date=date, writer=writer_of(entry) or "")
    text = f"{task}: {issue}" if task and task != issue else issue
    return _view_blocker(Work(text, source), [], [text_of(entry, "id") or ""])


def describe_ends(facts: Facts, entries: Entries) -> dict[str, dict[str, str]]:
    """Return `how` each ended blocker of our log ended, and `by` which entry, by the id of the blocker."""
    finished = {
        report.record: state
        for plan in facts.state.plans
        for state in plan.items
        if state.status in FINISHED
        for report in state.reports
        if report.record
    }
    ended = {text_of(entry, "id") or "": by for entry, by in read_blockers(entries.values()).ended}
    found = {}
    for name, entry in entries.items():
        if by := ended.get(name):
            found[name] = {"how": as_line(headline(by)), "by": text_of(by, "id") or ""}
        elif name in finished and entry.get("type") == "task_blocked":
            item, status = finished[name].item, finished[name].status
            found[name] = {"how": as_line(f"{item.id or item.title} is {status} in the plan"), "by": ""}
    return found


def details_of(log: AgentLog) -> dict[int, list[str]]:
    """Return the texts of each entry of a log by its number."""
    details: dict[int, list[str]] = defaultdict(list)
    for statement in log.statements:
        details[statement.entry].append(statement.text)
    return details


def view_own_entry(
    entry: dict[str, Any],
    details: Sequence[str],
    leading: str,
    ends: Mapping[str, Mapping[str, str]],
    evidence: Mapping[str, Evidence],
) -> View:
    """Return an entry of our own log, with how its blocker ended and what proves it.

    `details` are its texts, `leading` is the path of the leading plan, which is not named.
    """
    name = text_of(entry, "id") or ""
    when, text, data = time_of(entry), text_of(entry, "timestamp") or "", data_of(entry)
    story = entry.get("story")
    plan = text_of(story, "plan") if isinstance(story, dict) else None
    title = headline(entry)
    files = dict.fromkeys((*texts_of(data, "files_modified"), *texts_of(data, "files")))
    return {
        "id": name,
        "when": format_time(when) if when and ":" in text else as_line(text, MAX_TITLE_CHARS),
        "type": as_line(text_of(entry, "type"), MAX_TITLE_CHARS),
        "story": as_line(text_of(entry, "task_id"), MAX_TITLE_CHARS),
        "plan": as_line(text_of(entry, "spec") or ("" if plan == leading else plan), MAX_TITLE_CHARS),
        "title": as_line(title),
        "details": [as_line(text) for text in details if text not in title and not text.endswith(title)],
        "files": [*map(as_line, files)],
        "writer": as_line(writer_of(entry), MAX_TITLE_CHARS),
        "place": OWN_PATH,
        "resolved": ends[name]["how"] if name in ends else "",
        "evidence": as_line(evidence[name].words()) if name in evidence else "",
    }


def describe_place(source: Source) -> str:
    """Return `progress.md:12`; of our own log only its name."""
    has_line = source.line and source.path != OWN_PATH
    return as_line(f"{source.path}:{source.line}" if has_line else source.path)


def as_line(text: str | None, limit: int = MAX_TEXT_CHARS) -> str:
    return one_line(text, limit) if text else ""
