"""The edits that a transcript does not show: git knows which files changed, the disk knows when.

This sees what a script, a code generator, a formatter or an editor wrote. Of each file only the last time is
known, and a removed file has none.
"""

import os
from collections.abc import Iterable
from typing import NamedTuple

from progress_plugin.core.git import Repository
from progress_plugin.log.timestamp import moment
from progress_plugin.sources.names import is_vendored

NO_EDITS, EDITS_BEFORE, EDITS_BEHIND = "none", "before", "behind"
_OUTPUT_ENDINGS = (".pyc", ".log", ".txt", ".out", ".tmp", ".bak", ".orig")  # of files not added to git
_CLOCK_S = 0.02  # by which the time of a file may differ from that of the client


class CommandRun(NamedTuple):
    """When a command line of the session ran, in seconds since 1970."""

    began: float
    ended: float
    has_checks: bool
    edits: str  # where it may edit, as seen from its checks

    @classmethod
    def between(cls, began: str, ended: str, has_checks: bool, edits: str) -> "CommandRun":
        """Return the run between two times in ISO 8601; it covers no time without an end."""
        until = moment(ended)
        since = moment(began) or until
        if since is None or until is None:
            return cls(0.0, 0.0, has_checks, edits)
        times = since.timestamp() - _CLOCK_S, until.timestamp() + _CLOCK_S
        return cls(*times, has_checks, edits)

    def covers(self, when: float) -> bool:
        """Return whether a time is within the run."""
        return self.began <= when <= self.ended


class DiskEdit(NamedTuple):
    """A file that changed."""

    path: str  # relative to the project's root
    when: float  # of its last change, in seconds since 1970
    is_added: bool  # to git, or by the session


def edits_since(
    repository: Repository | None, root: str, since: float, own: Iterable[str] = ()
) -> list[DiskEdit]:
    """Return the files that changed after a time: those of the session, and those that git finds changed."""
    added, new = list(own), []
    if repository is not None:
        first = next((move.previous for move in reversed(repository.reflog()) if move.time >= since), "HEAD")
        if first:
            added += _paths(repository, root, ["diff", "--name-only", "-z", "--relative", first, "--"])
        # Before the first commit there is nothing to compare with.
        others = ["ls-files", "-z", "--others", "--exclude-standard", *([] if first else ["--cached"]), "--"]
        new = [path for path in _paths(repository, root, others) if not path.endswith(_OUTPUT_ENDINGS)]
    edits = [DiskEdit(path, _changed(root, path), True) for path in dict.fromkeys(added)]
    edits += [DiskEdit(path, _changed(root, path), False) for path in new if path not in added]
    found = (edit for edit in edits if edit.when >= since and is_source(edit.path))
    return sorted(found, key=lambda edit: edit.when)


def is_source(path: str) -> bool:
    """Return whether a person may have written a file; a program made those of other folders."""
    return not path.endswith((".pyc", ".pyo")) and not any(map(is_vendored, path.split("/")[:-1]))


def _paths(repository: Repository, root: str, words: list[str]) -> list[str]:
    printed = repository.run(words, root) or b""
    return [os.fsdecode(name) for name in printed.split(b"\0") if name]


def _changed(root: str, path: str) -> float:
    try:
        return os.lstat(os.path.join(root, path)).st_mtime
    except (OSError, ValueError):
        return 0.0
