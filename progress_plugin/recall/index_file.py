"""Where the index of a project lies, and when it is thrown away: it is a cache, and made again.

It is the user's own file, readable by nobody else, in the user's cache, where no clone can bring one. What
is there and is no index of ours in this format, is damaged, or is a link, goes: of a link the link.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from typing import TYPE_CHECKING

from progress_plugin import RECALL_FORMAT
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.files import SQLITE_SUFFIXES, content_digest
from progress_plugin.core.paths import make_private, user_cache
from progress_plugin.recall.index import SCHEMA, Index

if TYPE_CHECKING:
    from progress_plugin.core.lock import FileLock

_APPLICATION = 0x61677270
"""What SQLite calls the id of an application, in the header of the file."""
_NO_MODULE = "no such module"
NAME = "index.db"
FOLDER = "recall"
_OTHERS_WAIT = 5.0
"""Seconds for which a reader waits while another process commits."""
_DAYS = 30
"""After which the index of a project that nobody asks about is removed."""


def place(root: str) -> str | None:
    """Return the file for the project at `root`; None without a home."""
    cache = user_cache()
    if cache is None:
        return None
    return os.path.join(cache, FOLDER, content_digest(os.fsencode(root)).decode(), NAME)


def lock(path: str) -> FileLock:
    """Return the lock of those who write an index. Entering it raises what `FileLock` raises."""
    from progress_plugin.core.lock import DEFAULT_TIMEOUT_S, FileLock  # noqa: PLC0415 - where something has changed

    folder = os.path.dirname(path)
    make_private(folder)
    return FileLock(os.path.join(folder, "lock"), DEFAULT_TIMEOUT_S)


def is_damage(error: sqlite3.Error) -> bool:
    """Return whether an error says that the file is no sound database; a new one is made then."""
    return _primary_code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def is_locked(error: sqlite3.Error) -> bool:
    """Return whether another process holds the database."""
    return _primary_code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def is_refused(error: sqlite3.Error) -> bool:
    """Return whether the disk has no room for the database, or does not let it be written."""
    return _primary_code(error) in (
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
    )


def _primary_code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def reading(path: str) -> Index | None:
    """Return the index at `path` for reading, None if none can be used. Raises sqlite3.Error if locked."""
    if not _is_plain(path):
        return None
    try:
        connection = sqlite3.connect(
            f"file:{_in_uri(path)}?mode=ro", uri=True, timeout=_OTHERS_WAIT, isolation_level=None
        )
    except sqlite3.Error:
        return None
    try:
        if _is_ours(connection):
            return Index(connection)
    except sqlite3.DatabaseError as error:
        if is_locked(error):
            connection.close()
            raise
    connection.close()
    return None


def writing(path: str) -> Index:
    """Return the index at `path` for writing, a new one where none can be used. Caller holds the lock.

    Raises OSError and sqlite3.Error where no file can be made.
    """
    before = reading(path)
    if before is not None:
        before.connection.close()
        return _writable(path)
    return anew(path)


def anew(path: str) -> Index:
    """Return a new index at `path`, whatever was there. Caller holds the lock; raises as `writing`."""
    throw_away(path)
    _remove_old(os.path.dirname(os.path.dirname(path)))
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    return _made(_writable(path).connection)


def in_memory() -> Index:
    """Return an index that lasts as long as this process: where there is no place for a file."""
    return _made(sqlite3.connect(":memory:", isolation_level=None))


def throw_away(path: str) -> None:
    """Remove an index, whatever stands there in its place."""
    for name in (path, *(path + ending for ending in SQLITE_SUFFIXES)):
        if os.path.isdir(name) and not os.path.islink(name):
            import shutil  # noqa: PLC0415 - 6 ms, and hardly ever

            shutil.rmtree(name)
        elif os.path.lexists(name):
            os.unlink(name)


def _writable(path: str) -> Index:
    connection = sqlite3.connect(path, timeout=_OTHERS_WAIT, isolation_level=None)
    connection.execute("PRAGMA secure_delete = ON")  # what a source says no more is not left in freed pages
    return Index(connection)


def _made(connection: sqlite3.Connection) -> Index:
    index = Index(connection)
    with index.transaction("IMMEDIATE"):
        try:
            for statement in SCHEMA:
                connection.execute(statement)
        except sqlite3.OperationalError as error:
            if _NO_MODULE not in str(error):
                raise
            raise AgentProgressError(
                "this Python's SQLite was built without full-text search (FTS5), which recall needs; "
                "use another Python, or look with `agent-progress context --whole`"
            ) from error
        connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        connection.execute(f"PRAGMA user_version = {RECALL_FORMAT}")
    return index


def _in_uri(path: str) -> str:
    """Return an absolute path as SQLite reads it in a URI; `pathlib` would say the same, in 3 ms."""
    plain = path.replace("\\", "/") if os.name == "nt" else path
    for sign in "%?#":
        plain = plain.replace(sign, f"%{ord(sign):02x}")
    return plain if plain.startswith("/") else f"/{plain}"


def _is_ours(connection: sqlite3.Connection) -> bool:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return bool(application == _APPLICATION and version == RECALL_FORMAT)


def _is_plain(path: str) -> bool:
    """Return whether there is a file of the user's own that nobody else may read, and no link anywhere."""
    try:
        status = os.lstat(path)
    except OSError:
        return False
    if not stat.S_ISREG(status.st_mode) or (hasattr(os, "geteuid") and status.st_uid != os.geteuid()):
        return False
    beside = [name for name in (path + ending for ending in SQLITE_SUFFIXES) if os.path.lexists(name)]
    if any(not stat.S_ISREG(os.lstat(name).st_mode) for name in beside):
        return False
    return os.name != "posix" or not status.st_mode & 0o077


def _remove_old(folder: str) -> None:
    oldest = time.time() - _DAYS * 86_400
    for entry in list(os.scandir(folder)):
        index = os.path.join(entry.path, NAME)
        if os.path.lexists(index) and os.lstat(index).st_mtime < oldest:
            throw_away(index)
