"""Where a memory call happens: the database, the project's root and the name it goes by."""

from __future__ import annotations

from dataclasses import dataclass

from progress_plugin.core.errors import BadInput, NoProject
from progress_plugin.core.paths import database_path
from progress_plugin.core.project import COMMAND_LINE, Project, find_project
from progress_plugin.core.start_cache import load_start_cache
from progress_plugin.usecases.reading import read_log
from progress_plugin.usecases.served_project import served_directory


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryLocation:
    """What every memory call needs to know about where it is made."""

    database: str
    root: str | None
    """The root that documents are bound to; None outside any project."""
    name: str | None
    """The name that session start reads under; None outside any project."""
    project: Project | None = None
    """Where the call is made; None outside any project."""
    also: tuple[str, ...] = ()
    """Further names that session start looks under."""

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that session start looks under, the one it goes by first."""
        return (*((self.name,) if self.name else ()), *self.also)


def memory_location(
    named: str | None = None, session: str | None = None, *, naming: str = COMMAND_LINE
) -> MemoryLocation:
    """Return the place of a call: the project at `named`, else the one that the client works in.

    `session` is the client's session, where a call names it, and `naming` how a caller names a project.
    Raises BadInput where `named` is no directory or no database can be had.
    """
    try:
        project = find_project(named, None if named else served_directory(session), naming=naming)
    except NoProject:
        return MemoryLocation(database=_database(), root=None, name=None)
    path = _database(project.root, project.main_root)
    # A linked worktree shares the main one's document, as it shares the log: one name, one live document.
    cache = load_start_cache(project.root)
    shown = (cache.name,) if cache is not None and cache.name else ()  # agents save under the name they read
    names = tuple(dict.fromkeys((*read_log(project).names, *shown)))
    return MemoryLocation(
        database=path, root=project.main_root, name=names[0], project=project, also=names[1:]
    )


def _database(*roots: str) -> str:
    path = database_path(*roots)
    if path is None:
        raise BadInput("there is no home directory for the memory; name a file with AGENT_PROGRESS_DB")
    return path
