"""One project on the team's server: a log of rows that are only added, and a lease per claimed story."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from progress_plugin.core.files import content_digest
from progress_plugin.model.claim import Claim
from progress_plugin.team import schema
from progress_plugin.team.connection import connected

if TYPE_CHECKING:
    from progress_plugin.team.connection import Connection

ENTRY, ERASED, OBSERVATION, ENDED, DOCUMENT = "entry", "erased", "observation", "ended", "document"
ROWS_AT_ONCE = 200  # in one statement
MAX_ID_BYTES = 500
MAX_SHOWN = 500  # claims of one project
_ARRIVED = "to_char(arrived at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')"
_READ = f"""
select seq, kind, id, writer, body, {_ARRIVED} from agent_progress.log
where project = %(project)s and seq > %(seq)s and kind = any(%(kinds)s) order by seq limit {ROWS_AT_ONCE}
"""
_MARK = f"""
select kind, id, {_ARRIVED} from agent_progress.log where project = %(project)s and seq = %(seq)s
"""
_LACKING = """
select id from unnest(%(ids)s::text[]) as ours (id) where not exists (
    select from agent_progress.log as known
    where known.project = %(project)s and known.kind = %(kind)s and known.id = ours.id
)
"""
_APPEND = "select agent_progress.append(%(project)s, %(writer)s, %(kinds)s, %(ids)s, %(bodies)s)"
_LOCK = "select pg_advisory_xact_lock(hashtextextended('agent_progress ' || %(project)s, 0))"  # as `append`
_FIELDS = """story, writer, to_char(since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
    to_char(until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')"""
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
select {_FIELDS} from agent_progress.claims where project = %(project)s and until > clock_timestamp()
    and (%(key)s::text is null or key = %(key)s)
order by writer <> %(writer)s, since, key limit {MAX_SHOWN}
"""
_RELEASE = """
delete from agent_progress.claims where project = %(project)s and writer = %(writer)s
    and until > clock_timestamp() and (%(keys)s::text[] is null or key = any(%(keys)s)) returning story
"""


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


@contextmanager
def opened(url: str, project: str, writer: str) -> Iterator[TeamServer]:
    """Open a project on the server as a writer. Raises as `connected`, and BadInput for another schema."""
    with connected(url) as connection:
        schema.refuse_other_version(connection)
        yield TeamServer(connection, project, writer)


class TeamServer:
    """A project on the server, as one clone uses it."""

    def __init__(self, connection: Connection, project: str, writer: str) -> None:
        self.project, self.writer = project, writer
        self._connection = connection

    def read_id(self) -> str:
        """Return what distinguishes this database from every other one."""
        return str(self._run("select id::text from agent_progress.server")[0][0])

    def has_row_at(self, cursor: Cursor) -> bool:
        """Return whether the server still has the row at a cursor; not if it was restored from a backup."""
        return not cursor.seq or [_mark(*row) for row in self._run(_MARK, seq=cursor.seq)] == [cursor.mark]

    def read_pages(self, cursor: Cursor, kinds: Sequence[str]) -> Iterator[list[Row]]:
        """Yield the rows of these kinds after a cursor, as far as there are any, in pages."""
        while rows := [Row(*each) for each in self._run(_READ, seq=cursor.seq, kinds=list(kinds))]:
            yield rows
            cursor = cursor_at(rows[-1])

    def find_lacking(self, kind: str, ids: Collection[str]) -> list[str]:
        """Return which of these ids the server does not have, of any writer, in their order."""
        lacking = {row[0] for row in self._run(_LACKING, kind=kind, ids=list(ids))} if ids else set()
        return [name for name in ids if name in lacking]

    def append(self, rows: Sequence[NewRow], finished: Collection[str] = ()) -> int:
        """Append rows and release stories, all or nothing; return how many rows were new.

        A row that the server has is left out.
        """
        with self._connection.transaction():
            kinds, ids, bodies = map(list, zip(*rows, strict=True))
            [(new,)] = self._run(_APPEND, kinds=kinds, ids=ids, bodies=bodies)
            if finished:
                self.release(finished)
        return int(new)

    def claim(self, story: str, session: str, span: timedelta) -> tuple[Claim, bool]:
        """Claim a story; return the claim that holds it now, and whether this call made or renewed it.

        A claim that has run out is free; the same session renews its own. An empty `session` is unknown, and
        never the same again.
        """
        with self._connection.transaction():
            self._run(_LOCK)
            made = self._run(_CLAIM, key=story.casefold(), story=story, session=session, span=span)
            held = self.read_claims(story.casefold())
        return held[0], bool(made)

    def release(self, stories: Collection[str] | None = None) -> list[str]:
        """Release these stories, or all, as far as this clone claims them; return which those were."""
        keys = None if stories is None else [story.casefold() for story in stories]
        with self._connection.transaction():
            self._run(_LOCK)
            return sorted(str(row[0]) for row in self._run(_RELEASE, keys=keys))

    def read_claims(self, key: str | None = None) -> list[Claim]:
        """Return the claims that hold now, of one story or all: ours first, then the oldest."""
        return [
            Claim(story, None if writer == self.writer else writer, since, until)
            for story, writer, since, until in self._run(_CURRENT, key=key)
        ]

    def _run(self, statement: str, **values: Any) -> list[Any]:
        given = {"project": self.project, "writer": self.writer, **values}
        return self._connection.execute(statement.encode(), given).fetchall()


def cursor_at(row: Row) -> Cursor:
    """Return the cursor of a clone that has read up to a row."""
    return Cursor(row.seq, _mark(row.kind, row.id, row.arrived))


def can_be_id(name: object) -> bool:
    """Return whether a text can be a row's id: PostgreSQL's hold neither NUL nor half a character."""
    if not isinstance(name, str) or not name.strip() or "\0" in name:
        return False
    try:
        return len(name.encode()) <= MAX_ID_BYTES
    except UnicodeEncodeError:
        return False


def _mark(kind: str, name: str, arrived: str) -> str:
    return content_digest(f"{kind} {name} {arrived}".encode()).decode()
