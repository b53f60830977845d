"""A memory database, and rows of any age in it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.memory.database import writing
from progress_plugin.usecases.memory.location import MemoryLocation

NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
Add = Callable[..., int]
Dump = Callable[[], list[str]]
Rows = Callable[..., list[tuple[Any, ...]]]


@pytest.fixture
def place(tmp_path: Path) -> MemoryLocation:
    """Return a project `shop` with a database that does not exist yet."""
    root = tmp_path / "shop"
    root.mkdir()
    return MemoryLocation(database=str(tmp_path / "data" / "memory.db"), root=str(root), names=("shop",))


@pytest.fixture
def add(place: MemoryLocation) -> Add:
    """Return a function that puts a row of some age, in days, into the database and returns its id."""

    def insert(age: float = 100, **values: Any) -> int:
        at = (NOW - timedelta(days=age)).strftime("%Y-%m-%d %H:%M:%S")
        row = {
            "session_id": "s1", "type": "decision", "title": "a title", "content": "some content",
            "project": "shop", "created_at": at, "updated_at": at, **values,
        }  # fmt: skip
        with writing(place.database) as db:
            db.execute("INSERT OR IGNORE INTO sessions (id, project, directory) VALUES ('s1', 'shop', '')")
            names, marks = ", ".join(row), ", ".join("?" * len(row))
            number = db.execute(
                f"INSERT INTO observations ({names}) VALUES ({marks})", tuple(row.values())
            ).lastrowid
        assert number is not None
        return number

    return insert


@pytest.fixture
def dump(place: MemoryLocation) -> Dump:
    """Return a function that gives the whole database as SQL."""

    def lines() -> list[str]:
        with closing(sqlite3.connect(place.database)) as db:
            return list(db.iterdump())

    return lines


@pytest.fixture
def rows(place: MemoryLocation) -> Rows:
    """Return a function that runs a query on the database."""

    def query(statement: str, *values: Any) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(place.database)) as db:
            return db.execute(statement, values).fetchall()

    return query
