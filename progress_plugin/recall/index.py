"""The index of a project's history: its passages in SQLite's full-text search, cached in a file.

The file is in the user's cache directory, and only the user can read it. When an input has changed, or the
file is damaged or in another format, the index is made again from the sources, in memory, and then written.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from progress_plugin import RECALL_FORMAT, VERSION
from progress_plugin.core.errors import AgentProgressError, Busy, DiskRefused
from progress_plugin.core.files import content_digest, list_inside, write_atomic
from progress_plugin.core.paths import make_private, user_cache
from progress_plugin.memory.database import open_file, transaction
from progress_plugin.text.safe_output import stored_line
from progress_plugin.text.search_terms import terms_of

if TYPE_CHECKING:
    from progress_plugin.core.lock import FileLock

FILE, LOCK_FILE = "index.db", "lock"
FOLDER = "recall"
VERSION_FACT = "version"
MAX_AGE_S = 30 * 86_400  # after which an index that was not written again is removed
MAX_ABOUT_CHARS = 300
DAY_CHARS = len("2026-11-01")
INDEX_VERSION = f"{VERSION} {RECALL_FORMAT}"
LEARNINGS = frozenset({"pattern", "gotcha", "dependency"})
SESSION, MEMORY = "session", "memory"
KINDS = (
    "pattern", "gotcha", "dependency", "blocker", "next", "status", "story", "work", "files", "checks",
    "notes", "other", SESSION, MEMORY,
)  # fmt: skip


class Passage(NamedTuple):
    """One line of the history, safe to show. The index fills the fields from `about` on."""

    kind: str
    worth: float  # how much it is worth knowing, whatever the question
    text: str
    line: int = 0  # first line in its file; 0 if only the file is known
    last: int = 0  # last line, if that is another one
    entry: int = 0  # number of its entry, 1 for the oldest; 0 outside of entries
    stories: str = ""  # each with a line break on either side
    at: str = ""  # ISO 8601 in UTC, or a day; empty if nothing dates it
    title: str = ""  # of its story
    blocker: str = ""  # of a blocker: `open` or `resolved`; empty if that is not known
    is_heading: bool = False
    corrects: bool = False  # the text says that something has changed
    writer: str = ""  # the other clone that wrote it; empty for this one
    label: str = ""  # context of the text, such as the name of its section
    story_status: str = ""  # when the index was made: `done`, or `done in prd.json, pending in TODO.md`
    about: str = ""  # terms of its stories, title, label and day
    terms: str = ""
    path: str = ""  # of its file; without a file another name, e.g. `session 0199…`
    is_plan: bool = False
    age: int = 0  # number of newer entries in the same log and its archives, or of newer sessions
    id: int = 0  # neighbours in a source have neighbouring ids

    def with_files(self, files: Iterable[str]) -> list[Passage]:
        """Return this passage, and one that lists the files of its entry if there are any."""
        names = ", ".join(files)
        text = stored_line(f"Files: {names}")
        of_files = self._replace(kind="files", worth=0.0, text=text, is_heading=False)
        return [self, of_files] if names else [self]


_FIELDS = Passage._fields[:-1]  # all but the id
_GIVEN = _FIELDS.index("about")  # number of fields that the source fills
COLUMNS = ", ".join(f"p.{name}" for name in Passage._fields)  # of the table `passages`, named `p`
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


class IndexedFile(NamedTuple):
    """One file of the history, or another source, e.g. a session."""

    path: str
    passages: Iterable[Passage]
    later: int = 0  # number of newer entries in later files of the same log, or of newer sessions
    is_plan: bool = False

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield the passages with text as rows of the table."""
        passages = [passage for passage in self.passages if passage.text]
        newest = self.later + max((passage.entry for passage in passages), default=0)
        for each in passages:
            about = f"{each.stories} {each.title} {each.label} {each.at[:DAY_CHARS]}"[:MAX_ABOUT_CHARS]
            terms = _terms_of_about(about), " ".join(terms_of(each.text))
            yield (*each[:_GIVEN], *terms, self.path, self.is_plan, newest - each.entry)


def story_list(names: Iterable[str]) -> str:
    """Join ids of stories, and the spec of an entry of our log, for the field `stories` of a passage."""
    return "".join(f"\n{name}\n" for name in names)


def stories_in(stories: str) -> list[str]:
    return [name for name in stories.split("\n") if name]


class Index:
    """One open index."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def read_fact(self, name: str) -> Any:
        """Return the value that `store_fact` stored under a name; None if there is none."""
        row = self.connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return json.loads(row[0]) if row else None

    def store_fact(self, name: str, value: Any) -> None:
        """Store a JSON value about the whole index under a name."""
        self.connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, json.dumps(value)))

    def select(self, rest: str, values: Iterable[Any] = ()) -> list[Passage]:
        """Return the passages of `SELECT … FROM passages p`, continued by `rest`."""
        rows = self.connection.execute(f"SELECT {COLUMNS} FROM passages p {rest}", tuple(values))
        return list(map(Passage._make, rows))

    def fill(self, sources: Iterable[IndexedFile]) -> None:
        """Fill an empty index."""
        marks = ", ".join("?" * len(_FIELDS))
        insert = f"INSERT INTO passages ({', '.join(_FIELDS)}) VALUES ({marks})"
        with transaction(self.connection):
            for source in sources:
                self.connection.executemany(insert, source.rows())
            for statement in INDEXES:
                self.connection.execute(statement)


def new_index() -> Index:
    """Return an empty index in memory. Raises AgentProgressError if SQLite has no full-text search."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        for statement in TABLES:
            connection.execute(statement)
    except sqlite3.OperationalError as error:
        if "no such module" not in str(error):
            raise
        raise AgentProgressError(
            "this Python's SQLite was built without full-text search (FTS5), which recall needs; "
            "use another Python, or read the history with `agent-progress context --whole`"
        ) from error
    index = Index(connection)
    index.store_fact(VERSION_FACT, INDEX_VERSION)
    return index


def index_path(root: str) -> str:
    return os.path.join(user_cache(), FOLDER, content_digest(os.fsencode(root)).decode(), FILE)


def open_index(path: str) -> Index | None:
    """Return the index at `path`; None without one. Reading a damaged one raises sqlite3.DatabaseError."""
    is_there = os.path.isfile(path) and not os.path.islink(path)
    return Index(open_file(path, "ro", 0)) if is_there else None


def keep_index(index: Index, path: str, is_current: Callable[[], bool]) -> None:
    """Write an index to `path`, unless its sources have changed since they were read.

    Indexes older than `MAX_AGE_S` are removed. Raises OSError or AgentProgressError if the disk refuses.
    """
    make_private(os.path.dirname(path))
    with _lock(path):
        if is_current():
            _remove_files(path)
            write_atomic(path, index.connection.serialize(), durable=False, private=True)
    oldest = time.time() - MAX_AGE_S
    for other in _every_path():
        if os.path.lexists(other) and os.lstat(other).st_mtime < oldest:
            _remove_files(other)


def forget_all() -> None:
    """Remove the indexes of all projects after an erasure, since a moved project has one under its old path.

    Links in the place of a folder are not followed. Raises DiskRefused if an index cannot be removed.
    """
    try:
        for path in _every_path():
            with suppress(Busy), _lock(path):
                pass  # wait for a process that is writing; one that writes later finds its sources changed
            _remove_files(path)
    except OSError as error:
        raise DiskRefused("cannot remove the indexes of `recall`", error) from error


def _lock(path: str) -> FileLock:
    from progress_plugin.core.lock import DEFAULT_TIMEOUT_S, FileLock  # noqa: PLC0415 - if something has changed

    return FileLock(os.path.join(os.path.dirname(path), LOCK_FILE), DEFAULT_TIMEOUT_S, "the index is locked")


def _every_path() -> list[str]:
    """Return the path of the index in each folder of a project."""
    above = os.path.join(user_cache(), FOLDER)
    if os.path.islink(above) or not os.path.isdir(above):
        return []
    with os.scandir(above) as found:
        return [os.path.join(entry.path, FILE) for entry in found if entry.is_dir(follow_symlinks=False)]


def _remove_files(path: str) -> None:
    """Remove all files in the folder of an index except the lock, also those that killed processes left."""
    for name in list_inside(None, os.path.dirname(path)):
        if name != LOCK_FILE:
            os.unlink(os.path.join(os.path.dirname(path), name))


@lru_cache(maxsize=1024)  # all passages of an entry ask for the same text
def _terms_of_about(text: str) -> str:
    return " ".join(terms_of(text))
