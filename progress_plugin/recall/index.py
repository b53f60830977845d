"""The index of a project's history: passages in SQLite's full-text search, in a file that is a cache.

The file is in the user's own directory and readable by the user alone. When an input has changed, or the
file is damaged or in another format, it is made again from the sources.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from progress_plugin import RECALL_FORMAT, VERSION
from progress_plugin.core.errors import AgentProgressError, Busy, DiskRefused
from progress_plugin.core.files import SQLITE_SUFFIXES, content_digest
from progress_plugin.core.paths import make_private, user_cache
from progress_plugin.memory.sqlite import BUSY, open_file, primary_code, transaction
from progress_plugin.recall.terms import terms_of

if TYPE_CHECKING:
    from progress_plugin.core.lock import FileLock

FILE = "index.db"
FOLDER = "recall"
VERSION_FACT = "version"
READ_TIMEOUT_S = 5.0  # while another process commits
MAX_AGE_S = 30 * 86_400  # after which the index of a project that is not asked about is removed
_VERSION = f"{VERSION} {RECALL_FORMAT}".encode()
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
        """Return the value that `note` has kept under a name."""
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


def create_in_memory() -> Index:
    """Return an empty index for this process alone: there is no place for a file."""
    return _with_tables(sqlite3.connect(":memory:", isolation_level=None))


def _with_tables(connection: sqlite3.Connection) -> Index:
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


def index_path(root: str) -> str | None:
    """Return the file for the project at `root`; None without a home."""
    cache = user_cache()
    return cache and os.path.join(cache, FOLDER, content_digest(os.fsencode(root)).decode(), FILE)


def index_lock(path: str) -> FileLock:
    """Return the lock of the processes that write an index. Entering it raises what `FileLock` raises."""
    from progress_plugin.core.lock import DEFAULT_TIMEOUT_S, FileLock  # noqa: PLC0415 - if something has changed

    folder = os.path.dirname(path)
    make_private(folder)
    return FileLock(os.path.join(folder, "lock"), DEFAULT_TIMEOUT_S)


def open_index(path: str) -> Index | None:
    """Return the index at `path`, None if there is none in the present format, made by this version.

    Raises sqlite3.Error if another process holds it.
    """
    if os.path.islink(path) or not os.path.isfile(path):
        return None
    connection = open_file(path, "ro", READ_TIMEOUT_S)
    try:
        index = Index(connection)
        if index.fact(VERSION_FACT) == _VERSION:
            return index
    except sqlite3.DatabaseError as error:
        if primary_code(error) in BUSY:
            connection.close()
            raise
    connection.close()
    return None


def create_index(path: str) -> Index:
    """Return an empty index in the place of what is at `path`. The caller holds the lock.

    Raises OSError and sqlite3.Error if no file can be made.
    """
    _remove(path)
    _remove_old(os.path.dirname(os.path.dirname(path)))
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    connection = open_file(path, "rw", READ_TIMEOUT_S)
    with transaction(connection):
        index = _with_tables(connection)
        index.note(VERSION_FACT, _VERSION)
    return index


def forget_all() -> None:
    """Remove the index of every project, because something was erased that any of them may hold.

    A project that was moved leaves an index that no path of today leads to. Links in the place of a folder
    are not followed. Raises DiskRefused if an index cannot be removed.
    """
    cache = user_cache()
    above = os.path.join(cache, FOLDER) if cache else None
    if above is None or os.path.islink(above) or not os.path.isdir(above):
        return
    try:
        with os.scandir(above) as found:
            folders = [entry.path for entry in found if entry.is_dir(follow_symlinks=False)]
        for folder in folders:
            index = os.path.join(folder, FILE)
            with suppress(Busy), index_lock(index):
                pass  # a process that indexes now has read what was there before
            _remove(index)
    except OSError as error:
        raise DiskRefused(f"cannot remove the indexes in {above}", error) from error


def _remove(path: str) -> None:
    for name in (path, *(path + ending for ending in SQLITE_SUFFIXES)):
        if os.path.lexists(name):
            os.unlink(name)


def _remove_old(folder: str) -> None:
    oldest = time.time() - MAX_AGE_S
    for entry in list(os.scandir(folder)):
        index = os.path.join(entry.path, FILE)
        if os.path.lexists(index) and os.lstat(index).st_mtime < oldest:
            _remove(index)


@lru_cache(maxsize=1024)  # the passages of an entry have the same heading
def _terms_above(text: str) -> str:
    return " ".join(terms_of(text))
