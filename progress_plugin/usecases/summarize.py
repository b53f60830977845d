"""Summaries made on request: `status summarize`, `init`, and `demo` with the bundled example."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections import Counter
from datetime import UTC, datetime
from typing import Any

from progress_plugin.core.data_directory import SUMMARY_FILE
from progress_plugin.core.environment import PLUGIN_ROOT
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project, find_project
from progress_plugin.model.status import Status
from progress_plugin.model.work import LearningKind
from progress_plugin.usecases.composing import Composed
from progress_plugin.usecases.project_writes import prepare, summary_path
from progress_plugin.usecases.reading import CONFIG_FILE
from progress_plugin.usecases.recording.record import observe
from progress_plugin.usecases.summary_files import write_summary

EXAMPLE = os.path.join(PLUGIN_ROOT, "examples", "harbour")
EXAMPLE_FILES = ("prd.json", "progress.md")
EXAMPLE_CONFIG = "inject = true\nsummary_enabled = true\n"  # the user's own configuration may say otherwise


def summarize(project: Project, *, session: str | None) -> dict[str, Any]:
    """Record changes, write the summary, and return its figures.

    Raises Busy, and AgentProgressError if our directory cannot be written.
    """
    observe(project, now=datetime.now(UTC), session=session)
    prepare(project)
    return {**_figures(write_summary(project, DEFAULT_TIMEOUT_S)), "path": summary_path(project)}


def _figures(composed: Composed) -> dict[str, Any]:
    """Return stories, learnings by kind and tokens of a summary."""
    reading, summary = composed.reading, composed.summary
    kinds = Counter(each.statement.kind for each in reading.facts.learnings)
    states = Counter(each.status for each in reading.facts.state.items)
    before, after = composed.tokens_before, composed.tokens_after
    return {
        "project": reading.facts.name,
        "stories": {
            "total": states.total(),
            **{status: states[status] for status in Status if states[status]},
        },
        "learnings": {kind: kinds[kind] for kind in LearningKind},
        "learnings_shown": summary.learnings,
        "recent": summary.recent,
        "tokens": {
            "estimated": True,
            "before": before,
            "after": after,
            "saved": before - after,
            "saved_percent": round(100 * (before - after) / before) if before else None,
        },
        "written": not composed.unwritten,
        "unwritten": composed.unwritten or None,
        "sources": composed.source_paths,
        "problems": list(reading.problems),
    }


def init(project: Project) -> dict[str, Any]:
    """Make our directory, mark the state of plans and logs as seen, and write the first summary.

    Safe to repeat. Raises Refused, BadInput or AgentProgressError if the directory cannot be made.
    """
    existed = os.path.isdir(project.directory)
    prepare(project)
    composed = write_summary(project, DEFAULT_TIMEOUT_S)
    facts, proposed = composed.reading.facts, None
    leading = next(iter(facts.inputs.plans), None)
    if leading and leading.settings and not composed.reading.settings.summary_path:
        # of the autonomous-dev workflow; in the project's tree only the user may have us write
        proposed = os.path.join(os.path.dirname(leading.path), SUMMARY_FILE)
    return {
        "project": facts.name,
        "directory": project.directory,
        "log_directory": project.log_directory,
        "created": not existed,
        "sources": composed.source_paths,
        "stories": len(facts.state.items),
        "passed_over": [f"{file.path}: {file.reason}" for file in facts.files if file.role == "passed over"],
        "proposed_summary_path": proposed,
    }


def demo() -> dict[str, Any]:
    """Make the summary of a temporary copy of the example, and return the output of its first start.

    Raises AgentProgressError if the example is missing, or no temporary directory can be written.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="agent-progress-demo-") as root:
            for name in EXAMPLE_FILES:
                shutil.copyfile(os.path.join(EXAMPLE, name), os.path.join(root, name))
            project = find_project(root)
            prepare(project)
            with open(os.path.join(project.directory, CONFIG_FILE), "w", encoding="utf-8") as file:
                file.write(EXAMPLE_CONFIG)
            started = time.perf_counter()
            composed = write_summary(project, DEFAULT_TIMEOUT_S)
            return {
                "context": composed.cache.context,
                "user_line": composed.cache.user_message,
                "summary": composed.summary.text,
                "figures": _figures(composed),
                "source_bytes": sum(os.path.getsize(project.path(name)) for name in EXAMPLE_FILES),
                "milliseconds": round((time.perf_counter() - started) * 1000),
            }
    except OSError as error:
        fault = f"the example cannot be copied: {error}; install the plugin again"
        raise AgentProgressError(fault) from error
