"""Move the private state of earlier versions, which was kept in the project, to the user's state directory.

It is believed only if this clone made it: an earlier version wrote a mark into its start cache that no copy
of the project can have. What a repository brought is left where it is, and nothing reads it.
"""

from __future__ import annotations

import os
import shutil

from progress_plugin.core.files import read_inside
from progress_plugin.core.paths import make_state_directory, user_data
from progress_plugin.log import outside_copies

CACHE = "start.cache"
MOVED = (
    "baseline.json", "sessions.jsonl", "spool", "team", "unshared.json", "worktree-sessions",
)  # fmt: skip
REMOVED = (
    CACHE, "files.index", "shown.counts", "told.log", "shared.state", "regenerations.log",
    "regenerations.log.old", "sessions", "reading",
)  # fmt: skip
OUTSIDE = ("sessions.jsonl", "switched_off", "passed_over", "worktree-sessions")


def move_old_state(root: str, directory: str) -> None:
    """Move what an earlier version left in our directory of the project at `root`, if it was made here.

    Raises AgentProgressError or OSError. Caller writes to the project anyway.
    """
    present = set(os.listdir(directory)) if os.path.isdir(directory) else set()
    if CACHE not in present or not _is_made_here(root, directory):
        return
    folder = make_state_directory(root)
    for name in MOVED:
        if name in present:
            _move(os.path.join(directory, name), os.path.join(folder, name))
    data, copies = user_data(), outside_copies.folder_of(directory)
    if data and copies:
        outside = os.path.join(data, "sessions", os.path.basename(copies))
        for name in OUTSIDE:
            _move(os.path.join(outside, name), os.path.join(folder, name))
    for name in REMOVED:
        _remove(os.path.join(directory, name))


def _is_made_here(root: str, directory: str) -> bool:
    mark = outside_copies.directory_mark(root)
    head = (read_inside(root, os.path.join(directory, CACHE)) or b"").partition(b"\n")[0]
    return mark is not None and mark in head.split(b" ")


def _move(source: str, target: str) -> None:
    if os.path.lexists(source) and not os.path.islink(source) and not os.path.lexists(target):
        shutil.move(source, target)


def _remove(path: str) -> None:
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path, ignore_errors=True)
    elif os.path.lexists(path):
        os.unlink(path)
