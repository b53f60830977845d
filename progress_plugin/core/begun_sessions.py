"""Notes of begun sessions, for clients that keep the transcripts of all projects in one place.

No start may search that place. So the start of a session notes where its transcript is, and its end removes
the note: a session whose note is left is at work, or was killed.
"""

from __future__ import annotations

import os

from progress_plugin.core.paths import make_private
from progress_plugin.core.private_state import state_directory, state_file
from progress_plugin.core.session_state import is_session_id

FOLDER = "begun"


def folder_of_begun(root: str) -> str | None:
    """Return the folder of the notes of the project at `root`; None without a home directory."""
    return state_file(root, FOLDER) if state_directory(root) else None


def has_begun(root: str) -> bool:
    """Return whether a session that has begun in the project at `root` has not ended."""
    try:
        return bool(os.listdir(state_file(root, FOLDER)))
    except OSError:
        return False


def note_begun(root: str, client: str, session: str | None, transcript: str) -> None:
    """Note that a session of a client has begun; without effect if it cannot be written."""
    folder = folder_of_begun(root)
    if folder is None or not is_session_id(session):
        return
    path = os.path.join(folder, f"{client}.{session}")
    if os.path.exists(path):
        return
    try:
        make_private(folder)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            os.write(handle, os.fsencode(transcript))
        finally:
            os.close(handle)
    except OSError:
        return
