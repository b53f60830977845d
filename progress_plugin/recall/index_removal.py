"""Removes the indexes of `recall` where something is erased: those of all projects.

An index lies under a digest of the path its project had. A project that was moved, and a worktree that was
moved or removed, leave one that no path found today leads to. An index is a cache: the next question in its
project makes it again.
"""

from __future__ import annotations

import os

from progress_plugin.core.errors import DiskRefused
from progress_plugin.core.paths import user_cache
from progress_plugin.recall.index_file import FOLDER, NAME, throw_away


def forget_all() -> None:
    """Remove the index of every project.

    No lock is needed: a process that is at it writes to a file that nobody finds any more, or sees that the
    sources have changed and does not keep what it read before. Links in the place of a folder are not
    followed. Raises DiskRefused where one cannot be removed.
    """
    cache = user_cache()
    above = os.path.join(cache, FOLDER) if cache else None
    if above is None or os.path.islink(above) or not os.path.isdir(above):
        return
    try:
        with os.scandir(above) as found:
            folders = [entry.path for entry in found if entry.is_dir(follow_symlinks=False)]
        for folder in folders:
            throw_away(os.path.join(folder, NAME))
    except OSError as error:
        raise DiskRefused(f"cannot remove the indexes in {above}", error) from error
