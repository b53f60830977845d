"""The index: passages of a project's history in one SQLite file, replaced source by source.

Everything in it can be made again from the sources.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from progress_plugin.core.files import content_digest
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
corrects INTEGER NOT NULL, writer TEXT NOT NULL, digest BLOB NOT NULL)"""
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
    writer: str = ""
    """Which other clone wrote it; empty for this one."""
    digest: bytes = b""
    """Of what was written, before it was made harmless: text and what it stands under; else of these."""


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
    writer: str


_CHANGING = (
    "entry, line, last, stories, at, kind, worth, title, blocker, is_over, is_heading, corrects, writer"
)
"""What may be otherwise of a passage that says the same."""
_Rows = list[tuple[Any, ...]]
"""Of one entry: id, digest, and what may change of each."""
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

    def texts(self, path: str) -> dict[bytes, str]:
        """Return the texts of a source by their digests: what is written as before is harmless as before."""
        rows = self.connection.execute(
            "SELECT p.digest, p.text FROM passages p JOIN sources s ON s.id = p.source WHERE s.path = ?",
            (path,),
        )
        return {bytes(digest): text for digest, text in rows}

    def replace(self, source: IndexedSource, passages: Iterable[IndexedPassage]) -> None:
        """Put the passages of a source in the place of those it had; entries that say the same keep theirs.

        The passages of an entry follow one another in the index, so one that has changed is put in anew.
        """
        number = self._number_of(source.path)
        kept, size, left_out = self._fitting([*map(_with_digest, passages)], number)
        there = self._entries_of(number)
        fresh: list[IndexedPassage] = []
        for entry in _by_entry(kept):
            before = there.get(_written(passage.digest for passage in entry))
            if before:
                self._correct(before.pop(), entry)
            else:
                fresh += entry
        old = [row for runs in there.values() for run in runs for row in run]
        self._forget([row[0] for row in old])
        # What is said again leaves no word behind.
        self._has_removed |= not {bytes(row[1]) for row in old} <= {passage.digest for passage in fresh}
        about = (
            source.state,
            source.entries or max((passage.entry for passage in kept), default=0),
            source.later,
            size,
            len(kept),
            left_out,
            source.is_plan,
        )
        self.connection.execute(
            "UPDATE sources SET state = ?, entries = ?, later = ?, size = ?, passages = ?, left_out = ?, "
            "is_plan = ? WHERE id = ?",
            (*about, number),
        )
        self._add(number, fresh)

    def _number_of(self, path: str) -> int:
        """Return the number of a source, which is entered where it is new."""
        row = self.connection.execute("SELECT id FROM sources WHERE path = ?", (path,)).fetchone()
        if row is not None:
            return int(row[0])
        added = self.connection.execute(
            "INSERT INTO sources (path, state, entries, later, size, passages, left_out, is_plan) "
            "VALUES (?, x'', 0, 0, 0, 0, 0, 0)",
            (path,),
        )
        assert added.lastrowid is not None  # noqa: S101 - of an INSERT
        return added.lastrowid

    def _entries_of(self, number: int) -> dict[bytes, list[_Rows]]:
        """Return the rows of each entry of a source, by what was written there."""
        rows = self.connection.execute(
            f"SELECT id, digest, {_CHANGING} FROM passages WHERE source = ? ORDER BY id",  # noqa: S608 - of constants
            (number,),
        )
        found: dict[bytes, list[_Rows]] = {}
        for _, run in groupby(rows, key=itemgetter(2)):
            entry = list(run)
            found.setdefault(_written(row[1] for row in entry), []).append(entry)
        return found

    def _correct(self, rows: _Rows, passages: list[IndexedPassage]) -> None:
        """Note what has changed around an entry that says the same: its lines, say."""
        names = _CHANGING.replace(",", " = ?,")
        news = zip(rows, map(_changing, passages), strict=True)
        self.connection.executemany(
            f"UPDATE passages SET {names} = ? WHERE id = ?",  # noqa: S608 - of constants
            [(*now, row[0]) for row, now in news if row[2:] != now],
        )

    def _add(self, number: int, passages: list[IndexedPassage]) -> None:
        """Put passages of a source behind all others."""
        (last,) = self.connection.execute("SELECT coalesce(max(id), 0) FROM passages").fetchone()
        self.connection.executemany(
            f"INSERT INTO passages (source, {_CHANGING}, text, terms, about, digest) "  # noqa: S608 - of constants
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (_row(number, passage) for passage in passages),
        )
        self.connection.execute(
            "INSERT INTO words (rowid, terms, about) SELECT id, terms, about FROM passages WHERE id > ?",
            (last,),
        )

    def _forget(self, ids: list[int]) -> None:
        """Remove passages with their words."""
        names = [(each,) for each in ids]
        self.connection.executemany(
            "INSERT INTO words (words, rowid, terms, about) "
            "SELECT 'delete', id, terms, about FROM passages WHERE id = ?",
            names,
        )
        self.connection.executemany("DELETE FROM passages WHERE id = ?", names)

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

    def _fitting(self, passages: list[IndexedPassage], number: int) -> tuple[list[IndexedPassage], int, int]:
        """Return the passages that there is room for beside other sources, the newest first, in order."""
        (taken,) = self.connection.execute(
            "SELECT coalesce(sum(size), 0) FROM sources WHERE id != ?", (number,)
        ).fetchone()
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


def _with_digest(passage: IndexedPassage) -> IndexedPassage:
    said = f"{passage.text}\0{passage.about}".encode("utf-8", "replace")
    return passage if passage.digest else passage._replace(digest=content_digest(said))


def _by_entry(passages: list[IndexedPassage]) -> Iterator[list[IndexedPassage]]:
    for _, entry in groupby(passages, key=attrgetter("entry")):
        yield list(entry)


def _written(digests: Iterable[bytes]) -> bytes:
    return b"".join(digests)


def _changing(passage: IndexedPassage) -> tuple[object, ...]:
    stories = "".join(f"\n{story}\n" for story in passage.stories)
    return (
        passage.entry, passage.line, passage.last, stories, passage.when, passage.kind, passage.worth,
        passage.title, passage.blocker, passage.is_over, passage.is_heading, passage.corrects,
        passage.writer,
    )  # fmt: skip


def _row(source: int, passage: IndexedPassage) -> tuple[object, ...]:
    terms = " ".join(terms_of(passage.text))
    about = _terms_above(passage.about)
    return source, *_changing(passage), passage.text, terms, about, passage.digest
