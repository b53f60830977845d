"""The report of a project and the view of its team as data, which docs/commands.md describes.

The work of others comes from the local log, which has it by git or by the last sync: no server is asked.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

from progress_plugin.core.errors import Refused
from progress_plugin.core.project import Project
from progress_plugin.log import shared_entries
from progress_plugin.log.entry import text_of, time_of, writer_of
from progress_plugin.log.merge import effective
from progress_plugin.log.progress_md import headline, type_words
from progress_plugin.log.store import read_all_entries
from progress_plugin.log.timestamp import format_time
from progress_plugin.model.status import SHOWN_MARKS, Status
from progress_plugin.model.work import Claim, Entry, LearningKind
from progress_plugin.selection.merge import group_by_topic
from progress_plugin.state.state import ItemState
from progress_plugin.summary.newest_entries import newest_entries
from progress_plugin.summary.project_facts import Facts, source_paths
from progress_plugin.summary.shown_text import items_by_id, name_work, planned_title, status_of_entry
from progress_plugin.team.state import load_with_waiting
from progress_plugin.usecases import views
from progress_plugin.usecases.evidence import evidence_by_entry
from progress_plugin.usecases.reading import Reading
from progress_plugin.usecases.sessions.read_transcripts import read_changed_transcripts
from progress_plugin.usecases.sessions.views import report_sessions
from progress_plugin.usecases.sharing import read_current
from progress_plugin.usecases.status import view_state

DAYS = 14  # for which finished stories of a team are counted by day, today included
MAX_DETAILS = 40  # of one entry
MAX_FILES = 20  # of one entry
MAX_GROUPED = 200  # learnings of one kind that are grouped by topic
OTHER_MARK = "•"  # of an entry that does not state a status
ONLY_IN_OWN_LOG = ("id", "type", "plan", "writer", "resolved", "evidence")
AS_IN_STATUS = ("summary", "done", "total", "counts", "stories", "steps", "drift", "other_plans")


def report(project: Project, *, now: dt.datetime, team: bool = False) -> dict[str, Any]:
    """Return the report of a project as of `now`.

    New transcripts are read first, and entries that a pull has brought are added to the log. Raises Refused
    if there is no log, plan, progress document or session.
    """
    read_changed_transcripts(project, None)
    reading = read_current(project)
    if reading.is_empty and not reading.sessions:
        raise Refused(f"nothing to report in {project.root}: no log, no plan; begin with agent-progress init")
    facts, state, own = reading.facts, reading.facts.state, reading.log.effective_entries
    entries = views.entries_by_id(own)
    sessions = report_sessions(reading)
    branches = [plan.branch for plan in facts.inputs.plans if plan.branch]
    shown = view_state(facts)
    problems = dict.fromkeys([*reading.problems, *state.problems, *state.unknown])
    sources = [*source_paths(facts), *(["the clients' transcripts"] if sessions else [])]
    return {
        "project": views.as_line(facts.name, views.MAX_TITLE_CHARS),
        "root": project.root,
        "branch": views.as_line(facts.branch or next(iter(branches), ""), views.MAX_TITLE_CHARS),
        "started": str(facts.started or ""),
        "updated": str(state.newest or ""),
        "made": format_time(now),
        **{name: shown[name] for name in AS_IN_STATUS},
        "current": views.as_line(name_work(state.current)) if state.current else "",
        "next": shown["next"] or "",
        "burn_up": _burn_up(shown["stories"], facts.started, state.newest),
        "entries": [*_view_entries(reading, entries)],
        "archived": reading.log.archived_count,
        "archived_listed": len(own) - len(reading.log.entries),
        "sessions": sessions,
        "blockers": shown["blocked"],
        "topics": [*_view_topics(facts)],
        "learnings": len(facts.learnings),
        "problems": [*map(views.as_line, problems)],
        "sources": [*map(views.as_line, sources)],
        "team": team_view(reading, now) if team else None,
    }


def _burn_up(
    stories: Sequence[Mapping[str, Any]], started: dt.date | None, newest: dt.date | None
) -> dict[str, Any]:
    """Count the stories finished up to each day, without skipped ones. Without stories there are no points.

    Stories whose day is unknown count from the first day on.
    """
    counted = [story for story in stories if story["status"] is not Status.SKIPPED]
    finished = [story["finished"] for story in counted if story["status"] is Status.DONE]
    ends = [str(date) for date in (started, newest) if views.is_plausible(date)]
    days = sorted({*finished, *ends} - {""}) if counted else []
    ordinals = [dt.date.fromisoformat(day).toordinal() for day in days]
    points = [
        {"when": day, "day": ordinal - ordinals[0], "finished": sum(each <= day for each in finished),
         "known": len(counted)}
        for day, ordinal in zip(days, ordinals, strict=True)
    ]  # fmt: skip
    return {"points": points, "undated": finished.count("")}


def _view_entries(reading: Reading, known: views.Entries) -> Iterator[views.View]:
    """Yield the entries of all logs, the newest first."""
    facts = reading.facts
    proven = evidence_by_entry(reading.log, reading.sessions)
    ended = views.describe_ends(facts, known)
    details = {log.path: views.details_of(log) for log in facts.logs}
    leading = facts.state.plans[0].plan.path if facts.state.plans else ""
    for log, entry in newest_entries(facts):
        is_own, texts = log is facts.own.log, details[log.path].get(entry.number, ())
        items = items_by_id(facts.state, log.path)
        name = facts.own.records[entry.number - 1].id if is_own else ""
        if name in known:
            view = views.view_own_entry(known[name], texts, leading, ended, proven)
        else:
            view = _view_entry(entry, items, texts)
        status = entry.status if is_own else status_of_entry(entry, items)
        yield view | {"status": status, "mark": SHOWN_MARKS[status] if status else OTHER_MARK}


def _view_entry(entry: Entry, items: Mapping[str, ItemState], details: Sequence[str]) -> views.View:
    return dict.fromkeys(ONLY_IN_OWN_LOG, "") | {
        "when": str(entry.date) if views.is_plausible(entry.date) else "",
        "story": views.as_line(", ".join(entry.ids), views.MAX_TITLE_CHARS),
        "title": views.as_line(entry.title or planned_title(entry, items), views.MAX_TITLE_CHARS),
        "details": [*map(views.as_line, details[:MAX_DETAILS])],
        "files": [*map(views.as_line, entry.files[:MAX_FILES])],
        "place": views.describe_place(entry.source),
    }


def _view_topics(facts: Facts) -> Iterator[dict[str, Any]]:
    """Yield the learnings by kind and topic, those with most mentions first, those without a topic last."""
    ordered = sorted(facts.learnings, key=lambda each: -len(each.sources))
    for kind in LearningKind:
        of_kind = {each.statement: each for each in ordered if each.statement.kind is kind}
        statements = [*of_kind]
        topics: dict[str, list[views.View]] = defaultdict(list)
        for label, group in (*group_by_topic(statements[:MAX_GROUPED]), ("", statements[MAX_GROUPED:])):
            shown = views.as_line(label)
            topics[shown] += [views.view_learning(of_kind[each]) | {"topic": shown} for each in group]
        for label in sorted(filter(topics.get, topics), key=lambda label: not label):
            yield {"kind": kind, "label": label, "statements": topics[label]}


def team_view(reading: Reading, now: dt.datetime) -> views.View:
    """Return the work of all clones as docs/commands.md describes it, blockers on their branches included."""
    facts, directory = reading.facts, reading.project.log_directory
    server = load_with_waiting(reading.project)
    entries = effective(read_all_entries(directory), reading.log.retracted_ids)
    known = views.entries_by_id(entries)
    blockers = views.view_blockers(facts)
    shown = {each["entry"] for each in blockers} | views.describe_ends(facts, known).keys()
    elsewhere = [
        entry for entry in reading.log.blockers() if writer_of(entry) and text_of(entry, "id") not in shown
    ]
    days = tuple(format_time(now - dt.timedelta(days=back))[:10] for back in range(DAYS - 1, -1, -1))
    return {
        "project": facts.name,
        "days": days,
        "writers": _view_writers(entries, facts.claims, shared_entries.known_writer(directory) or "", days),
        "blockers": [*blockers, *map(views.view_logged_blocker, elsewhere)],
        "claims": [claim._asdict() for claim in facts.claims],
        "through_git": reading.settings.share,
        "through_server": server is not None,
        "synced": server.done if server else "",
        "outage": server.line() if server else "",
    }


def _view_writers(
    entries: Iterable[dict[str, Any]], claims: Iterable[Claim], own: str, days: Sequence[str]
) -> list[views.View]:
    """Return this clone and all others, the most recently active first."""
    written_by: dict[str, list[dict[str, Any]]] = defaultdict(list, {"": []})
    for entry in sorted(entries, key=_time):
        written_by[writer_of(entry) or ""].append(entry)
    claimed: dict[str, list[Claim]] = defaultdict(list)
    for claim in sorted(claims, key=lambda each: each.since):
        claimed[claim.writer or ""].append(claim)
    found = [
        _view_writer(name, own, written_by[name], claimed[name], days) for name in {**written_by, **claimed}
    ]
    return sorted(found, key=itemgetter("last_seen", "here", "writer"), reverse=True)


def _view_writer(
    name: str, own: str, entries: Sequence[dict[str, Any]], claims: Sequence[Claim], days: Sequence[str]
) -> views.View:
    """Return a clone: its newest entry, how many stories it finished on each of `days`, and its claims."""
    newest = entries[-1] if entries else {}
    finished = {
        (text_of(entry, "spec"), text_of(entry, "task_id") or text_of(entry, "id")): _time(entry)[:10]
        for entry in entries
        if entry.get("type") == "task_completed"
    }
    per_day = Counter(finished.values())
    story, text = text_of(newest, "task_id"), headline(newest) if newest else ""
    return {
        "writer": views.as_line(name or own, views.MAX_TITLE_CHARS),
        "here": not name,
        "last_seen": max([*map(_time, entries), *(claim.since for claim in claims)], default=""),
        "branch": views.as_line(text_of(newest, "branch"), views.MAX_TITLE_CHARS),
        "did": views.as_line(type_words(newest), views.MAX_TITLE_CHARS) if newest else "",
        "text": views.as_line(f"{story}: {text}" if story and story != text else text, views.MAX_TITLE_CHARS),
        "finished": {day: per_day[day] for day in days if per_day[day]},
        "claims": [views.as_line(each.story, views.MAX_TITLE_CHARS) for each in claims],
    }


def _time(entry: dict[str, Any]) -> str:
    moment = time_of(entry)
    return format_time(moment) if moment else ""
