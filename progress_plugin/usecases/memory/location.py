"""The database and the project of a memory call."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from progress_plugin.core.data_directory import has_team
from progress_plugin.core.errors import NoProject, Refused
from progress_plugin.core.paths import database_path
from progress_plugin.core.project import PROJECT_OPTION, Project, find_project
from progress_plugin.core.snapshot import load_start_cache
from progress_plugin.memory import projects
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.project_writes import start_sync
from progress_plugin.usecases.reading import project_names, read_settings
from progress_plugin.usecases.served_project import served_directory

EVERY_PROJECT = "*"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryLocation:
    """The database and project of a memory call."""

    database: str
    root: str | None  # of the repository that owns documents and observations; None outside any project
    names: tuple[str, ...] = ()  # of the repository: its own first, then e.g. its plan's
    project: Project | None = None

    @property
    def name(self) -> str | None:
        return self.names[0] if self.names else None

    def name_to_read(self, db: sqlite3.Connection, project: str | None) -> str | None:
        """Return the name under which the memory keeps a project. All names of this project lead to one."""
        if self.root is None or self.name is None:
            return project or self.name
        own = projects.name_of_root(db, self.root, self.name)
        if project is None or project in (own, *self.names) or projects.has_alias(db, self.root, project):
            return own
        return project

    def name_to_write(self, db: sqlite3.Connection, project: str | None) -> str | None:
        """Return the name of `name_to_read`; if it is that of this repository, register the repository."""
        name = self.name_to_read(db, project)
        is_this = self.root is not None and name == self.name_to_read(db, None)
        return projects.register(db, self.root, self.names) if self.root is not None and is_this else name

    def document_name_to_write(self, db: sqlite3.Connection, project: str) -> str:
        """Return the name for a progress document. In a repository, raises Refused if another one has it."""
        name = self.name_to_write(db, project) or project
        owner = None if self.root is None else projects.other_owner_of(db, name, self.root)
        if owner is not None:
            raise Refused(
                f"{one_line(name, 80)} is the project in {one_line(owner, 400)}, and its document is written "
                f"from there; this one is {one_line(self.name or '', 80)!r}. Nothing was changed"
            )
        return name

    def share(self, db: sqlite3.Connection, row: int, project: str | None, scope: str = "project") -> None:
        """Have the next sync send an observation of this project, if the project has a team.

        Observations of another project or scope are not sent. The caller holds the transaction.
        """
        takes_part = self.project is not None and has_team(self.project.log_directory)
        if takes_part and scope == "project" and project == self.name_to_read(db, None):
            projects.share(db, self.root or "", row)

    def start_team_sync(self) -> None:
        """Start a sync if the project has a team. Called after a change of the memory."""
        if self.project is not None:
            start_sync(self.project)


def memory_location(
    named: str | None = None, session: str | None = None, *, how_to_name: str = PROJECT_OPTION
) -> MemoryLocation:
    """Return database and project of a call: the project at `named`, else the one that the client works in.

    `session` is the client's session, if a call names it. `how_to_name` is the option or argument that
    messages tell the caller to use, such as `-C DIR`. Raises BadInput if `named` is not a directory.
    """
    try:
        project = find_project(named, None if named else served_directory(session), how_to_name=how_to_name)
    except NoProject:
        return MemoryLocation(database=database_path(), root=None)
    path = database_path(project.root, project.main_root)
    cache = load_start_cache(project.root)
    shown = (cache.name,) if cache is not None and cache.name else ()  # agents save under the name they read
    names = dict.fromkeys((*project_names(project, read_settings(project).stored), *shown))
    return MemoryLocation(database=path, root=project.main_root, names=tuple(names), project=project)
