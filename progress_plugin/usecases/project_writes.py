"""The directories of a project and its one lock."""

from __future__ import annotations

import os

from progress_plugin.core import data_directory
from progress_plugin.core.data_directory import SUMMARY_FILE
from progress_plugin.core.files import resolve_inside
from progress_plugin.core.lock import FileLock
from progress_plugin.core.project import Project
from progress_plugin.log.store import LOCK_FILE
from progress_plugin.usecases.reading import read_settings

MAX_READ_ATTEMPTS = 3  # of sources that change during the read


def lock_of(project: Project, timeout: float) -> FileLock:
    """Return the one lock of a project; its directory must exist. `timeout` in seconds.

    Raises Refused if a link leads from our directory out of the project: nothing may be written there.
    """
    for directory in (project.log_directory, project.directory):
        resolve_inside(data_directory.root_of(directory), directory)
    return FileLock(os.path.join(project.log_directory, LOCK_FILE), timeout)


def prepare(project: Project) -> None:
    """Make our directories, here and in the main worktree.

    Raises LeadsOutside if one is a link out of the project, BadInput if it is not a directory, DiskRefused.
    """
    share = read_settings(project).stored.share
    for directory in {project.log_directory, project.directory}:
        data_directory.prepare(directory, share=share)


def summary_path(project: Project) -> str:
    """Return the path of the summary."""
    return os.path.join(project.directory, SUMMARY_FILE)
