"""Claims on the team's server: an atomic lease per story, by the server's clock."""

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from progress_plugin.log.foreign_entry import is_writer
from progress_plugin.log.timestamp import moment, written
from progress_plugin.model.claim import Claim
from progress_plugin.team import answers
from progress_plugin.team.answers import TEXT_OR_NONE, OddAnswer

if TYPE_CHECKING:
    from progress_plugin.team.connection import Connection

_TURNS = 100
"""How often a claim begins again because a holder has let go meanwhile."""
_KINDS = (str, str, str, TEXT_OR_NONE, TEXT_OR_NONE)
MOST = 500
"""Claims of one project that are shown."""
_TIMES = """to_char(since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
    to_char(until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')"""
"""As texts: PostgreSQL has times that Python has not."""
_HAS_BEGUN = "since <= clock_timestamp() + interval '1 minute'"
"""Who claimed first may have begun its transaction after another that waits for it: `now()` of the one that
waits is then before this claim. A minute besides, for a server's clock that was put right."""
_CLAIM = f"""
insert into agent_progress.claims as held (project, key, story, writer, session, since, until)
values (%(project)s, %(key)s, %(story)s, %(writer)s, %(session)s, now(), now() + %(span)s)
on conflict (project, key) do update set
    story = excluded.story, writer = excluded.writer, session = excluded.session, until = excluded.until,
    since = case when held.until > now() and held.{_HAS_BEGUN} then held.since else excluded.since end
where held.until <= now() or not held.{_HAS_BEGUN}
    or (held.writer = excluded.writer and held.session = excluded.session and held.session <> '')
returning key, story, writer, {_TIMES}, since < now()
"""
_HOLDER = f"""
select key, story, writer, {_TIMES} from agent_progress.claims
where project = %s and until > now() and {_HAS_BEGUN}"""
"""One that begins later is no claim: the server's clock gives every one of ours its beginning."""


class Holder(NamedTuple):
    """Who claims a story, as which session of its client; an unknown session is never the same again."""

    writer: str
    session: str


class ClaimOutcome(NamedTuple):
    """What became of a claim."""

    claim: Claim
    """Who holds the story now."""
    is_ours: bool
    """Whether that is this call's doing."""
    renewed: bool = False
    """Whether the same session held it before."""


def claim(
    connection: "Connection", project: str, story: str, holder: Holder, span: timedelta
) -> ClaimOutcome:
    """Claim a story, and return who holds it now.

    A claim that has run out is free; the same session renews its own, which began when it began.
    """
    given = {
        "project": project,
        "key": story.casefold(),
        "story": story,
        "writer": holder.writer,
        "session": holder.session,
        "span": span,
    }
    for _ in range(_TURNS):
        for row in answers.rows(connection, _CLAIM, given, (*_KINDS, bool)):
            if (made := _claim(row[:5], holder.writer)) is not None:
                return ClaimOutcome(made, is_ours=True, renewed=row[5])
        for held in answers.rows(connection, f"{_HOLDER} and key = %s", [project, story.casefold()], _KINDS):
            return ClaimOutcome(_claim(held, holder.writer) or Claim(story, None, "?", "?"), is_ours=False)
        # Its holder let go between the two.
    raise OddAnswer("a claim that nobody holds")


def release(connection: "Connection", project: str, story: str, writer: str) -> bool:
    """Free a story that this writer holds; False where it holds none."""
    done = connection.execute(
        "delete from agent_progress.claims where project = %s and key = %s and writer = %s and until > now()",
        [project, story.casefold(), writer],
    )
    return done.rowcount > 0


def finish(connection: "Connection", project: str, stories: Sequence[str], writer: str) -> None:
    """Free those of these stories that this writer holds: it has finished them."""
    connection.execute(
        "delete from agent_progress.claims where project = %s and key = any(%s::text[]) and writer = %s",
        [project, [story.casefold() for story in stories], writer],
    )


def hand_over(
    connection: "Connection", project: str, stories: Sequence[str], writers: tuple[str, str]
) -> None:
    """Have what a writer claims of these stories be claimed by another one: a clone that got a new name."""
    before, now = writers
    connection.execute(
        "update agent_progress.claims set writer = %s "
        "where project = %s and writer = %s and key = any(%s::text[]) and until > now()",
        [now, project, before, [story.casefold() for story in stories]],
    )


def take_over(connection: "Connection", project: str, writers: tuple[str, str]) -> list[str]:
    """Have all that a writer claims be claimed by another one, and return the stories."""
    before, now = writers
    rows = answers.rows(
        connection,
        "update agent_progress.claims set writer = %s where project = %s and writer = %s and until > now() "
        "returning story",
        [now, project, before],
        (str,),
    )
    return sorted(str(row[0]) for row in rows)


def release_all(connection: "Connection", project: str, writer: str) -> list[str]:
    """Free every story that this writer holds, and return them."""
    rows = answers.rows(
        connection,
        "delete from agent_progress.claims where project = %s and writer = %s and until > now() "
        "returning story",
        [project, writer],
        (str,),
    )
    return sorted(str(row[0]) for row in rows)


def current(connection: "Connection", project: str, own: str) -> list[Claim]:
    """Return the claims of a project that hold, ours first, then the oldest; `own` is this clone's writer."""
    order = f"order by writer <> %s, since, key limit {MOST}"
    rows = answers.rows(connection, f"{_HOLDER} {order}", [project, own], _KINDS)
    return [found for row in rows if (found := _claim(row, own)) is not None]


def _claim(row: Sequence[Any], own: str) -> Claim | None:
    """Return a row as a claim of the story that its key says; None where its times or its writer are none."""
    key, story, writer, *times = row
    if story.casefold() != key:
        story = key
    since, until = map(moment, times)
    if since is None or until is None or not is_writer(writer):
        return None
    return Claim(story, None if writer == own else writer, written(since), written(until))
