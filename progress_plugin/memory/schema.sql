-- The tables of the memory, format 2. `observations` has the columns of Hoofy and engram.

CREATE TABLE IF NOT EXISTS sessions (
    id TEXT PRIMARY KEY, project TEXT NOT NULL, directory TEXT NOT NULL,
    started_at TEXT NOT NULL DEFAULT (datetime('now')), ended_at TEXT, summary TEXT);

CREATE TABLE IF NOT EXISTS observations (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, type TEXT NOT NULL, title TEXT NOT NULL,
    content TEXT NOT NULL, tool_name TEXT, project TEXT, scope TEXT NOT NULL DEFAULT 'project',
    topic_key TEXT, namespace TEXT, normalized_hash TEXT, revision_count INTEGER NOT NULL DEFAULT 1,
    duplicate_count INTEGER NOT NULL DEFAULT 1, last_seen_at TEXT,
    created_at TEXT NOT NULL DEFAULT (datetime('now')), updated_at TEXT NOT NULL DEFAULT (datetime('now')),
    deleted_at TEXT, FOREIGN KEY (session_id) REFERENCES sessions(id));

CREATE TABLE compactions (
    id INTEGER PRIMARY KEY, at TEXT NOT NULL, project TEXT, ids TEXT NOT NULL, summary_id INTEGER);

CREATE TABLE projects (root TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE);

CREATE TABLE aliases (root TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (root, name));

CREATE VIRTUAL TABLE observation_terms USING fts5(terms, content='',
tokenize='unicode61 remove_diacritics 0');

CREATE INDEX IF NOT EXISTS own_by_topic ON observations(topic_key, id) WHERE topic_key IS NOT NULL;

-- `deleted_at` is constant in an index of live rows; with it SQLite counts without reading the rows.
CREATE INDEX IF NOT EXISTS own_by_age
    ON observations(project, {last_touched}, id, type, scope, namespace, deleted_at) WHERE deleted_at IS NULL;

CREATE INDEX IF NOT EXISTS own_by_hash ON observations(normalized_hash, project) WHERE deleted_at IS NULL;

CREATE INDEX IF NOT EXISTS own_documents ON observations(type, project) WHERE deleted_at IS NULL AND type = 'progress';
