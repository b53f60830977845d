"""What every output shows of stories, blockers and entries: the same fields, made in one place.

Every text is one line without secrets and invisible characters.
"""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from progress_plugin.log.entry import data_of, text_of, texts_of, time_of, writer_of
from progress_plugin.log.headline import below_headline, headline, headline_field, with_name
from progress_plugin.log.merge import read_blockers
from progress_plugin.log.timestamp import written
from progress_plugin.model.learning import LearningKind
from progress_plugin.model.status import FINISHED, SHOWN_MARKS, Status
from progress_plugin.model.work import Item, Learning, Report, Source
from progress_plugin.selection.merge import Merged
from progress_plugin.state import rules
from progress_plugin.state.state import ItemState, PlanState, Work
from progress_plugin.summary.own_log import PATH as OWN_PATH
from progress_plugin.summary.project_facts import Facts
from progress_plugin.text.safe_output import one_line

MAX_TITLE_CHARS = 120
MAX_TEXT_CHARS = 1000
TROUBLE_FIELDS = ("issue", "suggested_resolution")
OTHER_MARK = "•"  # of an entry that does not state a status
FIRST_YEAR, LAST_YEAR = 1990, 2099  # a date beyond them is an error of the writer

Entries = Mapping[str, dict[str, Any]]
"""Entries of our own log by id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryView:
    """One leaf of a plan."""

    id: str
    title: str
    status: Status
    mark: str
    agent: str
    attempts: int
    waits_for: tuple[str, ...]  # ids of unfinished dependencies
    parents: tuple[str, ...]
    finished: str  # `YYYY-MM-DD`; empty if it is open or the day is unknown
    entries: int  # entries and commits about it
    plan: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockerView:
    """A blocked story, or a blocker that an entry or a document states."""

    id: str  # of the story; empty if it is about none
    title: str
    why: str
    since: str  # `YYYY-MM-DD`; empty if no statement has a date
    by: str  # the other clone that logged it; empty for this one
    entry: str  # id of the newest entry of our log that states it
    place: str  # `prd.json:137`


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryView:
    """One entry of any log."""

    id: str = ""  # empty for an entry of an agent's log, as are `type`, `plan` and `writer`
    when: str  # ISO 8601 in UTC or a bare day; empty without a usable date
    type: str = ""  # `task_completed`
    story: str
    plan: str = ""  # name of its spec or path of its plan, unless it is the leading plan
    title: str
    details: tuple[str, ...]
    files: tuple[str, ...]
    writer: str = ""
    place: str
    status: Status | None = None  # of its story, as it states it
    mark: str = OTHER_MARK
    resolved: str = ""  # how the blocker that it states has ended; empty if it has not
    evidence: str = ""  # `verified: pytest passed`; empty without any


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningView:
    """A learning and every place that says it."""

    kind: LearningKind
    text: str
    mentions: int
    story: str
    places: tuple[str, ...]


def view_learning(merged: Merged[Learning]) -> LearningView:
    """Return a learning with the places of all its mentions."""
    statement = merged.statement
    return LearningView(
        kind=statement.kind,
        text=clean(statement.text),
        mentions=len(merged.sources),
        story=clean(statement.story, MAX_TITLE_CHARS),
        places=tuple(map(describe_place, merged.sources)),
    )


def entries_by_id(entries: Sequence[dict[str, Any]]) -> Entries:
    """Return entries of our own log by id."""
    return {name: entry for entry in entries if (name := text_of(entry, "id"))}


def view_stories(plan: PlanState, facts: Facts | None = None) -> list[StoryView]:
    """Return the leaves of a plan in its order."""
    by_id = rules.items_by_id(plan.plan.items)
    statuses = {each.item: each.status for each in (*plan.items, *plan.groups)}
    changed = facts.date_of(plan.plan.path) if facts else None

    def waits_for(item: Item) -> tuple[str, ...]:
        found = rules.find_dependencies(item, by_id)
        return tuple(clean(other.id) for other in found if statuses[other] not in FINISHED)

    return [
        StoryView(
            id=clean(each.item.id, MAX_TITLE_CHARS),
            title=clean(each.item.title),
            status=each.status,
            mark=SHOWN_MARKS[each.status],
            agent=clean(each.item.agent, MAX_TITLE_CHARS),
            attempts=each.item.attempts,
            waits_for=() if each.status in FINISHED else waits_for(each.item),
            parents=tuple(clean(parent.id or parent.title, MAX_TITLE_CHARS) for parent in each.parents),
            finished=_finished(each, changed),
            entries=sum(not report.is_plan for report in each.reports),
            plan=clean(plan.plan.path),
            line=each.item.source.line,
        )
        for each in plan.items
    ]


def _finished(state: ItemState, changed: dt.date | None) -> str:
    """Return the day a story was finished: its plan's, else its entries'. The file's date says nothing."""
    if state.status is not Status.DONE:
        return ""
    dated = [each for each in state.reports if is_plausible(each.source.date)]
    of_plan = [each for each in dated if each.is_plan and each.source.date != changed]
    others = [each for each in dated if not each.is_plan]
    done = [*itertools.takewhile(lambda each: each.status is Status.DONE, reversed(others))]
    return next((str(each.source.date) for each in (*of_plan, *done[-1:], *others[-1:])), "")


def is_plausible(date: dt.date | None) -> bool:
    """Return whether a date can be meant."""
    return date is not None and FIRST_YEAR <= date.year <= LAST_YEAR


def view_blockers(facts: Facts, entries: Entries) -> list[BlockerView]:
    """Return everything that is blocked now, in the order in which the head shows it."""
    states = {each.item: each for plan in facts.state.plans for each in plan.items}
    return [_view_blocker(work, states, entries) for work in facts.state.blocked]


def _view_blocker(work: Work, states: Mapping[Item, ItemState], entries: Entries) -> BlockerView:
    stated = rules.blocking_reports(states[work.item].reports) if work.item else []
    dates = [each.source.date for each in stated if each.source.date and not each.is_plan]
    names = _stating_entries(work, stated)
    places = [each.source for each in stated if each.source.line and not each.is_plan] or [work.source]
    since = min(dates, default=None if work.item else work.source.date)
    return BlockerView(
        id=clean(work.item.id, MAX_TITLE_CHARS) if work.item else "",
        title=clean(work.text),
        why=clean(work.reason),
        since=str(since or ""),
        by=clean(writer_of(entries.get(names[0], {})), MAX_TITLE_CHARS) if names else "",
        entry=names[0] if names else "",
        place=describe_place(places[0]),
    )


def view_logged_blocker(entry: dict[str, Any]) -> BlockerView:
    """Return a blocker as an entry of our own log states it."""
    when, task = time_of(entry), text_of(entry, "task_id")
    issue = text_of(data_of(entry), "issue") or headline(entry)
    return BlockerView(
        id="",
        title=clean(f"{task}: {issue}" if task and task != issue else issue),
        why="",
        since=str(when.astimezone().date()) if when else "",
        by=clean(writer_of(entry), MAX_TITLE_CHARS),
        entry=text_of(entry, "id") or "",
        place=OWN_PATH,
    )


def _stating_entries(work: Work, stated: Sequence[Report]) -> list[str]:
    """Return the ids of the entries of our log that state a blocker, the newest first."""
    records = [work.record, *(each.record for each in stated)]
    return [record for record in records if record]


def open_blockers_of_log(facts: Facts, entries: Entries) -> list[dict[str, Any]]:
    """Return the entries of our own log that state what is blocked now, oldest first."""
    states = {each.item: each for plan in facts.state.plans for each in plan.items}
    names: list[str] = []
    for work in facts.state.blocked:
        stated = rules.blocking_reports(states[work.item].reports) if work.item else []
        names += _stating_entries(work, stated)
    found = {name: entries[name] for name in names if name in entries}
    return sorted(found.values(), key=lambda entry: text_of(entry, "timestamp") or "")


def describe_ends(facts: Facts, entries: Entries) -> dict[str, tuple[str, str]]:
    """Return how the blockers of our log that are over have ended, by id: words and the id of the entry."""
    blocking = {each.id for each in facts.own.records if each.status is Status.BLOCKED}
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
        if entry.get("type") != "task_blocked" or (name in blocking and name not in finished):
            continue
        if by := ended.get(name):
            found[name] = (clean(headline(by)), text_of(by, "id") or "")
        elif name in finished:
            state = finished[name]
            found[name] = (clean(f"{state.item.id or state.item.title} is {state.status} in the plan"), "")
    return found


def view_own_entry(entry: dict[str, Any], leading: str = "") -> EntryView:
    """Return an entry of our own log; `leading` is the path of the plan that need not be named."""
    when, text, data = time_of(entry), text_of(entry, "timestamp") or "", data_of(entry)
    story = entry.get("story")
    plan = text_of(story, "plan") if isinstance(story, dict) else None
    return EntryView(
        id=text_of(entry, "id") or "",
        when=written(when) if when and ":" in text else clean(text, MAX_TITLE_CHARS),
        type=clean(text_of(entry, "type"), MAX_TITLE_CHARS),
        story=clean(text_of(entry, "task_id"), MAX_TITLE_CHARS),
        plan=clean(text_of(entry, "spec") or ("" if plan == leading else plan), MAX_TITLE_CHARS),
        title=clean(headline(entry)),
        details=tuple(map(clean, (*below_headline(entry), *_describe_trouble(entry)))),
        files=tuple(map(clean, dict.fromkeys((*texts_of(data, "files_modified"), *texts_of(data, "files"))))),
        writer=clean(writer_of(entry), MAX_TITLE_CHARS),
        place=OWN_PATH,
    )


def _describe_trouble(entry: dict[str, Any]) -> list[str]:
    """Return the fields of a blocker, except the one that is the headline."""
    data, shown = data_of(entry), headline_field(entry)
    return [with_name(data, name) for name in TROUBLE_FIELDS if name != shown and texts_of(data, name)]


def describe_blocker(view: BlockerView) -> str:
    """Return `US-012: Pay by card - no test account (by lena, since 2026-03-27)`."""
    subject = f"{view.id}: {view.title}" if view.id and view.id != view.title else view.title
    facts = {
        "by": view.by,
        "since": view.since,
        "no reason in": view.place if view.id and not view.why else "",
    }
    details = ", ".join(f"{name} {fact}" for name, fact in facts.items() if fact)
    return f"{subject}{f' - {view.why}' if view.why else ''}{f' ({details})' if details else ''}"


def describe_place(source: Source) -> str:
    """Return `progress.md:12`; of our own log only its name."""
    has_line = source.line and source.path != OWN_PATH
    return clean(f"{source.path}:{source.line}" if has_line else source.path)


def clean(text: str | None, limit: int = MAX_TEXT_CHARS) -> str:
    """Return one line to show; empty for no text."""
    return one_line(text, limit) if text else ""
