"""The state and the history of the work, as data: for people, for scripts, for a page."""

from __future__ import annotations

import datetime as dt
import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, NamedTuple

from progress_plugin.core.data_directory import has_team
from progress_plugin.core.errors import BadInput, Refused
from progress_plugin.core.files import read_named
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.log import store
from progress_plugin.log.entry import text_of
from progress_plugin.log.merge import effective, names_of_task
from progress_plugin.log.progress_md import headline
from progress_plugin.log.store import everything
from progress_plugin.log.timestamp import written
from progress_plugin.model.learning import LearningKind
from progress_plugin.model.status import SHOWN_MARKS, Status
from progress_plugin.model.work import Entry, FoundFile, PlanDocument
from progress_plugin.selection.topics import group_by_topic
from progress_plugin.state.decide import decide
from progress_plugin.state.inputs import Inputs, read_inputs
from progress_plugin.state.state import ItemState, PlanState
from progress_plugin.summary.full_log import full_log_lines
from progress_plugin.summary.head_lines import describe_count, further_steps
from progress_plugin.summary.newest_entries import newest_entries
from progress_plugin.summary.own_log import PATH as OWN_PATH
from progress_plugin.summary.own_log import OwnLog, read_own_log
from progress_plugin.summary.project_facts import Facts, source_paths
from progress_plugin.summary.shown_text import name_work, status_of_entry, titles_by_id
from progress_plugin.summary.user_and_status_line import short_name
from progress_plugin.team.state import load_with_waiting
from progress_plugin.text.bounds import counted
from progress_plugin.text.decode import decode_lenient
from progress_plugin.text.labels import normalised
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.evidence import evidence_by_entry
from progress_plugin.usecases.last_session import describe_sessions
from progress_plugin.usecases.reading import Reading, read_project
from progress_plugin.usecases.sessions.reading import catch_up
from progress_plugin.usecases.sessions.views import list_sessions, report_sessions
from progress_plugin.usecases.sharing import take_in_latest
from progress_plugin.usecases.starting.stale_reason import why
from progress_plugin.usecases.team_view import TeamView, team_view
from progress_plugin.usecases.views import (
    MAX_TITLE_CHARS,
    Entries,
    View,
    clean,
    describe_ends,
    describe_place,
    entries_by_id,
    is_plausible,
    open_blockers_of_log,
    view_blockers,
    view_learning,
    view_own_entry,
    view_stories,
)

PERCENT = 100
MAX_DETAILS = 40  # of one entry
MAX_FILES = 20  # of one entry
MAX_GROUPED = 200  # learnings of one kind that are grouped by topic
MAX_NAMED_LOGS = 3
MAX_NAMED_CHARS = 120  # of the newest entry, the current and the next work
OTHER_MARK = "•"  # of an entry that does not state a status
AS_IN_STATUS = ("summary", "done", "total", "counts", "stories", "steps", "drift")


def project_status(project: Project) -> dict[str, Any]:
    """Return the whole status of a project; the shape is described in `docs/commands.md`.

    Entries that a pull has brought are added to the log first.
    """
    take_in_latest(project)
    reading = read_project(project, InputSnapshot(project.root), os.environ)
    facts = reading.facts
    standing = load_with_waiting(project) if has_team(project.log_directory) else None
    return {
        "project": facts.name,
        "root": project.root,
        "branch": facts.branch,
        "named_branch": next((plan.branch for plan in facts.inputs.plans if plan.branch), None),
        "updated": str(facts.state.newest) if facts.state.newest else None,
        **view_state(facts, entries_by_id(reading.log.stories_logged())),
        "sessions": describe_sessions(reading.sessions) if reading.is_empty else None,
        "claims": [claim._asdict() for claim in facts.claims],
        "problems": list(dict.fromkeys([*reading.problems, *facts.state.problems])),
        "learnings": [*map(view_learning, facts.learnings)],
        "sources": {
            "files": source_paths(facts),
            "found": [
                {name: clean(getattr(file, name)) for name in ("path", "kind", "role", "reason")}
                for file in facts.files
            ],
            "log_entries": len(reading.log.log.items),
            "archived_entries": reading.log.archive.count,
        },
        "freshness": why(project),
        "team": standing.as_object() if standing else None,
    }


def plan_status(path: str) -> dict[str, Any]:
    """Return the status of one plan file alone. Raises what `read_plan` does."""
    plans = read_plan(path)
    today = dt.datetime.now().astimezone().date()
    state = decide(plans, (), (), today)
    facts = Facts(plans[0].name, None, (), Inputs(plans, ()), OwnLog(), state)
    return {**view_state(facts, {}), "problems": list(state.problems)}


def read_plan(path: str) -> tuple[PlanDocument, ...]:
    """Return the plans of one file. Raises BadInput if it cannot be read or has no known format."""

    def read_text(name: str) -> str | None:
        data = read_named(name)
        return decode_lenient(data, name)[0] if data is not None else None

    if read_named(path) is None:
        raise BadInput(f"{path}: no such file, or none that can be read; name a plan such as prd.json")
    inputs = read_inputs([FoundFile(path, "plan", "", "leads", "named")], read_text)
    if not inputs.plans:
        unknown = f"{path}: not a plan of a known format; docs/formats.md says what is read"
        raise BadInput(next(iter(inputs.problems), unknown))
    return inputs.plans


def count_statuses(items: Sequence[ItemState]) -> dict[str, int]:
    """Return how many items have each status."""
    counts = Counter(each.status for each in items)
    return {status.value: counts[status] for status in Status}


def view_state(facts: Facts, entries: Entries) -> dict[str, Any]:
    """Return what is done, current, next and blocked, as `status`, the report and other programs show it."""
    state = facts.state
    leading = state.plans[0] if state.plans else None
    stories = view_stories(leading, facts) if leading else []
    upcoming = state.next.item if state.next else None
    percent = round(PERCENT * state.done / state.total, 1) if state.total and state.done is not None else None
    return {
        "summary": describe_count(state),
        "done": state.done,
        "total": state.total,
        "percent": percent,
        "is_complete": state.is_complete,
        "counts": count_statuses(state.items),
        "current": short_name(state.current) if state.current else None,
        "begun": bool(state.current and state.current.status is Status.ACTIVE),
        "next": clean(name_work(state.next)) if state.next else None,
        "next_story": next(
            (view for each, view in zip(state.items, stories, strict=False) if each.item is upcoming),
            None,
        ),
        "steps": [clean(name_work(step)) for step in further_steps(state)],
        "blocked": view_blockers(facts, entries),
        "blocking": len(state.blocked),
        "stories": stories,
        "plan": _plan_data(leading) if leading else None,
        "other_plans": [_plan_data(plan) for plan in state.plans[1:]],
        "drift": [*map(clean, state.conflicts)],
        "unknown": [*map(clean, state.unknown)],
    }


def _plan_data(plan: PlanState) -> dict[str, Any]:
    return {
        "path": plan.plan.path,
        "name": plan.plan.name,
        "format": plan.plan.format,
        "counts": count_statuses(plan.items),
        "done": plan.done,
        "total": plan.total,
        "next": name_work(plan.next) if plan.next else None,
    }


class RecentWork(NamedTuple):
    """The newest entries, and what is blocked."""

    data: dict[str, Any]  # what `recent --json` prints; parts without content are left out
    entries: list[View]
    recorded: str  # how many sessions were recorded, in a project that has nothing else


def recent_of(project: Project, n: int, *, sessions: bool = False) -> RecentWork:
    """Return the newest `n` entries, archived ones included; nothing recorded is an empty answer.

    With `sessions` also as many sessions. Raises BadInput if the log is not a regular file, or if transcripts
    are switched off.
    """
    listed = [asdict(each) for each in list_sessions(project, n)] if sessions else None
    store.raw(project.log_directory)
    take_in_latest(project)
    reading = read_project(project, InputSnapshot(project.root))
    facts, known = reading.facts, entries_by_id(reading.log.stories_logged())
    history = reading.log.newest(n)
    recent = history[-n:] if n > 0 else []
    done: Any = next((entry for entry in reversed(history) if entry.get("type") == "task_completed"), {})
    ended = describe_ends(facts, known)
    proven = evidence_by_entry(reading.log, reading.sessions) if reading.sessions else {}
    shown = [text_of(entry, "id") or "" for entry in recent]
    data: dict[str, Any] = {
        "entries": recent,
        "summary": _summarise(reading, history, recent),
        "last_spec": text_of(done, "spec"),
        "last_task": text_of(done, "task_id"),
        "unresolved_blockers": open_blockers_of_log(facts, known),
        "blocked": view_blockers(facts, known),
    }
    if listed is not None:
        data["sessions"] = listed
    if checked := {name: proven[name] for name in shown if name in proven}:
        data["evidence"] = {name: each._asdict() | {"words": each.words()} for name, each in checked.items()}
    if resolved := {name: ended[name] for name in shown if name in ended}:
        data["resolved"] = resolved
    if reading.lost_history:
        data["notes"] = [reading.lost_history]
    leading = facts.state.plans[0].plan.path if facts.state.plans else ""
    entries = [view_own_entry(entry, leading, ended, proven) for entry in recent]
    return RecentWork(data, entries, describe_sessions(reading.sessions) if reading.is_empty else "")


def _summarise(reading: Reading, history: Sequence[dict[str, Any]], recent: Sequence[dict[str, Any]]) -> str:
    """Return one line about the entries that are listed, of which `history` has more."""
    state, logs = reading.facts.state, reading.facts.inputs.logs
    done = [entry for entry in recent if entry.get("type") == "task_completed"]
    tasks = {next(names_of_task(entry), (normalised(headline(entry)),)) for entry in done}
    if history:
        facts = f"{counted(len(tasks), 'task')} completed, {counted(len(state.blocked), 'blocker')}"
        parts = [f"Last {counted(len(recent), 'entry')}: {facts}"]
    elif logs:
        where = one_line(", ".join(log.path for log in logs[:MAX_NAMED_LOGS]))
        parts = [
            f"No entries in the progress log; the record is {where} (`agent-progress status` sums it up)"
        ]
    else:
        return "No previous progress recorded."
    current = state.current if state.current is not state.next else None
    named = {
        "Most recent": headline(recent[-1]) if recent else "",
        "Current": name_work(current) if current else "",
        "Next": name_work(state.next) if state.next else "",
    }
    for label, text in named.items():
        parts += [f"{label}: {one_line(text, MAX_NAMED_CHARS).rstrip(' .')}"] if text else []
    return ". ".join(parts) + "."


def whole_log(project: Project) -> list[str]:
    """Return every entry of our log, its archive and the agents' logs, newest first, after all learnings.

    Empty if nothing was ever recorded. Raises BadInput if the log is not a regular file.
    """
    take_in_latest(project)
    reading = read_project(project)
    own = read_own_log(effective(everything(project.log_directory), reading.log.archive.hidden))
    return [line.text for line in full_log_lines(replace(reading.facts, own=own))]


def report(project: Project, *, now: dt.datetime, team: bool = False) -> dict[str, Any]:
    """Return the report of a project as of `now`, which carries its zone.

    `docs/commands.md` describes the object. New transcripts are read first, and entries that a pull has
    brought are added to the log. Raises Refused if there is no log, plan, progress document or session.
    """
    take_in_latest(project)
    view = team_view(project, now) if team else None
    catch_up(project, None)
    reading = read_project(project, InputSnapshot(project.root), os.environ)
    if reading.is_empty and not reading.sessions:
        raise Refused(f"nothing to report in {project.root}: no log, no plan; begin with agent-progress init")
    return _make_report(reading, now, view)


def _make_report(reading: Reading, now: dt.datetime, team: TeamView | None) -> dict[str, Any]:
    facts, state = reading.facts, reading.facts.state
    own = reading.log.stories_logged()
    entries = entries_by_id(own)
    sessions = report_sessions(reading)
    branches = [plan.branch for plan in facts.inputs.plans if plan.branch]
    shown = view_state(facts, entries)
    return {
        "project": clean(facts.name, MAX_TITLE_CHARS),
        "root": reading.project.root,
        "branch": clean(facts.branch or next(iter(branches), ""), MAX_TITLE_CHARS),
        "started": str(facts.started or ""),
        "updated": str(state.newest or ""),
        "made": written(now),
        **{name: shown[name] for name in AS_IN_STATUS},
        "current": clean(name_work(state.current)) if state.current else "",
        "next": shown["next"] or "",
        "burn_up": _burn_up(shown["stories"], facts.started, state.newest),
        "entries": [*_view_entries(reading, entries)],
        "archived": reading.log.archive.count,
        "archived_listed": len(own) - len(reading.log.entries),
        "sessions": [asdict(each) for each in sessions],
        "blockers": shown["blocked"],
        "topics": [*_view_topics(facts)],
        "learnings": len(facts.learnings),
        "other_plans": [
            clean(f"{plan.plan.name or plan.plan.path} ({plan.plan.path}): {plan.done}/{plan.total} complete")
            for plan in state.plans[1:]
        ],
        "problems": [*map(clean, dict.fromkeys([*reading.problems, *state.problems, *state.unknown]))],
        "sources": [*map(clean, source_paths(facts)), *(["the clients' transcripts"] if sessions else [])],
        "team": asdict(team) if team else None,
    }


def _burn_up(
    stories: Sequence[Mapping[str, Any]], started: dt.date | None, newest: dt.date | None
) -> dict[str, Any]:
    """Return how many stories were finished on each day, without skipped ones; no points without a list.

    Stories that were finished on a day that is not known count from the first day on.
    """
    counted = [story for story in stories if story["status"] is not Status.SKIPPED]
    finished = [story["finished"] for story in counted if story["status"] is Status.DONE]
    ends = [str(date) for date in (started, newest) if is_plausible(date)]
    days = sorted({*finished, *ends} - {""}) if counted else []
    points = [
        {"when": day, "finished": sum(each <= day for each in finished), "known": len(counted)}
        for day in days
    ]
    return {"points": points, "undated": finished.count("")}


def _view_entries(reading: Reading, known: Entries) -> Iterator[View]:
    """Yield the entries of all logs, the newest first."""
    facts = reading.facts
    titles = titles_by_id(facts.state)
    states = {each.item.id.casefold(): each for each in facts.state.items if each.item.id}
    proven = evidence_by_entry(reading.log, reading.sessions) if reading.sessions else {}
    ended = describe_ends(facts, known)
    details = _details_by_entry(facts)
    leading = facts.state.plans[0].plan.path if facts.state.plans else ""
    for log, entry in newest_entries(facts, sum(len(log.entries) for log in facts.logs)):
        is_own = log is facts.own.log
        name = facts.own.records[entry.number - 1].id if is_own else ""
        if name in known:
            view = view_own_entry(known[name], leading, ended, proven)
        else:
            view = _view_entry(entry, titles, details[log.path, entry.number])
        status = entry.status if is_own else status_of_entry(entry, states)
        yield view | {"status": status, "mark": SHOWN_MARKS[status] if status else OTHER_MARK}


def _details_by_entry(facts: Facts) -> Mapping[tuple[str, int], list[str]]:
    """Return what the entries of agents' logs say, by path and number."""
    details: dict[tuple[str, int], list[str]] = defaultdict(list)
    for log in facts.inputs.logs:
        for statement in log.statements if log.path != OWN_PATH else ():
            details[log.path, statement.entry].append(statement.text)
    return details


def _view_entry(entry: Entry, titles: Mapping[str, str], details: Sequence[str]) -> View:
    known = (titles.get(name.casefold(), "") for name in entry.ids)
    return {
        "id": "",
        "when": str(entry.date) if is_plausible(entry.date) else "",
        "type": "",
        "story": clean(", ".join(entry.ids), MAX_TITLE_CHARS),
        "plan": "",
        "title": clean(entry.title or next(filter(None, known), ""), MAX_TITLE_CHARS),
        "details": [*map(clean, details[:MAX_DETAILS])],
        "files": [*map(clean, entry.files[:MAX_FILES])],
        "writer": "",
        "place": describe_place(entry.source),
        "resolved": "",
        "evidence": "",
    }


def _view_topics(facts: Facts) -> Iterator[dict[str, Any]]:
    """Yield the learnings by kind and topic, those with most mentions first; what has no topic comes last."""
    ordered = sorted(facts.learnings, key=lambda each: -len(each.sources))
    for kind in LearningKind:
        of_kind = {each.statement: each for each in ordered if each.statement.kind is kind}
        statements = [*of_kind]
        topics: dict[str, list[View]] = defaultdict(list)
        for label, group in (*group_by_topic(statements[:MAX_GROUPED]), ("", statements[MAX_GROUPED:])):
            topics[label] += [view_learning(of_kind[each]) for each in group]
        for label in sorted(filter(topics.get, topics), key=lambda label: not label):
            yield {"kind": kind, "label": clean(label), "statements": topics[label]}
