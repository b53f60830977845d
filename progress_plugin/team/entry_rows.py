"""Entries as rows of the team's server, and which of them were erased."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from progress_plugin.team import answers
from progress_plugin.team.answers import TEXT_OR_NONE, OddAnswer
from progress_plugin.team.numbered_rows import (
    ENTRIES,
    MOST_ROWS,
    MOST_STORED,
    TOMBSTONES,
    NewRow,
    Overtaken,
)

if TYPE_CHECKING:
    from progress_plugin.team.connection import Connection

_WRAPPED = "wrapped"
"""Member of a body whose entry PostgreSQL's jsonb cannot hold: the entry's JSON as a text."""
_LACKING = """
select ours.id, exists (
    select from agent_progress.entries as there where there.project = %(project)s and there.id = ours.id
) from unnest(%(ids)s::text[]) as ours (id)
where not exists (
    select from agent_progress.entries as there
    where there.project = %(project)s and there.id = ours.id and there.writer = %(writer)s
)
"""
_MOST_OF_ONE = 10
"""Rows of one id that are looked at: anybody may add as many as there are names."""
_ELSEWHERE = f"""
select id, writer, case when body is null then null when {ENTRIES.fits} then body::text else '' end from (
    select id, writer, body, row_number() over (order by id, writer) as place,
        sum(coalesce({ENTRIES.size}, 0)) over (order by id, writer) as size
    from unnest(%(ids)s::text[]) as ours (name)
    cross join lateral (
        select id, writer, body from agent_progress.entries
        where project = %(project)s and id = name order by writer limit {_MOST_OF_ONE}
    ) as there
    where (id, writer) > (%(id)s, %(writer)s)
) as measured
where place = 1 or size <= {MOST_STORED} order by id, writer
"""


class RowElsewhere(NamedTuple):
    """A row under the id of an entry, whoever wrote it."""

    id: str
    writer: str
    body: str | None
    """None where it was blanked; empty where it is larger than any entry."""


def server_id(connection: "Connection") -> str:
    """Return what tells this database from every other one."""
    return str(answers.row(connection, "select id::text from agent_progress.server", None, (str,))[0])


def add(connection: "Connection", project: str, writer: str, last: int, lines: Mapping[str, bytes]) -> int:
    """Add entries of a writer whose last number is `last`, all or none, and return its last number then.

    `lines` are those of `foreign_entry.line_of`, by id.

    Raises Overtaken as `NumberedTable.add`; nothing is added then.
    """
    import psycopg  # noqa: PLC0415 - a connection is there, so it is loaded

    rows = [NewRow(name, line.decode()) for name, line in lines.items()]
    try:
        ENTRIES.add(connection, project, writer, last, rows)
    except (psycopg.DataError, psycopg.errors.CheckViolation):
        # JSON that jsonb cannot hold: NUL, half a character, a number of a million digits.
        wrapped = [row._replace(body=json.dumps({_WRAPPED: row.body})) for row in rows]
        ENTRIES.add(connection, project, writer, last, wrapped)
    return last + len(lines)


def lacking(connection: "Connection", project: str, writer: str, ids: Sequence[str]) -> dict[str, bool]:
    """Return under which of these ids a writer has no row, each with whether another one has."""
    found: dict[str, bool] = {}
    for start in range(0, len(ids), MOST_ROWS):
        given = {"project": project, "writer": writer, "ids": list(ids[start : start + MOST_ROWS])}
        found.update(answers.rows(connection, _LACKING, given, (str, bool)))
    return found


def elsewhere(connection: "Connection", project: str, ids: Sequence[str]) -> Iterator[RowElsewhere]:
    """Yield the rows under these ids, a bounded part of them at a time."""
    given: dict[str, object] = {"project": project, "ids": list(ids), "id": "", "writer": ""}
    while rows := answers.rows(connection, _ELSEWHERE, given, (str, str, TEXT_OR_NONE)):
        if rows[0][:2] <= (given["id"], given["writer"]):
            raise OddAnswer("rows without an end")
        for row in rows:
            yield RowElsewhere(*row)
        given |= {"id": rows[-1][0], "writer": rows[-1][1]}


def line_in(body: str) -> bytes:
    """Return the entry's line in the body of a row; empty where it is none."""
    if body.startswith(f'{{"{_WRAPPED}": "'):
        try:
            return str(json.loads(body)[_WRAPPED]).encode("utf-8", "surrogatepass")
        except (ValueError, RecursionError):
            return b""
    return body.encode()


def bury(connection: "Connection", project: str, writer: str, digests: Sequence[str]) -> None:
    """Tell all others, in a writer's name, that these entries must not come again."""
    lacking = TOMBSTONES.lacking(connection, project, digests)
    rows = [NewRow(digest, None) for digest in digests if digest in lacking]
    with suppress(Overtaken):  # the next sync tells what is lacking then
        if rows:
            TOMBSTONES.add(connection, project, writer, None, rows)
