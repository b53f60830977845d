"""Claims on the team's server: an atomic lease per story, by the server's clock."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from progress_plugin.model.claim import Claim
from progress_plugin.team.connection import TeamServerFault

if TYPE_CHECKING:
    from progress_plugin.team.connection import Connection

MAX_SHOWN = 500  # claims of one project
_TURNS = 100  # a holder may release the story between the two statements
_FIELDS = """story, writer, to_char(since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
    to_char(until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')"""
_CLAIM = f"""
insert into agent_progress.claims as held (project, key, story, writer, session, since, until)
values (%(project)s, %(key)s, %(story)s, %(writer)s, %(session)s,
    clock_timestamp(), clock_timestamp() + %(span)s)
on conflict (project, key) do update set
    story = excluded.story, writer = excluded.writer, session = excluded.session, until = excluded.until,
    since = case when held.until > clock_timestamp() then held.since else excluded.since end
where held.until <= clock_timestamp()
    or (held.writer = excluded.writer and held.session = excluded.session and held.session <> '')
returning {_FIELDS}, since < statement_timestamp()
"""
_CURRENT = f"select {_FIELDS} from agent_progress.claims where project = %s and until > clock_timestamp()"
_DELETE = "delete from agent_progress.claims where project = %s and writer = %s and until > clock_timestamp()"


class ClaimOutcome(NamedTuple):
    """What became of a claim."""

    claim: Claim  # that holds the story now
    is_ours: bool  # whether this call made or renewed it
    is_renewed: bool = False  # whether the same session held it before


def claim_story(  # noqa: PLR0913, PLR0917 - the columns of a claim
    connection: Connection, project: str, story: str, writer: str, session: str, span: timedelta
) -> ClaimOutcome:
    """Claim a story. A claim that has run out is free; the same session renews its own.

    An empty `session` is unknown, and never the same again.
    """
    values = {
        "project": project,
        "key": story.casefold(),
        "story": story,
        "writer": writer,
        "session": session,
        "span": span,
    }
    for _ in range(_TURNS):
        made = connection.execute(_CLAIM.encode(), values).fetchone()
        if made is not None:
            return ClaimOutcome(_claim(made[:4], writer), is_ours=True, is_renewed=bool(made[4]))
        held = connection.execute(f"{_CURRENT} and key = %s".encode(), [project, story.casefold()]).fetchone()
        if held is not None:
            return ClaimOutcome(_claim(held, writer), is_ours=False)
    raise TeamServerFault("other clones claim and release this story all the time")


def release(
    connection: Connection, project: str, writer: str, stories: Iterable[str] | None = None
) -> list[str]:
    """Release these stories, or all, as far as a writer holds them; return which those were."""
    keys = None if stories is None else [story.casefold() for story in stories]
    condition, values = ("", []) if keys is None else (" and key = any(%s::text[])", [keys])
    rows = connection.execute(
        f"{_DELETE}{condition} returning story".encode(), [project, writer, *values]
    ).fetchall()
    return sorted(str(row[0]) for row in rows)


def read_current(connection: Connection, project: str, writer: str) -> list[Claim]:
    """Return the claims of a project that hold now: those of this writer first, then the oldest."""
    order = f"order by writer <> %s, since, key limit {MAX_SHOWN}"
    rows = connection.execute(f"{_CURRENT} {order}".encode(), [project, writer]).fetchall()
    return [_claim(row, writer) for row in rows]


def _claim(row: Sequence[Any], own: str) -> Claim:
    story, writer, since, until = row
    return Claim(story, None if writer == own else writer, since, until)
