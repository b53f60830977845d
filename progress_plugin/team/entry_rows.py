"""Entries as rows of the team's server, and which of them were erased (S20.3, S20.4).

Which entries are sent and taken is decided in `usecases.team.sync`, how many at once, in
`team.numbered_rows`.
"""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from progress_plugin.team.numbered_rows import ENTRIES, NewRow

if TYPE_CHECKING:
    from progress_plugin.team.connection import Connection

_WRAPPED = "wrapped"
"""Member of a body whose entry PostgreSQL's jsonb cannot hold: the entry's JSON as a text."""


def server_id(connection: "Connection") -> str:
    """Return what tells this database from every other one."""
    row = connection.execute("select id::text from agent_progress.server").fetchone()
    return str(row[0]) if row else ""


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


def line_in(body: str) -> bytes:
    """Return the entry's line in the body of a row; empty where it is none."""
    if body.startswith(f'{{"{_WRAPPED}": "'):
        try:
            return str(json.loads(body)[_WRAPPED]).encode("utf-8", "surrogatepass")
        except (ValueError, RecursionError):
            return b""
    return body.encode()


def buried(connection: "Connection", project: str) -> set[str]:
    """Return the digests of the ids of entries that somebody erased."""
    rows = connection.execute("select digest from agent_progress.tombstones where project = %s", [project])
    return {row[0] for row in rows}


def bury(connection: "Connection", project: str, digests: Sequence[str]) -> None:
    """Tell all others that these entries must not come again."""
    connection.execute(
        "insert into agent_progress.tombstones (project, digest) "
        "select %s, digest from unnest(%s::text[]) as new (digest) on conflict do nothing",
        [project, list(digests)],
    )
