"""The log on the team's server: rows that are only added, numbered per project as they arrive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from progress_plugin.core.files import content_digest

if TYPE_CHECKING:
    from progress_plugin.team.connection import Connection

ENTRY, ERASED, OBSERVATION, ENDED, DOCUMENT = "entry", "erased", "observation", "ended", "document"
KINDS = (ENTRY, ERASED, OBSERVATION, ENDED, DOCUMENT)
ROWS_AT_ONCE = 500
MAX_SENT_BYTES = 4 << 20  # in one statement, or one row: a slow line takes them in the time of a statement
_ARRIVED = "to_char(arrived at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')"
_READ = f"""
select seq, kind, id, writer, body, {_ARRIVED} from agent_progress.log
where project = %s and seq > %s and kind = any(%s) order by seq limit %s
"""
_MARK = f"select kind, id, {_ARRIVED} from agent_progress.log where project = %s and seq = %s"
_LACKING = """
select id from unnest(%s::text[]) as ours (id)
where not exists (
    select from agent_progress.log as known
    where known.project = %s and known.kind = %s and known.id = ours.id
)
"""
_APPEND = "select agent_progress.append(%s, %s, %s, %s, %s)"


class Row(NamedTuple):
    """One row as another clone wrote it: its body is not validated."""

    seq: int
    kind: str
    id: str
    writer: str
    body: str | None  # None if it was blanked, or the kind has none
    arrived: str  # by the server's clock, `YYYY-MM-DD HH:MM:SS.ffffff` in UTC


class NewRow(NamedTuple):
    """A row to append."""

    kind: str
    id: str
    body: str | None = None


class Cursor(NamedTuple):
    """How far a clone has read. `mark` is a digest of the row there: a restored server has another one."""

    seq: int = 0
    mark: str = ""


def read_server_id(connection: Connection) -> str:
    """Return what tells this database from every other one."""
    row = connection.execute("select id::text from agent_progress.server").fetchone()
    return str(row[0]) if row else ""


def has_row_at(connection: Connection, project: str, cursor: Cursor) -> bool:
    """Return whether the server still has the row at a cursor; not if it was restored from a backup."""
    if not cursor.seq:
        return True
    row = connection.execute(_MARK.encode(), [project, cursor.seq]).fetchone()
    return row is not None and _mark(*row) == cursor.mark


def read_after(connection: Connection, project: str, cursor: Cursor, kinds: Sequence[str]) -> list[Row]:
    """Return the next rows of these kinds after a cursor, at most `ROWS_AT_ONCE`."""
    found = connection.execute(_READ.encode(), [project, cursor.seq, list(kinds), ROWS_AT_ONCE]).fetchall()
    return [Row(*each) for each in found]


def cursor_at(row: Row) -> Cursor:
    """Return the cursor of a clone that has read up to a row."""
    return Cursor(row.seq, _mark(row.kind, row.id, row.arrived))


def read_body(connection: Connection, project: str, kind: str, name: str) -> str | None:
    """Return the body of a row; None if the server does not have it."""
    statement = "select body from agent_progress.log where project = %s and kind = %s and id = %s"
    row = connection.execute(statement, [project, kind, name]).fetchone()
    return row[0] if row else None


def find_lacking(connection: Connection, project: str, kind: str, ids: Sequence[str]) -> set[str]:
    """Return which of these ids the server does not have, of any writer."""
    rows = connection.execute(_LACKING, [list(ids), project, kind]).fetchall() if ids else []
    return {str(row[0]) for row in rows}


def append(connection: Connection, project: str, writer: str, rows: Sequence[NewRow]) -> int:
    """Append rows, all or none; return how many were new. A row that the server has is left out."""
    values = [project, writer, *([getattr(row, name) for row in rows] for name in NewRow._fields)]
    done = connection.execute(_APPEND, values).fetchone()
    return int(done[0]) if done else 0


def portions(rows: Sequence[NewRow]) -> Iterator[list[NewRow]]:
    """Yield rows in parts that one statement sends."""
    waiting: list[NewRow] = []
    size = 0
    for row in rows:
        row_size = len(row.body or "")
        if waiting and (len(waiting) == ROWS_AT_ONCE or size + row_size > MAX_SENT_BYTES):
            yield waiting
            waiting, size = [], 0
        waiting.append(row)
        size += row_size
    if waiting:
        yield waiting


def _mark(kind: str, name: str, arrived: str) -> str:
    return content_digest(f"{kind} {name} {arrived}".encode()).decode()
