"""Which files a commit touched: for an entry the first fifty, our own paths and compiled ones left out."""

from __future__ import annotations

from collections.abc import Sequence

from progress_plugin.core.git import git_command
from progress_plugin.core.known_paths import DATA_DIRECTORY, is_compiled

_MOST = 50
_OURS = f"{DATA_DIRECTORY}/"
"""What a commit carries of the history itself is no work on a story."""


def files_of(root: str, commit: str) -> list[str]:
    """Return the paths a commit touched but our own and compiled ones, at most 50; none if git cannot say."""
    asked = ["diff-tree", "--no-commit-id", "--name-only", "-r", "--root", "-z"]
    told = git_command.output_of(root, [*asked, commit]) or b""
    names = told.decode("utf-8", "replace").split("\0")
    return [name for name in names if name and not name.startswith(_OURS) and not is_compiled(name)][:_MOST]


def files_of_each(root: str, commits: Sequence[str]) -> dict[str, set[str]]:
    """Return by their ids the paths below `root` that commits touched; nothing if git cannot say."""
    asked = ["log", "--no-walk=unsorted", "--format=%H", "--name-only", "--no-renames", "--relative", "-z"]
    told = git_command.output_of(root, [*asked, *commits]) or b""
    found: dict[str, set[str]] = {commit: set() for commit in commits}
    touched: set[str] = set()
    for name in told.decode("utf-8", "replace").split("\0"):
        if name in found:
            touched = found[name]
        else:
            touched.add(name.removeprefix("\n"))
    return found
