"""Decide quickly whether a project has nothing of ours, which is the most common start of all."""

from __future__ import annotations

import os

from progress_plugin.core.begun_sessions import has_begun
from progress_plugin.core.paths import flat_name, user_data
from progress_plugin.core.private_state import state_file
from progress_plugin.core.project import data_directory_of, folders_upward, has_sources
from progress_plugin.transcripts.claude_folder import has_transcripts

SESSIONS_FILE = "sessions.jsonl"


def nothing_here(start: str) -> bool:
    """Return whether no directory from `start` up to the top of the repository has a plan or a log.

    A linked worktree counts as having one: its log may be in the main one.
    """
    folders = folders_upward(start)
    if folders and os.path.isfile(os.path.join(folders[-1], ".git")):
        return False
    return not any(os.path.exists(data_directory_of(folder)) or has_sources(folder) for folder in folders)


def known_outside(start: str) -> bool:
    """Return whether the user's directories know a project from `start` up to the top of the repository.

    By a copy of its log, by records of sessions or, before there are any, by notes of begun sessions or by
    transcripts of a client.
    """
    data = user_data()
    return any(
        (data is not None and os.path.exists(os.path.join(data, "logs", flat_name(folder))))
        or os.path.exists(state_file(folder, SESSIONS_FILE))
        or has_begun(folder)
        or has_transcripts(folder)
        for folder in folders_upward(start)
    )
