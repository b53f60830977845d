"""Which file a recorded path means: of several with one name the one whose folders fit as well.

Only asked where the base name of a file is in the index, so it may look at the disk.
"""

try:
    import posix as system
except ImportError:
    import nt as system  # type: ignore[import-not-found, no-redef, unused-ignore]

from progress_plugin.core.fast.minimal_os import (
    exists,
    is_absolute,
    is_folder,
    physical,
    read_regular,
    same_directory,
    upward,
)
from progress_plugin.core.known_paths import NAMES_OF_MANY

DATA_SUFFIX = "/.agent-os/progress"
_EXACT, _ENDING, _NAME, _MOVED = 4, 3, 2, 1
"""How sure it is that a path means a file: its whole path, the end of it, its name, what it once was."""


class OpenedFile:
    """A file that a tool has read or written, as a recorded path could call it."""

    __slots__ = ("exists", "name", "nested", "relative", "root")

    def __init__(self, root: str, relative: str, *, nested: bool, exists: bool) -> None:
        self.root = root
        self.relative = relative
        """Below the root, with forward slashes; of a linked worktree below the same place there."""
        self.nested = nested
        """Whether another project, one within this, is around it."""
        self.exists = exists
        self.name = relative.rpartition("/")[2]


def opened_file(root: str, path: str) -> OpenedFile | None:
    """Return what an absolute path is to the project at `root`; None for a file of another project.

    The same file in another worktree of one repository is of this project.
    """
    folder, _, name = path.rpartition("/")
    folder = physical(folder or "/")
    if ".." in folder.split("/") or name in ("", ".", ".."):
        return None
    place = f"{folder.rstrip('/')}/{name}"
    there = exists(place)
    inner = _project_around(folder, root)
    if inner is None or inner == root:
        inside = place.startswith(root + "/")
        return OpenedFile(root, place[len(root) + 1 :], nested=False, exists=there) if inside else None
    below = _below_same_place(root, inner, place)
    if below is not None:
        return OpenedFile(root, below, nested=False, exists=there)
    if place.startswith(root + "/"):
        return OpenedFile(root, place[len(root) + 1 :], nested=True, exists=there)
    return None


def _project_around(folder: str, root: str) -> str | None:
    """Return the nearest project that a folder is in: the root, or the top of another repository or log."""
    for current in upward(folder):
        if current == root:
            return root
        if exists(f"{current}/.git") or exists(current + DATA_SUFFIX):
            return current
    return None


def _below_same_place(root: str, top: str, place: str) -> str | None:
    """Return a file's path below the root's place in another worktree; None where it is in no such one."""
    if not exists(f"{top}/.git"):
        return None
    own = next((current for current in upward(root) if exists(f"{current}/.git")), None)
    if own is None or own == top:
        return None
    ours, theirs = _repository_of(own), _repository_of(top)
    if not (ours and theirs and same_directory(ours, theirs)):
        return None
    begin = top + root[len(own) :] + "/"
    return place[len(begin) :] if place.startswith(begin) else None


def _repository_of(top: str) -> str | None:
    """Return the git directory of a worktree's repository; None for a submodule, or if one side denies it."""
    if is_folder(f"{top}/.git"):
        return f"{top}/.git"
    own = _told_directory(top)
    place, marked, _ = own.rpartition("/worktrees/")
    back = _absolute(_text(f"{own}/gitdir"), own).rpartition("/")[0] if marked else ""
    return place if back and same_directory(back, top) else None


def _told_directory(top: str) -> str:
    """Return the directory that a worktree's `.git` file names."""
    return _absolute(_text(f"{top}/.git").partition("gitdir:")[2], top)


def _text(file: str) -> str:
    return (read_regular(file) or b"").decode("utf-8", "replace")


def _absolute(told: str, start: str) -> str:
    """Return a path that git has written into a file, one that is not absolute taken from `start`."""
    path = told.strip().replace("\\", "/")
    return path if is_absolute(path) else f"{start}/{path}"


def main_worktree(root: str) -> str | None:
    """Return the place in the main worktree that the root of a linked one stands for; None for any other."""
    own = next((current for current in upward(root) if exists(f"{current}/.git")), None)
    if own is None or is_folder(f"{own}/.git"):
        return None
    repository = _repository_of(own) or ""
    return repository.removesuffix("/.git") + root[len(own) :] if repository.endswith("/.git") else None


def means(path: str, file: OpenedFile) -> int:
    """Return how surely a recorded path means a file that has not moved, 0 where it does not."""
    if not _same_case(path, file):
        return 0
    small, relative = path.lower(), file.relative.lower()
    if small == relative:
        return _EXACT
    if file.nested or exists(f"{file.root}/{path}"):
        return 0  # it means another file
    if "/" in path:
        return _ENDING if f"{file.root.lower()}/{relative}".endswith(f"/{small}") else 0
    return 0 if small in NAMES_OF_MANY else _NAME


def best_of(paths: list[str], file: OpenedFile) -> list[int]:
    """Return for each of the paths recorded with a file's name how surely it means that file, 0 for no.

    A name without a folder means no file of several: where the log names one in another folder, or none in
    any and git knows several, the folder must fit, too.
    Where nothing fits, a file recorded in one folder that is gone from there is taken to have moved.
    """
    found = [means(path, file) for path in paths]
    others = {path.lower() for path, sure in zip(paths, found, strict=True) if "/" in path and not sure}
    is_named_alone = _NAME in found and not any(
        sure for path, sure in zip(paths, found, strict=True) if "/" in path
    )
    if others or (is_named_alone and _tracked_of_name(file) > 1):
        found = [0 if sure == _NAME else sure for sure in found]
    if any(found) or file.nested or not file.exists or len(others) != 1:
        return found
    return [_MOVED if "/" in path and _has_moved(path, file) else 0 for path in paths]


def _has_moved(path: str, file: OpenedFile) -> bool:
    """Return whether a path that is not there may have become the file: git must know no other of that name.

    Where git knows none at all, a folder of the path must be on the way to the file.
    """
    if file.name.lower() in NAMES_OF_MANY or not _same_case(path, file) or exists(f"{file.root}/{path}"):
        return False
    tracked = _tracked_of_name(file)
    if tracked:
        return tracked == 1
    return not set(path.split("/")[:-1]).isdisjoint(file.relative.split("/")[:-1])


def _tracked_of_name(file: OpenedFile) -> int:
    """Return how many files of a file's name git's index lists; 0 where there is none to be read."""
    top = next((current for current in upward(file.root) if exists(f"{current}/.git")), None)
    if top is None:
        return 0
    place = f"{top}/.git" if is_folder(f"{top}/.git") else _told_directory(top)
    data = read_regular(f"{place}/index") or b""
    return data.count(b"/" + file.name.encode("utf-8", "surrogateescape") + b"\0")


def _same_case(path: str, file: OpenedFile) -> bool:
    """Return whether a name is the file's, or the same in another case and no file beside it has that one."""
    name = path.rpartition("/")[2]
    if name == file.name:
        return True
    folder = f"{file.root}/{file.relative}".rpartition("/")[0]
    try:
        other, this = system.stat(f"{folder}/{name}"), system.stat(f"{folder}/{file.name}")
    except (OSError, ValueError):
        return True
    return (other.st_dev, other.st_ino) == (this.st_dev, this.st_ino)
