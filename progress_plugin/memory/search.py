"""The full-text index of the observations: the same terms as those of `recall`, in any language."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from progress_plugin.core.errors import BadInput
from progress_plugin.recall.terms import STOP_WORDS, spellings, terms_of
from progress_plugin.text.patterns import LazyPattern

MAX_QUERY_CHARS = 2000
MAX_WORDS = 100
COLUMNS = ("id", "type", "title", "project", "scope", "updated_at", "content", "session_id")
_WORD = LazyPattern("[a-z]+")
_INSERT = "INSERT INTO observation_terms (rowid, terms) VALUES (?, ?)"


def search(
    db: sqlite3.Connection, query: str, project: str | None, kind: str | None, limit: int
) -> list[dict[str, Any]]:
    """Return the live observations that have every word of `query`, best first; without a word the newest.

    `project` and `kind` restrict to one project and type; None is all. A result has the values of `COLUMNS`.
    """
    conditions, values = ["o.deleted_at IS NULL"], list[str | int]()
    tables, order = "observations o", "o.id DESC"
    expression = match_expression(query)
    if expression is not None:
        tables = "observation_terms t JOIN observations o ON o.id = t.rowid"
        conditions.append("observation_terms MATCH ?")
        values.append(expression)
        order = "bm25(observation_terms), o.id DESC"
    for column, value in (("project", project), ("type", kind)):
        if value is not None:
            conditions.append(f"o.{column} = ?")
            values.append(value)
    rows = db.execute(
        f"SELECT {', '.join(f'o.{name}' for name in COLUMNS)} FROM {tables} "
        f"WHERE {' AND '.join(conditions)} ORDER BY {order} LIMIT ?",
        (*values, limit),
    )
    return [dict(zip(COLUMNS, row, strict=True)) for row in rows]


def match_expression(query: str) -> str | None:
    """Return an FTS5 expression that asks for each word in any of its spellings, or None without a word.

    Terms are quoted, so nothing in a query is an operator. Raises BadInput for a query that is too long.
    """
    if len(query) > MAX_QUERY_CHARS:
        raise BadInput(
            f"query has {len(query)} characters, at most {MAX_QUERY_CHARS} are searched for; shorten it"
        )
    words = query.split()
    if len(words) > MAX_WORDS:
        raise BadInput(f"query has {len(words)} words, at most {MAX_WORDS} are searched for; shorten it")
    wanted = [_any_spelling(word) for word in words]
    return " AND ".join(filter(None, wanted)) or None


def _any_spelling(word: str) -> str:
    phrases = dict.fromkeys(filter(None, (" ".join(terms_of(word)), *spellings(word)))) or stop_words(word)
    quoted = [f'"{phrase}"' for phrase in phrases]
    return f"({' OR '.join(quoted)})" if quoted else ""


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
