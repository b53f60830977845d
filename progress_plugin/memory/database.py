"""The memory database: one SQLite file of the user's, opened, locked and brought to the present format."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress

from progress_plugin.core.errors import AgentProgressError, BadInput, Busy, Refused, reason_of
from progress_plugin.core.files import find_irregular_sqlite_file
from progress_plugin.core.paths import make_private
from progress_plugin.memory import schema, sqlite
from progress_plugin.memory.sqlite import transaction

BUSY_TIMEOUT_S = 20.0
GLANCE_TIMEOUT_S = 0.3  # for a session start and a server that comes up


def has_database(path: str) -> bool:
    """Return whether a database exists; an empty file is one that is about to be made."""
    return os.path.exists(path) and (not os.path.isfile(path) or os.path.getsize(path) > 0)


def why_unusable(path: str | None) -> str | None:
    """Return in one line why the memory cannot be used, or None; nothing is created to find out."""
    if path is None:
        return "there is no home directory; name a file with AGENT_PROGRESS_DB"
    if not has_database(path):
        existing = os.path.dirname(path)
        while not os.path.exists(existing) and existing != os.path.dirname(existing):
            existing = os.path.dirname(existing)
        usable = os.path.isdir(existing) and os.access(existing, os.W_OK | os.X_OK)
        return None if usable else f"{path} cannot be created: {existing} is not a writable directory"
    try:
        with reading(path, GLANCE_TIMEOUT_S):
            return None
    except Busy:
        return None  # a call waits longer, and then says so itself
    except AgentProgressError as error:
        return str(error)


@contextmanager
def reading(path: str, timeout: float | None = None) -> Iterator[sqlite3.Connection]:
    """Open an existing database for reading. One in an older format is migrated first.

    `timeout` is in seconds. Raises BadInput if the file is not a database of ours, Busy, Refused.
    """
    with _explained(path), closing(_open(path, BUSY_TIMEOUT_S if timeout is None else timeout)) as connection:
        connection.execute("PRAGMA query_only = ON")
        yield connection


@contextmanager
def writing(path: str) -> Iterator[sqlite3.Connection]:
    """Open the database in one write transaction; it is made if it does not exist.

    Everything is committed at the end, or nothing if an exception passes through. Raises as `reading`.
    """
    _make_file(path)
    with _explained(path), closing(_open(path, BUSY_TIMEOUT_S)) as connection, transaction(connection):
        yield connection


def overwrite_freed(path: str) -> None:
    """Rewrite the file, so that it holds nothing of rows that were changed or removed."""
    with _explained(path), closing(_open(path, BUSY_TIMEOUT_S)) as connection:
        connection.execute("VACUUM")


def connect(path: str, mode: str, timeout: float = BUSY_TIMEOUT_S) -> sqlite3.Connection:
    """Open a file as SQLite does; `mode` is `ro` or `rw`. Raises BadInput for a pipe or a directory."""
    name = find_irregular_sqlite_file(path)
    if name is not None:
        raise BadInput(f"{name} is not a file; move it out of the way, or set AGENT_PROGRESS_DB")
    return sqlite.open_file(path, mode, timeout)


def _make_file(path: str) -> None:
    """Make an empty private file; SQLite's own lock decides which process fills it."""
    if os.path.exists(path):
        return
    try:
        make_private(os.path.dirname(path))
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError as error:
        raise Refused(
            f"{path} cannot be created ({reason_of(error)}); set AGENT_PROGRESS_DB to a writable place"
        ) from error


def _open(path: str, timeout: float) -> sqlite3.Connection:
    """Return a connection to a database in the present format."""
    connection = connect(path, "rw" if os.access(path, os.W_OK) else "ro", timeout)
    try:
        if schema.format_of(connection, path) < schema.FORMAT:
            # Older versions kept a write-ahead log. It stays for as long as such a process has the file open.
            with suppress(sqlite3.OperationalError):
                connection.execute("PRAGMA journal_mode = DELETE")
            with transaction(connection):
                schema.migrate(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def _explained(path: str) -> Iterator[None]:
    """Turn an error of SQLite into one line with the right exit code."""
    try:
        yield
    except sqlite3.Error as error:
        raise _our_error(path, error) from error


def _our_error(path: str, error: sqlite3.Error) -> AgentProgressError:
    code = sqlite.primary_code(error)
    if code in sqlite.BUSY:
        return Busy(f"{path} is held by another process; nothing was changed, try again")
    if code in sqlite.REFUSED:
        return Refused(
            f"{path} cannot be opened or written ({error}); check its permissions, or set AGENT_PROGRESS_DB"
        )
    if code in sqlite.BROKEN:
        return BadInput(f"{path} is not a usable database ({error}); move it away, or set AGENT_PROGRESS_DB")
    return AgentProgressError(f"{path}: {error}; nothing was changed")
