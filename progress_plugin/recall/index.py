"""The index: passages of a project's history in one SQLite file, replaced source by source (S18.7).

Everything in it can be made again from the sources. Where it lies and when it is thrown away is decided in
`index_file`, what is put into it, in `usecases.recalling.history_passages`.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache

from progress_plugin.core.light_typing import NamedTuple
from progress_plugin.recall.terms import terms_of
from progress_plugin.text.safe_output import one_line

_FACTS = "CREATE TABLE facts (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"
_SOURCES = """CREATE TABLE sources (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, state BLOB NOT NULL,
entries INTEGER NOT NULL, later INTEGER NOT NULL, size INTEGER NOT NULL, passages INTEGER NOT NULL,
left_out INTEGER NOT NULL, is_plan INTEGER NOT NULL)"""
_PASSAGES = """CREATE TABLE passages (id INTEGER PRIMARY KEY, source INTEGER NOT NULL, line INTEGER NOT NULL,
last INTEGER NOT NULL, entry INTEGER NOT NULL, stories TEXT NOT NULL, at TEXT NOT NULL, kind TEXT NOT NULL,
worth REAL NOT NULL, text TEXT NOT NULL, terms TEXT NOT NULL, about TEXT NOT NULL, title TEXT NOT NULL,
blocker TEXT NOT NULL, is_over INTEGER NOT NULL, is_heading INTEGER NOT NULL,
corrects INTEGER NOT NULL)"""
_WORDS = """CREATE VIRTUAL TABLE words USING fts5(terms, about, content='passages', content_rowid='id',
tokenize='unicode61 remove_diacritics 0')"""
SCHEMA = (
    _FACTS,
    _SOURCES,
    _PASSAGES,
    "CREATE INDEX by_source ON passages (source, entry)",
    "CREATE INDEX by_kind ON passages (kind, source, entry)",
    "CREATE INDEX by_stories ON passages (stories, source, entry)",
    "CREATE INDEX corrections ON passages (id) WHERE corrects",
    _WORDS,
)
LEARNINGS = frozenset({"pattern", "gotcha", "dependency"})
SESSION = "session"
KINDS = (
    "pattern", "gotcha", "dependency", "blocker", "next", "status", "story", "work", "files", "checks",
    "notes", "other", SESSION,
)  # fmt: skip
"""What a passage can be."""
MOST_TEXT = 64 << 20
"""Characters of passages in one index, some 400,000 of them; of what goes beyond the newest are kept."""


_LONGEST_NAME = 200


@lru_cache(maxsize=1024)  # the passages of an entry are of the same stories
def stored_name(text: str) -> str:
    """Return the id of a story as it is stored and looked for: harmless, without secrets, and bounded."""
    return one_line(text, _LONGEST_NAME)


def story_key(stored: str) -> str:
    """Return what the same story has, however its id is written: of a `stored_name`, or several by lines.

    Wherever ids are compared, large and small letters are the same (`plans.attribution`).
    """
    return stored.casefold()


class IndexedPassage(NamedTuple):
    """One passage as it is stored: harmless text without secrets."""

    text: str
    line: int
    """First line in its file, 1-based; 0 where only the file is known."""
    last: int
    entry: int
    """Place in true order of the entry it is in, 1 = oldest; 0 for what is outside of entries."""
    stories: tuple[str, ...]
    when: str
    """ISO 8601 in UTC or a day; empty where nothing dates it."""
    kind: str
    worth: float
    about: str
    """What it stands under: entry, section, label."""
    title: str = ""
    """What its story is called there; empty where nobody says."""
    blocker: str = ""
    """Id of the entry of ours that it says the blocker of."""
    is_over: bool = False
    """Whether it is a blocker that the log itself calls resolved."""
    is_heading: bool = False
    corrects: bool = False
    """Whether it says that something has changed."""


class Candidate(NamedTuple):
    """A passage as it is stored; what is equal to `IndexedPassage` has its name."""

    id: int
    source: int
    line: int
    last: int
    entry: int
    stories: str
    """Each with a line break on either side."""
    at: str
    kind: str
    worth: float
    text: str
    terms: str
    about: str
    """The terms of it."""
    title: str
    blocker: str
    is_over: int
    is_heading: int


COLUMNS = ", ".join(f"p.{name}" for name in Candidate._fields)
"""Of passages called `p`, in the order of a `Candidate`."""


class IndexedSource(NamedTuple):
    """One file of the history: what it was when it was read, and where its entries are in time."""

    path: str
    state: bytes
    """Equal states have equal passages."""
    entries: int
    """0 where only reading it shows how many there are."""
    later: int
    """Entries of the same history in other files, all younger."""
    is_plan: bool = False


class Index:
    """One open index; whoever writes is in a transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self._has_removed = False

    @contextmanager
    def transaction(self, kind: str = "") -> Iterator[None]:
        """Begin a transaction, and end it: committed, or rolled back where something was raised."""
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

    def states(self) -> dict[str, bytes]:
        """Return the state of each source that is indexed, by its path."""
        return {
            path: bytes(state) for path, state in self.connection.execute("SELECT path, state FROM sources")
        }

    def left_out(self) -> int:
        """Return how many passages are beyond what an index holds."""
        (count,) = self.connection.execute("SELECT coalesce(sum(left_out), 0) FROM sources").fetchone()
        return int(count)

    def place(self, source: IndexedSource) -> None:
        """Note where the entries of an unchanged source are in the order of time."""
        self.connection.execute("UPDATE sources SET later = ? WHERE path = ?", (source.later, source.path))

    def replace(self, source: IndexedSource, passages: Iterable[IndexedPassage]) -> None:
        """Put the passages of a source in the place of those it had."""
        self.remove(source.path)
        kept, size, left_out = self._fitting(list(passages))
        added = self.connection.execute(
            "INSERT INTO sources (path, state, entries, later, size, passages, left_out, is_plan) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                source.path,
                source.state,
                source.entries or max((passage.entry for passage in kept), default=0),
                source.later,
                size,
                len(kept),
                left_out,
                source.is_plan,
            ),
        )
        number = added.lastrowid
        self.connection.executemany(
            "INSERT INTO passages (source, line, last, entry, stories, at, kind, worth, text, terms, about, "
            "title, blocker, is_over, is_heading, corrects) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (_row(number, passage) for passage in kept),
        )
        self.connection.execute(
            "INSERT INTO words (rowid, terms, about) SELECT id, terms, about FROM passages WHERE source = ?",
            (number,),
        )

    def remove(self, path: str) -> None:
        """Remove a source with its passages."""
        row = self.connection.execute("SELECT id FROM sources WHERE path = ?", (path,)).fetchone()
        if row is None:
            return
        # The index has no text of its own, so it must be told what it forgets.
        self.connection.execute(
            "INSERT INTO words (words, rowid, terms, about) "
            "SELECT 'delete', id, terms, about FROM passages WHERE source = ?",
            row,
        )
        self.connection.execute("DELETE FROM passages WHERE source = ?", row)
        self.connection.execute("DELETE FROM sources WHERE id = ?", row)
        self._has_removed = True

    def forget_removed(self) -> None:
        """Leave no word of what was removed: only merging all segments of FTS5 takes deleted words out."""
        if self._has_removed:
            self.connection.execute("INSERT INTO words (words) VALUES ('optimize')")
            self._has_removed = False

    def _fitting(self, passages: list[IndexedPassage]) -> tuple[list[IndexedPassage], int, int]:
        """Return the passages that there is room for, the newest where it is not enough, in their order."""
        (taken,) = self.connection.execute("SELECT coalesce(sum(size), 0) FROM sources").fetchone()
        room = MOST_TEXT - int(taken)
        size = sum(map(_size, passages))
        if size <= room:
            return passages, size, 0
        kept, size = [], 0
        for at in sorted(range(len(passages)), key=lambda at: -passages[at].entry):
            if size + _size(passages[at]) > room:
                break
            size += _size(passages[at])
            kept.append(at)
        return [passages[at] for at in sorted(kept)], size, len(passages) - len(kept)


@lru_cache(maxsize=1024)  # the passages of an entry stand below the same
def _terms_above(text: str) -> str:
    return " ".join(terms_of(text))


def _size(passage: IndexedPassage) -> int:
    return len(passage.text) + len(passage.title) + sum(map(len, passage.stories))


def _row(source: int | None, passage: IndexedPassage) -> tuple[object, ...]:
    stories = "".join(f"\n{story}\n" for story in passage.stories)
    return (
        source, passage.line, passage.last, passage.entry, stories, passage.when, passage.kind, passage.worth,
        passage.text, " ".join(terms_of(passage.text)), _terms_above(passage.about), passage.title,
        passage.blocker, passage.is_over, passage.is_heading, passage.corrects,
    )  # fmt: skip
