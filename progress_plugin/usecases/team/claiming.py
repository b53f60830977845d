"""Claim a story, so that no other agent takes it, and let go of it.

With a team's server a claim is a lease there, by its clock. Without one it is an entry of the log, and the
answer says so: it is seen by whoever gets the log, and does not settle who of two was first.
"""

import shlex
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from progress_plugin.core.errors import BadInput, Busy, Refused
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project
from progress_plugin.log import claims, team_state, writer_identity
from progress_plugin.log.begun_stories import session_mark
from progress_plugin.log.claims import LONGEST, LONGEST_STORY
from progress_plugin.log.entry import CLAIM, CLAIM_TYPE
from progress_plugin.log.team_standing import lost_part
from progress_plugin.log.timestamp import written
from progress_plugin.model.claim import Claim
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.project_writes import lock_of, prepare
from progress_plugin.usecases.reading import read_settings
from progress_plugin.usecases.recording.append import renew
from progress_plugin.usecases.recording.log_entry import log_entry
from progress_plugin.usecases.recording.shared_arrivals import take_in_latest
from progress_plugin.usecases.recording.shared_history import is_shared
from progress_plugin.usecases.team.claimable_story import claimable_story
from progress_plugin.usecases.team.team_server import agreed_key, required_url, team_url

USUAL_SPAN = "2h"
_SPAN = LazyPattern(r"(\d{1,4})([mhd])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}
_UNSURE = "the next sync shows whether that was done"
"""The server may have done it, and its answer may be lost."""
_FOR_THE_SYNC = 0.5
"""Seconds to wait for a sync that runs, which notes the claims itself."""


class Claimed(NamedTuple):
    """A claim that was made."""

    claim: Claim
    is_lease: bool
    """Whether a server holds it; else it is an entry of the log."""
    renewed: bool
    """Whether this clone held it already."""
    notes: tuple[str, ...]


def span_of(text: str) -> timedelta:
    """Return how long `90m`, `2h` or `1d` is. Raises BadInput for anything else, and above 30 days."""
    found = _SPAN.fullmatch(text.strip().lower())
    span = timedelta(**{_UNITS[found[2]]: int(found[1])}) if found else timedelta()
    if not timedelta() < span <= LONGEST:
        raise BadInput(f"{one_line(text, 40)} is no time to claim for; allowed is 90m, 2h, up to 30d")
    return span


def claim_story(  # noqa: PLR0913 - what was asked, each by name
    project: Project, name: str, span: timedelta, *, session: str | None, now: datetime, force: bool = False
) -> Claimed:
    """Claim a story for a while, once it was looked what others have done. `now` carries its zone.

    Raises Refused where somebody else holds it, and without `force` where it is finished; TeamServerFault
    where the server does not answer. Nothing is claimed then.
    """
    named = _named(name)
    prepare(project)
    notes = _looked(project, "nothing was claimed")
    found = claimable_story(project, named)
    story = found.name
    if found.finished and not force:
        raise Refused(
            f"{one_line(story, LONGEST_STORY)} is {one_line(found.finished)}; "
            "take another story, or claim it all the same with --force"
        )
    notes = (*notes, *([found.hint] if found.hint else []))
    before = found.claim
    state = team_state.load(project.log_directory)
    if state is not None:
        return _lease(project, agreed_key(project, state), (story, span, session), notes)
    if before is not None and before.writer is not None:
        raise Refused(_refusal(before))
    until = written(now + span)
    logged = log_entry(
        project,
        CLAIM_TYPE,
        now=now,
        task_id=story,
        description=f"Claimed until {until}",
        data={CLAIM: {"until": until}},
        session=session,
    )
    if before is not None:
        made = Claim(story, None, before.since, until)
        return Claimed(made, is_lease=False, renewed=True, notes=(*notes, *logged.notes))
    reach = "whoever pulls it sees it" if is_shared(project) else "nobody on another machine sees it"
    note = f"kept as an entry of the log alone: {reach}, and two who claim at once both succeed"
    joins = "`agent-progress sync` has this clone take part in your team's server, where a claim is a lease"
    hints = (joins,) if team_url() is not None else ()
    made = Claim(story, None, written(now), until)
    return Claimed(made, is_lease=False, renewed=False, notes=(*notes, note, *hints, *logged.notes))


class Released(NamedTuple):
    """A story that is free again."""

    story: str
    notes: tuple[str, ...]


def release_story(project: Project, name: str, *, session: str | None, now: datetime) -> Released:
    """Let go of a story that this clone claims. `now` carries its zone.

    Raises Refused where it claims no such story, TeamServerFault where the server does not answer.
    """
    story = _named(name)
    prepare(project)
    notes = _looked(project, "nothing was released")
    found = claimable_story(project, story)
    story = found.name
    none = (
        f"this clone does not claim {one_line(story, LONGEST_STORY)}; `agent-progress status` names who does"
    )
    state = team_state.load(project.log_directory)
    if state is not None:
        key = agreed_key(project, state)
        from progress_plugin.team import claim_rows, connection, migrations  # noqa: PLC0415 - where there is a server

        with connection.left_undone(_UNSURE), connection.connected(required_url()) as server:
            migrations.refuse_other(server)
            if not claim_rows.release(server, key, story, _writer(project)):
                raise Refused(none)
            return Released(story, (*notes, *_noted(project, server, key)))
    if found.claim is None or found.claim.writer is not None:
        raise Refused(none)
    logged = log_entry(
        project,
        CLAIM_TYPE,
        now=now,
        task_id=story,
        description="Released",
        data={CLAIM: {"released": True}},
        session=session,
    )
    return Released(story, (*notes, *logged.notes))


def _looked(project: Project, undone: str) -> tuple[str, ...]:
    """Take in what others have done, by git and from the server, and return what a person should know of it.

    `undone` is said where the server does not answer.

    A sync that runs already brings the same; the next one brings what it has missed.
    """
    take_in_latest(project)
    if team_state.load(project.log_directory) is None:
        lost = lost_part(project) if team_url() is not None else None
        if lost is not None:
            raise Refused(f"{undone}: {lost}")
        return ()
    from progress_plugin.team.connection import left_undone  # noqa: PLC0415 - where there is a server
    from progress_plugin.usecases.team.sync import sync  # noqa: PLC0415

    with suppress(Busy), left_undone(undone):
        synced = sync(project, joins=False, patience=_FOR_THE_SYNC)
        return synced.notes if synced is not None else ()
    return ()


def _lease(
    project: Project, key: str, asked: tuple[str, timedelta, str | None], notes: tuple[str, ...]
) -> Claimed:
    from progress_plugin.team import claim_rows, connection, migrations  # noqa: PLC0415 - where there is a server

    story, span, session = asked
    holder = claim_rows.Holder(_writer(project), session_mark(session))
    with connection.left_undone(_UNSURE), connection.connected(required_url()) as server:
        migrations.refuse_other(server)
        done = claim_rows.claim(server, key, story, holder, span)
        notes = (*notes, *_noted(project, server, key))
    if not done.is_ours:
        raise Refused(_refusal(done.claim))
    return Claimed(done.claim, is_lease=True, renewed=done.renewed, notes=notes)


def _noted(project: Project, server: Any, key: str) -> tuple[str, ...]:
    """Keep what the server says of all claims, and renew the summary; a sync that runs does it otherwise."""
    from progress_plugin.team import claim_rows  # noqa: PLC0415

    found = claim_rows.current(server, key, _writer(project))
    with suppress(Busy), team_state.sync_lock(project.log_directory, _FOR_THE_SYNC):
        claims.keep(project.log_directory, found)
    settings = read_settings(project).stored
    return tuple(renew(project)) if settings.auto_generate and settings.summary_enabled else ()


def _writer(project: Project) -> str:
    known = writer_identity.known_writer(project.log_directory)
    if known is not None:
        return known
    with lock_of(project, DEFAULT_TIMEOUT_S):
        return writer_identity.writer_of(project.log_directory)


def _refusal(held: Claim) -> str:
    story, since = one_line(held.story, LONGEST_STORY), f"since {held.since}, until {held.until}"
    if held.writer is not None:
        return f"{held.writer} claims {story} {since}; take another story, or ask who holds it to release it"
    return (
        f"this clone claims {story} already, {since}: go on if that was you, else take another story; "
        "only the client's session that claimed it renews it, and "
        f"`agent-progress release {shlex.quote(story)}` frees it"
    )


def _named(name: str) -> str:
    """Return a story's id as it was given. Raises BadInput for what can be none."""
    story = one_line(name).strip()
    if not story or len(story) > LONGEST_STORY:
        raise BadInput(f"a story is named by 1 to {LONGEST_STORY} characters on one line, such as US-003")
    return story
