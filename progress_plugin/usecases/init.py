"""`init`: begin to keep a log in a project."""

from __future__ import annotations

import os
from typing import Any

from progress_plugin.core.project import Project
from progress_plugin.usecases.regenerate import lock_of, prepare, regenerate
from progress_plugin.usecases.settle import settle

PATIENCE = 10.0


def init(project: Project) -> dict[str, Any]:
    """Make our directory, take what plans and logs say as known, and write the first summary.

    Safe to repeat. Raises Refused, BadInput or AgentProgressError where the directory cannot be made.
    """
    existed = os.path.isdir(project.directory)
    prepare(project)
    with lock_of(project, PATIENCE):
        composed = regenerate(project)
        settle(composed.sources)
    return {
        "project": composed.facts.name,
        "directory": project.directory,
        "log_directory": project.log_directory,
        "created": not existed,
        "sources": list(composed.facts.sources),
        "stories": len(composed.history.stories),
    }
