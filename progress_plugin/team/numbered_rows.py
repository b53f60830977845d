"""Rows that each writer of a team numbers without gaps: what is new of each, what the server lacks.

A version vector says what is known: per writer the highest number, and the id that stands there. The numbers
of a writer have no gaps and become visible in their order, so all below a visible one are there. The id shows
whether it is still the same history: a server restored from a backup gives the numbers out again.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from progress_plugin.log.foreign_entry import LARGEST
from progress_plugin.team import answers
from progress_plugin.team.answers import TEXT_OR_NONE, OddAnswer

if TYPE_CHECKING:
    from progress_plugin.team.connection import Connection

T = TypeVar("T")
Known = Mapping[str, tuple[int, str]]
"""By writer, the highest number that is known, and a digest of the id of its row."""
MOST_ROWS = 50_000
MOST_BYTES = 32 * 1024 * 1024
"""Rows, and bytes of them, that are held at once."""
AT_ONCE = 5_000
"""Writers whose last numbers one statement returns."""
MOST_READ = 2_000
"""Rows that one statement looks at."""
MOST_STORED = 512 * 1024
"""Bytes of jsonb, as it is stored, that one statement opens: uncompressed it may be a hundred times that."""
MOST_SENT = 4 * 1024 * 1024
"""Bytes of rows that are sent at once, or one row: a slow line takes them in the time of a statement."""
_LARGEST_JSONB = 8 * LARGEST
"""Bytes of jsonb that an entry can have: four for each of its text, twice as long where it is wrapped."""
_HEADS = """
with recursive writers (name) as (
    (select writer from {table} where project = %(project)s and (%(last)s::text is null or writer > %(last)s)
     order by writer limit 1)
    union all
    select (
        select writer from {table}
        where project = %(project)s and writer > name order by writer limit 1
    ) from writers where name is not null
)
select name,
    (select number from {table}
     where project = %(project)s and writer = name order by number desc limit 1),
    (select id from {table}
     where project = %(project)s and writer = name and number = known.number)
from (select name from writers where name is not null limit %(most)s) as there
left join unnest(%(writers)s::text[], %(numbers)s::bigint[]) as known (writer, number)
    on known.writer = name
order by name
"""
_ABOVE = """
select number, id, case when body is null then null when {fits} then body::text else '' end from (
    select number, id, body, sum(coalesce({size}, 0)) over (order by number) as size
    from (
        select number, id, body from {table}
        where project = %s and writer = %s and number > %s order by number limit %s
    ) as found
) as measured
where size <= %s or number = %s order by number
"""
_LACKING = """
select id from unnest(%s::text[]) as ours (id)
where not exists (select from {table} as there where project = %s and there.id = ours.id)
"""
_LAST = "select coalesce(max(number), 0) from {table} where project = %s and writer = %s"
_ADD = """
insert into {table} (project, writer, number, id, body)
select %s, %s, %s + place, id, body::{type}
from unnest(%s::text[], %s::text[]) with ordinality as new (id, body, place) order by place
"""


class Head(NamedTuple):
    """How far the server's history of one writer goes."""

    writer: str
    last: int
    at_known: str | None
    """The id at the number that is known; None where there is none."""


class Row(NamedTuple):
    """One row of the server, as a stranger wrote it."""

    writer: str
    number: int
    id: str
    body: str | None
    """None where it was blanked, or has none."""


class NewRow(NamedTuple):
    """One row that is to be added."""

    id: str
    body: str | None


class Overtaken(Exception):
    """Another process has added rows as this writer, or with these ids, meanwhile."""


class NumberedTable(NamedTuple):
    """A table of such rows."""

    name: str
    body_type: str
    """What PostgreSQL calls the type of its column `body`."""
    size: str
    """SQL for the bytes of a body, known without opening it."""
    most: int
    """The most of these that one statement reads."""
    fits: str
    """SQL for whether a client may believe a body; nothing of it is made a text."""

    def heads(self, connection: "Connection", project: str, known: Known) -> list[Head]:
        """Return every writer of a project with the last number; one look into an index for each.

        One statement looks at `AT_ONCE` of them: however many there are, none takes longer than it may.
        """
        names = list(known)
        given = {
            "project": project,
            "writers": names,
            "numbers": [known[name][0] for name in names],
            "most": AT_ONCE,
            "last": None,
        }
        heads: list[Head] = []
        while found := answers.rows(connection, self._sql(_HEADS), given, (str, int, TEXT_OR_NONE)):
            if heads and found[0][0] <= heads[-1].writer:
                raise OddAnswer("writers without an end")
            heads += [Head(*row) for row in found]
            given["last"] = heads[-1].writer
        return heads

    def above(self, connection: "Connection", project: str, writer: str, known: int) -> list[Row]:
        """Return the next rows of a writer above a number, bounded by `MOST_READ` and by `most`.

        The body of one that is larger than any that is believed is empty.
        """
        given = [project, writer, known, MOST_READ, self.most, known + 1]
        found = answers.rows(connection, self._sql(_ABOVE), given, (int, str, TEXT_OR_NONE))
        for before, row in zip([known, *(row[0] for row in found)], found, strict=False):
            if row[0] <= before:
                raise OddAnswer("numbers that do not rise")
        return [Row(writer, *row) for row in found]

    def lacking(self, connection: "Connection", project: str, ids: Sequence[str]) -> set[str]:
        """Return which of these ids the server does not have, whoever wrote them."""
        found: set[str] = set()
        for start in range(0, len(ids), MOST_ROWS):
            part = list(ids[start : start + MOST_ROWS])
            found.update(
                row[0] for row in answers.rows(connection, self._sql(_LACKING), [part, project], (str,))
            )
        return found

    def add(
        self, connection: "Connection", project: str, writer: str, last: int | None, rows: Sequence[NewRow]
    ) -> None:
        """Add rows of a writer whose last number is `last`, all or none; None for whichever it is.

        Raises Overtaken where the server's last number is another one, or it has one of the ids by now.
        """
        import psycopg  # noqa: PLC0415 - a connection is there, so it is loaded

        ids, bodies = [row.id for row in rows], [row.body for row in rows]
        try:
            with connection.transaction():
                # Of two who take themselves for one writer the second waits for its number, and has lost it
                # then. A lock by name would do the same, but whoever may connect could hold that, too.
                [found] = answers.row(connection, self._sql(_LAST), [project, writer], (int,))
                if found != (found if last is None else last):
                    raise Overtaken
                connection.execute(self._sql(_ADD), [project, writer, found, ids, bodies])
        except psycopg.errors.UniqueViolation:
            raise Overtaken from None

    def _sql(self, pattern: str) -> bytes:
        table = f"agent_progress.{self.name}"
        return pattern.format(table=table, type=self.body_type, size=self.size, fits=self.fits).encode()


ENTRIES = NumberedTable(
    "entries",
    "jsonb",
    "pg_column_size(body)",
    MOST_STORED,
    # `|| '{}'` adds nothing to an object, and gives it back uncompressed: quick, as its text is not.
    f"case when pg_column_size(body) > {_LARGEST_JSONB} or jsonb_typeof(body) <> 'object' then false "
    f"else pg_column_size(body || '{{}}') <= {_LARGEST_JSONB} end",
)
OBSERVATIONS = NumberedTable(
    "observations", "text", "octet_length(body)", MOST_BYTES, f"octet_length(body) <= {MOST_BYTES}"
)

TOMBSTONES = NumberedTable("tombstones", "text", "0", MOST_BYTES, "false")
"""Digests of the ids of erased entries, which have no body."""


def portions(rows: Sequence[T], size: Callable[[T], int], most: int) -> Iterator[list[T]]:
    """Yield rows a transaction at a time: at most so many, several of at most `MOST_SENT` bytes."""
    waiting: list[T] = []
    held = 0
    for row in rows:
        if waiting and (len(waiting) == most or held + size(row) > MOST_SENT):
            yield waiting
            waiting, held = [], 0
        waiting.append(row)
        held += size(row)
    if waiting:
        yield waiting


def batches(rows: Iterator[list[Row]]) -> Iterator[list[Row]]:
    """Yield rows of several writers together, as long as they stay within the bounds of one batch."""
    waiting: list[Row] = []
    size = 0
    for found in rows:
        found_size = sum(len(row.body or "") for row in found)
        if waiting and (len(waiting) + len(found) > MOST_ROWS or size + found_size > MOST_BYTES):
            yield waiting
            waiting, size = [], 0
        waiting, size = waiting + found, size + found_size
    if waiting:
        yield waiting
