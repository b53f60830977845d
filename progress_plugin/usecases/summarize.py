"""`status summarize`: the summary made anew, with its figures."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import Any

from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project
from progress_plugin.model.learning import LearningKind
from progress_plugin.model.status import Status
from progress_plugin.usecases.composing import Composed
from progress_plugin.usecases.project_writes import prepare, summary_path
from progress_plugin.usecases.recording.record_events import observe
from progress_plugin.usecases.summary_files import regenerate


def summarize(project: Project, *, session: str | None) -> dict[str, Any]:
    """Record what is not recorded yet, write the summary, and return its figures.

    Raises Busy, and AgentProgressError if our directory cannot be written.
    """
    observe(project, now=datetime.now(UTC), session=session)
    prepare(project)
    return figures(regenerate(project, DEFAULT_TIMEOUT_S), summary_path(project))


def figures(composed: Composed, path: str) -> dict[str, Any]:
    """Return what a regeneration reports: stories, learnings by kind, tokens, path."""
    reading, summary = composed.reading, composed.summary
    kinds = Counter(each.statement.kind for each in reading.facts.learnings)
    before, after = composed.tokens_before, composed.tokens_after
    return {
        "project": reading.facts.name,
        "stories": _count_stories(composed),
        "learnings": {kind.value: kinds[kind] for kind in LearningKind},
        "learnings_shown": summary.learnings,
        "recent": summary.recent,
        "tokens": {
            "estimated": True,
            "before": before,
            "after": after,
            "saved": before - after,
            "saved_percent": round(100 * (before - after) / before) if before else None,
        },
        "path": path,
        "written": not composed.unwritten,
        "unwritten": composed.unwritten or None,
        "sources": composed.source_paths,
        "problems": list(reading.problems),
    }


def _count_stories(composed: Composed) -> dict[str, int]:
    counts = Counter(each.status for each in composed.reading.facts.state.items)
    return {"total": counts.total(), **{status.value: counts[status] for status in Status if counts[status]}}
