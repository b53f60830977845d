"""The transcripts in which nothing of this project stands, by session, with the size at which they were read.

It holds no words of a session.
"""

import os
from collections.abc import Mapping

from progress_plugin.core.files import read_inside, write_atomic
from progress_plugin.core.paths import make_private, state_directory
from progress_plugin.transcripts.kept_text import kept_id

FILE = "passed_over"
"""Lines of a size in bytes, a space, and the id of a session."""
_KEPT = 500


def passed_over(root: str) -> dict[str, int]:
    """Return the sizes of the transcripts that told nothing, by session."""
    folder = state_directory(root)
    data = read_inside(None, os.path.join(folder, FILE)) if folder else None
    found = {}
    for line in (data or b"").decode("ascii", "replace").split("\n"):
        size, _, session = line.partition(" ")
        if size.isdecimal() and kept_id(session):
            found[session] = int(size)
    return found


def pass_over(root: str, sizes: Mapping[str, int]) -> None:
    """Note transcripts that told nothing. Raises AgentProgressError where that cannot be written."""
    folder, known = state_directory(root), passed_over(root)
    whole = {**{session: known[session] for session in known if session not in sizes}, **sizes}
    if folder is None or whole == known:
        return
    lines = [f"{size} {session}\n" for session, size in list(whole.items())[-_KEPT:] if kept_id(session)]
    make_private(folder)
    write_atomic(os.path.join(folder, FILE), "".join(lines).encode(), durable=False, private=True)
