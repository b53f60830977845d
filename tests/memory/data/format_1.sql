PRAGMA application_id = 1095192658;
PRAGMA user_version = 1;
PRAGMA journal_mode = WAL;
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
CREATE VIRTUAL TABLE observations_fts USING fts5(title, content, tool_name, type, project, content='observations', content_rowid='id');
CREATE TRIGGER obs_fts_insert AFTER INSERT ON observations BEGIN INSERT INTO observations_fts(rowid, title, content, tool_name, type, project) VALUES (new.id, new.title, new.content, new.tool_name, new.type, new.project); END;
CREATE TRIGGER obs_fts_delete AFTER DELETE ON observations BEGIN INSERT INTO observations_fts(observations_fts, rowid, title, content, tool_name, type, project) VALUES ('delete', old.id, old.title, old.content, old.tool_name, old.type, old.project); END;
CREATE TRIGGER obs_fts_update AFTER UPDATE OF title, content, tool_name, type, project ON observations BEGIN INSERT INTO observations_fts(observations_fts, rowid, title, content, tool_name, type, project) VALUES ('delete', old.id, old.title, old.content, old.tool_name, old.type, old.project); INSERT INTO observations_fts(rowid, title, content, tool_name, type, project) VALUES (new.id, new.title, new.content, new.tool_name, new.type, new.project); END;
CREATE INDEX own_by_topic ON observations(topic_key, id) WHERE topic_key IS NOT NULL;
CREATE INDEX own_by_age ON observations(project, max(created_at, updated_at, coalesce(last_seen_at, created_at)), id, type, scope, namespace, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX own_by_hash ON observations(normalized_hash, project) WHERE deleted_at IS NULL;
CREATE INDEX own_documents ON observations(type, project) WHERE deleted_at IS NULL AND type = 'progress';
INSERT INTO sessions (id, project, directory, started_at)
  VALUES ('manual-save', 'Corner shop', '{HOME}/a/shop', '2026-01-21 12:00:00');
INSERT INTO observations (id, session_id, type, title, content, tool_name, project, scope, topic_key, normalized_hash, revision_count, duplicate_count, last_seen_at, created_at, updated_at)
  VALUES (1, 'manual-save', 'progress', 'Progress: Corner shop', '{"goal": "old name"}', 'mem_progress {HOME}/a/shop', 'Corner shop', 'project', 'progress/Corner shop', 'cf884870906bf430aeb4fcc769de760b4aa49b8bf5831285acd8ddcca1f5b63f', 1, 1, '2026-01-21 12:00:00', '2026-01-21 12:00:00', '2026-01-21 12:00:00');
INSERT INTO observations (id, session_id, type, title, content, tool_name, project, scope, topic_key, normalized_hash, revision_count, duplicate_count, last_seen_at, created_at, updated_at, deleted_at)
  VALUES (2, 'manual-save', 'progress', 'Progress: shop', '{"goal": "first"}', 'mem_progress {HOME}/a/shop', 'shop', 'project', 'progress/shop', '6337ae92c5aff46b85f850b15c538e7fa5b861181fdffdf538ef2d47b1b3d189', 1, 1, '2026-05-01 12:00:00', '2026-05-01 12:00:00', '2026-05-01 12:00:00', '2026-05-01 12:00:00');
INSERT INTO observations (id, session_id, type, title, content, tool_name, project, scope, topic_key, normalized_hash, revision_count, duplicate_count, last_seen_at, created_at, updated_at)
  VALUES (3, 'manual-save', 'progress', 'Progress: shop', '{"goal": "second"}', 'mem_progress {HOME}/a/shop', 'shop', 'project', 'progress/shop', 'd236151628bb1c5b292dc87176434ba9686de782404f89dc6bd34694beff5412', 2, 1, '2026-05-01 12:00:00', '2026-05-01 12:00:00', '2026-05-01 12:00:00');
INSERT INTO observations (id, session_id, type, title, content, tool_name, project, scope, topic_key, normalized_hash, revision_count, duplicate_count, last_seen_at, created_at, updated_at)
  VALUES (4, 'manual-save', 'progress', 'Progress: shop', '{"goal": "of b"}', 'mem_progress {HOME}/b/shop', 'shop', 'project', 'progress/shop@79bee0bd9be8', '61ac789026b9fdfd0137e37548471ade88a855b823ff7fb896eb9b32f334644c', 1, 1, '2026-05-01 12:00:00', '2026-05-01 12:00:00', '2026-05-01 12:00:00');
INSERT INTO observations (id, session_id, type, title, content, tool_name, project, scope, topic_key, namespace, normalized_hash, revision_count, duplicate_count, last_seen_at, created_at, updated_at)
  VALUES (5, 'manual-save', 'progress', 'Progress: shop', '{"goal": "scout"}', 'mem_progress {HOME}/a/shop', 'shop', 'project', 'progress/scout/shop', 'scout', 'd399a3a3a4df0d3ac797ddc96662e7e4a53e0235bb949d31093a807c82bdb898', 1, 1, '2026-05-01 12:00:00', '2026-05-01 12:00:00', '2026-05-01 12:00:00');
INSERT INTO observations (id, session_id, type, title, content, tool_name, project, scope, normalized_hash, revision_count, duplicate_count, last_seen_at, created_at, updated_at)
  VALUES (6, 'manual-save', 'decision', 'Cache', '用户身份校验', 'mem_save', 'shop', 'project', '823018374681a3dbd4d85341eff0af664b723af71eea175a084d059da5dcc5fb', 1, 1, '2026-01-21 12:00:00', '2026-01-21 12:00:00', '2026-01-21 12:00:00');
INSERT INTO observations (id, session_id, type, title, content, tool_name, project, scope, normalized_hash, revision_count, duplicate_count, last_seen_at, created_at, updated_at)
  VALUES (7, 'manual-save', 'decision', 'Codes', 'Kept in sqlite', 'mem_save', 'Corner shop', 'project', '5df1b88ea0df0a84686663cb7c8b3b06a80f8040d35406d716ea27c076902a03', 1, 1, '2026-05-01 12:00:00', '2026-05-01 12:00:00', '2026-05-01 12:00:00');
INSERT INTO observations (id, session_id, type, title, content, tool_name, project, scope, normalized_hash, revision_count, duplicate_count, last_seen_at, created_at, updated_at, deleted_at)
  VALUES (8, 'manual-save', 'decision', 'Taken', 'Compacted text', 'mem_save', 'shop', 'project', '674f0ebbfe688b124266405b3a91538e1ffa53da559dc2743732de0f6760297e', 1, 1, '2026-01-21 12:00:00', '2026-01-21 12:00:00', '2026-01-21 12:00:00', '2026-05-01 12:00:00');
INSERT INTO observations (id, session_id, type, title, content, tool_name, project, scope, normalized_hash, revision_count, duplicate_count, last_seen_at, created_at, updated_at)
  VALUES (9, 'manual-save', 'compaction_summary', 'Old', '', 'mem_compact', 'shop', 'project', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 1, 1, '2026-05-01 12:00:00', '2026-05-01 12:00:00', '2026-05-01 12:00:00');
