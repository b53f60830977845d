"""Progress documents as rows of the team's server, by revision; each is added and never changed (S20.5).

What becomes of two versions is decided in `usecases.team.document_sync`.
"""

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from progress_plugin.team.numbered_rows import Overtaken

if TYPE_CHECKING:
    from progress_plugin.team.connection import Connection

AT_ONCE = 100
"""Documents of one project that one statement looks at; the server reads those that are known."""
_KEYS = """
select key, max(revision) from agent_progress.documents
where project = %(project)s and (%(last)s::text is null or key > %(last)s)
group by key order by key limit %(most)s
"""
_MARKS = """
select there.key, md5(there.body) from agent_progress.documents as there
join unnest(%(keys)s::text[], %(revisions)s::bigint[]) as known (key, revision) using (key, revision)
where there.project = %(project)s
"""


class ServerDocument(NamedTuple):
    """One revision of a document, as a stranger wrote it."""

    revision: int
    writer: str
    text: str | None
    """None where it was blanked, or is no text."""
    arrived: str = ""
    """When the server got it, `YYYY-MM-DD HH:MM:SS` in UTC; given by the server."""
    mark: str = ""
    """The server's digest of what it has there; given by the server."""


class Head(NamedTuple):
    """The newest revision of a document, and the server's digest of another one."""

    revision: int
    """0 for none."""
    mark_at_known: str
    """At the revision that was asked for; empty where there is none."""


def heads(connection: "Connection", project: str, known: Mapping[str, int]) -> Iterator[dict[str, Head]]:
    """Yield how far each of a project's documents goes, by key, a part of them at a time.

    `known` are the revisions at which this clone knows them.
    """
    last = None
    while True:
        rows = connection.execute(_KEYS, {"project": project, "last": last, "most": AT_ONCE}).fetchall()
        if not rows:
            return
        names = [str(row[0]) for row in rows]
        given = {"project": project, "keys": names, "revisions": [known.get(name, 0) for name in names]}
        marks = {str(key): str(mark or "") for key, mark in connection.execute(_MARKS, given)}
        yield {str(key): Head(int(revision), marks.get(str(key), "")) for key, revision in rows}
        last = names[-1]


def head(connection: "Connection", project: str, key: str, known: int) -> Head:
    """Return how far the server's document goes, and whether it is still the same at a known revision."""
    row = connection.execute(
        "select coalesce(max(revision), 0), coalesce(max(md5(body)) filter (where revision = %s), '') "
        "from agent_progress.documents where project = %s and key = %s",
        [known, project, key],
    ).fetchone()
    return Head(0, "") if row is None else Head(int(row[0]), str(row[1]))


def at(connection: "Connection", project: str, key: str, revision: int) -> ServerDocument | None:
    """Return one revision; None where the server has none of this number."""
    row = connection.execute(
        "select writer, body, to_char(arrived at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS'), md5(body) "
        "from agent_progress.documents where project = %s and key = %s and revision = %s",
        [project, key, revision],
    ).fetchone()
    if row is None:
        return None
    return ServerDocument(revision, str(row[0]), _text(row[1]), str(row[2]), str(row[3] or ""))


def add(connection: "Connection", project: str, key: str, document: ServerDocument) -> str:
    """Add the next revision of a document, and return the server's digest of it.

    Raises Overtaken where somebody else has added it by now.
    """
    import psycopg  # noqa: PLC0415 - a connection is there, so it is loaded

    try:
        row = connection.execute(
            "insert into agent_progress.documents (project, key, revision, writer, body) "
            "values (%s, %s, %s, %s, %s) returning md5(body)",
            [project, key, document.revision, document.writer, json.dumps(document.text)],
        ).fetchone()
    except psycopg.errors.UniqueViolation:
        raise Overtaken from None
    return str(row[0]) if row else ""


def _text(body: str | None) -> str | None:
    try:
        text = json.loads(body or "null")
    except (ValueError, RecursionError):
        return None
    return text if isinstance(text, str) else None
