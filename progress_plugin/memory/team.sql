-- Which rows of the memory a team shares.

-- An observation counts as deleted if `row` is 0 or the row with that id is deleted. `writer` is NULL if this clone sends it.
CREATE TABLE IF NOT EXISTS team_observations (
    root TEXT NOT NULL, id TEXT NOT NULL, row INTEGER NOT NULL DEFAULT 0, writer TEXT, PRIMARY KEY (root, id));

-- The revision of a document that this machine and the server agree on, and its row here.
CREATE TABLE IF NOT EXISTS team_documents (
    root TEXT NOT NULL, key TEXT NOT NULL, revision INTEGER NOT NULL, row INTEGER NOT NULL,
    PRIMARY KEY (root, key));

CREATE TABLE IF NOT EXISTS team_cursors (
    root TEXT PRIMARY KEY, seq INTEGER NOT NULL, mark TEXT NOT NULL);
