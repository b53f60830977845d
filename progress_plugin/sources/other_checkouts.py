"""Places outside the root: the main checkout's issues, other worktrees, the project of a submodule."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from progress_plugin.core.files import list_inside, read_beginning
from progress_plugin.core.git import Repository, find_repository, repository_at
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.sources.names import Match, match_path

MAX_LINE_BYTES = 4096
MAX_NAMED = 20

_BEADS = ".beads"
_ISSUE_FILES = ("issues.jsonl", "beads.jsonl")


class OuterFile(NamedTuple):
    """A file of the main checkout; `path` is relative to the root, `top` is the main checkout."""

    path: str
    top: str
    match: Match


def shared_issue_file(snapshot: InputSnapshot, git: Repository | None) -> OuterFile | None:
    """Return the issues file of beads in the main checkout; None if there is none or it does not count.

    It counts in a linked worktree that has no issues, or whose `.beads/redirect` names that folder.
    """
    root, top = snapshot.root, git.main_top if git and git.worktree else None
    redirect = snapshot.read(f"{_BEADS}/redirect", max_bytes=MAX_LINE_BYTES)
    has_own = any(os.path.lexists(os.path.join(root, _BEADS, name)) for name in _ISSUE_FILES)
    if top is None or (has_own and redirect is None):
        return None
    folder = os.path.join(top, _BEADS)
    if redirect is not None:
        lines = (line.strip() for line in os.fsdecode(redirect).splitlines())
        target = next((line for line in lines if line and not line.startswith("#")), "")
        if os.path.realpath(os.path.join(root, target)) != os.path.realpath(folder):
            return None  # another place was chosen by others
    places = (os.path.join(folder, name) for name in _ISSUE_FILES)
    place = next(filter(os.path.isfile, places), None)
    match = match_path(f"{_BEADS}/{_ISSUE_FILES[0]}")
    if place is None or match is None:
        return None
    return OuterFile(os.path.relpath(place, root).replace(os.sep, "/"), top, match)


def name_related_projects(root: str, git: Repository | None) -> list[str]:
    """Return one line for each project to open instead of a root that has neither plan nor log."""
    if git is None:
        return []
    parent = _superproject(git)
    if parent is not None:
        return [f"a submodule without a plan or log; its parent project is {parent}"]
    if git.top == root and git.main_top == root and _is_without_checkout(git):
        return [f"a worktree of this repository is {top}" for top in _worktrees(git)][:MAX_NAMED]
    return []


def _superproject(git: Repository) -> str | None:
    """Return the top of the project that this repository is a submodule of."""
    parent = find_repository(os.path.dirname(git.top))
    if parent is None:
        return None
    modules = os.path.realpath(os.path.join(parent.common_dir, "modules")) + os.sep
    return parent.top if os.path.realpath(git.git_dir).startswith(modules) else None


def _is_without_checkout(git: Repository) -> bool:
    return not os.path.lexists(os.path.join(git.git_dir, "index"))


def _worktrees(git: Repository) -> Iterator[str]:
    folder = os.path.join(git.common_dir, "worktrees")
    for name in list_inside(git.common_dir, folder):
        line = read_beginning(git.common_dir, os.path.join(folder, name, "gitdir"), MAX_LINE_BYTES)
        top = os.path.dirname(os.fsdecode(line).strip())
        if top and repository_at(top):
            yield top
