"""The index of words in the memory database: whether it is there, and how it is made anew."""

from __future__ import annotations

import sqlite3

from progress_plugin.memory import schema

_WHOSE = "start Hoofy or engram, whose database it is: they make it anew"
_OURS = "the next `agent-progress memory save`, or any other write, makes it anew"


def is_there(connection: sqlite3.Connection) -> bool:
    """Return whether the database has the index; somebody's tool may have dropped it."""
    named = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'observations_fts'"
    return connection.execute(named).fetchone() is not None


def missing(path: str, *, own: bool) -> tuple[str, str]:
    """Return in two sentences that the index is gone, and what brings it back."""
    return f"{path} has lost its index of words (observations_fts)", _OURS if own else _WHOSE


def restore(connection: sqlite3.Connection) -> None:
    """Make the index of a database of ours anew. The caller is in a write transaction."""
    for name in schema.TRIGGERS:
        connection.execute(f"DROP TRIGGER IF EXISTS {name}")
    for statement in schema.FULL_TEXT:
        connection.execute(statement)
    rebuild(connection)


def rebuild(connection: sqlite3.Connection) -> None:
    """Index all rows again: what is gone from them is then also gone from the index."""
    connection.execute("INSERT INTO observations_fts(observations_fts) VALUES ('rebuild')")
