"""`init`: begin to keep a log in a project."""

from __future__ import annotations

import os
from typing import Any

from progress_plugin.core.data_directory import SUMMARY_FILE
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project
from progress_plugin.usecases.project_writes import prepare
from progress_plugin.usecases.reading import Reading
from progress_plugin.usecases.summary_files import regenerate


def init(project: Project) -> dict[str, Any]:
    """Make our directory, take what plans and logs say as known, and write the first summary.

    Safe to repeat. Raises Refused, BadInput or AgentProgressError where the directory cannot be made.
    """
    existed = os.path.isdir(project.directory)
    prepare(project)
    composed = regenerate(project, DEFAULT_TIMEOUT_S)
    facts = composed.reading.facts
    return {
        "project": facts.name,
        "directory": project.directory,
        "log_directory": project.log_directory,
        "created": not existed,
        "sources": composed.source_paths,
        "stories": len(facts.state.items),
        "passed_over": [f"{file.path}: {file.reason}" for file in facts.files if file.role == "passed over"],
        "proposed_summary_path": proposed_summary_path(composed.reading),
    }


def proposed_summary_path(reading: Reading) -> str | None:
    """Return where agents of the autonomous-dev workflow look for a summary: beside plan and log.

    None in other projects, and if the user has chosen a path. It is only proposed: writing into the
    project's tree is the user's to ask for.
    """
    plan = next(iter(reading.facts.inputs.plans), None)
    if plan is None or reading.settings.summary_path:
        return None
    folder = plan.path.rpartition("/")[0]
    beside = f"{folder}/" if folder else ""
    has_log = any(log.path == f"{beside}progress.md" for log in reading.facts.inputs.logs)
    return (
        f"{beside}{SUMMARY_FILE}" if plan.path.endswith("prd.json") and (plan.settings or has_log) else None
    )
