"""Find the files that scripts and editors changed during a session, in git and on the disk.

Git knows which files changed, the disk knows when each file changed last.
"""

import os
from collections.abc import Iterable

from progress_plugin.core.git import Repository
from progress_plugin.sources.names import is_vendored

_OUTPUT_ENDINGS = (".pyc", ".log", ".txt", ".out", ".tmp", ".bak", ".orig")  # ignored if untracked


def edits_since(
    repository: Repository | None, root: str, since: float, own: Iterable[str] = ()
) -> list[tuple[float, str]]:
    """Return time and path of each source file written since `since` that is in `own` or changed in git.

    Paths are relative to the root, times are in seconds since 1970.
    """
    paths: list[str] = []
    if repository is not None:
        moves = (move.previous for move in reversed(repository.reflog()) if move.time >= since)
        first = next(moves, repository.head()[1])
        if first:  # not `git diff`: it compares contents, for which it starts the repository's filters
            paths += _paths(repository, root, ["diff-index", "--name-only", "-z", "--relative", first, "--"])
        # Before the first commit there is nothing to compare with: then added files count, too.
        others = ["ls-files", "-z", "--others", "--exclude-standard", *([] if first else ["--cached"]), "--"]
        paths += [path for path in _paths(repository, root, others) if not path.endswith(_OUTPUT_ENDINGS)]
    edits = ((_changed(root, path), path) for path in {*paths, *own} if is_source(path))
    return sorted(edit for edit in edits if edit[0] >= since)


def is_source(path: str) -> bool:
    """Return whether a person may have written a file: it is neither compiled nor in a vendored folder."""
    return not path.endswith((".pyc", ".pyo")) and not any(map(is_vendored, path.split("/")[:-1]))


def _paths(repository: Repository, root: str, words: list[str]) -> list[str]:
    return [os.fsdecode(name) for name in (repository.run(words, root) or b"").split(b"\0") if name]


def _changed(root: str, path: str) -> float:
    try:
        return os.lstat(os.path.join(root, path)).st_mtime
    except (OSError, ValueError):
        return 0.0
