"""What git's own files say about a checkout: worktrees, branch and HEAD, without starting git."""

import os
import stat

_REFLOG_TAIL = 64 * 1024
_LARGEST = 16 * 1024 * 1024
"""Bytes of a file of git's that are read: packed-refs of a repository with 200,000 branches."""
_COMMIT_LENGTHS = (40, 64)
"""Hexadecimal digits of a commit id, by SHA-1 and SHA-256."""
_NOTHING = "0" * 40
"""What the reflog calls the state before the first commit."""


class Checkout:
    """A working tree of a repository: its top, and where git keeps its files."""

    __slots__ = ("common_dir", "git_dir", "top")

    def __init__(self, top: str, git_dir: str, common_dir: str) -> None:
        self.top = top
        self.git_dir = git_dir
        self.common_dir = common_dir

    @property
    def main_top(self) -> str | None:
        """Top of the main worktree; None where the repository is bare."""
        if self.git_dir == self.common_dir:
            return self.top
        parent, name = os.path.split(self.common_dir)
        return parent if name == ".git" else None

    @property
    def worktree(self) -> str | None:
        """Name of a linked worktree; None in the main one."""
        return None if self.git_dir == self.common_dir else os.path.basename(self.git_dir)

    def all_tops(self) -> list[str]:
        """Return the tops of all working trees of the repository that are where git last saw them."""
        folder = os.path.join(self.common_dir, "worktrees")
        try:
            names = sorted(os.listdir(folder))
        except OSError:
            names = []
        linked = [_first_line(os.path.join(folder, name, "gitdir")) for name in names]
        tops = [self.top, self.main_top, *(os.path.dirname(line) for line in linked if line)]
        return [top for top in dict.fromkeys(tops) if top and os.path.isdir(top)]

    @property
    def head_file(self) -> str:
        """Path of the file that changes whenever another branch or commit is checked out."""
        return os.path.join(self.git_dir, "HEAD")

    def head(self) -> tuple[str | None, str | None]:
        """Return (branch, commit id); each None where there is none (detached, unborn)."""
        text = _first_line(self.head_file)
        if text is None or not text.startswith("ref:"):
            return None, _commit(text)
        ref = text[4:].strip()
        branch = ref.removeprefix("refs/heads/")
        return branch, self._commit_of(ref)

    def committed_since(self, earlier: str | None) -> bool:
        """Tell whether HEAD moved from commit `earlier` by commits made here, and nothing else.

        The reflog says how HEAD moved each time; a checkout, pull, reset or rebase in between makes it no.
        """
        moves = _reflog(os.path.join(self.git_dir, "logs", "HEAD"))
        current = self.head()[1]
        for old, new, action in reversed(moves):
            if new != current or not action.startswith("commit"):
                return False
            if old == earlier or (earlier is None and old == _NOTHING):
                return True
            current = old
        return False

    def _commit_of(self, ref: str) -> str | None:
        for directory in (self.git_dir, self.common_dir):
            loose = _first_line(os.path.join(directory, *ref.split("/")))
            if loose:
                return _commit(loose)
        return _commit(_packed(os.path.join(self.common_dir, "packed-refs"), ref))


def checkout_at(directory: str) -> Checkout | None:
    """Return the checkout whose top is exactly `directory`, or None."""
    dot_git = os.path.join(directory, ".git")
    if os.path.isdir(dot_git):
        return Checkout(directory, dot_git, dot_git)
    line = _first_line(dot_git)
    if line is None or not line.startswith("gitdir:"):
        return None
    git_dir = os.path.normpath(os.path.join(directory, line[7:].strip()))
    if not os.path.isdir(git_dir):
        return None
    common = _first_line(os.path.join(git_dir, "commondir"))
    common_dir = os.path.normpath(os.path.join(git_dir, common)) if common else git_dir
    if common_dir != git_dir and not _is_acknowledged(dot_git, git_dir, common_dir):
        common_dir = git_dir
    return Checkout(directory, git_dir, common_dir)


def _is_acknowledged(dot_git: str, git_dir: str, common_dir: str) -> bool:
    """Tell whether a repository knows the worktree that claims to be one of its own.

    Anybody can write a `.git` file that names another repository, and the log is kept in that one's main
    worktree. git enters each worktree it makes in the repository, with the way back: only who could write
    there could forge it.
    """
    if os.path.realpath(os.path.dirname(git_dir)) != os.path.realpath(os.path.join(common_dir, "worktrees")):
        return False
    back = _first_line(os.path.join(git_dir, "gitdir"))
    return back is not None and os.path.realpath(os.path.join(git_dir, back)) == os.path.realpath(dot_git)


def _reflog(path: str) -> list[tuple[str, str, str]]:
    """Return the last moves of HEAD, oldest first: commit before, commit after, what was done."""
    moves = []
    for line in _tail(path, _REFLOG_TAIL).splitlines():
        head, _, action = line.partition("\t")
        words = head.split(" ")
        if len(words) > 2:  # noqa: PLR2004 - two commits, then who and when
            moves.append((words[0], words[1], action))
    return moves


def _first_line(path: str) -> str | None:
    return _start(path, 4096).partition("\n")[0].strip() or None


def _packed(path: str, ref: str) -> str | None:
    for line in _start(path, _LARGEST).splitlines():
        commit, _, name = line.strip().partition(" ")
        if name == ref:
            return commit
    return None


def _commit(text: str | None) -> str | None:
    """Return a commit id, None for anything else: it becomes a word on git's command line."""
    if text is None or len(text) not in _COMMIT_LENGTHS or text.strip("0123456789abcdef"):
        return None
    return text


def _start(path: str, most: int) -> str:
    """Return the first bytes of a regular file as text; nothing of anything else, a FIFO would wait."""
    return _part(path, most, from_end=False)


def _tail(path: str, most: int) -> str:
    """Return the last bytes of a regular file as text; nothing of anything else."""
    return _part(path, most, from_end=True)


def _part(path: str, most: int, *, from_end: bool) -> str:
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError):
        return ""
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode):
        os.close(handle)
        return ""
    with open(handle, "rb") as file:
        file.seek(max(status.st_size - most, 0) if from_end else 0)
        return file.read(most).decode("utf-8", "replace")
