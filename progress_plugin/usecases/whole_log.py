"""The whole history of a project as text: what a session start has no room for."""

from __future__ import annotations

from dataclasses import replace

from progress_plugin.core.project import Project
from progress_plugin.log.history import everything
from progress_plugin.log.merge import effective
from progress_plugin.summary.full_log import full_log_lines
from progress_plugin.summary.own_log import read_own_log
from progress_plugin.usecases.reading import read_project
from progress_plugin.usecases.sharing import take_in_latest


def whole_log(project: Project) -> list[str]:
    """Return every entry of our log, its archive and the agents' logs, newest first, after all learnings.

    Empty if nothing was ever recorded. Raises BadInput if the log is not a regular file.
    """
    take_in_latest(project)
    reading = read_project(project)
    own = read_own_log(effective(everything(project.log_directory), reading.log.index.hidden))
    return [line.text for line in full_log_lines(replace(reading.facts, own=own))]
