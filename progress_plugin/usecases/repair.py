"""Mend log and archive of a project (S1.8)."""

from __future__ import annotations

from datetime import datetime

from progress_plugin.core.freshness import Inputs
from progress_plugin.core.project import Project
from progress_plugin.log import repair
from progress_plugin.usecases.log_entry import PATIENCE, drain_waiting, limits_of, renew
from progress_plugin.usecases.regenerate import lock_of, prepare
from progress_plugin.usecases.sources import project_name, read_sources
from progress_plugin.usecases.verify import findings


def repair_log(project: Project, now: datetime) -> list[str]:
    """Return what was mended, one sentence each; nothing wrong is an empty list, and nothing is written.

    `now` carries its zone. Raises BadInput for a log that may not be written, Busy where another process
    holds the lock, AgentProgressError where the disk refuses.
    """
    if not findings(project, now):
        return []
    prepare(project)
    with lock_of(project, PATIENCE):
        drain_waiting(project)
        sources = read_sources(project, Inputs(project.root))
        done = repair.repair(
            project.log_directory,
            now=now,
            project_name=project_name(sources),
            limits=limits_of(sources.settings),
        )
        return done + (renew(project) if done else [])
