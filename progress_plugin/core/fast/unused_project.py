"""Whether a project has nothing of ours: the commonest start of all, so it must cost next to nothing."""

from progress_plugin.core import known_paths
from progress_plugin.core.fast.minimal_os import (
    exists,
    flat_name,
    folder_names,
    read_regular,
    upward,
    user_data_directory,
)
from progress_plugin.core.fast.start_cache import DATA_SUFFIX


def nothing_here(start: str) -> bool:
    """Return whether no directory from `start` up to the repository's top holds anything of ours (S9.5).

    A linked worktree counts as something: its log may be in the main one.
    """
    for current in upward(start):
        if exists(current + DATA_SUFFIX) or _has_sources(current):
            return False
        if exists(current + "/.git"):
            return not _is_linked(current)
    return True


def copy_outside(start: str) -> bool:
    """Return whether a directory from `start` up to the repository's top had a log that was copied (S1.5).

    The copies' folders are named by `log.backup.folder_of`; one under another name is found by a command.
    """
    data = user_data_directory()
    if data is None:
        return False
    for current in upward(start):
        if exists(f"{data}/logs/{flat_name(current)}"):
            return True
        if exists(current + "/.git"):
            return False
    return False


def _is_linked(top: str) -> bool:
    """Return whether `.git` is a file: then the log may be in another directory."""
    return read_regular(f"{top}/.git") is not None


def _has_sources(directory: str) -> bool:
    def is_there(path: str) -> bool:
        return exists(f"{directory}/{path}")

    return known_paths.any_exists(is_there, is_there, lambda folder: folder_names(f"{directory}/{folder}"))
