"""The tables of the memory database, as Hoofy and engram lay them out, and our own indexes."""

APPLICATION_ID = 0x41475052
"""`PRAGMA application_id` of a database that we made ("AGPR"); any other one is foreign."""

TABLES = """
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    project TEXT NOT NULL,
    directory TEXT NOT NULL,
    started_at TEXT NOT NULL DEFAULT (datetime('now')),
    ended_at TEXT,
    summary TEXT
);
CREATE TABLE observations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL,
    type TEXT NOT NULL,
    title TEXT NOT NULL,
    content TEXT NOT NULL,
    tool_name TEXT,
    project TEXT,
    scope TEXT NOT NULL DEFAULT 'project',
    topic_key TEXT,
    namespace TEXT,
    normalized_hash TEXT,
    revision_count INTEGER NOT NULL DEFAULT 1,
    duplicate_count INTEGER NOT NULL DEFAULT 1,
    last_seen_at TEXT,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')),
    deleted_at TEXT,
    FOREIGN KEY (session_id) REFERENCES sessions(id)
);
"""

_INDEXED = "title, content, tool_name, type, project"
_ADD = (
    f"INSERT INTO observations_fts(rowid, {_INDEXED}) "
    "VALUES (new.id, new.title, new.content, new.tool_name, new.type, new.project);"
)
_REMOVE = (
    f"INSERT INTO observations_fts(observations_fts, rowid, {_INDEXED}) "
    "VALUES ('delete', old.id, old.title, old.content, old.tool_name, old.type, old.project);"
)
# Theirs fires at every update. Only these columns are in the index: a soft-delete need not rewrite it.
TRIGGERS = {
    "obs_fts_insert": f"AFTER INSERT ON observations BEGIN {_ADD} END",
    "obs_fts_delete": f"AFTER DELETE ON observations BEGIN {_REMOVE} END",
    "obs_fts_update": f"AFTER UPDATE OF {_INDEXED} ON observations BEGIN {_REMOVE} {_ADD} END",
}
_USING = f"fts5({_INDEXED}, content='observations', content_rowid='id')"
FULL_TEXT = (
    f"CREATE VIRTUAL TABLE observations_fts USING {_USING}",
    *(f"CREATE TRIGGER {name} {what}" for name, what in TRIGGERS.items()),
)
"""The index of words and what keeps it, a statement each."""

LAST_TOUCHED = "max(created_at, updated_at, coalesce(last_seen_at, created_at))"
"""When a row of our own database was last alive; its stamps all have one form, so text compares as time."""

LAST_TOUCHED_ANYWHERE = (
    "max(coalesce(datetime(created_at), ''), coalesce(datetime(updated_at), ''), "
    "coalesce(datetime(last_seen_at), ''))"
)
"""The same in a foreign database, where stamps come in several forms; '' where none of them can be read."""

# `deleted_at` is constant in a partial index of live rows; with it SQLite counts without reading the rows.
_BY_AGE = f"project, {LAST_TOUCHED}, id, type, scope, namespace, deleted_at"
_LIVE = "WHERE deleted_at IS NULL"
INDEXES = tuple(
    f"CREATE INDEX IF NOT EXISTS {name} ON observations({columns}) {rows}"
    for name, columns, rows in (
        ("own_by_topic", "topic_key, id", "WHERE topic_key IS NOT NULL"),
        ("own_by_age", _BY_AGE, _LIVE),
        ("own_by_hash", "normalized_hash, project", _LIVE),
        ("own_documents", "type, project", f"{_LIVE} AND type = 'progress'"),
    )
)

SCHEMA = f"PRAGMA application_id = {APPLICATION_ID};{TABLES}{';'.join(FULL_TEXT)};"
"""An empty database without a number; `migrations` adds the rest."""

COLUMNS = frozenset({
    "id", "session_id", "type", "title", "content", "tool_name", "project", "scope", "topic_key",
    "normalized_hash", "revision_count", "duplicate_count", "last_seen_at",
    "created_at", "updated_at", "deleted_at",
})  # fmt: skip
"""What `observations` must have; `namespace` (newer Hoofy) and `sync_id` (engram) may be there or not."""
