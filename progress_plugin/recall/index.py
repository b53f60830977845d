"""The index of a project's history: passages in one SQLite file, replaced source by source.

It is a cache in the user's own directory, readable by the user alone. A file that is damaged, a link or in
another format is removed and made again from the sources.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from progress_plugin import RECALL_FORMAT
from progress_plugin.core.errors import AgentProgressError, Busy, DiskRefused
from progress_plugin.core.files import SQLITE_SUFFIXES, content_digest
from progress_plugin.core.paths import make_private, user_cache
from progress_plugin.recall.terms import terms_of

if TYPE_CHECKING:
    from progress_plugin.core.lock import FileLock

APPLICATION_ID = 0x61677270
NAME = "index.db"
FOLDER = "recall"
READ_TIMEOUT_S = 5.0  # while another process commits
MAX_AGE_S = 30 * 86_400  # after which the index of a project that is not asked about is removed
LEARNINGS = frozenset({"pattern", "gotcha", "dependency"})
SESSION, MEMORY = "session", "memory"
KINDS = (
    "pattern", "gotcha", "dependency", "blocker", "next", "status", "story", "work", "files", "checks",
    "notes", "other", SESSION, MEMORY,
)  # fmt: skip

SCHEMA = (
    "CREATE TABLE facts (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID",
    """CREATE TABLE sources (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, state BLOB NOT NULL,
    entries INTEGER NOT NULL, later INTEGER NOT NULL, passages INTEGER NOT NULL,
    is_plan INTEGER NOT NULL)""",
    """CREATE TABLE passages (id INTEGER PRIMARY KEY, source INTEGER NOT NULL, line INTEGER NOT NULL,
    last INTEGER NOT NULL, entry INTEGER NOT NULL, stories TEXT NOT NULL, at TEXT NOT NULL,
    kind TEXT NOT NULL, worth REAL NOT NULL, text TEXT NOT NULL, terms TEXT NOT NULL,
    about TEXT NOT NULL, title TEXT NOT NULL, blocker TEXT NOT NULL,
    is_over INTEGER NOT NULL, is_heading INTEGER NOT NULL,
    corrects INTEGER NOT NULL, writer TEXT NOT NULL)""",
    "CREATE INDEX by_source ON passages (source, entry)",
    "CREATE INDEX by_kind ON passages (kind, source, entry)",
    "CREATE INDEX by_stories ON passages (stories, source, entry)",
    "CREATE INDEX corrections ON passages (id) WHERE corrects",
    """CREATE VIRTUAL TABLE words USING fts5(terms, about, content='passages', content_rowid='id',
    tokenize='unicode61 remove_diacritics 0')""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One passage to be indexed: safe text without secrets."""

    text: str
    line: int = 0  # first line in its file; 0 if only the file is known
    last: int = 0
    entry: int = 0  # place of its entry in time, 1 = oldest; 0 outside of entries
    stories: tuple[str, ...] = ()
    when: str = ""  # ISO 8601 in UTC, or a day; empty if nothing dates it
    kind: str
    worth: float
    about: str = ""  # what it belongs to: story, title, section
    title: str = ""  # of its story
    blocker: str = ""  # id of the entry of ours that states this blocker
    is_over: bool = False  # a blocker that its log calls resolved
    is_heading: bool = False
    corrects: bool = False  # says that something has changed
    writer: str = ""  # the other clone that wrote it; empty for this one


@dataclass(frozen=True, slots=True)
class Source:
    """One file of the history, or another unit that is indexed as a whole."""

    path: str
    state: bytes  # equal states have equal passages
    entries: int  # 0 if only reading shows how many there are
    later: int  # entries of the same history in other files, all younger
    read: Callable[[], Iterable[Passage]]
    is_plan: bool = False


class Candidate(NamedTuple):
    """A passage as it is stored."""

    id: int
    source: int
    line: int
    last: int
    entry: int
    stories: str  # each with a line break on either side
    at: str
    kind: str
    worth: float
    text: str
    terms: str
    about: str  # the terms of it
    title: str
    blocker: str
    is_over: int
    is_heading: int
    writer: str


COLUMNS = ", ".join(f"p.{name}" for name in Candidate._fields)  # of passages called `p`


@lru_cache(maxsize=1024)
def stored_name(text: str) -> str:
    """Return the id of a story as it is stored and looked for: safe, without secrets, and bounded."""
    from progress_plugin.text.safe_output import one_line  # noqa: PLC0415 - most questions name no story

    return one_line(text, 200)


def story_key(stored: str) -> str:
    """Return what is the same for all spellings of a story's id."""
    return stored.casefold()


class Index:
    """One open index. A writer is in a transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    @contextmanager
    def transaction(self, kind: str = "") -> Iterator[None]:
        """Run the block in one transaction, which is rolled back if it raises."""
        self.connection.execute(f"BEGIN {kind}")
        try:
            yield
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise
        self.connection.execute("COMMIT")

    def fact(self, name: str) -> bytes | None:
        """Return what `note` has kept under a name."""
        row = self.connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return bytes(row[0]) if row else None

    def note(self, name: str, value: bytes) -> None:
        """Keep a fact about the index as a whole."""
        self.connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))

    def has_sources(self) -> bool:
        """Return whether anything is indexed."""
        return self.connection.execute("SELECT 1 FROM sources LIMIT 1").fetchone() is not None

    def refresh(self, sources: Iterable[Source]) -> None:
        """Replace the sources that have changed and remove those that are gone."""
        states = {
            path: bytes(state) for path, state in self.connection.execute("SELECT path, state FROM sources")
        }
        known = set(states)
        has_removed = False
        for source in sources:
            known.discard(source.path)
            if states.get(source.path) == source.state:
                self.connection.execute(
                    "UPDATE sources SET later = ? WHERE path = ?", (source.later, source.path)
                )
            else:
                has_removed |= source.path in states
                self._remove(source.path)
                self._add(source)
        for path in known:
            self._remove(path)
        if known or has_removed:
            # Only merging all segments of FTS5 takes deleted words out of the file.
            self.connection.execute("INSERT INTO words (words) VALUES ('optimize')")

    def _remove(self, path: str) -> None:
        row = self.connection.execute("SELECT id FROM sources WHERE path = ?", (path,)).fetchone()
        if row is not None:
            self.connection.execute(
                "INSERT INTO words (words, rowid, terms, about) "
                "SELECT 'delete', id, terms, about FROM passages WHERE source = ?",
                row,
            )
            self.connection.execute("DELETE FROM passages WHERE source = ?", row)
            self.connection.execute("DELETE FROM sources WHERE id = ?", row)

    def _add(self, source: Source) -> None:
        """Put a source with its passages behind all others: those of an entry follow one another."""
        passages = list(source.read())
        entries = source.entries or max((passage.entry for passage in passages), default=0)
        number = self.connection.execute(
            "INSERT INTO sources (path, state, entries, later, passages, is_plan) VALUES (?, ?, ?, ?, ?, ?)",
            (source.path, source.state, entries, source.later, len(passages), source.is_plan),
        ).lastrowid
        self.connection.executemany(
            "INSERT INTO passages (source, line, last, entry, stories, at, kind, worth, text, terms, about, "
            "title, blocker, is_over, is_heading, corrects, writer) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ((number, *_row(passage)) for passage in passages),
        )
        self.connection.execute(
            "INSERT INTO words (rowid, terms, about) SELECT id, terms, about FROM passages WHERE source = ?",
            (number,),
        )


def index_path(root: str) -> str | None:
    """Return the file for the project at `root`; None without a home."""
    cache = user_cache()
    return cache and os.path.join(cache, FOLDER, content_digest(os.fsencode(root)).decode(), NAME)


def lock_of(path: str) -> FileLock:
    """Return the lock of the processes that write an index. Entering it raises what `FileLock` raises."""
    from progress_plugin.core.lock import DEFAULT_TIMEOUT_S, FileLock  # noqa: PLC0415 - if something has changed

    folder = os.path.dirname(path)
    make_private(folder)
    return FileLock(os.path.join(folder, "lock"), DEFAULT_TIMEOUT_S)


def open_to_read(path: str) -> Index | None:
    """Return the index at `path`, None if none can be used. Raises sqlite3.Error if it is locked."""
    if not _is_plain(path):
        return None
    plain = path.replace("\\", "/") if os.name == "nt" else path
    for sign in "%?#":
        plain = plain.replace(sign, f"%{ord(sign):02x}")
    uri = f"file:{'' if plain.startswith('/') else '/'}{plain}?mode=ro"
    connection = None
    try:
        connection = sqlite3.connect(uri, uri=True, timeout=READ_TIMEOUT_S, isolation_level=None)
        application, version = (
            connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")
        )
        if (application, version) == (APPLICATION_ID, RECALL_FORMAT):
            return Index(connection)
    except sqlite3.DatabaseError as error:
        if primary_code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise
    if connection is not None:
        connection.close()
    return None


def open_to_write(path: str, *, anew: bool = False) -> Index:
    """Return the index at `path`, a new one if none can be used. The caller holds the lock.

    Raises OSError and sqlite3.Error if no file can be made.
    """
    usable = None if anew else open_to_read(path)
    if usable is not None:
        usable.connection.close()
        return Index(_connect(path))
    throw_away(path)
    _remove_old(os.path.dirname(os.path.dirname(path)))
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    return _made(_connect(path))


def in_memory() -> Index:
    """Return an index for this process alone: there is no place for a file."""
    return _made(_connect(":memory:"))


def throw_away(path: str) -> None:
    """Remove an index, or what is in its place."""
    for name in (path, *(path + ending for ending in SQLITE_SUFFIXES)):
        if os.path.isdir(name) and not os.path.islink(name):
            import shutil  # noqa: PLC0415 - hardly ever

            shutil.rmtree(name)
        elif os.path.lexists(name):
            os.unlink(name)


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
            index = os.path.join(folder, NAME)
            with suppress(Busy), lock_of(index):
                pass  # a process that indexes now has read what was there before
            throw_away(index)
    except OSError as error:
        raise DiskRefused(f"cannot remove the indexes in {above}", error) from error


def primary_code(error: sqlite3.Error) -> int:
    """Return the primary result code of SQLite."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


@lru_cache(maxsize=1024)  # the passages of an entry have the same heading
def _terms_above(text: str) -> str:
    return " ".join(terms_of(text))


def _row(passage: Passage) -> tuple[object, ...]:
    stories = "".join(f"\n{story}\n" for story in passage.stories)
    return (
        passage.line, passage.last, passage.entry, stories, passage.when, passage.kind, passage.worth,
        passage.text, " ".join(terms_of(passage.text)), _terms_above(passage.about), passage.title,
        passage.blocker, passage.is_over, passage.is_heading, passage.corrects, passage.writer,
    )  # fmt: skip


def _connect(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=READ_TIMEOUT_S, isolation_level=None)
    connection.execute("PRAGMA secure_delete = ON")  # removed text does not stay in freed pages
    return connection


def _made(connection: sqlite3.Connection) -> Index:
    index = Index(connection)
    with index.transaction("IMMEDIATE"):
        try:
            for statement in SCHEMA:
                connection.execute(statement)
        except sqlite3.OperationalError as error:
            if "no such module" not in str(error):
                raise
            raise AgentProgressError(
                "this Python's SQLite was built without full-text search (FTS5), which recall needs; "
                "use another Python, or look with `agent-progress context --whole`"
            ) from error
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {RECALL_FORMAT}")
    return index


def _is_plain(path: str) -> bool:
    """Return whether this is a file of the user's own that no other user may read, and no link."""
    try:
        status = os.lstat(path)
    except OSError:
        return False
    if not stat.S_ISREG(status.st_mode) or (hasattr(os, "geteuid") and status.st_uid != os.geteuid()):
        return False
    others = [name for name in (path + ending for ending in SQLITE_SUFFIXES) if os.path.lexists(name)]
    if any(not stat.S_ISREG(os.lstat(name).st_mode) for name in others):
        return False
    return os.name != "posix" or not status.st_mode & 0o077


def _remove_old(folder: str) -> None:
    oldest = time.time() - MAX_AGE_S
    for entry in list(os.scandir(folder)):
        index = os.path.join(entry.path, NAME)
        if os.path.lexists(index) and os.lstat(index).st_mtime < oldest:
            throw_away(index)
