"""`init`: begin to keep a log in a project."""

from __future__ import annotations

import os
from typing import Any

from progress_plugin.core.data_directory import SUMMARY_FILE
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project
from progress_plugin.usecases.project_writes import prepare
from progress_plugin.usecases.proposed_files import unread_files
from progress_plugin.usecases.summarizing.sources import Sources
from progress_plugin.usecases.summarizing.summary_files import regenerate


def init(project: Project) -> dict[str, Any]:
    """Make our directory, take what plans and logs say as known, and write the first summary.

    Safe to repeat. Raises Refused, BadInput or AgentProgressError where the directory cannot be made.
    """
    existed = os.path.isdir(project.directory)
    prepare(project)
    composed = regenerate(project, DEFAULT_TIMEOUT_S)
    read = list(composed.facts.sources)
    elsewhere = unread_files(project.root, read)
    return {
        "project": composed.facts.name,
        "directory": project.directory,
        "log_directory": project.log_directory,
        "created": not existed,
        "sources": read,
        "stories": composed.history.counts().total(),
        "elsewhere": {"logs": list(elsewhere.logs), "plans": list(elsewhere.plans)},
        "proposed_summary_path": proposed_summary_path(composed.sources),
    }


def proposed_summary_path(sources: Sources) -> str | None:
    """Return where agents of the autonomous-dev workflow look for a summary: beside plan and log.

    None in other projects, and where the user has chosen a path. It is only proposed: writing into the
    project's tree is the user's to ask for.
    """
    lead = sources.lead
    if lead is None or lead.format != "prd" or sources.settings.summary_path:
        return None
    folder = lead.path.rpartition("/")[0]
    beside = f"{folder}/" if folder else ""
    is_theirs = bool(lead.settings) or any(log.source == f"{beside}progress.md" for log in sources.logs)
    return f"{beside}{SUMMARY_FILE}" if is_theirs else None
