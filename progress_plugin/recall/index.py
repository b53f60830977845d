"""The index of a project's history: passages in SQLite's full-text search."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from progress_plugin.core.errors import AgentProgressError
from progress_plugin.recall.terms import terms_of

LEARNINGS = frozenset({"pattern", "gotcha", "dependency"})
SESSION, MEMORY = "session", "memory"
KINDS = (
    "pattern", "gotcha", "dependency", "blocker", "next", "status", "story", "work", "files", "checks",
    "notes", "other", SESSION, MEMORY,
)  # fmt: skip


class Passage(NamedTuple):
    """One line of the history, safe to show. What follows `about` is filled in when it is indexed."""

    kind: str
    worth: float
    text: str
    line: int = 0  # first line in its file; 0 if only the file is known
    last: int = 0
    entry: int = 0  # place of its entry in time, 1 = oldest; 0 outside of entries
    stories: str = ""  # each with a line break on either side
    at: str = ""  # ISO 8601 in UTC, or a day; empty if nothing dates it
    title: str = ""  # of its story
    blocker: str = ""  # id of the entry of ours that states this blocker, `over` for one that is resolved
    is_heading: bool = False
    corrects: bool = False  # says that something has changed
    writer: str = ""  # the other clone that wrote it; empty for this one
    about: str = ""  # what it belongs to: story, title, section; in the index the terms of it
    terms: str = ""
    path: str = ""  # of its file, or what else its source is called
    is_plan: bool = False
    age: int = 0  # entries of the same history that are younger
    id: int = 0  # neighbours in a source have neighbouring ids


_FIELDS = Passage._fields[:-1]  # all but the id
COLUMNS = ", ".join(f"p.{name}" for name in Passage._fields)  # of passages called `p`
TABLES = (
    "CREATE TABLE facts (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID",
    f"CREATE TABLE passages (id INTEGER PRIMARY KEY, {', '.join(_FIELDS)})",
    """CREATE VIRTUAL TABLE words USING fts5(terms, about, content='passages', content_rowid='id',
    tokenize='unicode61 remove_diacritics 0')""",
)
INDEXES = (
    "INSERT INTO words (rowid, terms, about) SELECT id, terms, about FROM passages",
    "CREATE INDEX by_age ON passages (age, id)",
    "CREATE INDEX by_kind ON passages (kind, age, id)",
    "CREATE INDEX corrections ON passages (id) WHERE corrects",
)


class Source(NamedTuple):
    """One file of the history, or another unit whose passages belong together."""

    path: str
    passages: Iterable[Passage]
    later: int = 0  # entries of the same history in other files, all younger
    is_plan: bool = False

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield the passages as they are stored."""
        passages = list(self.passages)
        newest = self.later + max((passage.entry for passage in passages), default=0)
        for each in passages:
            about, terms = _terms_above(each.about), " ".join(terms_of(each.text))
            yield (*each[:-6], about, terms, self.path, self.is_plan, newest - each.entry)


def story_list(names: Iterable[str]) -> str:
    """Return ids of stories as a passage has them."""
    return "".join(f"\n{name}\n" for name in names)


def stories_in(stories: str) -> list[str]:
    """Return the ids that `story_list` has joined."""
    return [name for name in stories.split("\n") if name]


class Index:
    """One open index. A writer is in a transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def fact(self, name: str) -> bytes | None:
        """Return what `note` has kept under a name."""
        row = self.connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return bytes(row[0]) if row else None

    def note(self, name: str, value: bytes) -> None:
        """Keep a fact about the index as a whole."""
        self.connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))

    def select(self, rest: str, values: Iterable[Any] = ()) -> list[Passage]:
        """Return the passages, called `p`, that the rest of a SELECT statement gives."""
        rows = self.connection.execute(f"SELECT {COLUMNS} FROM passages p {rest}", tuple(values))
        return list(map(Passage._make, rows))

    def fill(self, sources: Iterable[Source]) -> None:
        """Fill an empty index."""
        marks = ", ".join("?" * len(_FIELDS))
        for source in sources:
            self.connection.executemany(
                f"INSERT INTO passages ({', '.join(_FIELDS)}) VALUES ({marks})", source.rows()
            )
        for statement in INDEXES:
            self.connection.execute(statement)


def make_index(connection: sqlite3.Connection) -> Index:
    """Make the tables of an empty index."""
    try:
        for statement in TABLES:
            connection.execute(statement)
    except sqlite3.OperationalError as error:
        if "no such module" not in str(error):
            raise
        raise AgentProgressError(
            "this Python's SQLite was built without full-text search (FTS5), which recall needs; "
            "use another Python, or look with `agent-progress context --whole`"
        ) from error
    return Index(connection)


@lru_cache(maxsize=1024)  # the passages of an entry have the same heading
def _terms_above(text: str) -> str:
    return " ".join(terms_of(text))
