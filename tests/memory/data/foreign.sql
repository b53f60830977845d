CREATE TABLE sessions (id TEXT PRIMARY KEY, project TEXT NOT NULL, directory TEXT NOT NULL);
CREATE TABLE observations (id INTEGER PRIMARY KEY, {extra} session_id TEXT NOT NULL, type TEXT NOT NULL,
  title TEXT NOT NULL, content TEXT NOT NULL, tool_name TEXT, project TEXT, scope TEXT NOT NULL DEFAULT 'project',
  topic_key TEXT, normalized_hash TEXT, created_at TEXT, updated_at TEXT, deleted_at TEXT);
INSERT INTO sessions VALUES ('s1', 'shop', '/somewhere');
INSERT INTO observations (session_id, type, title, content, project, topic_key, created_at, deleted_at) VALUES
  ('s1', 'progress', 'Progress: shop', '{"goal": "<private>b</private>theirs"}', 'shop', 'progress/shop',
   '2026-04-01 00:00:00', NULL),
  ('s1', 'decision', 'Tides', 'They differ by season', 'shop', NULL, '2026-04-01T10:00:00Z', NULL),
  ('s1', 'decision', 'Gone', 'Deleted', 'shop', NULL, '2026-04-01', '2026-04-02');
