"""A client's own SQLite database, looked into without a trace: nothing is written, nothing made beside it.

Nearly everything is in the write-ahead log while the client runs, and after a kill, so it is read with
it. An ordinary connection for reading would make `-wal` and `-shm` where they are not there, and write to
`-shm` where it is: this one is opened with `readonly_shm`, which does neither. Where there is no log the file
is read as one that never changes, and what was read is given out only if it did not.
"""

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from typing import TypeVar
from urllib.parse import quote

from progress_plugin.core.files import find_irregular_sqlite_file

T = TypeVar("T")

MAX_VALUE_BYTES = 32 << 20  # a longer value holds pictures or a whole history
_BUSY_TIMEOUT_S = 0.2  # the client may be writing
_STEPS = 20_000  # instructions of SQLite between two looks at the clock


def look_into(path: str, read: Callable[[sqlite3.Connection], T], seconds: float) -> T | None:
    """Return what `read` makes of a database; None where it cannot be read, or not in so many seconds.

    `read` may raise sqlite3.Error, as every other reason why nothing was read.
    """
    if find_irregular_sqlite_file(path) is not None or not os.path.isfile(path):
        return None
    before = _at_rest(path)
    try:
        with closing(_connected(path, immutable=before is not None)) as connection:
            end = time.monotonic() + seconds
            connection.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
            found = read(connection)
    except (sqlite3.Error, UnicodeDecodeError):
        return None
    return found if before is None or _at_rest(path) == before else None


def _connected(path: str, *, immutable: bool) -> sqlite3.Connection:
    how = "immutable=1" if immutable else "readonly_shm=1"
    place = quote(os.path.abspath(path).replace("\\", "/"))
    connection = sqlite3.connect(
        f"file:{place if place.startswith('/') else '/' + place}?mode=ro&{how}",
        uri=True, timeout=_BUSY_TIMEOUT_S, isolation_level=None,
    )  # fmt: skip
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
    # What is no UTF-8 is replaced, as in every transcript.
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    return connection


def _at_rest(path: str) -> tuple[int, int, int] | None:
    """Return what identifies the state of the file; None while it has a journal, or is gone."""
    if os.path.exists(f"{path}-wal") or os.path.exists(f"{path}-journal"):
        return None
    try:
        state = os.stat(path)
    except OSError:
        return None
    return state.st_ino, state.st_size, state.st_mtime_ns
