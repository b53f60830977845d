"""Finding observations by their words, whatever is in the query (S14.5)."""

from __future__ import annotations

from dataclasses import dataclass

from progress_plugin.core.errors import BadInput
from progress_plugin.memory.database import Store

MAX_QUERY = 2000
"""Characters of a query. SQLite's work grows with the square of its words."""
MOST_WORDS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundObservation:
    """One observation that has every word of the query, best first."""

    id: int
    type: str
    title: str
    content: str
    project: str | None
    scope: str
    updated_at: str


def search(
    store: Store, query: str, project: str | None, kind: str | None, limit: int
) -> list[FoundObservation]:
    """Return the live observations that have every word of `query`, best first; without a word the newest.

    `project` and `kind` restrict to one project and type; None is all.
    """
    match = match_expression(query)
    conditions = ["o.deleted_at IS NULL"]
    values: list[str | int] = []
    if match is not None:
        conditions.insert(0, "observations_fts MATCH ?")
        values.append(_within(match, project))
    for column, value in (("project", project), ("type", kind)):
        if value is not None:
            conditions.append(f"o.{column} = ?")
            values.append(value)
    rows = store.connection.execute(_statement(conditions, ranked=match is not None), (*values, limit))
    return [
        FoundObservation(
            id=row[0],
            type=row[1],
            title=row[2],
            content=row[3],
            project=row[4],
            scope=row[5],
            updated_at=row[6],
        )
        for row in rows
    ]


def match_expression(query: str) -> str | None:
    """Return an FTS5 expression that asks for each word literally, or None where there is no word.

    Quoted, nothing is an operator: not `AND`, `NEAR`, `-`, `*`, `:` nor a parenthesis. Raises BadInput for
    more than can be searched for in time.
    """
    if len(query) > MAX_QUERY:
        raise BadInput(f"query has {len(query)} characters, at most {MAX_QUERY} are searched for; shorten it")
    words = [word for word in query.replace("\0", " ").split() if any(map(str.isalnum, word))]
    if len(words) > MOST_WORDS:
        raise BadInput(f"query has {len(words)} words, at most {MOST_WORDS} are searched for; shorten it")
    return " AND ".join(_quoted(word) for word in words) or None


def _within(match: str, project: str | None) -> str:
    """Let the index itself restrict to the project: it would rank the rows of all projects otherwise."""
    if project is None or not any(map(str.isalnum, project)):
        return match
    return f"({match}) AND project : {_quoted(project)}"


def _quoted(text: str) -> str:
    return '"' + text.replace("\0", " ").replace('"', '""') + '"'


def _statement(conditions: list[str], *, ranked: bool) -> str:
    columns = "o.id, o.type, o.title, o.content, o.project, o.scope, o.updated_at"
    tables = (
        "observations_fts JOIN observations o ON o.id = observations_fts.rowid"
        if ranked
        else "observations o"
    )
    order = "observations_fts.rank, o.id DESC" if ranked else "o.id DESC"
    return f"SELECT {columns} FROM {tables} WHERE {' AND '.join(conditions)} ORDER BY {order} LIMIT ?"
