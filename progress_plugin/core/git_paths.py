"""Where git keeps the files of a repository, as gitrepository-layout(5) documents it."""

from __future__ import annotations

import os

MAX_SETTINGS_BYTES = 1 << 20
MAX_LINE_BYTES = 4096


class GitPaths:
    """The top of a worktree, its git directory, and the directory that all worktrees share."""

    def __init__(self, top: str, git_dir: str, common_dir: str) -> None:
        self.top = top
        self.git_dir = git_dir
        self.common_dir = common_dir

    @property
    def worktree(self) -> str | None:
        """Name of a linked worktree; None in the main worktree."""
        return None if self.git_dir == self.common_dir else os.path.basename(self.git_dir)

    @property
    def main_top(self) -> str | None:
        """Top of the main worktree; None if the repository is bare."""
        if self.worktree is None:
            return self.top
        parent, name = os.path.split(self.common_dir)
        return None if name != ".git" or _core_setting(self.common_dir, "bare") == "true" else parent

    @property
    def head_file(self) -> str:
        """Path of the file that names the current branch."""
        return os.path.join(self.git_dir, "HEAD")

    def state_files(self) -> list[str]:
        """Return the files of which at least one changes whenever HEAD moves."""
        reftable = os.path.join(self.git_dir, "reftable", "tables.list")
        is_reftable = os.path.exists(reftable)
        return [self.head_file, reftable if is_reftable else os.path.join(self.git_dir, "logs", "HEAD")]

    def identity(self) -> str | None:
        """Return a mark that no copy of the repository has: `description` is written once, by `git init`."""
        try:
            status = os.lstat(os.path.join(self.common_dir, "description"))
        except OSError:
            return None
        return f"git.{status.st_ino}.{status.st_ctime_ns}"


def find_git(directory: str) -> GitPaths | None:
    """Return the repository whose worktree contains a directory."""
    current = os.path.abspath(directory)
    while not os.path.lexists(os.path.join(current, ".git")):
        parent = os.path.dirname(current)
        if parent == current:
            return None
        current = parent
    return git_at(current)


def git_at(top: str) -> GitPaths | None:
    """Return the repository whose worktree has its top at exactly this directory.

    Anybody can write a `.git` file that names another repository, so the repository has to acknowledge the
    worktree: by the `gitdir` file of a linked worktree or the setting `core.worktree` of a submodule. A git
    directory inside the worktree needs no acknowledgement.
    """
    dot_git = os.path.join(top, ".git")
    if os.path.isdir(dot_git) and not os.path.islink(dot_git):
        return GitPaths(top, dot_git, dot_git)
    line = _first_line(top, ".git")
    if line is None or not line.startswith("gitdir:"):
        return None
    git_dir = os.path.normpath(os.path.join(top, line.removeprefix("gitdir:").strip()))
    common = _first_line(git_dir, "commondir")
    if common is None:
        setting = _core_setting(git_dir, "worktree")
        is_acknowledged = setting is not None and _is_same(os.path.join(git_dir, setting), top)
        is_inside = os.path.realpath(git_dir).startswith(os.path.realpath(top) + os.sep)
        return GitPaths(top, git_dir, git_dir) if is_acknowledged or is_inside else None
    common_dir = os.path.normpath(os.path.join(git_dir, common))
    back = _first_line(git_dir, "gitdir")
    is_listed = _is_same(os.path.dirname(git_dir), os.path.join(common_dir, "worktrees"))
    is_acknowledged = back is not None and _is_same(os.path.join(git_dir, back), dot_git)
    return GitPaths(top, git_dir, common_dir) if is_listed and is_acknowledged else None


def _core_setting(git_dir: str, name: str) -> str | None:
    """Return a setting of the section `core`, as `git init`, `git clone` and `git submodule` write it."""
    for file in ("config.worktree", "config"):
        section = ""
        for line in _beginning(git_dir, file, MAX_SETTINGS_BYTES).splitlines():
            key, _, value = (part.strip() for part in line.partition("="))
            if line.startswith("["):
                section = line.strip().lower()
            elif section == "[core]" and key.lower() == name:
                return value.strip('"').replace("\\\\", "\\")
    return None


def _first_line(directory: str, name: str) -> str | None:
    return _beginning(directory, name, MAX_LINE_BYTES).partition("\n")[0].strip() or None


def _is_same(path: str, other: str) -> bool:
    return os.path.realpath(path) == os.path.realpath(other)


def _beginning(directory: str, name: str, max_bytes: int) -> str:
    """Return the first bytes of a file in a git directory as text; empty if there is no such file."""
    from progress_plugin.core.files import read_range  # noqa: PLC0415 - most starts read no such file

    return os.fsdecode(read_range(directory, name, 0, max_bytes) or b"")
