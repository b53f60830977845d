"""Finding observations by their words, whatever is in the query.

This is the query and its order. Which project is searched, and how much of a text is answered, is decided
in `usecases.memory.mem_search`.
"""

from __future__ import annotations

from dataclasses import dataclass

from progress_plugin.core.errors import BadInput
from progress_plugin.memory import full_text
from progress_plugin.memory.database import Store
from progress_plugin.text.patterns import LazyPattern

MAX_QUERY = 2000
"""Characters of a query. SQLite's work grows with the square of its words."""
MOST_WORDS = 100
_HAS_WORD = (
    "(o.title || ' ' || o.content || ' ' || coalesce(o.tool_name, '') || ' ' || o.type || ' ' "
    "|| coalesce(o.project, '')) LIKE ? ESCAPE '~'"
)
_LIKE, _ESCAPED = LazyPattern("[%_~]"), r"~\g<0>"


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
    session_id: str


def search(
    store: Store, query: str, project: str | None, kind: str | None, limit: int
) -> list[FoundObservation]:
    """Return the live observations that have every word of `query`, best first; without a word the newest.

    `project` and `kind` restrict to one project and type; None is all. Where the index of words is gone, the
    rows themselves are read, the newest first.
    """
    words = _words(query)
    conditions = ["o.deleted_at IS NULL"]
    values: list[str | int] = []
    ranked = bool(words) and full_text.is_there(store.connection)
    if ranked:
        conditions.insert(0, "observations_fts MATCH ?")
        values.append(_within(_expression(words), project))
    else:
        conditions += [_HAS_WORD] * len(words)
        values += [f"%{_LIKE.sub(_ESCAPED, word)}%" for word in words]
    for column, value in (("project", project), ("type", kind)):
        if value is not None:
            conditions.append(f"o.{column} = ?")
            values.append(value)
    rows = store.connection.execute(_statement(conditions, ranked=ranked), (*values, limit))
    return [
        FoundObservation(
            id=row[0],
            type=row[1],
            title=row[2],
            content=row[3],
            project=row[4],
            scope=row[5],
            updated_at=row[6],
            session_id=row[7],
        )
        for row in rows
    ]


def match_expression(query: str) -> str | None:
    """Return an FTS5 expression that asks for each word literally, or None where there is no word.

    Quoted, nothing is an operator: not `AND`, `NEAR`, `-`, `*`, `:` nor a parenthesis. Raises BadInput for
    more than can be searched for in time.
    """
    words = _words(query)
    return _expression(words) if words else None


def _expression(words: list[str]) -> str:
    return " AND ".join(_quoted(word) for word in words)


def _words(query: str) -> list[str]:
    if len(query) > MAX_QUERY:
        raise BadInput(f"query has {len(query)} characters, at most {MAX_QUERY} are searched for; shorten it")
    words = [word for word in query.replace("\0", " ").split() if any(map(str.isalnum, word))]
    if len(words) > MOST_WORDS:
        raise BadInput(f"query has {len(words)} words, at most {MOST_WORDS} are searched for; shorten it")
    return words


def _within(match: str, project: str | None) -> str:
    """Let the index itself restrict to the project: it would rank the rows of all projects otherwise."""
    if project is None or not any(map(str.isalnum, project)):
        return match
    return f"({match}) AND project : {_quoted(project)}"


def _quoted(text: str) -> str:
    return '"' + text.replace("\0", " ").replace('"', '""') + '"'


def _statement(conditions: list[str], *, ranked: bool) -> str:
    columns = "o.id, o.type, o.title, o.content, o.project, o.scope, o.updated_at, o.session_id"
    tables = (
        "observations_fts JOIN observations o ON o.id = observations_fts.rowid"
        if ranked
        else "observations o"
    )
    order = "observations_fts.rank, o.id DESC" if ranked else "o.id DESC"
    return f"SELECT {columns} FROM {tables} WHERE {' AND '.join(conditions)} ORDER BY {order} LIMIT ?"
