"""The state of the work, as data: for people, for scripts, for agents."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from progress_plugin.core.data_directory import has_team
from progress_plugin.core.errors import BadInput
from progress_plugin.core.files import read_named
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.model.story import Plan, Story, count
from progress_plugin.plans.reader import read_plan
from progress_plugin.summary.build import branch_line, completion, last_updated
from progress_plugin.summary.merged_story_status import StoryHistory, StoryState, read_history
from progress_plugin.summary.next_work import next_work
from progress_plugin.summary.shown_blockers import Blocked, blocked, count_blockers
from progress_plugin.summary.summary_input import Facts, OpenBlocker
from progress_plugin.usecases.recording.shared_arrivals import take_in_latest
from progress_plugin.usecases.starting.stale_reason import why
from progress_plugin.usecases.summarizing.compose import left_open_of
from progress_plugin.usecases.summarizing.gather import gather
from progress_plugin.usecases.summarizing.sources import Sources, foreign_notes, read_sources
from progress_plugin.usecases.summarizing.unread_plans import unread_plans


def project_status(project: Project) -> dict[str, Any]:
    """Return the whole status of a project; the shape is described in `docs/commands.md`.

    What a pull has brought is taken into the log first.
    """
    take_in_latest(project)
    sources = read_sources(project, InputSnapshot(project.root), os.environ)
    facts = gather(sources)
    history = read_history(facts)
    return {
        "project": facts.name,
        "root": project.root,
        "branch": facts.branch,
        "branch_line": branch_line(facts) or None,
        "named_branch": facts.named_branch,
        "updated": last_updated(facts) or None,
        **_standing(facts, history),
        "blockers": [
            {
                "id": each.id or None,
                "task": each.label,
                "spec": each.spec,
                "issue": each.issue,
                "since": each.when,
                "writer": each.writer,
            }
            for each in shown_blockers(facts, blocked(history))
        ],
        "plan": _plan(facts.lead) if facts.lead else None,
        "other_plans": [_plan(plan) for plan in facts.other_plans],
        "elsewhere": list(facts.elsewhere),
        "left_open": left_open_of(sources, facts, history),
        "drift": list(facts.drift),
        "problems": [*facts.problems, *foreign_notes(sources), *unread_plans(sources)],
        "learnings": _learnings(facts),
        "sources": _sources(sources, facts),
        "freshness": why(project),
        "team": _team(project),
    }


def _team(project: Project) -> dict[str, Any] | None:
    if not has_team(project.log_directory):
        return None
    from progress_plugin.log.team_standing import team_standing  # noqa: PLC0415 - nothing of it without a team

    standing = team_standing(project)
    return standing.as_object() if standing else None


def plan_status(path: str) -> dict[str, Any]:
    """Return the status of one plan file alone.

    Raises BadInput for a file that cannot be read, or is no plan of a known format.
    """
    folder = os.path.dirname(os.path.abspath(path))
    data = read_named(path)
    if data is None:
        raise BadInput(f"{path}: no such file, or none that can be read; name a plan such as prd.json")
    beside = lambda name: read_named(os.path.join(folder, os.path.basename(name)))  # noqa: E731
    plan = read_plan(path, data, beside)
    if plan is None:
        raise BadInput(f"{path}: not a plan of a known format; docs/formats-plans.md lists them")
    facts = Facts(name=plan.name or plan.path, lead=plan)
    return {
        "plan": _plan(plan),
        **_standing(facts, read_history(facts)),
        "drift": list(plan.drift),
        "problems": list(plan.problems),
    }


def _standing(facts: Facts, history: StoryHistory) -> dict[str, Any]:
    counts = history.counts()
    work = next_work(facts, history)
    stuck = blocked(history)
    return {
        "summary": completion(history),
        "percent": history.percent(1),
        "counts": counts.as_object(),
        "current": work.current.label if work.current else None,
        "begun": work.begun,
        "focus": facts.focus,
        "blocked": [_blocked(each) for each in stuck],
        "blocking": count_blockers(stuck),
        "claims": [each._asdict() for each in facts.claims],
        "finished_in_log": [each._asdict() for each in facts.finished_in_log],
        "next": work.line or None,
        "next_step": work.step or None,
        "next_of_others": work.theirs or None,
        "next_story": _story(work.story) if work.story else None,
        "stories": [_story(story) for story in history.named],
        "earlier": {status.value: number for status, number in history.earlier},
    }


def shown_blockers(facts: Facts, stuck: Sequence[Blocked]) -> list[OpenBlocker]:
    """Return the open blockers that what is blocked is made from, oldest first."""
    told = {id(blocker) for each in stuck for blocker in each.blockers}
    return [blocker for blocker in facts.blockers if id(blocker) in told]


def _blocked(each: Blocked) -> dict[str, Any]:
    return {
        "id": each.label,
        "spec": each.spec or None,
        "title": each.title,
        "why": each.issue or None,
        "since": each.since,
        "by": each.by or None,
        "entry": each.entry,
        "waits": each.waits,
    }


def _story(state: StoryState) -> dict[str, Any]:
    planned = state.planned
    return {
        "id": state.id,
        "title": state.title,
        "status": state.status.value,
        "mark": state.shown_mark,
        "finished_by": state.finished_by.by if state.finished_by else None,
        "agent": planned.agent if planned else None,
        "attempts": planned.attempts if planned else 0,
        "waits_for": [] if state.finished_by else list(state.waits_for),
        "subtasks": _subtasks(planned) if planned else [],
        "entries": len(state.told),
    }


def _subtasks(story: Story) -> list[dict[str, Any]]:
    return [{"id": part.id, "title": part.title, "status": part.status.value} for part in story.subtasks]


def _plan(plan: Plan) -> dict[str, Any]:
    return {
        "path": plan.path,
        "name": plan.name,
        "format": plan.format,
        "counts": count(plan.stories),
    }


def _learnings(facts: Facts) -> list[dict[str, Any]]:
    return [
        {
            "kind": learning.kind.value,
            "text": learning.text,
            "mentions": learning.mentions,
            "story": learning.story,
            "plan": learning.plan,
            "source": learning.source or None,
            "lines": list(learning.lines),
            "files": list(learning.files),
        }
        for learning in facts.learnings
    ]


def _sources(sources: Sources, facts: Facts) -> dict[str, Any]:
    return {
        "files": list(facts.sources),
        "tokens": facts.source_tokens,
        "log_entries": len(sources.log.log.items),
        "archived_entries": sources.log.index.totals().entries,
        "archived_learnings_left_out": facts.archive_only,
    }
