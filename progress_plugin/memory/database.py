"""The memory database: create, open and lock the user's SQLite file."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from progress_plugin.core.errors import AgentProgressError, BadInput, Busy, Refused, reason_of
from progress_plugin.core.files import find_irregular_sqlite_file
from progress_plugin.core.paths import make_private

FORMAT = 2
APPLICATION_ID = 0x41475052  # "AGPR"
BUSY_TIMEOUT_S = 20.0
GLANCE_TIMEOUT_S = 0.3  # for starts of a session and of the MCP server
LAST_TOUCHED = "max(created_at, updated_at, coalesce(last_seen_at, created_at))"
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_BROKEN = {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}
_REFUSED = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH}
_IN_MEMORY = ":memory:"
_SCHEMA, _TEAM_TABLES = (os.path.join(os.path.dirname(__file__), name) for name in ("schema.sql", "team.sql"))


def open_file(path: str, mode: str, timeout_s: float) -> sqlite3.Connection:
    """Return a connection to an existing file; `mode` is `ro` or `rw`. The caller begins transactions."""
    uri = f"{Path(path).absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, timeout=timeout_s, isolation_level=None)


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Run the `with` block in one transaction that holds the write lock; roll it back if the block raises."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def execute_file(connection: sqlite3.Connection, path: str, **names: str) -> None:
    """Run the statements of a file in the caller's transaction; `{name}` in it stands for one of `names`."""
    with open(path, encoding="utf-8") as file:
        for statement in file.read().format(**names).split(";\n"):
            connection.execute(statement)


def has_database(path: str) -> bool:
    """Return whether a database exists; an empty file does not count: another process is about to fill it."""
    return os.path.exists(path) and (not os.path.isfile(path) or os.path.getsize(path) > 0)


def why_unusable(path: str) -> str | None:
    """Return in one line why an existing memory cannot be used, or None."""
    try:
        with reading(path, GLANCE_TIMEOUT_S):
            return None
    except Busy:
        return None  # a tool waits longer, and reports this itself if it has to
    except AgentProgressError as error:
        return str(error)


@contextmanager
def reading(path: str, timeout: float | None = None) -> Iterator[sqlite3.Connection]:
    """Open a database for reading; if the file is missing or empty, an empty one in memory.

    `timeout` is in seconds. Raises BadInput if the file is not a database of ours, Busy, Refused.
    """
    with _open(path if has_database(path) else _IN_MEMORY, timeout) as connection:
        connection.execute("PRAGMA query_only = ON")
        yield connection


@contextmanager
def writing(path: str) -> Iterator[sqlite3.Connection]:
    """Open the database in one write transaction; it is made if it does not exist.

    Everything is committed at the end, or nothing if an exception passes through. Raises BadInput if the file
    is not a database of ours, Busy, Refused.
    """
    _make_file(path)
    with _open(path) as connection, transaction(connection):
        execute_file(connection, _TEAM_TABLES)
        yield connection


def overwrite_freed(path: str) -> None:
    """Rewrite the file, so that it holds nothing of rows that were changed or removed."""
    with _open(path) as connection:
        connection.execute("VACUUM")


def connect(path: str, mode: str, timeout: float = BUSY_TIMEOUT_S) -> sqlite3.Connection:
    """Open a file as `open_file` does. Raises BadInput if it, or a file next to it, is not a regular file."""
    name = find_irregular_sqlite_file(path)
    if name is not None:
        raise BadInput(f"{name} is not a file; move it out of the way, or set AGENT_PROGRESS_DB")
    return open_file(path, mode, timeout)


def has_tables(connection: sqlite3.Connection, path: str) -> bool:
    """Return whether a file is a database of ours and not empty.

    Raises BadInput for a database of another program or in another format.
    """
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    if application != APPLICATION_ID:
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] or application:
            raise BadInput(
                f"{path} is the database of another program; set AGENT_PROGRESS_DB to another file "
                "(`agent-progress memory import FILE` copies observations of Hoofy and engram)"
            )
        return False
    number = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if number != FORMAT:
        raise BadInput(
            f"{path} has memory format {number}, this version has {FORMAT}; update agent-progress, or move "
            "the file away and copy its content with `agent-progress memory import FILE`"
        )
    return True


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


@contextmanager
def _open(path: str, timeout: float | None = None) -> Iterator[sqlite3.Connection]:
    """Open a database, make its tables if it is empty, and raise SQLite's errors as AgentProgressError."""
    timeout = BUSY_TIMEOUT_S if timeout is None else timeout
    try:
        if path == _IN_MEMORY:
            opened = sqlite3.connect(path, isolation_level=None)
        else:
            opened = connect(path, "rw" if os.access(path, os.W_OK) else "ro", timeout)
        with closing(opened) as connection:
            if not has_tables(connection, path):
                _make_tables(connection, path)
            yield connection
    except sqlite3.Error as error:
        raise _our_error(path, error) from error


def _our_error(path: str, error: sqlite3.Error) -> AgentProgressError:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF  # the primary result code
    if code in _BUSY:
        return Busy(f"{path} is held by another process; nothing was changed, try again")
    if code in _REFUSED:
        return Refused(
            f"{path} cannot be opened or written ({error}); check its permissions, or set AGENT_PROGRESS_DB"
        )
    if code in _BROKEN:
        return BadInput(f"{path} is not a usable database ({error}); move it away, or set AGENT_PROGRESS_DB")
    return AgentProgressError(f"{path}: {error}; nothing was changed")


def _make_tables(connection: sqlite3.Connection, path: str) -> None:
    """Make the tables unless another process was first."""
    with transaction(connection):
        if not has_tables(connection, path):
            execute_file(connection, _SCHEMA, last_touched=LAST_TOUCHED)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {FORMAT}")
