"""Progress documents as rows of the team's server, by revision; each is added and never changed."""

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from progress_plugin.team import answers
from progress_plugin.team.answers import TEXT_OR_NONE, OddAnswer
from progress_plugin.team.numbered_rows import Overtaken

if TYPE_CHECKING:
    from progress_plugin.team.connection import Connection

AT_ONCE = 1000
"""Documents of one project that one statement looks at; the server reads those that are known."""
MOST_REVISIONS = 200
MOST_BYTES = 8 * 1024 * 1024
"""Revisions of one document, and bytes of them, that one statement reads; one at least."""
_WHEN = "to_char({table}.arrived at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')"
_KEYS = """
with recursive keys (name) as (
    (select key from agent_progress.documents
     where project = %(project)s and (%(last)s::text is null or key > %(last)s) order by key limit 1)
    union all
    select (
        select key from agent_progress.documents
        where project = %(project)s and key > name order by key limit 1
    ) from keys where name is not null
)
select name, (select revision from agent_progress.documents
              where project = %(project)s and key = name order by revision desc limit 1)
from keys where name is not null limit %(most)s
"""
"""However many revisions there are, one look into the index for each document."""
_MARKS = f"""
select known.key, coalesce(md5(there.body), ''), coalesce({_WHEN.format(table="seen")}, '')
from unnest(%(keys)s::text[], %(revisions)s::bigint[], %(passed)s::bigint[]) as known (key, revision, passed)
left join agent_progress.documents as there
    on there.project = %(project)s and there.key = known.key and there.revision = known.revision
left join agent_progress.documents as seen
    on seen.project = %(project)s and seen.key = known.key and seen.revision = known.passed
"""
_DOWN = f"""
select revision, writer, body, {_WHEN.format(table="measured")}, coalesce(md5(body), '') from (
    select revision, writer, body, arrived, row_number() over (order by revision desc) as place,
        sum(coalesce(octet_length(body), 0)) over (order by revision desc) as size
    from (
        select revision, writer, body, arrived from agent_progress.documents
        where project = %s and key = %s and revision > %s and revision <= %s
        order by revision desc limit %s
    ) as found
) as measured
where place = 1 or size <= {MOST_BYTES} order by revision desc
"""


class ServerDocument(NamedTuple):
    """One revision of a document, as a stranger wrote it."""

    revision: int
    writer: str
    text: str | None
    """None where it was blanked, or is no text."""
    arrived: str = ""
    """When the server got it, `YYYY-MM-DD HH:MM:SS.ffffff` in UTC; given by the server."""
    mark: str = ""
    """The server's digest of what it has there; given by the server, empty where it was blanked."""
    size: int = 0
    """Bytes of what the server has there."""


class KnownRevisions(NamedTuple):
    """What a clone knows of one document on the server; 0 for none."""

    agreed: int
    """The revision that its own document comes from."""
    passed: int
    """The newest of those above that it has passed over."""


class Head(NamedTuple):
    """How far a document goes on the server, and what tells whether it is still the one that is known."""

    revision: int
    """The newest one; 0 for none."""
    mark: str
    """The server's digest of the revision that was agreed on; empty where there is none."""
    passed: str
    """When the newest one that was passed over arrived; empty where there is none."""


def heads(
    connection: "Connection", project: str, known: Mapping[str, KnownRevisions]
) -> Iterator[dict[str, Head]]:
    """Yield how far each of a project's documents goes, by key, a part of them at a time."""
    last = None
    while True:
        given = {"project": project, "last": last, "most": AT_ONCE}
        rows = answers.rows(connection, _KEYS, given, (str, int))
        if not rows:
            return
        if last is not None and rows[0][0] <= last:
            raise OddAnswer("documents without an end")
        last = rows[-1][0]
        yield _with_marks(connection, project, dict(rows), known)


def head(connection: "Connection", project: str, key: str, known: KnownRevisions) -> Head:
    """Return how far the server's document goes."""
    newest = "select coalesce(max(revision), 0) from agent_progress.documents where project = %s and key = %s"
    [revision] = answers.row(connection, newest, [project, key], (int,))
    return _with_marks(connection, project, {key: revision}, {key: known})[key]


def _with_marks(
    connection: "Connection", project: str, found: Mapping[str, int], known: Mapping[str, KnownRevisions]
) -> dict[str, Head]:
    asked = [known.get(key, KnownRevisions(0, 0)) for key in found]
    given = {
        "project": project,
        "keys": list(found),
        "revisions": [each.agreed for each in asked],
        "passed": [each.passed for each in asked],
    }
    found_marks = answers.rows(connection, _MARKS, given, (str, str, str))
    marks = {key: (mark, when) for key, mark, when in found_marks}
    return {key: Head(revision, *marks.get(key, ("", ""))) for key, revision in found.items()}


def down_from(
    connection: "Connection", project: str, key: str, highest: int, above: int
) -> list[ServerDocument]:
    """Return revisions of a document, the newest first, from one down to those above another one.

    They are bounded by `MOST_REVISIONS` and `MOST_BYTES`, but one comes at least; none where there is none.
    """
    given = [project, key, above, highest, MOST_REVISIONS]
    rows = answers.rows(connection, _DOWN, given, (int, str, TEXT_OR_NONE, str, str))
    for next_one, row in zip([highest + 1, *(row[0] for row in rows)], rows, strict=False):
        if not above < row[0] < next_one:
            raise OddAnswer("revisions that do not fall")
    return [
        ServerDocument(revision, writer, _text(body), when, mark, len(body or ""))
        for revision, writer, body, when, mark in rows
    ]


def add(connection: "Connection", project: str, key: str, document: ServerDocument) -> str:
    """Add the next revision of a document, and return the server's digest of it.

    Raises Overtaken where somebody else has added it by now.
    """
    import psycopg  # noqa: PLC0415 - a connection is there, so it is loaded

    try:
        [mark] = answers.row(
            connection,
            "insert into agent_progress.documents (project, key, revision, writer, body) "
            "values (%s, %s, %s, %s, %s) returning md5(body)",
            [project, key, document.revision, document.writer, json.dumps(document.text)],
            (str,),
        )
    except psycopg.errors.UniqueViolation:
        raise Overtaken from None
    return str(mark)


def _text(body: str | None) -> str | None:
    try:
        text = json.loads(body or "null")
    except (ValueError, RecursionError):
        return None
    return text if isinstance(text, str) else None
