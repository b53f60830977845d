"""One project on the team's server: a log of rows that are only added, and a lease per claimed story."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from progress_plugin.core.errors import BadInput
from progress_plugin.log.timestamp import format_time
from progress_plugin.model.work import Claim
from progress_plugin.team.connection import connected

if TYPE_CHECKING:
    from progress_plugin.team.connection import Connection

SCHEMA = 7  # also in schema.sql
WRITER_ROLE = "agent_progress_writer"
ENTRY, ERASED, OBSERVATION, ENDED, DOCUMENT = "entry", "erased", "observation", "ended", "document"  # kinds
ROWS_AT_ONCE = 200  # in one statement
MAX_ID_BYTES = 500  # of a row; PostgreSQL also refuses NUL in it
MAX_SHOWN = 500  # claims of one project
_HAS_TABLES = "select to_regclass('agent_progress.migrations') is not null"
_NEWEST_SCHEMA = "select coalesce(max(number), 0) from agent_progress.migrations"
_INIT_LOCK = "select pg_advisory_xact_lock(hashtextextended('agent_progress team init', 0))"
_READ = f"""
select seq, kind, id, writer, body, arrived from agent_progress.log
where project = %(project)s and seq > %(seq)s and kind = any(%(kinds)s) order by seq limit {ROWS_AT_ONCE}
"""
_ARRIVED = "select arrived from agent_progress.log where project = %(project)s and seq = %(seq)s"
_MISSING = """
select place from unnest(%(kinds)s::text[], %(ids)s::text[]) with ordinality as ours (kind, id, place)
where not exists (
    select from agent_progress.log as known
    where known.project = %(project)s and known.kind = ours.kind and known.id = ours.id
) order by place
"""
_APPEND = "select agent_progress.append(%(project)s, %(writer)s, %(kinds)s, %(ids)s, %(bodies)s)"
# The lock that `append` takes.
_LOCK = "select pg_advisory_xact_lock(hashtextextended('agent_progress ' || %(project)s, 0))"
_CLAIM = """
insert into agent_progress.claims as held (project, key, story, writer, session, since, until)
values (%(project)s, %(key)s, %(story)s, %(writer)s, %(session)s,
    clock_timestamp(), clock_timestamp() + %(span)s)
on conflict (project, key) do update set
    story = excluded.story, writer = excluded.writer, session = excluded.session, until = excluded.until,
    since = case when held.until > clock_timestamp() then held.since else excluded.since end
where held.until <= clock_timestamp()
    or (held.writer = excluded.writer and held.session = excluded.session and held.session <> '')
returning story
"""
_CURRENT = f"""
select story, writer, since, until from agent_progress.claims
where project = %(project)s and until > clock_timestamp() and (%(key)s::text is null or key = %(key)s)
order by writer <> %(writer)s, since, key limit {MAX_SHOWN}
"""
_RELEASE = """
delete from agent_progress.claims where project = %(project)s and writer = %(writer)s
    and until > clock_timestamp() and (%(keys)s::text[] is null or key = any(%(keys)s)) returning story
"""


class Row(NamedTuple):
    """One row of the server, as a clone wrote it: its body is not validated."""

    seq: int
    kind: str
    id: str
    writer: str
    body: str | None  # None if an eraser has blanked it, or rows of this kind have none
    arrived: datetime  # by the server's clock, in UTC

    @property
    def cursor(self) -> Cursor:
        return Cursor(self.seq, self.arrived.isoformat())


class NewRow(NamedTuple):
    """A row to append."""

    kind: str
    id: str
    body: str | None = None
    finishes: str | None = None  # the story whose claim ends with this row


class Cursor(NamedTuple):
    """The last row that a clone has read. `mark` is its arrival: a restored server may reuse its number."""

    seq: int = 0
    mark: str = ""


def tables_sql() -> str:
    """Return the SQL that makes our tables; it is to be run in one transaction."""
    return files("progress_plugin.team").joinpath("schema.sql").read_text("utf-8")


def make_tables(connection: Connection) -> int:
    """Make our tables unless they are there; return the number of the schema that was there, or 0.

    Raises BadInput if the server has another schema.
    """
    with connection.transaction():
        connection.execute(_INIT_LOCK)
        [(exists,)] = connection.execute(_HAS_TABLES).fetchall()
        if exists:
            _refuse_other_schema(connection)
            return SCHEMA
        connection.execute(tables_sql().encode())
        return 0


def _refuse_other_schema(connection: Connection) -> None:
    """Raise BadInput if the server has another schema than this version reads and writes."""
    [(found,)] = connection.execute(_NEWEST_SCHEMA).fetchall()
    if found != SCHEMA:
        raise BadInput(
            f"the team's server has schema {found}, this version has {SCHEMA}: if the server's is newer, "
            "update agent-progress; else rename it (`alter schema agent_progress rename to "
            f"agent_progress_{found}`) and run `agent-progress team init`: each clone sends its entries again"
        )


@contextmanager
def opened(url: str, project: str, writer: str) -> Iterator[TeamServer]:
    """Open a project on the server as a writer.

    Raises TeamServerFault for a fault of server or network, BadInput for another schema, if psycopg is
    missing or if the URL is unclear.
    """
    with connected(url) as connection:
        _refuse_other_schema(connection)
        yield TeamServer(connection, project, writer)


class TeamServer:
    """A project on the server, as one clone uses it."""

    def __init__(self, connection: Connection, project: str, writer: str) -> None:
        self.project, self.writer = project, writer
        self._connection = connection

    def has_row_at(self, cursor: Cursor) -> bool:
        """Return whether the server still has the row at a cursor; an older backup may lack it."""
        return [arrived.isoformat() for (arrived,) in self._run(_ARRIVED, seq=cursor.seq)] == [cursor.mark]

    def read_pages(self, cursor: Cursor, kinds: Sequence[str]) -> Iterator[list[Row]]:
        """Yield the rows of these kinds after a cursor, in pages."""
        while rows := [Row(*each) for each in self._run(_READ, seq=cursor.seq, kinds=list(kinds))]:
            yield rows
            cursor = rows[-1].cursor

    def find_missing(self, rows: Sequence[NewRow]) -> list[NewRow]:
        """Return the rows whose kind and id the server does not have from any writer."""
        found = self._run(_MISSING, kinds=[row.kind for row in rows], ids=[row.id for row in rows])
        return [rows[place - 1] for (place,) in found]

    def append(self, rows: Sequence[NewRow]) -> int:
        """Append the rows that the server does not have, and return their number.

        Each batch is one transaction, which also ends our claims of the stories that its rows finish.
        """
        added = 0
        for first in range(0, len(rows), ROWS_AT_ONCE):
            batch = rows[first : first + ROWS_AT_ONCE]
            kinds, ids, bodies, finished = map(list, zip(*batch, strict=True))
            with self._connection.transaction():
                [(new,)] = self._run(_APPEND, kinds=kinds, ids=ids, bodies=bodies)
                if any(finished):
                    self.release([story for story in finished if story])
            added += new
        return added

    def claim(self, story: str, session: str, span: timedelta) -> tuple[Claim, bool]:
        """Claim a story; return the claim that holds it now, and whether this call made or renewed it.

        Another session can take a claim that has run out; the same session renews its claim. An empty
        `session` is unknown, and equals no other.
        """
        with self._connection.transaction():
            self._run(_LOCK)
            made = self._run(_CLAIM, key=story.casefold(), story=story, session=session, span=span)
            held = self.read_claims(story.casefold())
        return held[0], bool(made)

    def release(self, stories: Collection[str] | None = None) -> list[str]:
        """Release this clone's claims of these stories, or of all; return the released stories."""
        keys = None if stories is None else [story.casefold() for story in stories]
        with self._connection.transaction():
            self._run(_LOCK)
            return sorted(str(row[0]) for row in self._run(_RELEASE, keys=keys))

    def read_claims(self, key: str | None = None) -> list[Claim]:
        """Return the valid claims of one story, or of all: ours first, then the oldest."""
        return [
            Claim(story, None if writer == self.writer else writer, format_time(since), format_time(until))
            for story, writer, since, until in self._run(_CURRENT, key=key)
        ]

    def _run(self, statement: str, **values: Any) -> list[Any]:
        given = {"project": self.project, "writer": self.writer, **values}
        return self._connection.execute(statement.encode(), given).fetchall()
