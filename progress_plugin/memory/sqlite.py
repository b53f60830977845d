"""SQLite files of ours: how one is opened, one transaction, and what an error means."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
BROKEN = frozenset({sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT})
REFUSED = frozenset(
    {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH}
)
DISK = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}) | REFUSED


def open_file(path: str, mode: str, timeout_s: float) -> sqlite3.Connection:
    """Return a connection to an existing file; `mode` is `ro` or `rw`. The caller begins transactions."""
    plain = path.replace("\\", "/") if os.name == "nt" else path
    for sign in "%?#":
        plain = plain.replace(sign, f"%{ord(sign):02x}")
    place = plain if plain.startswith("/") else f"/{plain}"
    return sqlite3.connect(f"file:{place}?mode={mode}", uri=True, timeout=timeout_s, isolation_level=None)


@contextmanager
def transaction(connection: sqlite3.Connection, kind: str = "IMMEDIATE") -> Iterator[None]:
    """Run the block in one transaction, rolled back if it raises; `IMMEDIATE` holds the write lock."""
    connection.execute(f"BEGIN {kind}")
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


def primary_code(error: sqlite3.Error) -> int:
    """Return the primary result code of SQLite."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
