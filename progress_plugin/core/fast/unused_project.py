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
from progress_plugin.core.fast.transcript_folder import has_transcripts
from progress_plugin.core.private_state import state_file

DATA_SUFFIX = "/.agent-os/progress"
SESSIONS_FILE = "sessions.jsonl"


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

    That is a copy of a log, records of sessions, or, before there are any, a client's transcripts.
    """
    data = user_data_directory()
    for current in upward(start):
        if data is not None and exists(f"{data}/logs/{flat_name(current)}"):
            return True
        if exists(state_file(current, SESSIONS_FILE)) or has_transcripts(current):
            return True
        if exists(current + "/.git"):
            return False
    return False


def _is_linked(top: str) -> bool:
    """Return whether `.git` is a file: then the log may be in another directory."""
    return read_regular(f"{top}/.git") is not None


def has_sources(directory: str) -> bool:
    """Return whether a plan or an authored log is at its usual place in a directory."""

    def is_there(path: str) -> bool:
        return exists(f"{directory}/{path}")

    return known_paths.any_exists(is_there, is_there, lambda folder: folder_names(f"{directory}/{folder}"))
