"""Databases as we and others make them, and rows of any age in them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.memory.database import writing
from progress_plugin.usecases.memory.location import MemoryLocation

NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)

SHARED = """
CREATE TABLE sessions (id TEXT PRIMARY KEY, project TEXT NOT NULL, directory TEXT NOT NULL,
  started_at TEXT NOT NULL DEFAULT (datetime('now')), ended_at TEXT, summary TEXT);
CREATE TABLE user_prompts (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, content TEXT NOT NULL,
  project TEXT, created_at TEXT NOT NULL DEFAULT (datetime('now')), FOREIGN KEY (session_id) REFERENCES sessions(id));
CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT, {extra} session_id TEXT NOT NULL, type TEXT NOT NULL,
  title TEXT NOT NULL, content TEXT NOT NULL, tool_name TEXT, project TEXT, scope TEXT NOT NULL DEFAULT 'project',
  topic_key TEXT, {namespace} normalized_hash TEXT, revision_count INTEGER NOT NULL DEFAULT 1,
  duplicate_count INTEGER NOT NULL DEFAULT 1, last_seen_at TEXT, created_at TEXT NOT NULL DEFAULT (datetime('now')),
  updated_at TEXT NOT NULL DEFAULT (datetime('now')), deleted_at TEXT, FOREIGN KEY (session_id) REFERENCES sessions(id));
CREATE INDEX idx_obs_type ON observations(type);
CREATE INDEX idx_obs_topic ON observations(topic_key, project, scope, updated_at DESC);
CREATE VIRTUAL TABLE observations_fts USING fts5({fts}, content='observations', content_rowid='id');
CREATE TRIGGER obs_fts_insert AFTER INSERT ON observations BEGIN
  INSERT INTO observations_fts(rowid, {fts}) VALUES (new.id, {new}); END;
CREATE TRIGGER obs_fts_delete AFTER DELETE ON observations BEGIN
  INSERT INTO observations_fts(observations_fts, rowid, {fts}) VALUES ('delete', old.id, {old}); END;
CREATE TRIGGER obs_fts_update AFTER UPDATE ON observations BEGIN
  INSERT INTO observations_fts(observations_fts, rowid, {fts}) VALUES ('delete', old.id, {old});
  INSERT INTO observations_fts(rowid, {fts}) VALUES (new.id, {new}); END;
INSERT INTO sessions (id, project, directory) VALUES ('s1', 'shop', '/somewhere');
"""


def foreign_schema(kind: str) -> str:
    """Return the layout of `engram`, `hoofy` (with namespaces) or `hoofy-old` (without)."""
    columns = [
        "title",
        "content",
        "tool_name",
        "type",
        "project",
        *(["topic_key"] if kind == "engram" else []),
    ]
    return SHARED.format(
        extra="sync_id TEXT," if kind == "engram" else "",
        namespace="namespace TEXT," if kind == "hoofy" else "",
        fts=", ".join(columns),
        new=", ".join(f"new.{column}" for column in columns),
        old=", ".join(f"old.{column}" for column in columns),
    )


@pytest.fixture
def place(tmp_path: Path) -> MemoryLocation:
    """Return a project `shop` with a database of ours that does not exist yet."""
    root = tmp_path / "shop"
    root.mkdir()
    return MemoryLocation(database=str(tmp_path / "data" / "memory.db"), root=str(root), name="shop")


@pytest.fixture(params=["hoofy", "hoofy-old", "engram"])
def foreign(request: pytest.FixtureRequest, place: MemoryLocation) -> MemoryLocation:
    """Return the same project with a database that another program made."""
    Path(place.database).parent.mkdir()
    with sqlite3.connect(place.database) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(foreign_schema(request.param))
    connection.close()
    return place


@pytest.fixture
def add(place: MemoryLocation) -> Callable[..., int]:
    """Return a function that puts a row of some age, in days, into the database and returns its id."""

    def insert(age: float = 100, **values: Any) -> int:
        at = (NOW - timedelta(days=age)).strftime("%Y-%m-%d %H:%M:%S")
        row = {
            "session_id": "s1", "type": "decision", "title": "a title", "content": "some content", "project": "shop",
            "created_at": at, "updated_at": at, **values,
        }  # fmt: skip
        with writing(place.database) as store:
            store.connection.execute(
                "INSERT OR IGNORE INTO sessions (id, project, directory) VALUES ('s1', 'shop', '')"
            )
            names, marks = ", ".join(row), ", ".join("?" * len(row))
            statement = f"INSERT INTO observations ({names}) VALUES ({marks})"
            number = store.connection.execute(statement, tuple(row.values())).lastrowid
        assert number is not None
        return number

    return insert


@pytest.fixture
def dump(place: MemoryLocation) -> Callable[[], list[str]]:
    """Return a function that gives the whole database as SQL."""

    def lines() -> list[str]:
        connection = sqlite3.connect(place.database)
        try:
            return list(connection.iterdump())
        finally:
            connection.close()

    return lines


@pytest.fixture
def rows(place: MemoryLocation) -> Callable[..., list[tuple[Any, ...]]]:
    """Return a function that runs a query on the database."""

    def query(statement: str, *values: Any) -> list[tuple[Any, ...]]:
        connection = sqlite3.connect(place.database)
        try:
            return connection.execute(statement, values).fetchall()
        finally:
            connection.close()

    return query
