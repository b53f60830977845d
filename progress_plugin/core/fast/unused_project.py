"""Whether a project has nothing of ours: the commonest start of all, so it must cost next to nothing.

Where `os` is loaded anyway the same is asked of `core.project` (`has_sources`).
"""

from progress_plugin.core import known_paths
from progress_plugin.core.fast.minimal_os import (
    exists,
    flat_name,
    folder_names,
    read_regular,
    upward,
    user_data_directory,
)
from progress_plugin.core.fast.start_cache import DATA_SUFFIX, Cache, first_change, parse_cache
from progress_plugin.core.fast.transcript_folder import has_transcripts

READY = "start.cache"
"""The text for a start beside the records of sessions, in the format of every start cache."""


def nothing_here(start: str) -> bool:
    """Return whether no directory from `start` up to the repository's top holds anything of ours.

    A linked worktree counts as something: its log may be in the main one.
    """
    for current in upward(start):
        if exists(current + DATA_SUFFIX) or has_sources(current):
            return False
        if exists(current + "/.git"):
            return not _is_linked(current)
    return True


def known_outside(start: str) -> bool:
    """Return whether anything outside knows a directory from `start` up to the repository's top.

     The user's data directory does by copies of a log that stood there, or by records of sessions
    , in folders named by `flat_name`. Before there are any a client's transcripts do: the first
     session may have been killed.
    """
    data = user_data_directory()
    if data is None:
        return False
    for current in upward(start):
        name = flat_name(current)
        if exists(f"{data}/logs/{name}") or exists(f"{data}/sessions/{name}") or has_transcripts(current):
            return True
        if exists(current + "/.git"):
            return False
    return False


def ready_outside(start: str) -> Cache | None:
    """Return what is ready for a start where only sessions are known; None where it is to be made."""
    data = user_data_directory()
    for current in upward(start) if data is not None else ():
        ready = read_regular(f"{data}/sessions/{flat_name(current)}/{READY}")
        if ready is not None:
            cache = parse_cache(ready)
            return cache if cache is not None and first_change(cache.records, current) is None else None
        if exists(current + "/.git"):
            return None
    return None


def _is_linked(top: str) -> bool:
    """Return whether `.git` is a file: then the log may be in another directory."""
    return read_regular(f"{top}/.git") is not None


def has_sources(directory: str) -> bool:
    """Return whether a plan or an authored log is at its usual place in a directory."""

    def is_there(path: str) -> bool:
        return exists(f"{directory}/{path}")

    return known_paths.any_exists(is_there, is_there, lambda folder: folder_names(f"{directory}/{folder}"))
