"""What git's own files say about a checkout: worktrees, branch and HEAD, without starting git.

Each is read inside the directory that git keeps for the checkout or the repository: an archive can bring a
`.git` of any shape, with links in it and names that climb out of it.
"""

import os
import stat
from typing import NamedTuple

from progress_plugin.core.files import safe_read

_REFLOG_TAIL = 64 * 1024
_LARGEST = 16 * 1024 * 1024
"""Bytes of a file of git's that are read: packed-refs of a repository with 200,000 branches."""
_LARGEST_CONFIG = 1024 * 1024
_COMMIT_LENGTHS = (40, 64)
"""Hexadecimal digits of a commit id, by SHA-1 and SHA-256."""
_TAKING_AWAY = ("reset", "rebase", "branch: Reset")
"""What the reflog of a branch calls moves after which commits may be missing that were there before."""
_NOTHING = "0" * 40
"""What the reflog calls the state before the first commit."""


class CommitMade(NamedTuple):
    """A commit that was made here, as the reflog has it."""

    id: str
    subject: str
    when: int
    """In seconds since 1970."""
    before: tuple["CommitMade", ...] = ()
    """The one that it amended, if any."""


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

    def worktrees(self) -> dict[str, str]:
        """Return the tops of the linked worktrees by their names, of those that both sides know.

        What the repository says of one may be forged, or long out of date: another project may be there by
        now. So its own `.git` has to name this repository, too.
        """
        found = {}
        for name in self._listed():
            line = _first_line(f"worktrees/{name}/gitdir", self.common_dir)
            top = os.path.dirname(os.path.join(self.common_dir, "worktrees", name, line)) if line else ""
            checkout = checkout_at(os.path.normpath(top)) if top else None
            if checkout is not None and checkout.worktree == name and self._shares(checkout):
                found[name] = checkout.top
        return found

    def lost_worktrees(self) -> list[str]:
        """Return the names of the linked worktrees that git lists and that are not where it says.

        They were moved without git, or removed; another project may stand there by now.
        """
        there = self.worktrees()
        return [name for name in self._listed() if name not in there]

    def _listed(self) -> list[str]:
        try:
            return safe_read.names("worktrees", self.common_dir)
        except safe_read.LeadsOut:
            return []

    def _shares(self, other: "Checkout") -> bool:
        return os.path.realpath(other.common_dir) == os.path.realpath(self.common_dir)

    def seal(self) -> str | None:
        """Return what no other repository has, None where it is unknown: when git laid this one out.

        git writes `description` then and never again; no archive can set a ctime, nor choose a file's number.
        """
        try:
            status = os.lstat(os.path.join(self.common_dir, "description"))
        except OSError:
            return None
        return f"git.{status.st_ino}.{status.st_ctime_ns}" if stat.S_ISREG(status.st_mode) else None

    @property
    def head_file(self) -> str:
        """Path of the file that changes whenever another branch or commit is checked out."""
        return os.path.join(self.git_dir, "HEAD")

    def head(self) -> tuple[str | None, str | None]:
        """Return (branch, commit id); each None where there is none (detached, unborn)."""
        text = _first_line("HEAD", self.git_dir)
        if text is None or not text.startswith("ref:"):
            return None, _commit(text)
        ref = text[4:].strip()
        branch = ref.removeprefix("refs/heads/")
        return branch, self._commit_of(ref)

    def committed_since(self, earlier: str | None) -> bool:
        """Return whether HEAD moved from commit `earlier` by commits made here, and nothing else.

        The reflog says how HEAD moved each time; a checkout, pull, reset or rebase in between makes it no.
        """
        moves = self._moves(_REFLOG_TAIL)
        current = self.head()[1]
        for old, new, action in reversed(moves):
            if new != current or not action.startswith("commit"):
                return False
            if old == earlier or (earlier is None and old == _NOTHING):
                return True
            current = old
        return False

    def moved_at(self) -> int | None:
        """Return when HEAD last moved, in seconds since 1970; None where the reflog does not say."""
        last = _text("logs/HEAD", self.git_dir, _REFLOG_TAIL, from_end=True).rstrip("\n").rpartition("\n")[2]
        words = last.partition("\t")[0].split(" ")
        return int(words[-2]) if len(words) > 3 and words[-2].isdigit() else None  # noqa: PLR2004 - and a time

    def subject(self) -> str:
        """Return what the commit that HEAD is at is called, where it was made here; else nothing."""
        moves = self._moves(_REFLOG_TAIL)
        if not moves or moves[-1][1] != self.head()[1] or not moves[-1][2].startswith("commit"):
            return ""
        return moves[-1][2].partition(": ")[2]

    def commits_between(self, first: float, last: float) -> list[CommitMade]:
        """Return the commits made here in a span of time, seconds since 1970, the oldest first.

        A commit that was amended later is told as it is now.
        """
        found: list[CommitMade] = []
        for line in _text("logs/HEAD", self.git_dir, _REFLOG_TAIL, from_end=True).splitlines():
            head, _, action = line.partition("\t")
            words = head.split(" ")
            kind, _, subject = action.partition(": ")
            if len(words) < 4 or not kind.startswith("commit") or not words[-2].isdigit():  # noqa: PLR2004 - and a time
                continue
            if int(first) <= int(words[-2]) <= last and (commit := _commit(words[1])):
                is_amended = "amend" in kind and bool(found) and found[-1].id == words[0]
                before = (found.pop(),) if is_amended else ()
                found.append(CommitMade(commit, subject, int(words[-2]), before))
        return found

    def branch_reflog(self) -> str | None:
        """Return the path of the reflog of the branch that is checked out; None where none can be."""
        branch = self.head()[0]
        folder = os.path.join(self.common_dir, "logs", "refs", "heads")
        path = os.path.normpath(os.path.join(folder, branch)) if branch else ""
        return path if path.startswith(folder + os.sep) else None

    def merged_branches(self) -> dict[str, int]:
        """Return the branches merged into that which is checked out, each with the last time, since 1970.

        As far as the branch's reflog says so: a merge that somebody made elsewhere is in none. What was
        merged before commits were taken away may have gone with them.
        """
        path = self.branch_reflog()
        if path is None:
            return {}
        found: dict[str, int] = {}
        name = os.path.relpath(path, self.common_dir)
        for line in _text(name, self.common_dir, _REFLOG_TAIL, from_end=True).splitlines():
            head, _, action = line.partition("\t")
            words = head.split(" ")
            if action.startswith(_TAKING_AWAY):
                found = {}
            elif len(words) > 3 and words[-2].isdigit():  # noqa: PLR2004 - two commits, then who and when
                found |= dict.fromkeys(_merged_by(action), int(words[-2]))
        return found

    def was_at(self, commits: set[str]) -> bool:
        """Return whether one of these commits is or was checked out here, as far as the reflog remembers."""
        if not commits:
            return False
        return self.head()[1] in commits or any(
            old in commits or new in commits for old, new, _ in self._moves(_LARGEST)
        )

    def _moves(self, most: int) -> list[tuple[str, str, str]]:
        """Return the last moves of HEAD, oldest first: commit before, commit after, what was done."""
        moves = []
        for line in _text("logs/HEAD", self.git_dir, most, from_end=True).splitlines():
            head, _, action = line.partition("\t")
            words = head.split(" ")
            if len(words) > 2:  # noqa: PLR2004 - two commits, then who and when
                moves.append((words[0], words[1], action))
        return moves

    def _commit_of(self, ref: str) -> str | None:
        for directory in (self.git_dir, self.common_dir):
            loose = _first_line(ref, directory)
            if loose:
                return _commit(loose)
        return _commit(_packed(self.common_dir, ref))


def checkout_at(directory: str) -> Checkout | None:
    """Return the checkout whose top is exactly `directory`, or None."""
    dot_git = os.path.join(directory, ".git")
    if os.path.isdir(dot_git):
        return None if safe_read.leads_out(dot_git, directory) else Checkout(directory, dot_git, dot_git)
    line = _first_line(".git", directory)
    if line is None or not line.startswith("gitdir:"):
        return None
    git_dir = os.path.normpath(os.path.join(directory, line[7:].strip()))
    if not os.path.isdir(git_dir) or not _leads_back(dot_git, git_dir):
        return None
    common = _first_line("commondir", git_dir)
    common_dir = os.path.normpath(os.path.join(git_dir, common)) if common else git_dir
    if common_dir != git_dir and not _is_acknowledged(dot_git, git_dir, common_dir):
        return None
    return Checkout(directory, git_dir, common_dir)


def checkout_around(directory: str) -> Checkout | None:
    """Return the checkout that a directory is in, or None."""
    current = directory
    while not os.path.lexists(os.path.join(current, ".git")):
        above = os.path.dirname(current)
        if above == current:
            return None
        current = above
    return checkout_at(current)


def _leads_back(dot_git: str, git_dir: str) -> bool:
    """Return whether a directory of git's is that of the checkout whose `.git` file names it.

    Anybody can write a `.git` file that names another repository, whose branches, commits and file names are
    nobody's business here. The way back is in `gitdir` for a linked worktree, in its `worktree` setting for a
    submodule and for a separate directory where somebody set it; a submodule lies in the repository around.
    """
    top, place = os.path.realpath(os.path.dirname(dot_git)), os.path.realpath(git_dir)
    if _is_below(place, top):
        return True
    if os.path.basename(os.path.dirname(place)) == "worktrees" and _first_line("commondir", git_dir):
        return True  # whose it is decides `_is_acknowledged`
    stated = _stated_worktree(git_dir)
    if stated is not None:
        return os.path.realpath(os.path.join(git_dir, stated)) == top
    return _is_module_around(top, place)


def _is_module_around(top: str, place: str) -> bool:
    above = os.path.dirname(top)
    while above != os.path.dirname(above):
        if _is_below(place, os.path.join(above, ".git", "modules")):
            return True
        above = os.path.dirname(above)
    return False


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)


def _stated_worktree(git_dir: str) -> str | None:
    """Return the `worktree` setting of the configuration in a directory of git's."""
    section = ""
    for line in _text("config", git_dir, _LARGEST_CONFIG).splitlines():
        words = line.strip()
        if words.startswith("["):
            section = words.lower()
        name, _, value = words.partition("=")
        if section == "[core]" and name.strip().lower() == "worktree":
            return value.strip().strip('"').replace("\\\\", "\\")
    return None


def _is_acknowledged(dot_git: str, git_dir: str, common_dir: str) -> bool:
    """Return whether a repository knows the worktree that claims to be one of its own.

    Anybody can write a `.git` file that names another repository, and the log is kept in that one's main
    worktree. git enters each worktree it makes in the repository, with the way back: only who could write
    there could forge it.
    """
    if os.path.realpath(os.path.dirname(git_dir)) != os.path.realpath(os.path.join(common_dir, "worktrees")):
        return False
    back = _first_line("gitdir", git_dir)
    return back is not None and os.path.realpath(os.path.join(git_dir, back)) == os.path.realpath(dot_git)


def _merged_by(action: str) -> list[str]:
    """Return the branches that a move of a branch merged, as the reflog calls what was done."""
    done, _, subject = action.partition(": ")
    if done == "commit (merge)" and subject.startswith("Merge branch"):
        return subject.split("'")[1::2]
    command, *named = done.split(" ")
    if command == "merge":
        return [name.removeprefix("refs/heads/").removeprefix("origin/") for name in named]
    return named[1:] if command == "pull" else []


def _first_line(name: str, directory: str) -> str | None:
    return _text(name, directory, 4096).partition("\n")[0].strip() or None


def _packed(common_dir: str, ref: str) -> str | None:
    for line in _text("packed-refs", common_dir, _LARGEST).splitlines():
        commit, _, name = line.strip().partition(" ")
        if name == ref:
            return commit
    return None


def _commit(text: str | None) -> str | None:
    """Return a commit id, None for anything else: it becomes a word on git's command line."""
    if text is None or len(text) not in _COMMIT_LENGTHS or text.strip("0123456789abcdef"):
        return None
    return text


def _text(name: str, directory: str, most: int, *, from_end: bool = False) -> str:
    """Return the first or last bytes of a file of git's as text; nothing of one outside its directory."""
    return safe_read.part(name, directory, most, from_end=from_end).decode("utf-8", "replace")
