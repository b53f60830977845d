"""The format of our own memory database, by number: `PRAGMA user_version`, and the steps that raise it.

The format numbers of all other files are in `progress_plugin/__init__.py`.

A step is a list of statements, run in one transaction with the number that it leads to. It is never changed
once it was released: what comes later is another step. Steps add, and take away nothing that is read, because
a session start reads a database as it is and writes nothing. A database that Hoofy or engram made has numbers
of theirs, which are none of our business.
"""

from __future__ import annotations

import sqlite3

from progress_plugin.core.errors import BadInput
from progress_plugin.memory import schema

STEPS: tuple[tuple[str, ...], ...] = (schema.INDEXES,)
"""From each number to the next one. The first makes what databases from before the numbers have already."""


def version() -> int:
    """Return the number of the format that this version writes."""
    return len(STEPS)


def refuse_newer(connection: sqlite3.Connection, path: str) -> None:
    """Raise BadInput for a database of ours in a format of a newer version; nothing is written."""
    found = _version_of(connection)
    if found > version():
        raise BadInput(
            f"{path} has memory format {found}, newer than {version()}; update agent-progress, "
            "or set AGENT_PROGRESS_DB"
        )


def migrate(connection: sqlite3.Connection) -> None:
    """Bring a database of ours to the present format, step by step; the connection is in no transaction.

    Raises sqlite3.Error; the step that failed has then changed nothing.
    """
    while _version_of(connection) < version():
        connection.execute("BEGIN IMMEDIATE")
        try:
            # Under the lock: another process may have taken the step in between.
            number = _version_of(connection)
            for statement in STEPS[number] if number < version() else ():
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {min(number + 1, version())}")
            connection.execute("COMMIT")
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")


def _version_of(connection: sqlite3.Connection) -> int:
    # Somebody's tool may have written a number below those of ours.
    return max(0, int(connection.execute("PRAGMA user_version").fetchone()[0]))
