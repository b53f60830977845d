"""`report`: everything a person wants to know of a project, as data for a page or a program."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from progress_plugin.core.errors import Refused
from progress_plugin.core.project import Project
from progress_plugin.learnings.topics import topics
from progress_plugin.log.events import live_event_entries
from progress_plugin.log.timestamp import moment, written
from progress_plugin.model.event import AUTHORED, STORY_TYPES, Event
from progress_plugin.model.learning import Learning, LearningKind
from progress_plugin.model.status import SHOWN_MARKS, Status
from progress_plugin.summary.build import branch_line, completion, last_updated, minute
from progress_plugin.summary.completions_told_twice import told_once
from progress_plugin.summary.merged_story_status import StoryState
from progress_plugin.summary.next_work import finished_by, next_work
from progress_plugin.summary.shown_blockers import Blocked as BlockedItem
from progress_plugin.summary.shown_blockers import blocked, in_the_way, trouble
from progress_plugin.summary.summary_input import Facts
from progress_plugin.summary.view_model import OTHER_MARK
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.burn_up import BurnUp, burn_up, finished_at
from progress_plugin.usecases.evidence import evidence_by_entry
from progress_plugin.usecases.recording.shared_arrivals import take_in_latest
from progress_plugin.usecases.sessions.reading_moments import ask_for_all
from progress_plugin.usecases.sessions.report_sessions import ReportSession, report_sessions
from progress_plugin.usecases.summarizing.compose import Composed
from progress_plugin.usecases.summarizing.file_notes import note_id
from progress_plugin.usecases.summarizing.gather import OUR_LOG
from progress_plugin.usecases.summarizing.shown_counts import ShownCounts, last_shown, shown_counts
from progress_plugin.usecases.summarizing.summary_files import compose_for_this_call
from progress_plugin.usecases.team_view import TeamView, team_view

_TITLE = 120
"""Longest title in the report, in characters."""
_TEXT = 1000
"""Longest line of any other text."""
_DETAILS = 40
"""Most points of an entry."""
_FILES = 20
"""Most files of an entry."""
_GROUPED = 100
"""Learnings of a kind that are put under topics; beyond these, nobody reads by subject."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportStory:
    """One row of the story table."""

    id: str
    title: str
    status: Status
    mark: str
    agent: str
    attempts: int
    waits_for: tuple[str, ...]
    finished: str
    """`YYYY-MM-DD`, empty where it is not finished or the day is unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportEntry:
    """One entry of the history."""

    when: str
    """ISO 8601 in UTC or a bare day; empty where the log gives no usable date."""
    type: str
    status: Status | None
    """What it makes of its story; None for one about a session, scope, or no story at all."""
    mark: str
    story: str
    plan: str
    """Which plan the story is of, where the entries are about several; else empty for the leading one."""
    spec: str
    """The spec it was logged for, where the entries are about several and no plan says which."""
    title: str
    details: tuple[str, ...]
    """What was done, an item for each point."""
    files: tuple[str, ...]
    place: str
    """`progress.md:12`: the log, and the line where it has lines."""
    resolved: bool
    """Whether it told of a blocker that is over; how it ended is the last of the details."""
    resolved_by: str
    """Id of the entry that ended it; empty where none did."""
    evidence: str
    """`verified: pytest passed`: what the session's transcript proves of a completion; empty without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportBlocker:
    """A blocked story, or an open entry that says what blocks the work; or a story that waits for one."""

    label: str
    title: str
    issue: str
    since: str
    """`YYYY-MM-DD` or with time, empty where it is unknown."""
    days: int | None
    """Whole days until now, None where `since` is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportStatement:
    """A learning and where it is."""

    text: str
    mentions: int
    story: str
    plan: str
    """As in an entry."""
    places: tuple[str, ...]
    """`progress.md:12`, one for each place that says it."""
    shown: int | None
    """How often an agent was shown it, at starts and at files; None while nothing was counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportTopic:
    """Learnings of one kind that share a subject; without a label those that share none."""

    kind: LearningKind
    label: str
    statements: tuple[ReportStatement, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The whole of it; texts are one line each, without secrets and unseen characters."""

    project: str
    root: str
    branch: str
    started: str
    updated: str
    made: str
    """When this was put together, ISO 8601 in UTC."""
    summary: str
    """`12/14 complete (86%)`."""
    percent: int | None
    """Of the stories that count, 100 only where all are done; None where none counts."""
    counts: dict[str, int]
    """Stories by status, every status a key."""
    current: str
    next: str
    stories: tuple[ReportStory, ...]
    burn_up: BurnUp
    entries: tuple[ReportEntry, ...]
    """Newest first."""
    archived: int
    """Entries in the archive."""
    archived_listed: int
    """How many of them are among `entries` (`log.events.event_entries`)."""
    sessions: tuple[ReportSession, ...]
    """What the clients' transcripts tell, the last session first."""
    blockers: tuple[ReportBlocker, ...]
    """What is in the way, the oldest first: as many as are counted everywhere (`count_blockers`)."""
    waiting: tuple[ReportBlocker, ...]
    """Stories that are blocked because they wait for such a one, in the order of the plan."""
    topics: tuple[ReportTopic, ...]
    learnings: int
    never_shown: tuple[ReportStatement, ...]
    """Learnings that no agent was shown though one could have been, in the order of `topics`."""
    tokens_before: int
    """Estimate for the logs and plans as they are."""
    tokens_after: int
    """Estimate for the summary an agent gets."""
    other_plans: tuple[str, ...]
    elsewhere: tuple[str, ...]
    """What is finished on other branches and open here."""
    left_open: tuple[str, ...]
    """What older entries left to do, as the summary has it."""
    drift: tuple[str, ...]
    problems: tuple[str, ...]
    sources: tuple[str, ...]
    team: TeamView | None = None
    """Everybody's work, where it was asked for."""


def report(project: Project, *, now: datetime, team: bool = False) -> Report:
    """Return the report of a project as of `now`, which carries its zone.

    Nothing is written but what transcripts tell that nobody has read yet and, with `team`, what a pull has
    brought, into the log.
    Raises Refused where there is nothing to report: neither log nor plan, progress document or session.
    """
    take_in_latest(project)
    view = team_view(project, now) if team else None
    ask_for_all(project)
    composed = compose_for_this_call(project)
    if composed.sources.is_empty and not composed.sources.sessions:
        raise Refused(f"nothing to report in {project.root}: no log, no plan; begin with agent-progress init")
    return replace(_report(composed, project.root, now), team=view)


def _report(composed: Composed, root: str, now: datetime) -> Report:
    facts, history = composed.facts, composed.history
    work, counts = next_work(facts, history), history.counts()
    percent, sources = history.percent(), composed.sources
    proven = evidence_by_entry(sources.log, sources.sessions)
    stuck = blocked(history)
    evidence = {entry: found.words() for entry, found in proven.items()}
    sessions = report_sessions(sources)
    shown = shown_counts(root)
    by_topic = tuple(_topics(facts, shown))
    finished = facts.finished_in_log
    plan_of = facts.attribution.other_plan if facts.attribution else lambda _: None
    told = told_once(facts.events, plan_of)
    listed = sum(event.source == OUR_LOG for event in facts.events)
    return Report(
        project=_clean(facts.name, _TITLE),
        root=root,
        branch=branch_line(facts),
        started=minute(facts.started),
        updated=last_updated(facts),
        made=written(now),
        summary=completion(history),
        percent=None if percent is None else round(percent),
        counts=counts.as_object(),
        current=_named(work.current) if work.current else _clean(facts.focus or ""),
        next=_clean(work.line),
        stories=tuple(map(_story_line, history.named)),
        burn_up=burn_up(history, facts.started),
        entries=tuple(_told_apart([_entry(event, facts, evidence) for event in reversed(told)], facts)),
        archived=sources.log.index.totals().entries,
        archived_listed=listed - len(live_event_entries(sources.log)),
        sessions=sessions,
        blockers=tuple(_oldest_first(_blocker(each, now) for each in in_the_way(stuck))),
        waiting=tuple(_blocker(each, now) for each in stuck if each.waits),
        topics=by_topic,
        learnings=len(facts.learnings),
        never_shown=tuple(_never_shown(by_topic, _too_new(facts, root))),
        tokens_before=composed.tokens_before,
        tokens_after=composed.tokens_after,
        other_plans=tuple(_clean(f"{plan.name or plan.path} ({plan.path})") for plan in facts.other_plans),
        elsewhere=tuple(map(_clean, facts.elsewhere)),
        left_open=tuple(map(_clean, composed.left_open)),
        drift=tuple(
            map(_clean, (*(f"{each.story}: {finished_by(each)}" for each in finished), *facts.drift))
        ),
        problems=tuple(map(_clean, facts.problems)),
        sources=(*map(_clean, facts.sources), *(["the clients' transcripts"] if sessions else [])),
    )


def _clean(text: str | None, limit: int = _TEXT) -> str:
    """Return one line to show: a page is kept and passed on, so secrets must not reach it."""
    return one_line(text, limit) if text else ""


def _named(story: StoryState) -> str:
    return _clean(f"{story.id}: {story.title}" if story.id and story.title else story.label, _TITLE)


def _story_line(story: StoryState) -> ReportStory:
    planned = story.planned
    finished = finished_at(story)
    return ReportStory(
        id=_clean(story.id, _TITLE),
        title=_clean(story.shown_title, _TITLE),
        status=story.status,
        mark=story.shown_mark,
        agent=_clean(planned.agent, _TITLE) if planned else "",
        attempts=planned.attempts if planned else 0,
        waits_for=() if story.finished_by else tuple(map(_clean, story.waits_for)),
        finished=written(finished)[:10] if finished else "",
    )


def _entry(event: Event, facts: Facts, evidence: Mapping[str, str]) -> ReportEntry:
    status, ended = _makes_of_a_story(event), facts.ended.get(event.entry or "")
    plan = facts.attribution.other_plan(event) if facts.attribution else None
    about = facts.attribution.stories(event) if facts.attribution and not event.title else []
    return ReportEntry(
        when=event.when or "",
        type=_clean(event.type, _TITLE),
        status=status,
        mark=SHOWN_MARKS[status.value] if status else OTHER_MARK,
        story=_clean(", ".join(event.stories), _TITLE),
        plan=_clean(plan or _leading(event, facts), _TITLE),
        spec=_clean(event.spec, _TITLE),
        title=_clean(event.title or next((story.title for story in about), None), _TITLE),
        details=tuple(_clean(detail) for detail in _details(event, facts)[:_DETAILS]),
        files=tuple(_clean(name) for name in event.files[:_FILES]),
        place=_place(event.source, event.line) + (f", by {_clean(event.writer)}" if event.writer else ""),
        resolved=ended is not None,
        resolved_by=_clean(ended.by) if ended else "",
        evidence=_clean(evidence.get(event.entry or "")),
    )


def _leading(event: Event, facts: Facts) -> str:
    """Return the leading plan's path where an entry is about a story of it, or a part of one."""
    attribution, lead = facts.attribution, facts.lead
    if lead is None or attribution is None:
        return ""
    return lead.path if attribution.stories(event) or attribution.stories_of_parts(event) else ""


def _told_apart(entries: Sequence[ReportEntry], facts: Facts) -> list[ReportEntry]:
    """Return the entries with plan and spec where these tell two of one id apart, else with another plan."""
    plans = {entry.plan for entry in entries} - {""}
    specs = {entry.spec.casefold() for entry in entries if entry.story and not entry.plan}
    unsaid = facts.lead.path if facts.lead is not None and len(plans) == 1 else None
    are_several = len(specs) > 1 or bool(specs and plans)
    return [
        replace(
            entry,
            plan="" if entry.plan == unsaid else entry.plan,
            spec=entry.spec if are_several and not entry.plan else "",
        )
        for entry in entries
    ]


def _details(event: Event, facts: Facts) -> list[str]:
    """Return what an entry says, but not its title once more."""
    return [detail for detail in (*event.details, *trouble(event, facts)) if detail != event.title]


def _makes_of_a_story(event: Event) -> Status | None:
    """Return the status that an entry gives its story; None where it says nothing of the kind."""
    if event.status is not Status.ACTIVE or event.type == AUTHORED:
        return event.status
    return event.status if event.stories and event.type in STORY_TYPES else None


def _place(source: str, line: int | None) -> str:
    return _clean(f"{source or OUR_LOG}:{line}" if line else source or OUR_LOG)


def _oldest_first(blockers: Iterable[ReportBlocker]) -> list[ReportBlocker]:
    return sorted(blockers, key=lambda each: -1 if each.days is None else each.days, reverse=True)


def _blocker(each: BlockedItem, now: datetime) -> ReportBlocker:
    began = moment(each.since)
    return ReportBlocker(
        label=_clean(each.name, _TITLE),
        title=_clean(each.title, _TITLE),
        issue=_clean(each.issue),
        since=minute(each.since),
        days=max((now - began).days, 0) if began else None,
    )


def _topics(facts: Facts, counts: ShownCounts) -> list[ReportTopic]:
    """Return all learnings by topic, the most often recorded first within each."""
    known = sorted(facts.learnings, key=lambda each: (-each.mentions, -each.position, each.text))
    return [
        ReportTopic(
            kind=kind, label=_clean(label), statements=tuple(_statement(each, counts) for each in members)
        )
        for kind in LearningKind
        for label, members in _grouped([each for each in known if each.kind is kind])
    ]


def _too_new(facts: Facts, root: str) -> set[str]:
    """Return the learnings that were recorded after the newest summary that an agent was shown.

    An agent's log often says no more than the day: that is over when the next one begins.
    """
    made = moment(last_shown(root))
    shown = written(made) if made else ""
    whens = [event.when or "" for event in facts.events]
    recorded = (
        (each.text, whens[each.position - 1]) for each in facts.learnings if 0 < each.position <= len(whens)
    )
    return {
        _clean(text)
        for text, when in recorded
        if shown and when and when >= shown[: len(when)] and when != shown
    }


def _never_shown(by_topic: Iterable[ReportTopic], too_new: Container[str]) -> Iterator[ReportStatement]:
    for topic in by_topic:
        yield from (each for each in topic.statements if each.shown == 0 and each.text not in too_new)


def _grouped(known: list[Learning]) -> list[tuple[str | None, Sequence[Learning]]]:
    """Group the first of them by subject: each subject is compared with each learning."""
    found: list[tuple[str | None, Sequence[Learning]]] = [*topics(known[:_GROUPED])]
    rest = known[_GROUPED:]
    if found and found[-1][0] is None:
        rest = [*found.pop()[1], *rest]
    return [*found, (None, rest)] if rest else found


def _statement(learning: Learning, counts: ShownCounts) -> ReportStatement:
    return ReportStatement(
        text=_clean(learning.text),
        mentions=learning.mentions,
        story=_clean(learning.story, _TITLE),
        plan=_clean(learning.plan, _TITLE),
        places=_places(learning.source, learning.lines),
        shown=counts.of(note_id(learning.text)) if counts else None,
    )


def _places(source: str, lines: Sequence[int]) -> tuple[str, ...]:
    return tuple(_place(source, line) for line in lines) or (_place(source, None),)
