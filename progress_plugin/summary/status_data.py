"""The state of a project as data for `status --json`."""

from __future__ import annotations

from collections import Counter
from typing import Any

from progress_plugin.model.status import SHOWN_MARKS, Status
from progress_plugin.state.state import ItemState, Work
from progress_plugin.summary.head_lines import describe_count
from progress_plugin.summary.newest_entries import newest_entries
from progress_plugin.summary.project_facts import Facts
from progress_plugin.summary.shown_text import name_work


def status_data(facts: Facts) -> dict[str, Any]:
    """Return counts, current, next, blocked, stories and sources as plain values."""
    state = facts.state
    leading = Counter(each.status for each in state.items)
    return {
        "project": facts.name,
        "branch": facts.branch,
        "updated": str(state.newest) if state.newest else None,
        "summary": describe_count(state),
        "done": state.done,
        "total": state.total,
        "counts": {status.value: leading[status] for status in Status},
        "current": name_work(state.current) if state.current else None,
        "next": name_work(state.next) if state.next else None,
        "blocked": [_blocked(work) for work in state.blocked],
        "steps": [name_work(step) for step in state.steps],
        "conflicts": list(state.conflicts),
        "unknown": list(state.unknown),
        "problems": [*facts.problems, *state.problems],
        "stories": [*_stories_of_plans(facts), *_stories_of_logs(facts)],
        "sources": [
            {"path": file.path, "kind": file.kind, "role": file.role, "reason": file.reason}
            for file in facts.files
        ],
    }


def _blocked(work: Work) -> dict[str, str]:
    return {"name": name_work(work), "reason": work.reason, "source": work.source.path}


def _stories_of_plans(facts: Facts) -> list[dict[str, Any]]:
    return [
        _story(each, plan.plan.path) for plan in facts.state.plans for each in (*plan.items, *plan.groups)
    ]


def _story(state: ItemState, plan: str) -> dict[str, Any]:
    item = state.item
    return {
        "id": item.id,
        "title": item.title,
        "status": state.status.value,
        "mark": SHOWN_MARKS[state.status],
        "agent": item.agent or None,
        "attempts": item.attempts,
        "plan": plan,
        "line": item.source.line,
        "parents": [parent.id or parent.title for parent in state.parents],
    }


def _stories_of_logs(facts: Facts) -> list[dict[str, Any]]:
    """Return the entries whose ids no plan has, each id once with its newest status."""
    planned = {
        each.item.id.casefold()
        for plan in facts.state.plans
        for each in (*plan.items, *plan.groups)
        if each.item.id
    }
    stories: dict[str, dict[str, Any]] = {}
    for log, entry in reversed(newest_entries(facts, sum(len(log.entries) for log in facts.logs))):
        if any(name.casefold() in planned for name in entry.ids):
            continue
        name = entry.ids[0] if entry.ids else None
        status = entry.status or Status.DONE
        key = name or f"{log.path}:{entry.number}"
        stories[key] = {
            "id": name,
            "title": entry.title or stories.get(key, {}).get("title", ""),
            "status": status.value,
            "mark": SHOWN_MARKS[status],
            "log": log.path,
            "line": entry.source.line,
        }
    return list(stories.values())
