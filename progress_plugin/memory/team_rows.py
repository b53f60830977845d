"""Select the rows of the memory that a team shares.

That is kept in the database itself, so that a lost or restored database knows what it has.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Collection

from progress_plugin.memory.sqlite import execute_file

TEAM_SESSION = "team "  # begins the session of a colleague's row; the writer follows
_TABLES = os.path.join(os.path.dirname(__file__), "team.sql")
_IS_LIVE = "IN (SELECT id FROM observations WHERE deleted_at IS NULL)"


def make_tables(db: sqlite3.Connection) -> None:
    """Make the tables of this module unless they exist. The caller holds the transaction."""
    execute_file(db, _TABLES)


def session_of(writer: str) -> str:
    """Return the session of a row that came from a colleague's clone."""
    return f"{TEAM_SESSION}{writer}"


def writer_of(session_id: str) -> str | None:
    """Return which colleague's clone a row came from; None for one of this machine."""
    return session_id.removeprefix(TEAM_SESSION) if session_id.startswith(TEAM_SESSION) else None


def share(db: sqlite3.Connection, root: str, row: int) -> None:
    """Have the next sync of a project send an observation. The caller holds the transaction."""
    make_tables(db)
    if not db.execute("SELECT 1 FROM team_observations WHERE row = ? AND NOT is_ended", (row,)).fetchone():
        add_shared(db, root, secrets.token_hex(16), row)


def add_shared(db: sqlite3.Connection, root: str, name: str, row: int, writer: str | None = None) -> None:
    """Note that the team has an observation, or gets it if `writer` is None."""
    values = (root, name, row, writer)
    db.execute("INSERT INTO team_observations (root, id, row, writer) VALUES (?, ?, ?, ?)", values)


def are_shared(db: sqlite3.Connection, root: str, rows: Collection[int]) -> bool:
    """Return whether the team has all of these observations. The caller holds the transaction."""
    make_tables(db)
    known = db.execute("SELECT row FROM team_observations WHERE root = ?", (root,)).fetchall()
    return {*rows} <= {row for (row,) in known}


def note_ends(db: sqlite3.Connection, root: str) -> None:
    """Note which shared observations were deleted here since, and share again those that were restored."""
    db.execute(
        f"UPDATE team_observations SET is_ended = 1 WHERE root = ? AND row AND NOT row {_IS_LIVE}", (root,)
    )
    restored = db.execute(
        f"SELECT row FROM team_observations WHERE root = ? AND row {_IS_LIVE} "
        "GROUP BY row HAVING min(is_ended)",
        (root,),
    ).fetchall()
    for (row,) in restored:
        share(db, root, row)
