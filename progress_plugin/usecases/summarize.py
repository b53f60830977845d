"""`status summarize`: the summary made anew, with its figures."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import Any

from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project
from progress_plugin.model.learning import LearningKind
from progress_plugin.summary.merged_story_status import StoryHistory
from progress_plugin.usecases.project_writes import prepare, summary_path
from progress_plugin.usecases.recording.entries_from_signals import observe
from progress_plugin.usecases.summarizing.compose import Composed
from progress_plugin.usecases.summarizing.summary_files import regenerate


def summarize(project: Project, *, session: str | None) -> dict[str, Any]:
    """Record what is not recorded yet, write the summary, and return its figures.

    Raises Busy, and AgentProgressError where our directory cannot be written.
    """
    observe(project, now=datetime.now(UTC), session=session)
    prepare(project)
    composed = regenerate(project, DEFAULT_TIMEOUT_S)
    return figures(composed, summary_path(project))


def figures(composed: Composed, path: str) -> dict[str, Any]:
    """Return what a regeneration reports: stories, learnings by kind, tokens, path."""
    kinds = Counter(learning.kind for learning in composed.facts.learnings)
    content = composed.content
    before, after = composed.tokens_before, composed.tokens_after
    return {
        "project": composed.facts.name,
        "stories": _stories(composed.history),
        "learnings": {kind.value: kinds[kind] for kind in LearningKind},
        "learnings_shown": content.learnings_shown,
        "recent": len(content.recent),
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
        "sources": list(composed.facts.sources),
        "problems": list(composed.sources.problems),
    }


def _stories(history: StoryHistory) -> dict[str, int]:
    counts = history.counts()
    return {
        "total": counts.total(),
        **dict(sorted((status.value, number) for status, number in counts.items())),
    }
