"""The project: its root, our directory in it, its repository, and where its log is."""

from __future__ import annotations

import os

from progress_plugin.core.data_directory import data_directory_of
from progress_plugin.core.errors import BadInput, NoProject
from progress_plugin.core.git import Repository, find_repository, repository_at
from progress_plugin.core.paths import folders_upward, working_directory

PROJECT_OPTION = "-C DIR"  # how a person names a project, for messages
ROOT_MARKERS = (
    "prd.json", "feature_list.json", "task_plan.md", "progress.txt", "progress.md", "PROGRESS.md",
    "claude-progress.txt", ".agent-os", ".taskmaster", ".beads", ".planning", "memory-bank",
)  # fmt: skip
"""Names of plans, logs and their folders: a folder that has one is a root within a larger repository."""


class Project:
    """A root and the directories that belong to it, as absolute paths."""

    def __init__(self, root: str, repository: Repository | None) -> None:
        self.root = root
        self.repository = repository
        self.directory = data_directory_of(root)
        self.main_root = _main_root(root, repository) or root
        """The root that the log belongs to: for a linked worktree, the root in the main worktree."""
        self.log_directory = data_directory_of(self.main_root)

    @property
    def has_directory(self) -> bool:
        return os.path.isdir(self.directory) or os.path.isdir(self.log_directory)

    @property
    def worktree(self) -> str | None:
        return self.repository.worktree if self.repository else None

    def roots(self) -> set[str]:
        """Return the project's root in the main worktree and in each linked one."""
        if self.repository is None:
            return {self.main_root}
        inside = os.path.relpath(self.root, self.repository.top)
        tops = self.repository.worktrees().values()
        return {self.main_root, *(os.path.normpath(os.path.join(top, inside)) for top in tops)}

    def head(self) -> tuple[str | None, str | None]:
        return self.repository.head() if self.repository else (None, None)

    def path(self, relative: str) -> str:
        return os.path.join(self.root, relative)

    def repository_name(self) -> str:
        """Return the name of the main worktree's directory, or that of a root that is not the top of one."""
        is_top = self.repository is not None and self.repository.top == self.root
        top = self.repository.main_top if self.repository and is_top else None
        name = os.path.basename(top or self.root) or "project"
        return os.fsencode(name).decode("utf-8", "replace")  # a file name need not be text


def find_project(
    named: str | None = None, start: str | None = None, *, how_to_name: str = PROJECT_OPTION
) -> Project:
    """Return the project to work on.

    `named` is a directory the user named (`-C`): it is the root. Otherwise the root is searched upward from
    `start`, or from the working directory. Messages give `how_to_name` as the way to name one.

    Raises BadInput if `named` is not a directory, and NoProject for a home or temporary directory or `/`, or
    if the working directory is gone.
    """
    if named is not None:
        if not os.path.isdir(named):
            raise BadInput(f"{named}: no such directory; name the project's root with {how_to_name}")
        root = os.path.realpath(named)
        return Project(root, find_repository(root))
    start = start or working_directory()
    if not start:
        raise NoProject(
            f"the working directory is gone; go into one that exists, or name the project with {how_to_name}"
        )
    start = os.path.realpath(start)
    folders = folders_upward(start)
    if not folders:
        raise NoProject(f"{start} is not a project; go into one, or name one with {how_to_name}")
    repository = repository_at(folders[-1])
    return Project(_find_root(folders, repository), repository)


def _find_root(folders: list[str], repository: Repository | None) -> str:
    """Return the nearest folder with our data, else with a root marker, else the top or the start."""
    for folder in folders:
        main_root = _main_root(folder, repository) or folder
        if os.path.isdir(data_directory_of(folder)) or os.path.isdir(data_directory_of(main_root)):
            return folder
    default = repository.top if repository else folders[0]
    marked = (folder for folder in folders for name in ROOT_MARKERS if os.path.lexists(f"{folder}/{name}"))
    return next(marked, default)


def _main_root(root: str, repository: Repository | None) -> str | None:
    """Return the directory in the main worktree for one in a linked worktree; else None."""
    main_top = repository.main_top if repository and repository.worktree else None
    if repository is None or main_top is None:
        return None
    return os.path.normpath(os.path.join(main_top, os.path.relpath(root, repository.top)))
