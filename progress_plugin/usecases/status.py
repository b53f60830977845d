"""The state and the history of the work as data, of a project or of one plan or log alone."""

from __future__ import annotations

import datetime as dt
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from progress_plugin.agent_logs.reader import read_agent_log
from progress_plugin.core.data_directory import has_team
from progress_plugin.core.errors import BadInput
from progress_plugin.core.files import MAX_INPUT_BYTES, read_named
from progress_plugin.core.project import Project
from progress_plugin.log import store
from progress_plugin.log.entry import text_of
from progress_plugin.log.merge import effective, names_of_task
from progress_plugin.log.progress_md import headline
from progress_plugin.log.store import read_all_entries
from progress_plugin.model.status import SHOWN_WORDS, Status
from progress_plugin.model.work import Entry, FoundFile, PlanDocument
from progress_plugin.state import rules
from progress_plugin.state.decide import decide
from progress_plugin.state.inputs import Inputs, read_inputs
from progress_plugin.state.state import ItemState, PlanState
from progress_plugin.summary.full_log import full_log_lines
from progress_plugin.summary.head_lines import boxes_left_at_end, describe_count, further_steps
from progress_plugin.summary.own_log import OwnLog, read_entries, read_own_log
from progress_plugin.summary.project_facts import Facts, source_paths
from progress_plugin.summary.shown_text import name_item, name_work
from progress_plugin.summary.user_and_status_line import short_name
from progress_plugin.team.state import load_with_waiting
from progress_plugin.text.bounds import counted
from progress_plugin.text.decode import document_text
from progress_plugin.text.labels import normalised
from progress_plugin.text.paths_in_text import paths_in
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases import views
from progress_plugin.usecases.evidence import evidence_by_entry
from progress_plugin.usecases.explain_context import explain_cache
from progress_plugin.usecases.last_session import describe_sessions
from progress_plugin.usecases.reading import Reading
from progress_plugin.usecases.sessions.views import list_sessions
from progress_plugin.usecases.sharing import read_current

MAX_NAMED_LOGS = 3
MAX_NAMED_CHARS = 120  # of the newest entry, the current and the next work
MAX_RECENT = 3  # stories of an extract
PROBE_BYTES = 4096
UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def project_status(project: Project) -> dict[str, Any]:
    """Return the whole status of a project; the shape is described in `docs/commands.md`."""
    reading = read_current(project)
    facts = reading.facts
    team = load_with_waiting(project) if has_team(project.log_directory) else None
    return {
        "project": facts.name,
        "root": project.root,
        "branch": facts.branch,
        "named_branch": next((plan.branch for plan in facts.inputs.plans if plan.branch), None),
        "updated": str(facts.state.newest) if facts.state.newest else None,
        **view_state(facts),
        "sessions": describe_sessions(reading.sessions) if reading.is_empty else None,
        "claims": [claim._asdict() for claim in facts.claims],
        "problems": list(dict.fromkeys([*reading.problems, *facts.state.problems])),
        "learnings": [*map(views.view_learning, facts.learnings)],
        "sources": {
            "files": source_paths(facts),
            "found": [
                {name: views.as_line(getattr(file, name)) for name in ("path", "kind", "role", "reason")}
                for file in facts.files
            ],
            "log_entries": len(reading.log.log.items),
            "archived_entries": reading.log.archived_count,
        },
        "freshness": explain_cache(project),
        "team": team.as_object() if team else None,
    }


def plan_status(path: str) -> dict[str, Any]:
    """Return the status of one plan file alone. Raises BadInput if it is not a readable plan."""
    plans = read_plan(path)
    state = decide(plans, (), (), dt.datetime.now().astimezone().date())
    facts = Facts(plans[0].name, None, (), Inputs(plans, ()), OwnLog(), state)
    return {**view_state(facts), "problems": list(state.problems)}


def read_plan(path: str) -> tuple[PlanDocument, ...]:
    """Return the plans of one file. Raises BadInput if it cannot be read or has no known format."""

    def read_text(name: str) -> str | None:
        data = read_named(name)
        return document_text(data, name)[0] if data is not None else None

    inputs = read_inputs([FoundFile(path, "plan", "", "leads", "named")], read_text)
    if not inputs.plans:
        unknown = f"{path}: no such file, or not a plan of a known format; docs/formats.md says what is read"
        raise BadInput(next(iter(inputs.problems), unknown))
    return inputs.plans


def count_statuses(items: Sequence[ItemState]) -> dict[str, int]:
    """Count the items of each status."""
    counts = Counter(each.status for each in items)
    return {status.value: counts[status] for status in Status}


def view_state(facts: Facts) -> dict[str, Any]:
    """Return the finished, current, next and blocked work for `status`, the report and other programs."""
    state = facts.state
    leading = state.plans[0] if state.plans else None
    stories = views.view_stories(leading, facts) if leading else []
    upcoming = state.next.item if state.next else None
    percent = round(100 * state.done / state.total, 1) if state.total and state.done is not None else None
    return {
        "summary": describe_count(state),
        "done": state.done,
        "total": state.total,
        "percent": percent,
        "is_complete": state.is_complete,
        "counts": count_statuses(state.items),
        "current": short_name(state.current) if state.current else None,
        "begun": bool(state.current and state.current.status is Status.ACTIVE),
        "next": views.as_line(name_work(state.next)) if state.next else None,
        "next_story": next(
            (view for each, view in zip(state.items, stories, strict=False) if each.item is upcoming),
            None,
        ),
        "steps": [views.as_line(name_work(step)) for step in further_steps(state)],
        "open": [views.as_line(box.title) for box in boxes_left_at_end(state)],
        "left_for_later": [views.as_line(name_item(item)) for item in state.left_for_later],
        "blocked": views.view_blockers(facts),
        "blocking": len(state.blocked),
        "stories": stories,
        "plan": _plan_data(leading) if leading else None,
        "other_plans": [_plan_data(plan) for plan in state.plans[1:]],
        "drift": [*map(views.as_line, state.conflicts)],
        "unknown": [*map(views.as_line, state.unknown)],
    }


def _plan_data(plan: PlanState) -> dict[str, Any]:
    return {
        "path": views.as_line(plan.plan.path),
        "name": views.as_line(plan.plan.name),
        "format": plan.plan.format,
        "counts": count_statuses(plan.items),
        "done": plan.done,
        "total": plan.total,
        "next": views.as_line(name_work(plan.next)) if plan.next else None,
    }


def list_recent(project: Project, n: int, *, sessions: bool = False) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the newest `n` entries, archived ones included, and the blockers, as docs/commands.md has them.

    `sessions`, `evidence`, `resolved` and `notes` may be missing. The second object is for the text: views
    of the entries, and a line about the recorded sessions if there is no log and no plan. With `sessions`,
    the first object also has the newest `n` sessions.
    Raises BadInput if the log is not a regular file, or if `sessions` are wanted and transcripts are off.
    """
    listed = list_sessions(project, n) if sessions else None
    store.read_bytes(project.log_directory)  # only for its error
    reading = read_current(project)
    facts, known = reading.facts, views.entries_by_id(reading.log.effective_entries)
    history = reading.log.newest(n)
    recent = history[-n:] if n > 0 else []
    done: Any = next((entry for entry in reversed(history) if entry.get("type") == "task_completed"), {})
    ended = views.describe_ends(facts, known)
    proven = evidence_by_entry(reading.log, reading.sessions)
    shown = [text_of(entry, "id") or "" for entry in recent]
    data: dict[str, Any] = {
        "entries": recent,
        "summary": _summarise(reading, history, recent),
        "last_spec": text_of(done, "spec"),
        "last_task": text_of(done, "task_id"),
        "unresolved_blockers": views.open_blockers_of_log(facts, known),
        "blocked": views.view_blockers(facts),
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
    details = views.details_of(read_entries(recent))
    entries = [
        views.view_own_entry(entry, details.get(number, ()), leading, ended, proven)
        for number, entry in enumerate(recent, 1)
    ]
    recorded = describe_sessions(reading.sessions) if reading.is_empty else ""
    return data, {"shown": entries, "recorded": recorded}


def _summarise(reading: Reading, history: Sequence[dict[str, Any]], recent: Sequence[dict[str, Any]]) -> str:
    """Sum up the listed entries in one line; `history` may have more entries."""
    state, logs = reading.facts.state, [log for log in reading.facts.inputs.logs if log.entries]
    done = [entry for entry in recent if entry.get("type") == "task_completed"]
    tasks = {next(names_of_task(entry), (normalised(headline(entry)),)) for entry in done}
    if history:
        facts = f"{counted(len(tasks), 'task')} completed, {counted(len(state.blocked), 'blocker')}"
        parts = [f"Last {counted(len(recent), 'entry')}: {facts}"]
    elif logs:
        paths = one_line(", ".join(log.path for log in logs[:MAX_NAMED_LOGS]))
        parts = [
            f"No entries in the progress log; the history is in {paths} (`agent-progress status` sums it up)"
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
    reading = read_current(project)
    own = read_own_log(effective(read_all_entries(project.log_directory), reading.log.retracted_ids))
    return [line.text for line in full_log_lines(replace(reading.facts, own=own))]


def extract_log(path: str, plan_path: str | None = None) -> dict[str, list[dict[str, Any]]]:
    """Read a log, with the plan that belongs to it if there is one.

    Return `stories`: one per entry, or per id if it has several, oldest first, then those that only the plan
    has, which have no line. Return also `learnings`, and the last three stories of the log as `recent`.
    Raises BadInput, which names the file, if one of the two cannot be read.
    """
    text = _read_log(path)
    items = [item for item, _ in rules.leaves(read_plan(plan_path)[0].items)] if plan_path else []
    titles = {item.id: item.title for item in items if item.id}
    log = read_agent_log(os.path.basename(path), text, titles)
    logged = [story for entry in log.entries for story in _stories(entry, titles)]
    ids = {story["id"] for story in logged} - {None}
    planned = [
        _story(item.id, item.title, rules.stated_status(item.reports), None)
        for item in items
        if item.id not in ids
    ]
    learnings = [
        {
            "kind": each.kind,
            "text": each.text,
            "line": each.source.line,
            "story": each.story,
            "files": list(paths_in(each.text)),
        }
        for each in log.learnings
    ]
    return {"stories": [*logged, *planned], "learnings": learnings, "recent": logged[-MAX_RECENT:]}


def _stories(entry: Entry, titles: dict[str, str]) -> list[dict[str, Any]]:
    """Return the stories of an entry. If it states no status it counts as done here."""
    status, line = entry.status or Status.DONE, entry.source.line
    if len(entry.ids) > 1:
        return [_story(each, titles.get(each) or entry.title or None, status, line) for each in entry.ids]
    name = entry.ids[0] if entry.ids else None
    return [_story(name, entry.title or titles.get(name or "") or None, status, line)]


def _story(name: str | None, title: str | None, status: Status, line: int | None) -> dict[str, Any]:
    word = SHOWN_WORDS[status].replace(" ", "_")
    return {"id": name, "title": title, "status": word, "line": line}


def _read_log(path: str) -> str:
    data = read_named(path, MAX_INPUT_BYTES)
    if data is None:
        raise BadInput(f"cannot read {path}: no such file")
    if b"\0" in data[:PROBE_BYTES] and data[:2] not in UTF_16_MARKS:
        raise BadInput(f"cannot read {path}: it is not a text file")
    return document_text(data, path)[0]
