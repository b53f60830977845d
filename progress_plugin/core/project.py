"""The project: its root, our directory in it, the checkout it is in, and whose log a worktree uses."""

import os

from progress_plugin.core import known_paths
from progress_plugin.core.errors import BadInput, NoProject
from progress_plugin.core.files import LeadsOutside, list_inside
from progress_plugin.core.git import Repository, find_repository, repository_at


class Project:
    """A root and the directories that belong to it; all paths are absolute."""

    __slots__ = ("directory", "log_directory", "repository", "root")

    def __init__(self, root: str, repository: Repository | None) -> None:
        self.root = root
        self.repository = repository
        self.directory = _ours(root)
        twin = _twin(root, repository)
        self.log_directory = _ours(twin) if twin else self.directory
        """Where the log is: in a linked worktree that is the main one's directory, so all share one log."""

    @property
    def has_directory(self) -> bool:
        """Whether our directory exists, here or in the main worktree."""
        return os.path.isdir(self.directory) or os.path.isdir(self.log_directory)

    @property
    def main_root(self) -> str:
        """The root that log and progress document belong to: in a linked worktree that of the main one."""
        return os.path.dirname(os.path.dirname(self.log_directory))

    @property
    def worktree(self) -> str | None:
        """Name of the linked worktree we are in; None in a main one or outside git."""
        return self.repository.worktree if self.repository else None

    def roots(self) -> set[str]:
        """Return where this project stands: in the main worktree, and in each linked one."""
        if self.repository is None:
            return {self.main_root}
        inside = os.path.relpath(self.root, self.repository.top)
        tops = self.repository.worktrees().values()
        return {self.main_root, *(os.path.normpath(os.path.join(top, inside)) for top in tops)}

    def head(self) -> tuple[str | None, str | None]:
        """Return (branch, commit id) of what is checked out."""
        return self.repository.head() if self.repository else (None, None)

    def main_head(self, head: str | None) -> str | None:
        """Return the commit id of what is checked out where our log is; here that is `head`."""
        if self.log_directory == self.directory:
            return head
        repository = find_repository(self.main_root)
        return repository.head()[1] if repository else None

    def path(self, relative: str) -> str:
        """Return the absolute path of a file named relative to the root."""
        return os.path.join(self.root, relative)

    def repository_name(self) -> str:
        """Name of the directory of the main worktree, else of the root."""
        top = self.repository.main_top if self.repository and self.repository.top == self.root else None
        name = os.path.basename(top or self.root) or "project"
        return os.fsencode(name).decode(
            "utf-8", "replace"
        )  # a name is shown, stored and looked up: it is text


COMMAND_LINE = "-C DIR"
"""How a person names a project; other callers have another way (`project_dir`)."""


def find_project(
    named: str | None = None, start: str | None = None, *, naming: str = COMMAND_LINE
) -> Project:
    """Return the project to work on.

    `named` is a directory the user named (`-C`): it is the root itself. Otherwise the root is searched
    upward from `start`, a client's project directory, or from the working directory. `naming` is how the
    caller can name one, for messages.

    Raises BadInput where `named` is no directory, NoProject where none may be assumed.
    """
    if named is not None:
        if not os.path.isdir(named):
            raise BadInput(f"{named}: no such directory; name the project's root with {naming}")
        root = os.path.realpath(named)
        return Project(root, _repository_above(_chain(root, limited=False)))
    beginning = os.path.realpath(start or _working_directory(naming))
    chain = _chain(beginning, limited=True)
    if not chain:
        raise NoProject(f"{beginning} is no project of its own; go into one, or name it with {naming}")
    repository = _repository_above(chain)
    return Project(_nearest(chain, repository) or beginning, repository)


def _working_directory(naming: str) -> str:
    try:
        return os.getcwd()
    except OSError:
        raise NoProject(
            f"the working directory is gone; go into one that exists, or name the project with {naming}"
        ) from None


def has_sources(root: str) -> bool:
    """Return whether a plan or an authored log is at its usual place in `root`."""
    return known_paths.any_exists(
        lambda folder: os.path.isdir(os.path.join(root, folder)),
        lambda path: os.path.isfile(os.path.join(root, path)),
        lambda folder: _names(folder, root),
    )


def size_of_sources(root: str) -> int:
    """Return the bytes of the plans and authored logs at their usual places in `root`, and of our own log."""
    paths = (*known_paths.PLANS, *known_paths.LOGS, f"{known_paths.DATA_DIRECTORY}/progress.json")
    return sum(map(_size, (os.path.join(root, path) for path in paths)))


def has_log(root: str) -> bool:
    """Return whether an authored log is at its usual place in `root`."""
    return any(os.path.isfile(os.path.join(root, path)) for path in known_paths.LOGS)


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _names(folder: str, root: str) -> list[str]:
    try:
        return list_inside(root, folder)
    except LeadsOutside:
        return []


def _ours(root: str) -> str:
    return os.path.join(root, *known_paths.DATA_DIRECTORY.split("/"))


def _twin(root: str, repository: Repository | None) -> str | None:
    """Return the same directory in the main worktree; None where `root` is in it already."""
    main_top = repository.main_top if repository and repository.worktree else None
    if repository is None or main_top is None:
        return None
    return os.path.normpath(os.path.join(main_top, os.path.relpath(root, repository.top)))


def _chain(start: str, *, limited: bool) -> list[str]:
    """Return `start` and the directories above it, up to the repository's top."""
    forbidden = _forbidden() if limited else frozenset()
    chain: list[str] = []
    current = start
    while current not in forbidden:
        if os.path.basename(current) == ".git":
            chain.clear()
        else:
            chain.append(current)
            if os.path.lexists(os.path.join(current, ".git")):
                break
        parent = os.path.dirname(current)
        if parent == current:
            break
        current = parent
    return chain


def _forbidden() -> frozenset[str]:
    """Directories that are a root only when named: they hold everybody's projects at once."""
    temporary = (os.environ.get("TMPDIR"), os.environ.get("TEMP"), "/tmp", "/var/tmp", "/private/tmp")  # noqa: S108
    places_ = {os.path.realpath(place) for place in temporary if place}
    return frozenset(places_ | {os.path.realpath(os.path.expanduser("~")), os.path.abspath(os.sep)})


def _repository_above(chain: list[str]) -> Repository | None:
    return repository_at(chain[-1]) if chain else None


def _nearest(chain: list[str], repository: Repository | None) -> str | None:
    for directory in chain:
        twin = _twin(directory, repository)
        if os.path.isdir(_ours(directory)) or (twin and os.path.isdir(_ours(twin))):
            return directory
    for directory in chain:
        if has_sources(directory):
            return directory
    return repository.top if repository else None
