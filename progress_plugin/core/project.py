"""The project: its root, our directory in it, its repository, and where its log is.

This is the only search for a project's root. Hooks use it too, so it starts no process and imports little.
"""

from __future__ import annotations

import os

from progress_plugin.core import known_paths
from progress_plugin.core.git_paths import GitPaths, find_git, git_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from progress_plugin.core.git import Repository

COMMAND_LINE = "-C DIR"  # how a person names a project, for messages


class Project:
    """A root and the directories that belong to it, as absolute paths."""

    def __init__(self, root: str, git: GitPaths | None) -> None:
        self.root = root
        self.git = git
        self.directory = data_directory_of(root)
        main_root = _main_root(root, git)
        self.log_directory = data_directory_of(main_root) if main_root else self.directory
        """Where the log is: all linked worktrees share the one of the main worktree."""
        self._repository: Repository | None = None

    @property
    def repository(self) -> Repository | None:
        """The repository that the project is in, which can be asked by starting git."""
        if self._repository is None and self.git is not None:
            from progress_plugin.core.git import Repository  # noqa: PLC0415 - hooks start no process

            self._repository = Repository(self.git.top, self.git.git_dir, self.git.common_dir)
        return self._repository

    @property
    def has_directory(self) -> bool:
        """Whether our directory exists, here or in the main worktree."""
        return os.path.isdir(self.directory) or os.path.isdir(self.log_directory)

    @property
    def main_root(self) -> str:
        """The root that the log belongs to: in a linked worktree that of the main worktree."""
        return os.path.dirname(os.path.dirname(self.log_directory))

    @property
    def worktree(self) -> str | None:
        """Name of the linked worktree; None in the main worktree and without a repository."""
        return self.git.worktree if self.git else None

    def roots(self) -> set[str]:
        """Return the project's root in the main worktree and in each linked one."""
        if self.repository is None:
            return {self.main_root}
        inside = os.path.relpath(self.root, self.repository.top)
        tops = self.repository.worktrees().values()
        return {self.main_root, *(os.path.normpath(os.path.join(top, inside)) for top in tops)}

    def head(self) -> tuple[str | None, str | None]:
        """Return branch and commit id of what is checked out."""
        return self.repository.head() if self.repository else (None, None)

    def main_head(self, head: str | None) -> str | None:
        """Return the commit id that is checked out where the log is; `head` is the one checked out here."""
        if self.log_directory == self.directory:
            return head
        main = find_git(self.main_root)
        return Project(self.main_root, main).head()[1]

    def path(self, relative: str) -> str:
        """Return the absolute path of a file named relative to the root."""
        return os.path.join(self.root, relative)

    def repository_name(self) -> str:
        """Return the name of the main worktree's directory, or of the root if it is not a top."""
        top = self.git.main_top if self.git and self.git.top == self.root else None
        name = os.path.basename(top or self.root) or "project"
        return os.fsencode(name).decode("utf-8", "replace")  # a file name need not be text


def find_project(
    named: str | None = None, start: str | None = None, *, naming: str = COMMAND_LINE
) -> Project:
    """Return the project to work on.

    `named` is a directory the user named (`-C`): it is the root. Otherwise the root is searched upward from
    `start`, or from the working directory. `naming` says in messages how the caller can name a project.

    Raises BadInput if `named` is not a directory, and NoProject for a home or temporary directory and `/`.
    """
    if named is not None:
        if not os.path.isdir(named):
            from progress_plugin.core.errors import BadInput  # noqa: PLC0415 - hooks do without

            raise BadInput(f"{named}: no such directory; name the project's root with {naming}")
        root = os.path.realpath(named)
        return Project(root, find_git(root))
    start = os.path.realpath(start or _working_directory(naming))
    root_found = find_root(start)
    if root_found is None:
        from progress_plugin.core.errors import NoProject  # noqa: PLC0415 - hooks do without

        raise NoProject(f"{start} is no project of its own; go into one, or name it with {naming}")
    return Project(root_found, git_at(folders_upward(start)[-1]))


def find_root(start: str) -> str | None:
    """Return the root of the project that a directory is in; None if it may not be in one.

    That is the nearest directory with our data, else with a plan or log, else the top of the repository, else
    the directory itself.
    """
    folders = folders_upward(start)
    git = git_at(folders[-1]) if folders else None
    for folder in folders:
        main_root = _main_root(folder, git)
        if os.path.isdir(data_directory_of(folder)) or (
            main_root and os.path.isdir(data_directory_of(main_root))
        ):
            return folder
    for folder in folders:
        if has_sources(folder):
            return folder
    return git.top if git else next(iter(folders), None)


def folders_upward(start: str) -> list[str]:
    """Return a directory and its parents up to the repository's top, without home and temporary folders."""
    shared = _shared_folders()
    folders: list[str] = []
    current = os.path.realpath(start)
    while current not in shared:
        if os.path.basename(current) == ".git":
            folders.clear()
        else:
            folders.append(current)
            if os.path.lexists(os.path.join(current, ".git")):
                break
        if current == (current := os.path.dirname(current)):
            break
    return folders


def data_directory_of(root: str) -> str:
    """Return our directory in a root."""
    return os.path.join(root, *known_paths.DATA_DIRECTORY.split("/"))


def has_sources(root: str) -> bool:
    """Return whether a plan or an agent's log is at its usual place in a root."""
    return known_paths.any_exists(
        lambda folder: os.path.isdir(os.path.join(root, folder)),
        lambda path: os.path.isfile(os.path.join(root, path)),
        lambda folder: _names(folder, root),
    )


def has_log(root: str) -> bool:
    """Return whether an agent's log is at its usual place in a root."""
    return any(os.path.isfile(os.path.join(root, path)) for path in known_paths.LOGS)


def size_of_sources(root: str) -> int:
    """Return the size in bytes of the plans and logs at their usual places in a root, our own included."""
    paths = (*known_paths.PLANS, *known_paths.LOGS, f"{known_paths.DATA_DIRECTORY}/progress.json")
    return sum(map(_size, (os.path.join(root, path) for path in paths)))


def _working_directory(naming: str) -> str:
    try:
        return os.getcwd()
    except OSError:
        from progress_plugin.core.errors import NoProject  # noqa: PLC0415 - hooks do without

        raise NoProject(
            f"the working directory is gone; go into one that exists, or name the project with {naming}"
        ) from None


def _shared_folders() -> frozenset[str]:
    """Return the folders that are a root only if named: home, temporary directories and `/`."""
    temporary = (os.environ.get("TMPDIR"), os.environ.get("TEMP"), "/tmp", "/var/tmp", "/private/tmp")  # noqa: S108
    places = (*temporary, os.path.expanduser("~"), os.sep)
    return frozenset(os.path.realpath(place) for place in places if place)


def _main_root(root: str, git: GitPaths | None) -> str | None:
    """Return the same directory in the main worktree; None if `root` is in the main worktree."""
    main_top = git.main_top if git and git.worktree else None
    if git is None or main_top is None:
        return None
    return os.path.normpath(os.path.join(main_top, os.path.relpath(root, git.top)))


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _names(folder: str, root: str) -> list[str]:
    from progress_plugin.core.files import LeadsOutside, list_inside  # noqa: PLC0415 - as above

    try:
        return list_inside(root, folder)
    except LeadsOutside:
        return []
