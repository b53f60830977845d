"""The state of the work, as data: for people, for scripts, for agents."""

from __future__ import annotations

import datetime as dt
import os
from collections import Counter
from collections.abc import Sequence
from typing import Any

from progress_plugin.core.data_directory import has_team
from progress_plugin.core.errors import BadInput
from progress_plugin.core.files import read_named
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.log.team_state import team_standing
from progress_plugin.model.status import Status
from progress_plugin.model.work import FoundFile, PlanDocument
from progress_plugin.state.decide import decide
from progress_plugin.state.inputs import Inputs, read_inputs
from progress_plugin.state.state import ItemState, PlanState
from progress_plugin.summary.head_lines import describe_count, further_steps
from progress_plugin.summary.own_log import OwnLog
from progress_plugin.summary.project_facts import Facts, source_paths
from progress_plugin.summary.shown_text import name_work
from progress_plugin.summary.user_and_status_line import short_name
from progress_plugin.text.decode import decode_lenient
from progress_plugin.usecases.last_session import describe_sessions
from progress_plugin.usecases.reading import read_project
from progress_plugin.usecases.sharing import take_in_latest
from progress_plugin.usecases.starting.stale_reason import why
from progress_plugin.usecases.views import (
    Entries,
    clean,
    entries_by_id,
    view_blockers,
    view_learning,
    view_stories,
)

PERCENT = 100


def project_status(project: Project) -> dict[str, Any]:
    """Return the whole status of a project; the shape is described in `docs/commands.md`.

    Entries that a pull has brought are added to the log first.
    """
    take_in_latest(project)
    reading = read_project(project, InputSnapshot(project.root), os.environ)
    facts = reading.facts
    standing = team_standing(project) if has_team(project.log_directory) else None
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
            "archived_entries": reading.log.index.count,
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
