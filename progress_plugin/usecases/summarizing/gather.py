"""From sources to the facts a summary is made from.

Among them is what the clients load by themselves at a start, so that a start need not repeat it.
"""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from progress_plugin.core.data_directory import DATA_DIRECTORY, has_team
from progress_plugin.core.memo import Memo
from progress_plugin.learnings.logged_learnings import binding_dependencies, from_entries, merged_facts
from progress_plugin.learnings.merge import merge as merge_learnings
from progress_plugin.learnings.merge import without
from progress_plugin.log import store
from progress_plugin.log.entry import CLAIM, data_of, text_of
from progress_plugin.log.events import event_entries, live_event_entries
from progress_plugin.log.events import events as log_events
from progress_plugin.log.recent_entries import ENDING
from progress_plugin.log.writer_identity import has_writers
from progress_plugin.model.event import STORY_TYPES, Event
from progress_plugin.model.learning import Learning, LearningKind
from progress_plugin.model.origin import HEAD, Cited, Origin, origins_of
from progress_plugin.model.status import FINISHED, Status
from progress_plugin.model.story import Plan
from progress_plugin.passages.entry_passages import read_entries
from progress_plugin.passages.passage import Reading
from progress_plugin.plans.attribution import Attribution
from progress_plugin.plans.leading_plan import has_open_stories
from progress_plugin.plans.plan_log_mismatch import between, done_elsewhere
from progress_plugin.plans.story_status import with_blockers
from progress_plugin.summary.merged_story_status import merge
from progress_plugin.summary.summary_input import EntryStep, Facts, LoggedCompletion, OpenBlocker
from progress_plugin.summary.tokens import estimate_bytes
from progress_plugin.text.decode import decode_lenient
from progress_plugin.usecases.summarizing.logged_next_step import next_step
from progress_plugin.usecases.summarizing.open_blockers import (
    all_blockers,
    attribution_of,
    ended_blockers,
    open_blockers,
    resolved_blockers,
    telling_events,
)
from progress_plugin.usecases.summarizing.progress_document_input import work_document
from progress_plugin.usecases.summarizing.project_name import project_name
from progress_plugin.usecases.summarizing.sources import Sources

if TYPE_CHECKING:
    from progress_plugin.model.claim import Claim
    from progress_plugin.passages.stated_status import StatedStatus

OUR_LOG = f"{DATA_DIRECTORY}/{store.LOG_FILE}"
_ARCHIVED = 2.5
"""Bytes of a month in the archive for each token, as the estimate has it: a summary opens none."""
_PROVEN = 60
"""Completions for which a summary looks at sessions: it shows a few of the newest."""
_CLIENTS_FILES = ("CLAUDE.md", "AGENTS.md", "GEMINI.md")
"""What some client loads by itself: a start need not repeat it."""
_MOST_LOADED = 64 * 1024
"""Bytes of each of them that are looked at."""


def gather(sources: Sources) -> Facts:
    """Return everything the sources say about the project, as plain data."""
    ours = log_events(sources.log, OUR_LOG)
    events = all_events(sources, ours)
    earlier: tuple[tuple[Status, int], ...] = ()
    if sources.log.index.records and not (sources.lead and sources.lead.stories):
        from progress_plugin.usecases.summarizing import archived_stories  # noqa: PLC0415 - where there is an archive

        earlier = archived_stories.counts(sources.log, events)
    attribution = attribution_of(sources, events)
    readings = tuple(_readings(sources))
    stated = _stated(sources, readings)
    work = work_document(sources.document, sources.lead, events) if sources.document else None
    logged = open_blockers(sources, attribution)
    blockers = all_blockers(logged, _stated_blockers(sources, attribution, stated, logged, readings), work)
    lead = _with_blockers(sources.lead, blockers)
    is_planned = lead is not None and has_open_stories(lead)
    claims = tuple(_claims(sources, attribution))
    finished = finished_in_log(sources, events, attribution, claims)
    explained = frozenset(each.story for each in finished)
    return Facts(
        name=project_name(sources),
        branch=_branch(sources),
        named_branch=_named_branch(sources),
        started=_started(sources, events),
        lead=lead,
        other_plans=tuple(plan for plan in sources.plans if plan is not sources.lead),
        events=tuple(events),
        attribution=attribution,
        readings=readings,
        loaded=tuple(_loaded(sources)),
        earlier=earlier,
        learnings=tuple(_learnings(sources, events, ours, attribution)),
        archive_only=sources.log.index.left_out()["learnings"],
        dependencies=tuple(binding_dependencies(sources.lead)) if sources.lead else (),
        blockers=tuple(blockers),
        ended=ended_blockers(sources, events, attribution, {each.id for each in logged}),
        updated=(work_date,) if (work_date := _document_date(sources)) else (),
        next_step=next_step(sources, attribution),
        stated_next=stated.next if stated and not is_planned else None,
        entry_step=_entry_step(stated) if stated and is_planned else None,
        counted=None if sources.lead and sources.lead.stories else _counted(sources),
        focus=stated and stated.focus,
        waits=stated.waits if stated and not blockers else None,
        stated=(*stated.texts, *(() if is_planned else stated.steps)) if stated else (),
        muted=tuple(sources.log.muted()),
        work=work,
        drift=_drift(sources, events, attribution, explained),
        elsewhere=_elsewhere(sources, events, attribution, explained),
        at_work=_at_work(sources, attribution),
        evidence=tuple(_evidence(sources)),
        finished_in_log=finished,
        claims=claims,
        problems=_problems(sources),
        broken_plans=sources.broken,
        sources=tuple(_names(sources)),
        source_tokens=_tokens(sources),
    )


def _counted(sources: Sources) -> Cited | None:
    """Return what an agent's own log counts of its stories."""
    if not sources.logs:
        return None
    from progress_plugin.authored.stated_total import stated_total  # noqa: PLC0415 - where there is no plan

    found = stated_total(sources.logs)
    return Cited(found.share, *found.origins) if found else None


def all_events(sources: Sources, ours: Sequence[Event]) -> list[Event]:
    """Return the events of all logs, oldest first, and before them the archived ones of the plan."""
    events = merge([*(log.events for log in sources.logs), ours])
    if not sources.log.index.records or sources.lead is None:
        return events
    from progress_plugin.usecases.summarizing import archived_stories  # noqa: PLC0415 - where there is an archive

    return [*archived_stories.of_plan(sources.log, sources.lead, sources.branch, events, OUR_LOG), *events]


def _problems(sources: Sources) -> tuple[str, ...]:
    """Return what was not read, behind that this clone has silently stopped to sync, where it has."""
    if not has_writers():
        return tuple(sources.problems)
    from progress_plugin.log.team_standing import lost_part  # noqa: PLC0415 - as below

    lost = lost_part(sources.project)
    return (*([lost] if lost else []), *sources.problems)


def _claims(sources: Sources, attribution: Attribution | None) -> list[Claim]:
    """Return who works on what, where anybody claims anything."""
    if not has_team(sources.project.log_directory) and not any(
        CLAIM in data_of(entry) for entry in sources.log.entries
    ):
        return []
    from progress_plugin.usecases.summarizing.claims_input import current_claims  # noqa: PLC0415 - hardly anybody does

    return current_claims(sources, attribution)


def finished_in_log(
    sources: Sources,
    events: Sequence[Event],
    attribution: Attribution | None,
    claims: Sequence[Claim] | None = None,
) -> tuple[LoggedCompletion, ...]:
    """Return what the log finished and the leading plan has open, where others share the log.

    `events` are `all_events`, `claims` those that hold, read here where they are not given.
    """
    if not is_shared(sources, events):
        return ()
    from progress_plugin.usecases.summarizing.finished_in_log import completions_in_log  # noqa: PLC0415 - in teams

    held = _claims(sources, attribution) if claims is None else claims
    return completions_in_log(sources, events, attribution, held)


def is_shared(sources: Sources, events: Sequence[Event]) -> bool:
    """Return whether others read this log, or wrote in it: what it calls finished is so for all of them."""
    return (
        sources.settings.share
        or has_team(sources.project.log_directory)
        or any(event.writer for event in events)
    )


def _at_work(sources: Sources, attribution: Attribution | None) -> frozenset[str]:
    if not sources.sessions or sources.lead is None:
        return frozenset()
    from progress_plugin.usecases.summarizing.sessions_at_stories import sessions_of_plan, stories_at_work  # noqa: PLC0415 - as below

    return stories_at_work(sources.lead, sessions_of_plan(sources.sessions, sources.log.entries, attribution))


def _evidence(sources: Sources) -> Iterator[tuple[str, str]]:
    """Yield the id of each completion whose session was read, and what that proves, in words."""
    if not sources.sessions:
        return
    from progress_plugin.usecases.evidence import evidence_by_entry  # noqa: PLC0415

    for entry, evidence in evidence_by_entry(sources.log, sources.sessions, _PROVEN).items():
        yield entry, evidence.words()


def _readings(sources: Sources) -> Iterator[Reading]:
    if sources.logs:
        from progress_plugin.passages.reader import read_passages  # noqa: PLC0415 - where agents keep a log
        from progress_plugin.text.document_text import document_text  # noqa: PLC0415
    for log in sources.logs:
        reading = read_passages(log, memo=sources.answers)
        if not reading.passages:  # in a form nobody has seen its lines are what there is
            text, _ = document_text(sources.inputs.read(log.source) or b"", log.source)
            reading = read_passages(log, text)
        yield reading
    if sources.lead is not None and sources.lead.remarks:
        yield remarks_of(sources, sources.lead, sources.answers)
    if entries := event_entries(sources.log):
        yield read_entries(entries, OUR_LOG, sources.answers)


def remarks_of(sources: Sources, plan: Plan, memo: Memo | None = None) -> Reading:
    """Return what a plan says beside its stories, each statement at its line of the file."""
    from progress_plugin.authored.preamble import Preamble  # noqa: PLC0415 - where a plan has such sections
    from progress_plugin.authored.reader import AuthoredLog  # noqa: PLC0415
    from progress_plugin.passages.reader import read_passages  # noqa: PLC0415
    from progress_plugin.text.document_text import document_text  # noqa: PLC0415
    from progress_plugin.text.markdown import read_blocks  # noqa: PLC0415

    lines = document_text(sources.inputs.read(plan.path) or b"", plan.path)[0].split("\n")
    within = [any(first <= at < stop for first, stop in plan.remarks) for at in range(1, len(lines) + 1)]
    text = "\n".join(line if kept else "" for line, kept in zip(lines, within, strict=True))
    log = AuthoredLog(plan.path, Preamble(), events=(), document=read_blocks(text))
    reading = read_passages(log, memo=memo)
    # A plan is of the present wherever in it something stands.
    return Reading(tuple(passage._replace(entry=1) for passage in reading.passages), 1)


def _stated(sources: Sources, readings: Sequence[Reading]) -> StatedStatus | None:
    """Return what agents' logs say of the state of the work."""
    if not sources.logs:
        return None
    from progress_plugin.passages.stated_status import state_of_logs  # noqa: PLC0415 - where agents keep a log

    pairs = list(zip(sources.logs, readings, strict=False))  # our own log's reading comes last
    return state_of_logs(pairs, sources.inputs.read, _finished(sources))


def _entry_step(stated: StatedStatus) -> EntryStep | None:
    """Return the steps of an entry; what is outside of entries may be older than the plan."""
    if stated.next is None or not stated.step_entry:
        return None
    return EntryStep(stated.next, stated.next.origins[0].source, stated.step_entry, stated.steps)


def _stated_blockers(
    sources: Sources,
    attribution: Attribution | None,
    stated: StatedStatus | None,
    logged: Sequence[OpenBlocker],
    readings: Sequence[Reading],
) -> list[OpenBlocker]:
    """Return what agents' logs call blockers, beside those of our log."""
    if stated is None:
        return []
    if not stated.blockers and all(
        event.status is not Status.BLOCKED for log in sources.logs for event in log.events
    ):
        return []
    from progress_plugin.usecases.summarizing.stated_blockers import stated_blockers  # noqa: PLC0415 - where one is stated

    return stated_blockers(stated.blockers, sources, attribution, logged, readings)


def _finished(sources: Sources) -> frozenset[str]:
    """Return the ids of the stories that the leading plan or our own log calls finished."""
    stories = sources.lead.stories if sources.lead else ()
    planned = (story.id for story in stories if story.status in FINISHED)
    logged = (text_of(each, "task_id") for each in sources.log.entries if each.get("type") in ENDING)
    return frozenset(name.casefold() for name in (*planned, *logged) if name)


def _loaded(sources: Sources) -> Iterator[str]:
    """Yield what the clients load themselves, so that it need not be repeated."""
    for name in _CLIENTS_FILES:
        data = sources.inputs.read(name)
        if data:
            yield decode_lenient(data[:_MOST_LOADED], name)[0]


def _with_blockers(lead: Plan | None, blockers: Sequence[OpenBlocker]) -> Plan | None:
    """Return the plan with the stories blocked that the log has an open blocker for."""
    issues = {each.story: each.issue for each in blockers if each.story is not None}
    return lead._replace(stories=with_blockers(lead.stories, issues)) if lead and issues else lead


def _drift(
    sources: Sources, events: Sequence[Event], attribution: Attribution | None, explained: Container[str]
) -> tuple[str, ...]:
    """Return where the leading plan contradicts itself or the log."""
    lead = sources.lead
    if lead is None or attribution is None:
        return lead.drift if lead else ()
    over = resolved_blockers(sources, events)
    telling = telling_events(events, over)
    has_archive = bool(sources.log.index.records)
    telling, over = _with_merged(sources, telling), _with_merged(sources, over)
    found = between(lead, telling, attribution, sources.branch, explained, over, has_archive=has_archive)
    return (*lead.drift, *found)


def _with_merged(sources: Sources, events: list[Event]) -> list[Event]:
    if not any(event.is_elsewhere(sources.branch) for event in events):
        return events  # as in nearly every project
    from progress_plugin.usecases.summarizing.merged_branches import with_merged  # noqa: PLC0415 - of several branches

    return with_merged(sources, events)


def _elsewhere(
    sources: Sources, events: Sequence[Event], attribution: Attribution | None, explained: Container[str]
) -> tuple[str, ...]:
    if sources.lead is None or attribution is None:
        return ()
    telling = _with_merged(sources, [event for event in events if event.type in STORY_TYPES])
    return done_elsewhere(sources.lead, telling, attribution, sources.branch, explained)


def _learnings(
    sources: Sources, events: Sequence[Event], ours: Sequence[Event], attribution: Attribution | None
) -> list[Learning]:
    """Return every learning of every log once, positions counted over the merged history.

    `ours` are the events of our own log, of which those of the live entries come last.
    """
    found = _authored(sources, events) if sources.logs else []
    entries = live_event_entries(sources.log)
    first = max(len(events) - len(entries) + 1, 1)
    told = from_entries(entries, first_position=first, memo=sources.answers)
    if attribution is not None:
        live = ours[len(ours) - len(entries) :]
        told = [_with_plan(each, live[each.position - first], attribution) for each in told]
    merged = merge_learnings([*found, *told], sources.answers, settled=_archived(sources))
    return without(merged, sources.log.muted())


def _with_plan(learning: Learning, event: Event, attribution: Attribution) -> Learning:
    """Return a learning of our own log, with the plan of its story where that is not the leading one."""
    plan = attribution.other_plan(event) if learning.story else None
    return learning._replace(plan=plan) if plan else learning


def _authored(sources: Sources, events: Sequence[Event]) -> list[Learning]:
    from progress_plugin.learnings.extract import extract  # noqa: PLC0415 - 1 ms, where agents keep a log

    place = {(event.source, event.position): number for number, event in enumerate(events, start=1)}
    return [
        learning._replace(position=place.get((log.source, learning.position), 0))
        for log in sources.logs
        for learning in extract(log.document, log.owner_of_line, log.source, sources.answers, log.apart)
    ]


def _archived(sources: Sources) -> list[Learning]:
    """Return the learnings of archived entries, as the index has them: a fact with its count."""
    facts = sources.log.archived_learnings()
    merged = (sources.answers or Memo()).of_value(merged_facts, worth=len(facts))(facts)
    return [
        Learning(LearningKind(kind), text, "", story=story, files=files, mentions=mentions, position=1)
        for kind, text, story, files, mentions in merged
    ]


def _branch(sources: Sources) -> Cited | None:
    """Return what is checked out; outside of git there is only what plan or log name."""
    if sources.project.repository is None:
        return _named_branch(sources)
    return Cited(sources.branch, HEAD) if sources.branch else None


def _named_branch(sources: Sources) -> Cited | None:
    stated = [(sources.lead.branch, Origin(sources.lead.path))] if sources.lead else []
    named = _first([*stated, *((log.head.branch, None) for log in sources.logs)])
    return named or _first([(log.newest_branch(), None) for log in sources.logs])


def _started(sources: Sources, events: Sequence[Event]) -> Cited | None:
    stated = [(sources.lead.started, Origin(sources.lead.path))] if sources.lead else []
    dated = ((event.when, event.origin) for event in events if event.when)
    return _first(stated) or _first((log.head.started, None) for log in sources.logs) or _first(dated)


def _first(stated: Iterable[tuple[str | None, Origin | None]]) -> Cited | None:
    """Return the first that anybody states, with where it is stated unless the text knows that itself."""
    found = ((text, origin) for text, origin in stated if text)
    return next((Cited(text, *([origin] if origin else origins_of(text))) for text, origin in found), None)


def _document_date(sources: Sources) -> str | None:
    return sources.document.updated_at if sources.document else None


def _names(sources: Sources) -> list[str]:
    names = [plan.path for plan in sources.plans] + [log.source for log in sources.logs]
    return [*names, OUR_LOG] if sources.log.log.items or sources.log.index.records else names


def _tokens(sources: Sources) -> int:
    """Estimate what an agent would read instead: the logs and plans as they are, and the archive."""
    paths = [plan.path for plan in sources.plans] + [log.source for log in sources.logs]
    texts = [sources.inputs.read(path) or b"" for path in paths]
    log = sources.inputs.read(os.path.join(sources.project.log_directory, store.LOG_FILE)) or b""
    archived = round(sources.log.index.size() / _ARCHIVED)
    return archived + sum(estimate_bytes(text) for text in (*texts, log))
