"""The tables of the memory database, and the step from the format before."""

from __future__ import annotations

import sqlite3

from progress_plugin.core.errors import BadInput
from progress_plugin.memory import projects
from progress_plugin.memory.search import TERMS_TABLE, index_all

FORMAT = 2
APPLICATION_ID = 0x41475052  # "AGPR"
OLD_SECOND_KEY = "%@" + "_" * 12  # the document of a second root of the same name
OLD_MARK = "mem_progress "  # format 1 kept the root of a document behind it in `tool_name`

_TABLES = (
    """CREATE TABLE IF NOT EXISTS sessions (
    id TEXT PRIMARY KEY, project TEXT NOT NULL, directory TEXT NOT NULL,
    started_at TEXT NOT NULL DEFAULT (datetime('now')), ended_at TEXT, summary TEXT)""",
    """CREATE TABLE IF NOT EXISTS observations (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, type TEXT NOT NULL, title TEXT NOT NULL,
    content TEXT NOT NULL, tool_name TEXT, project TEXT, scope TEXT NOT NULL DEFAULT 'project',
    topic_key TEXT, namespace TEXT, normalized_hash TEXT, revision_count INTEGER NOT NULL DEFAULT 1,
    duplicate_count INTEGER NOT NULL DEFAULT 1, last_seen_at TEXT,
    created_at TEXT NOT NULL DEFAULT (datetime('now')), updated_at TEXT NOT NULL DEFAULT (datetime('now')),
    deleted_at TEXT, FOREIGN KEY (session_id) REFERENCES sessions(id))""",
    """CREATE TABLE compactions (
    id INTEGER PRIMARY KEY, at TEXT NOT NULL, project TEXT, ids TEXT NOT NULL, summary_id INTEGER)""",
    "CREATE TABLE projects (root TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
    "CREATE TABLE aliases (root TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (root, name))",
    TERMS_TABLE,
)

LAST_TOUCHED = "max(created_at, updated_at, coalesce(last_seen_at, created_at))"
# `deleted_at` is constant in an index of live rows; with it SQLite counts without reading the rows.
_BY_AGE = f"project, {LAST_TOUCHED}, id, type, scope, namespace, deleted_at"
_LIVE = "WHERE deleted_at IS NULL"
_INDEXES = tuple(
    f"CREATE INDEX IF NOT EXISTS {name} ON observations({columns}) {rows}"
    for name, columns, rows in (
        ("own_by_topic", "topic_key, id", "WHERE topic_key IS NOT NULL"),
        ("own_by_age", _BY_AGE, _LIVE),
        ("own_by_hash", "normalized_hash, project", _LIVE),
        ("own_documents", "type, project", f"{_LIVE} AND type = 'progress'"),
    )
)


def format_of(connection: sqlite3.Connection, path: str) -> int:
    """Return the format of a database of ours, 0 for an empty file.

    Raises BadInput for a database of another program and for a newer format.
    """
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    if application != APPLICATION_ID:
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] or application:
            raise BadInput(
                f"{path} is the database of another program; `agent-progress memory import FILE` copies what "
                "Hoofy and engram kept, and AGENT_PROGRESS_DB has to name another file"
            )
        return 0
    number = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if number > FORMAT:
        raise BadInput(
            f"{path} has memory format {number}, newer than {FORMAT}; update agent-progress, "
            "or set AGENT_PROGRESS_DB"
        )
    return max(0, number)


def migrate(connection: sqlite3.Connection, path: str) -> None:
    """Make the tables, and bring what an older format has into them. The caller holds the transaction."""
    if format_of(connection, path) == FORMAT:
        return  # another process was first
    for name in ("obs_fts_insert", "obs_fts_delete", "obs_fts_update"):
        connection.execute(f"DROP TRIGGER IF EXISTS {name}")
    connection.execute("DROP TABLE IF EXISTS observations_fts")
    for statement in (*_TABLES, *_INDEXES):
        connection.execute(statement)
    _adopt_documents(connection)
    index_all(connection)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {FORMAT}")


def _adopt_documents(connection: sqlite3.Connection) -> None:
    """Give each root that has documents its name, and its documents the key of that name.

    Of several live documents of one root and namespace the newest stays live.
    """
    rows = connection.execute(
        "SELECT id, tool_name, project, namespace, deleted_at IS NULL FROM observations "
        "WHERE type = 'progress' AND project IS NOT NULL "
        f"ORDER BY topic_key LIKE '{OLD_SECOND_KEY}', datetime(updated_at) DESC, id DESC"
    ).fetchall()
    live: set[tuple[str, str | None]] = set()
    for number, mark, project, namespace, is_live in rows:
        root = mark[len(OLD_MARK) :] if mark and mark.startswith(OLD_MARK) else None
        name = projects.register(connection, root, (project,)) if root else project
        key = projects.document_key(name, namespace)
        stays = bool(is_live) and (name, namespace) not in live
        if stays:
            live.add((name, namespace))
        connection.execute(
            "UPDATE observations SET project = ?, topic_key = ?, tool_name = 'mem_progress', "
            "deleted_at = CASE WHEN ? THEN NULL ELSE coalesce(deleted_at, updated_at) END WHERE id = ?",
            (name, key, stays, number),
        )
