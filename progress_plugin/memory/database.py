"""The memory database as a file: how it is made, opened and locked.

A damaged file is refused and never replaced (`_our_error`).
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import TypeVar

from progress_plugin.core.errors import AgentProgressError, BadInput, Busy, Refused, reason_of
from progress_plugin.core.files import find_irregular_sqlite_file
from progress_plugin.core.lock import FileLock
from progress_plugin.core.paths import make_private
from progress_plugin.memory import full_text, migrations, schema
from progress_plugin.memory.network_disk import on_network_disk

T = TypeVar("T")

BUSY_SECONDS = 20.0
"""How long a call waits for the writers before it."""
EMPTYING_SECONDS = 2.0
"""How long emptying the journal waits for readers; a server's calls are shorter."""
GLANCE_SECONDS = 0.3
"""How long a caller waits that can do without: a session start, a server that comes up."""

_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_CLOSED = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH}
_BROKEN = {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}


class Store:
    """One open memory database; whoever opens it closes it."""

    __slots__ = ("columns", "connection", "own", "path")

    def __init__(
        self, connection: sqlite3.Connection, path: str, *, own: bool, columns: frozenset[str]
    ) -> None:
        self.connection = connection
        self.path = path
        self.own = own
        self.columns = columns

    @property
    def last_touched(self) -> str:
        """The SQL expression for when a row was last alive."""
        return schema.LAST_TOUCHED if self.own else schema.LAST_TOUCHED_ANYWHERE


def why_unusable(path: str | None) -> str | None:
    """Return in one line why the memory cannot be used, or None; nothing is created to find out."""
    if path is None:
        return "there is no home directory; name a file with AGENT_PROGRESS_DB"
    if not os.path.exists(path):
        existing = os.path.dirname(path)
        while not os.path.exists(existing) and existing != os.path.dirname(existing):
            existing = os.path.dirname(existing)
        usable = os.path.isdir(existing) and os.access(existing, os.W_OK | os.X_OK)
        return None if usable else f"{path} cannot be created: {existing} is not a writable directory"
    try:
        with reading(path, GLANCE_SECONDS):
            return None
    except Busy:
        return None  # a call waits longer, and then says so itself
    except AgentProgressError as error:
        return str(error)


@contextmanager
def reading(path: str, timeout: float | None = None) -> Iterator[Store]:
    """Open an existing database for reading; in a read-only directory as an immutable file.

    `timeout` is in seconds, BUSY_SECONDS if not said.

    Raises BadInput for a file that is no memory database, Busy, Refused.
    """
    with explained(path):
        store = _open_to_read(path, timeout)
    try:
        with explained(path):
            yield store
    finally:
        store.connection.close()


def glance(path: str, read: Callable[[Store], T]) -> T:
    """Return what `read` makes of the database, leaving no trace: no journal file, no time stamp.

    It is read in passing, so nobody is waited for longer than `GLANCE_SECONDS`.

    Raises what `reading` raises.
    """
    before = _at_rest(path)
    if before is not None:
        # Without a journal everything is in the file itself, which may be read as if it never changed,
        # provided that it did not: a writer that came in between is seen in the second look.
        with suppress(sqlite3.DatabaseError), closing(_connect(path, "mode=ro&immutable=1")) as connection:
            found = read(_checked(connection, path))
            if _at_rest(path) == before:
                return found
    with reading(path, GLANCE_SECONDS) as store:
        return read(store)


@contextmanager
def writing(path: str) -> Iterator[Store]:
    """Open the database in one write transaction, making it first where there is none.

    Everything is committed at the end, or nothing at all where an exception passes through.

    One of ours in an older format is migrated first, and gets an index of words that was lost.

    Raises BadInput for a file that is no memory database,
    or one of a newer version, Busy, Refused where it cannot be written.
    """
    if not os.path.exists(path):
        _create(path)
    with explained(path):
        store = _checked(_connect(path, "mode=rw"), path)
    try:
        with explained(path):
            if store.own:
                migrations.migrate(store.connection)
        with explained(path), transaction(store.connection):
            # Without it no row could be written: the triggers that keep it stay when it is dropped.
            if store.own and not full_text.is_there(store.connection):
                full_text.restore(store.connection)
            yield store
    finally:
        store.connection.close()


def overwrite_freed(path: str) -> None:
    """Rewrite the file, so that nothing is left in it of rows that were changed or removed.

    Raises Busy while another process has it open, Refused where it cannot be written.
    """
    with explained(path), closing(_connect(path, "mode=rw", EMPTYING_SECONDS)) as connection:
        connection.execute("VACUUM")
        busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    if busy:
        raise Busy(f"{path} is held by another process; its journal was not emptied, try again")


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Run the block in one transaction that holds the write lock from its first read on."""
    # IMMEDIATE: a transaction that reads first and then asks for the lock fails at once when another wrote.
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


@contextmanager
def explained(path: str) -> Iterator[None]:
    """Turn what SQLite says about `path` into one line of ours, with the exit code it deserves."""
    try:
        yield
    except sqlite3.Error as error:
        raise _our_error(path, error) from error


def _our_error(path: str, error: sqlite3.Error) -> AgentProgressError:
    code = _code(error)
    if code in _BUSY:
        return Busy(f"{path} is held by another process; nothing was changed, try again")
    if code in _CLOSED:
        return Refused(
            f"{path} cannot be opened or written ({error}); check its permissions, or set AGENT_PROGRESS_DB"
        )
    if code in _BROKEN:
        return BadInput(f"{path} is not a usable database ({error}); move it away, or set AGENT_PROGRESS_DB")
    return AgentProgressError(f"{path}: {error}; nothing was changed")


def _code(error: sqlite3.Error) -> int:
    """Return the primary result code of SQLite."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF


def _connect(path: str, options: str, timeout: float | None = None) -> sqlite3.Connection:
    _refuse_what_blocks(path)
    escaped = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    place = escaped if escaped.startswith("/") else "/" + escaped.replace("\\", "/")
    connection = sqlite3.connect(
        f"file:{place}?{options}",
        uri=True, timeout=BUSY_SECONDS if timeout is None else timeout, isolation_level=None,
    )  # fmt: skip
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        # With a write-ahead journal a killed process loses nothing this way; Hoofy and engram do the same.
        connection.execute("PRAGMA synchronous = NORMAL")
    except sqlite3.Error:  # such as a file that is no database
        connection.close()
        raise
    return connection


def _refuse_what_blocks(path: str) -> None:
    name = find_irregular_sqlite_file(path)
    if name is not None:
        raise BadInput(f"{name} is not a file; move it out of the way, or set AGENT_PROGRESS_DB")


def _open_to_read(path: str, timeout: float | None) -> Store:
    """Open in the first way that the place allows.

    A connection that may write removes its journal when it closes, one that may only read leaves it lying
    about, and where no journal can be made the file is read as one that never changes.
    """
    if os.access(path, os.W_OK) and os.access(os.path.dirname(path), os.W_OK):
        connection = _connect(path, "mode=rw", timeout)
        connection.execute("PRAGMA query_only = ON")
        return _checked(connection, path)
    try:
        return _checked(_connect(path, "mode=ro", timeout), path)
    except sqlite3.OperationalError as error:
        if _code(error) in _BUSY:  # another process writes it: it would be read half written
            raise
        return _checked(_connect(path, "mode=ro&immutable=1"), path)


def _at_rest(path: str) -> tuple[int, int, int] | None:
    """Return what identifies the state of the file; None while it has a journal, or does not exist."""
    if os.path.exists(path + "-wal") or os.path.exists(path + "-journal"):
        return None
    try:
        state = os.stat(path)
    except FileNotFoundError:
        return None
    return state.st_ino, state.st_size, state.st_mtime_ns


def _checked(connection: sqlite3.Connection, path: str) -> Store:
    """Return the store of a connection, closing it again where it is no memory database that we can use."""
    try:
        columns = frozenset(row[1] for row in connection.execute("PRAGMA table_info(observations)"))
        sessions = connection.execute("PRAGMA table_info(sessions)").fetchall()
        own = connection.execute("PRAGMA application_id").fetchone()[0] == schema.APPLICATION_ID
        if own:
            migrations.refuse_newer(connection, path)
    except (sqlite3.Error, BadInput):
        connection.close()
        raise
    if not sessions or not columns >= schema.COLUMNS:
        connection.close()
        raise BadInput(
            f"{path} is not a memory database of ours, Hoofy or engram; name another AGENT_PROGRESS_DB"
        )
    return Store(connection, path, own=own, columns=columns)


def _create(path: str) -> None:
    """Make an empty database beside its place and move it there; one that appeared meanwhile is kept."""
    temporary = f"{path}.{os.urandom(6).hex()}.new"
    try:
        make_private(os.path.dirname(path))
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        with explained(path):
            _lay_out(temporary)
        _move_into_place(temporary, path)
    except OSError as error:
        raise Refused(
            f"{path} cannot be created ({reason_of(error)}); set AGENT_PROGRESS_DB to a writable place"
        ) from error
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)


def _lay_out(path: str) -> None:
    connection = _connect(path, "mode=rw")
    try:
        if not on_network_disk(path):
            connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(schema.SCHEMA)
        migrations.migrate(connection)
    finally:
        connection.close()


def _move_into_place(temporary: str, path: str) -> None:
    try:
        # A hard link fails where the name is taken, a rename on POSIX would replace a database in use.
        os.link(temporary, path)
    except FileExistsError:
        return
    except OSError:
        # A file system without hard links: the look and the rename have to be one step for the others.
        with FileLock(f"{path}.lock", BUSY_SECONDS):
            if not os.path.exists(path):
                os.rename(temporary, path)
