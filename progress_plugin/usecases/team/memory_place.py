"""Whose memory a sync is about, and where both sides keep it."""

from datetime import UTC, datetime
from typing import NamedTuple

from progress_plugin.core.paths import database_path
from progress_plugin.core.project import Project
from progress_plugin.usecases.reading import read_log


class MemoryPlace(NamedTuple):
    """A project's memory on this machine, and its name on the server."""

    database: str
    names: tuple[str, ...]
    """What the project is called here; what comes is kept under the first."""
    root: str
    directory: str
    """Where the log is."""
    project: str
    """What it is called on the server."""
    writer: str
    now: datetime


def memory_place(project: Project, key: str, writer: str) -> MemoryPlace | None:
    """Return where the memory of a project is, None on a machine without a home.

    `key` is what the project is called on the server. Raises BadInput where no database can be had.
    """
    path = database_path(project.root, project.main_root)
    if path is None:
        return None
    return MemoryPlace(
        path,
        read_log(project).names,
        project.main_root,
        project.log_directory,
        key,
        writer,
        datetime.now(UTC),
    )
