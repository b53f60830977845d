"""The directories of a project, its one lock, and the writing of its log."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import datetime

from progress_plugin.config.settings import Settings
from progress_plugin.core import data_directory
from progress_plugin.core.data_directory import SUMMARY_FILE
from progress_plugin.core.lock import FileLock
from progress_plugin.core.processes import start_detached
from progress_plugin.core.project import Project
from progress_plugin.log import store
from progress_plugin.log.document import Log
from progress_plugin.usecases.reading import project_names, read_settings

MAX_READ_ATTEMPTS = 3  # of sources that change during the read


def lock_of(project: Project, timeout: float) -> FileLock:
    """Make our directories, and return the one lock of a project. Raises as `prepare`."""
    prepare(project)
    return FileLock(os.path.join(project.log_directory, store.LOCK_FILE), timeout)


def prepare(project: Project) -> None:
    """Make our directories, here and in the main worktree.

    Raises LeadsOutside if one is a link out of the project, BadInput if it is not a directory, DiskRefused.
    """
    share = read_settings(project).stored.share
    for directory in {project.log_directory, project.directory}:
        data_directory.prepare(directory, share=share)


def save_log(project: Project, log: Log, now: datetime, settings: Settings | None = None) -> list[str]:
    """Save our log with the given settings, else those of the project. Return notes, as `store.save` does."""
    settings = settings or read_settings(project).stored
    name = project_names(project, settings)[0]
    return store.save(project.log_directory, log, settings, now=now, project_name=name)


def start_sync(project: Project) -> None:
    """Start a sync if the project takes part in a team; if that fails, the next start does it."""
    if data_directory.has_team(project.log_directory):
        with suppress(OSError):
            start_detached("background", "sync", project.main_root)


def summary_path(project: Project) -> str:
    return os.path.join(project.directory, SUMMARY_FILE)
