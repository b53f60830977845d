"""The files that SQLite opens for one database, looked at before it does: on some it would wait for ever."""

import os
import stat

BESIDE = ("-wal", "-shm", "-journal")
"""Endings of the files that stand beside a database."""


def what_blocks(path: str) -> str | None:
    """Return the first of a database's files that is no regular file; None where all are, or are not there.

    On a named pipe SQLite would wait for ever, deaf to every signal.
    """
    for name in (path, *(path + ending for ending in BESIDE)):
        try:
            mode = os.stat(name).st_mode
        except (OSError, ValueError):
            continue
        if not stat.S_ISREG(mode):
            return name
    return None
