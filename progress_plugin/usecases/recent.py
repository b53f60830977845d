"""The newest entries of a project, what is blocked and what comes next."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.log import earlier_versions, store
from progress_plugin.log.entry import data_of, text_of
from progress_plugin.log.events import event
from progress_plugin.log.recent_entries import OpenWork, RecentEntries, headline_field, with_name
from progress_plugin.summary.merged_story_status import read_history
from progress_plugin.summary.next_work import next_work
from progress_plugin.summary.shown_blockers import Blocked, blocked, count_blockers, in_the_way, trouble
from progress_plugin.summary.summary_input import EndedBlocker
from progress_plugin.usecases.recording.shared_arrivals import take_in_latest
from progress_plugin.usecases.status import shown_blockers
from progress_plugin.usecases.summarizing.gather import OUR_LOG, gather
from progress_plugin.usecases.summarizing.sources import Sources, read_sources

if TYPE_CHECKING:
    from progress_plugin.transcripts.evidence import Evidence
    from progress_plugin.usecases.sessions.listing import ListedSession


class RecentWork(NamedTuple):
    """The newest entries, and what is blocked."""

    recent: RecentEntries
    plans: list[str | None]
    """Of each entry which other plan than the leading one its story is of."""
    blocked: list[Blocked]
    """What is in the way, without what merely waits for it; not only entries of this log say so."""
    evidence: dict[str, Evidence]
    """By the ids of completions among the entries, what their sessions prove of them."""
    ended: dict[str, EndedBlocker]
    """By the ids of blockers among the entries, how those that are over ended."""
    below: dict[str, list[str]]
    """By the same ids, what these entries say of it, a line each, without their headlines."""
    sessions: list[ListedSession] | None = None
    """The newest recorded sessions, the last one first; None where nobody asked for them."""


def recent_of(project: Project, n: int, *, sessions: bool = False) -> RecentWork:
    """Return the newest `n` entries, archived ones included; nothing recorded is an empty answer.

    With `sessions` also as many sessions. Raises BadInput where something else than a file is in the place of
    the log, or where sessions are asked for and not read.
    """
    listed = _sessions(project, n) if sessions else None
    store.raw(project.log_directory)
    take_in_latest(project)
    sources = read_sources(project, InputSnapshot(project.root))
    facts = gather(sources)
    history = read_history(facts)
    stuck, work = blocked(history), next_work(facts, history)
    is_planned = work.current is not None and work.current.planned is not None
    current = work.current_line if is_planned and not work.step else ""
    still_open = {blocker.id for blocker in shown_blockers(facts, stuck)}
    entries = [entry for entry in sources.log.blockers() if text_of(entry, "id") in still_open]
    records = tuple(log.source for log in sources.logs)
    told = sources.log.recent(n, entries, OpenWork(count_blockers(stuck), work.line, records, current))
    asked = facts.attribution.other_plan if facts.attribution else lambda _: None
    events = [event(entry, OUR_LOG, 0) for entry in told.entries]
    plans = [asked(each) for each in events]
    ended = {name: facts.ended[name] for each in events if (name := each.entry or "") in facts.ended}
    below = {
        name: _without_headline(trouble(each, facts), entry)
        for each, entry in zip(events, told.entries, strict=True)
        if (name := each.entry or "") in ended
    }
    proven = _evidence(sources, told) if sources.sessions else {}
    return RecentWork(told, plans, in_the_way(stuck), proven, ended, below, listed)


def _without_headline(lines: Iterable[str], entry: dict[str, Any]) -> list[str]:
    field = headline_field(entry)
    said = with_name(data_of(entry), field) if field else ""
    return [line for line in lines if line != said]


def _evidence(sources: Sources, told: RecentEntries) -> dict[str, Evidence]:
    from progress_plugin.usecases.evidence import evidence_by_entry  # noqa: PLC0415 - with sessions

    shown = {text_of(entry, "id") for entry in told.entries}
    found = evidence_by_entry(sources.log, sources.sessions)
    return {name: evidence for name, evidence in found.items() if name in shown}


def _sessions(project: Project, n: int) -> list[ListedSession]:
    from progress_plugin.usecases.sessions.listing import sessions_of  # noqa: PLC0415 - on request

    return sessions_of(project, n)


def vanished_of(project: Project) -> str | None:
    """Return a line about a history that only copies hold; None where there is none."""
    return earlier_versions.vanished(project.log_directory, store.load(project.log_directory))
