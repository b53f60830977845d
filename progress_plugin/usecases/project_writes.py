"""How files of a project are written: its directories, its one lock, and turns of reading and writing."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

from progress_plugin.core import data_directory
from progress_plugin.core.data_directory import SUMMARY_FILE
from progress_plugin.core.errors import Busy
from progress_plugin.core.files import resolve_inside
from progress_plugin.core.lock import FileLock
from progress_plugin.core.project import Project
from progress_plugin.log.store import LOCK_FILE
from progress_plugin.usecases.reading import read_settings

TURNS = 3
"""How often sources are read again that change while they are read."""
_Read = TypeVar("_Read")
_Written = TypeVar("_Written")


def lock_of(project: Project, timeout: float) -> FileLock:
    """Return the one lock of a project; its directory must exist. `timeout` in seconds.

    Everything of ours is written under it, so it is not to be had in a directory that a link leads out of
    the project: Refused.
    """
    for directory in (project.log_directory, project.directory):
        resolve_inside(data_directory.root_of(directory), directory)
    return FileLock(os.path.join(project.log_directory, LOCK_FILE), timeout)


def prepare(project: Project) -> None:
    """Make our directories, here and in the main worktree. Raises what `data_directory.prepare` raises."""
    share = read_settings(project).stored.share
    for directory in {project.log_directory, project.directory}:
        data_directory.prepare(directory, share=share)


class Moved(Busy):
    """What was read is no longer what is on the disk."""


def take_turn(
    project: Project, timeout: float, read: Callable[[], _Read], write: Callable[[_Read, bool], _Written]
) -> _Written:
    """Read without the lock, then write under it; if `write` raises Moved, do both again.

    So no process waits for the lock longer than a write takes, however large the sources are. `write` learns
    whether this is the last of three turns: then it does what can be done with what was read, or raises Moved
    to the caller. Raises Busy if another process holds the lock for `timeout` seconds.
    """
    for turn in range(1, TURNS + 1):
        found = read()
        try:
            with lock_of(project, timeout):
                return write(found, turn == TURNS)
        except Moved:
            if turn == TURNS:
                raise
    raise AssertionError("a turn ends with what it was taken for")


def summary_path(project: Project) -> str:
    """Return where the summary is."""
    return os.path.join(project.directory, SUMMARY_FILE)
