"""The full-text index of the observations: the same terms as those of `recall`, in any language."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from progress_plugin.recall.terms import STOP_WORDS, terms_of
from progress_plugin.text.patterns import LazyPattern

_WORD = LazyPattern("[a-z]+")
TERMS_TABLE = """CREATE VIRTUAL TABLE observation_terms USING fts5(terms, content='',
tokenize='unicode61 remove_diacritics 0')"""
_INSERT = "INSERT INTO observation_terms (rowid, terms) VALUES (?, ?)"


def stop_words(text: str) -> list[str]:
    """Return the words of a text that are not terms, such as `all`: a query may ask for them as well."""
    return sorted(STOP_WORDS.intersection(_WORD.findall(text.casefold())))


def index_row(connection: sqlite3.Connection, row_id: int, *texts: str) -> None:
    """Add the texts of a new row. The index itself keeps no text."""
    connection.execute(_INSERT, (row_id, _joined(texts)))


def index_all(connection: sqlite3.Connection) -> None:
    """Index all rows again: words that are gone from them are then also gone from the index."""
    connection.execute("INSERT INTO observation_terms (observation_terms) VALUES ('delete-all')")
    rows = connection.execute("SELECT id, title, content, type FROM observations").fetchall()
    connection.executemany(_INSERT, ((number, _joined(texts)) for number, *texts in rows))


def _joined(texts: Sequence[str]) -> str:
    text = "\n".join(texts)
    return " ".join((*terms_of(text), *stop_words(text)))
