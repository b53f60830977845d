"""The project of each row of the memory, and which rows the project's team shares.

Each root has one name, which no other root has. The list of shared rows is in the database itself, so that it
always fits the rows, even if the database was lost or restored.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Collection, Sequence
from itertools import count

TEAM_SESSION = "team "  # with the writer's name after it: the session of a colleague's row


def name_of_root(connection: sqlite3.Connection, root: str, wanted: str) -> str:
    """Return the name of a repository in the memory; for a new repository `wanted`, or a free `wanted-2`.

    A name is free again if the root that had it no longer exists: that repository has moved.
    """
    row = connection.execute("SELECT name FROM projects WHERE root = ?", (_text(root),)).fetchone()
    if row is not None:
        return str(row[0])
    names = (wanted if number == 1 else f"{wanted}-{number}" for number in count(1))
    return next(name for name in names if other_owner_of(connection, name, root) is None)


def register(connection: sqlite3.Connection, root: str, names: Sequence[str]) -> str:
    """Give a repository its name, move the rows of its other new `names` to it, and return the name."""
    name = name_of_root(connection, root, names[0])
    connection.execute("INSERT OR REPLACE INTO projects (root, name) VALUES (?, ?)", (_text(root), name))
    for alias in names:
        added = connection.execute("INSERT OR IGNORE INTO aliases VALUES (?, ?)", (_text(root), alias))
        if added.rowcount and alias != name and other_owner_of(connection, alias, root) is None:
            _rename(connection, alias, name)
    return name


def has_alias(connection: sqlite3.Connection, root: str, name: str) -> bool:
    """Return whether a repository has had this name, from any plan or configuration."""
    found = connection.execute("SELECT 1 FROM aliases WHERE root = ? AND name = ?", (_text(root), name))
    return found.fetchone() is not None


def other_owner_of(connection: sqlite3.Connection, name: str, root: str) -> str | None:
    """Return the root of another repository that has a name; None if no other has it, or its root is gone."""
    owner = _root_of(connection, name)
    if owner is None or owner == _text(root) or not os.path.isdir(owner):
        return None
    return None if os.path.exists(root) and os.path.samefile(owner, root) else owner


def may_show(connection: sqlite3.Connection, name: str, root: str) -> bool:
    """Return whether a start in `root` shows the rows of a name: no other root, even a lost one, has it."""
    return _root_of(connection, name) in {None, _text(root)}


def _root_of(connection: sqlite3.Connection, name: str) -> str | None:
    row = connection.execute("SELECT root FROM projects WHERE name = ?", (name,)).fetchone()
    return str(row[0]) if row else None


def document_key(name: str, namespace: str | None) -> str:
    """Return the topic key of the progress document of a project."""
    return f"progress/{namespace}/{name}" if namespace else f"progress/{name}"


def session_of(writer: str) -> str:
    return f"{TEAM_SESSION}{writer}"


def writer_of(session_id: str) -> str | None:
    """Return which colleague's clone a row came from; None for one of this machine."""
    return session_id.removeprefix(TEAM_SESSION) if session_id.startswith(TEAM_SESSION) else None


def share(db: sqlite3.Connection, root: str, row: int) -> None:
    """Have the next sync of a project send an observation. The caller holds the transaction."""
    if not db.execute("SELECT 1 FROM team_observations WHERE row = ?", (row,)).fetchone():
        add_shared(db, root, secrets.token_hex(16), row)


def add_shared(db: sqlite3.Connection, root: str, name: str, row: int, writer: str | None = None) -> None:
    """Note that the team has an observation of `writer`; if that is None, that the next sync sends ours."""
    values = (root, name, row, writer)
    db.execute("INSERT INTO team_observations (root, id, row, writer) VALUES (?, ?, ?, ?)", values)


def are_shared(db: sqlite3.Connection, root: str, rows: Collection[int]) -> bool:
    """Return whether the team has or will get all of these observations. The caller holds the transaction."""
    known = db.execute("SELECT row FROM team_observations WHERE root = ?", (root,)).fetchall()
    return {*rows} <= {row for (row,) in known}


def share_again(db: sqlite3.Connection, rows: Collection[int]) -> None:
    """Share restored observations as new ones, since the team may have deleted them already."""
    for row in rows:
        shared = db.execute("SELECT root FROM team_observations WHERE row = ?", (row,)).fetchone()
        db.execute("UPDATE team_observations SET row = 0 WHERE row = ?", (row,))
        if shared:
            share(db, shared[0], row)


def _rename(connection: sqlite3.Connection, old: str, new: str) -> None:
    """Move the rows of one project to another; its documents only if the other has no live one."""
    connection.execute(
        "UPDATE observations SET project = ? WHERE project = ? AND type <> 'progress'", (new, old)
    )
    has_documents = connection.execute(
        "SELECT 1 FROM observations WHERE type = 'progress' AND project = ? AND deleted_at IS NULL", (new,)
    ).fetchone()
    rows = connection.execute(
        "SELECT id, namespace FROM observations WHERE type = 'progress' AND project = ?", (old,)
    ).fetchall()
    if not has_documents:
        connection.executemany(
            "UPDATE observations SET project = ?, topic_key = ? WHERE id = ?",
            ((new, document_key(new, namespace), number) for number, namespace in rows),
        )


def _text(root: str) -> str:
    return os.fsencode(root).decode("utf-8", "replace")  # a path need not be text
