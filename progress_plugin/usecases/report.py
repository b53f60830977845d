"""Everything that a person wants to know of a project, as data for a page or a program."""

from __future__ import annotations

import datetime as dt
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from progress_plugin.core.errors import Refused
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.log.timestamp import written
from progress_plugin.model.learning import LearningKind
from progress_plugin.model.status import SHOWN_MARKS, Status
from progress_plugin.model.work import AgentLog, Entry, Learning
from progress_plugin.selection.merge import Merged
from progress_plugin.selection.topics import group_by_topic
from progress_plugin.summary.head_lines import describe_count, further_steps
from progress_plugin.summary.newest_entries import newest_entries
from progress_plugin.summary.own_log import PATH as OWN_PATH
from progress_plugin.summary.project_facts import Facts, source_paths
from progress_plugin.summary.shown_text import name_work, status_of_entry, titles_by_id
from progress_plugin.usecases.evidence import evidence_by_entry
from progress_plugin.usecases.reading import Reading, read_project
from progress_plugin.usecases.sessions.reading import catch_up
from progress_plugin.usecases.sessions.views import SessionView, report_sessions
from progress_plugin.usecases.sharing import take_in_latest
from progress_plugin.usecases.status import count_statuses
from progress_plugin.usecases.team_view import TeamView, team_view
from progress_plugin.usecases.views import (
    MAX_TITLE_CHARS,
    BlockerView,
    Entries,
    EntryView,
    StoryView,
    clean,
    describe_ends,
    describe_place,
    entries_by_id,
    is_plausible,
    view_blockers,
    view_own_entry,
    view_stories,
)

MAX_DETAILS = 40  # of one entry
MAX_FILES = 20  # of one entry
MAX_GROUPED = 200  # learnings of one kind that are grouped by topic


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """How many stories were finished from a day on."""

    when: str  # `YYYY-MM-DD`
    finished: int
    known: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BurnUp:
    """The points in the order of time; empty if nothing has a date."""

    points: tuple[Point, ...] = ()
    undated: int = 0  # finished stories without a date; they count from the first point on


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportLearning:
    """A learning and every place that says it."""

    text: str
    mentions: int
    story: str
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportTopic:
    """Learnings of one kind that name the same thing; without a label those that share none."""

    kind: LearningKind
    label: str
    statements: tuple[ReportLearning, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The whole report. Texts are one line each, without secrets and invisible characters."""

    project: str
    root: str
    branch: str
    started: str
    updated: str
    made: str  # ISO 8601 in UTC
    summary: str  # `12/14 complete (85%)`
    done: int | None
    total: int | None
    counts: dict[str, int]  # stories by status, every status a key
    current: str
    next: str
    stories: tuple[StoryView, ...]
    burn_up: BurnUp
    entries: tuple[EntryView, ...]  # newest first
    archived: int  # entries in the archive
    archived_listed: int  # of them among `entries`
    sessions: tuple[SessionView, ...]  # the last one first
    blockers: tuple[BlockerView, ...]
    topics: tuple[ReportTopic, ...]  # by kind, learnings with most mentions first
    learnings: int
    steps: tuple[str, ...]  # that documents state
    other_plans: tuple[str, ...]
    drift: tuple[str, ...]
    problems: tuple[str, ...]
    sources: tuple[str, ...]
    team: TeamView | None = None  # if it was asked for


def report(project: Project, *, now: dt.datetime, team: bool = False) -> Report:
    """Return the report of a project as of `now`, which carries its zone.

    New transcripts are read first, and entries that a pull has brought are added to the log.
    Raises Refused if there is nothing to report: no log, plan, progress document or session.
    """
    take_in_latest(project)
    view = team_view(project, now) if team else None
    catch_up(project, None)
    reading = read_project(project, InputSnapshot(project.root), os.environ)
    if reading.is_empty and not reading.sessions:
        raise Refused(f"nothing to report in {project.root}: no log, no plan; begin with agent-progress init")
    return _make_report(reading, now, view)


def _make_report(reading: Reading, now: dt.datetime, team: TeamView | None) -> Report:
    facts, state = reading.facts, reading.facts.state
    own = reading.log.stories_logged()
    entries = entries_by_id(own)
    stories = view_stories(state.plans[0], facts) if state.plans else []
    sessions = report_sessions(reading)
    branches = [plan.branch for plan in facts.inputs.plans if plan.branch]
    return Report(
        project=clean(facts.name, MAX_TITLE_CHARS),
        root=reading.project.root,
        branch=clean(facts.branch or next(iter(branches), ""), MAX_TITLE_CHARS),
        started=str(facts.started or ""),
        updated=str(state.newest or ""),
        made=written(now),
        summary=describe_count(state),
        done=state.done,
        total=state.total,
        counts=count_statuses(state.items),
        current=clean(name_work(state.current)) if state.current else "",
        next=clean(name_work(state.next)) if state.next else "",
        stories=tuple(stories),
        burn_up=make_burn_up(stories, facts.started, state.newest),
        entries=tuple(_view_entries(reading, entries)),
        archived=reading.log.index.count,
        archived_listed=len(own) - len(reading.log.entries),
        sessions=sessions,
        blockers=tuple(view_blockers(facts, entries)),
        topics=tuple(_view_topics(facts)),
        learnings=len(facts.learnings),
        steps=tuple(clean(name_work(step)) for step in further_steps(state)),
        other_plans=tuple(
            clean(f"{plan.plan.name or plan.plan.path} ({plan.plan.path}): {plan.done}/{plan.total} complete")
            for plan in state.plans[1:]
        ),
        drift=tuple(map(clean, state.conflicts)),
        problems=tuple(map(clean, dict.fromkeys([*reading.problems, *state.problems, *state.unknown]))),
        sources=(*map(clean, source_paths(facts)), *(["the clients' transcripts"] if sessions else [])),
        team=team,
    )


def make_burn_up(stories: Sequence[StoryView], started: dt.date | None, newest: dt.date | None) -> BurnUp:
    """Return the curve of all stories except skipped ones, from the first date to the newest."""
    counted = [story for story in stories if story.status is not Status.SKIPPED]
    done = [story.finished for story in counted if story.status is Status.DONE]
    dated = sorted(day for day in done if day)
    undated = len(done) - len(dated)
    ends = [str(date) for date in (started, newest) if is_plausible(date)]
    return BurnUp(
        points=tuple(
            Point(when=day, finished=undated + sum(each <= day for each in dated), known=len(counted))
            for day in sorted({*dated, *ends})
            if counted
        ),
        undated=undated,
    )


def _view_entries(reading: Reading, known: Entries) -> Iterator[EntryView]:
    """Yield the entries of all logs, the newest first."""
    facts = reading.facts
    titles = titles_by_id(facts.state)
    states = {each.item.id.casefold(): each for each in facts.state.items if each.item.id}
    proven = evidence_by_entry(reading.log, reading.sessions) if reading.sessions else {}
    ended = describe_ends(facts, known)
    details = _details_by_entry(facts.logs)
    leading = facts.state.plans[0].plan.path if facts.state.plans else ""
    for log, entry in newest_entries(facts, sum(len(log.entries) for log in facts.logs)):
        name = facts.own.records[entry.number - 1].id if log is facts.own.log else ""
        if name in known:
            view = view_own_entry(known[name], leading)
        else:
            view = _view_entry(entry, titles, details[log.path, entry.number])
        status = entry.status if log is facts.own.log else status_of_entry(entry, states)
        yield replace(
            view,
            status=status,
            mark=SHOWN_MARKS[status] if status else view.mark,
            resolved=ended[name][0] if name in ended else "",
            evidence=clean(proven[name].words()) if name in proven else "",
        )


def _details_by_entry(logs: Sequence[AgentLog]) -> Mapping[tuple[str, int], list[str]]:
    """Return what the entries of agents' logs say, by path and number."""
    details: dict[tuple[str, int], list[str]] = defaultdict(list)
    for log in logs:
        for statement in log.statements if log.path != OWN_PATH else ():
            details[log.path, statement.entry].append(statement.text)
    return details


def _view_entry(entry: Entry, titles: Mapping[str, str], details: Sequence[str]) -> EntryView:
    known = (titles.get(name.casefold(), "") for name in entry.ids)
    title = entry.title or next(filter(None, known), "")
    return EntryView(
        id="",
        when=str(entry.date) if is_plausible(entry.date) else "",
        type="",
        story=clean(", ".join(entry.ids), MAX_TITLE_CHARS),
        plan="",
        title=clean(title, MAX_TITLE_CHARS),
        details=tuple(clean(text) for text in details[:MAX_DETAILS]),
        files=tuple(clean(path) for path in entry.files[:MAX_FILES]),
        writer="",
        place=describe_place(entry.source),
    )


def _view_topics(facts: Facts) -> Iterator[ReportTopic]:
    ordered = sorted(facts.learnings, key=lambda each: -len(each.sources))
    for kind in LearningKind:
        views = [_view_learning(each) for each in ordered if each.statement.kind is kind]
        topics = group_by_topic(views[:MAX_GROUPED])
        rest = [*(topics.pop(0)[1] if topics and not topics[0][0] else []), *views[MAX_GROUPED:]]
        for label, statements in (*topics, ("", rest)):
            if statements:
                yield ReportTopic(kind=kind, label=clean(label), statements=tuple(statements))


def _view_learning(merged: Merged[Learning]) -> ReportLearning:
    return ReportLearning(
        text=clean(merged.statement.text),
        mentions=len(merged.sources),
        story=clean(merged.statement.story, MAX_TITLE_CHARS),
        places=tuple(map(describe_place, merged.sources)),
    )
