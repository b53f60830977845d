"""Claim a story, so that no other agent takes it, and release it.

With a team's server a claim is a lease there, by its clock. Without one it is an entry of the log: others see
it once they have the log, and it does not settle who of two was first.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from progress_plugin.core.errors import BadInput, Busy, Refused
from progress_plugin.core.files import content_digest
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.log.claims import MAX_SPAN, MAX_STORY_CHARS
from progress_plugin.log.entry import CLAIM, CLAIM_TYPE, text_of, writer_of
from progress_plugin.log.timestamp import written
from progress_plugin.model.claim import Claim
from progress_plugin.model.status import FINISHED
from progress_plugin.team import state as team_state
from progress_plugin.team.connection import explain_consequence
from progress_plugin.team.server import TeamServer, opened
from progress_plugin.team.state import TeamState
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.project_writes import prepare
from progress_plugin.usecases.reading import read_project
from progress_plugin.usecases.recording.changes import describe_similar
from progress_plugin.usecases.recording.record import log_entry
from progress_plugin.usecases.sharing import is_shared, take_in_latest
from progress_plugin.usecases.team.setup import required_url
from progress_plugin.usecases.team.sync import renew_summary, sync, writer_name

USUAL_SPAN = "2h"
SESSION_DIGITS = 12
SYNC_PATIENCE_S = 0.5  # for a sync that runs, which reads the claims itself
UNSURE = "the next sync shows whether that was done"  # the answer of the server may be lost
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


class Claimed(NamedTuple):
    """A claim that was made."""

    claim: Claim
    is_lease: bool  # whether a server holds it; else it is an entry of the log
    renewed: bool  # whether this clone held it already
    notes: list[str]


class _Story(NamedTuple):
    """A story as it is before it is claimed."""

    name: str  # as the plan spells it; as it was given if no plan has it
    objection: str  # why it should not be claimed: it is finished, or not known here; empty for none
    claim: Claim | None  # who claims it


def span_of(text: str) -> timedelta:
    """Return how long `90m`, `2h` or `1d` is. Raises BadInput for anything else, and above 30 days."""
    found = re.fullmatch(r"(\d{1,4})([mhd])", text.strip().lower())
    span = timedelta(**{_UNITS[found[2]]: int(found[1])}) if found else timedelta()
    if not timedelta() < span <= MAX_SPAN:
        raise BadInput(f"{one_line(text, 40)} is no time to claim for; allowed is 90m, 2h, up to 30d")
    return span


def claim_story(  # noqa: PLR0913 - what was asked, each by name
    project: Project, name: str, span: timedelta, *, session: str | None, now: datetime, force: bool = False
) -> Claimed:
    """Claim a story for a while, after taking in what others have done. `now` carries its zone.

    Raises Refused if another clone holds it, and without `force` if it is finished or no plan or log knows
    it; TeamServerFault if the server does not answer. Nothing is claimed then.
    """
    story, state, notes = _prepare(project, name, "nothing was claimed")
    if story.objection and not force:
        raise Refused(f"{story.objection}; claim it all the same with --force")
    before = story.claim
    if state is not None:
        # The client's own session id is not the server's business; without one no session is the same again.
        mark = content_digest(session.encode("utf-8", "replace")).decode()[:SESSION_DIGITS] if session else ""
        with _claims_of(project, state, notes) as server:
            claim, is_ours = server.claim(story.name, mark, span)
        if not is_ours:
            raise Refused(_describe_holder(claim))
    elif before is not None and before.writer is not None:
        raise Refused(_describe_holder(before))
    else:
        until = written(now + span)
        claim = Claim(story.name, None, before.since if before else written(now), until)
        notes += _log_claim(project, story.name, {"until": until}, session, now)
        if before is None:
            reach = "everybody who pulls it sees it" if is_shared(project) else "other machines do not see it"
            notes.append(
                f"kept as an entry of the log alone: {reach}, and two who claim at once both succeed"
            )
    is_renewed = before is not None and before.since == claim.since
    return Claimed(claim, is_lease=state is not None, renewed=is_renewed, notes=notes)


def release_story(
    project: Project, name: str, *, session: str | None, now: datetime
) -> tuple[str, list[str]]:
    """Release a story that this clone claims; return its name and notes. `now` carries its zone.

    Raises Refused if it claims no such story, TeamServerFault if the server does not answer.
    """
    story, state, notes = _prepare(project, name, "nothing was released")
    if state is not None:
        with _claims_of(project, state, notes) as server:
            is_ours = bool(server.release([story.name]))
    else:
        is_ours = story.claim is not None and story.claim.writer is None
    if not is_ours:
        raise Refused(
            f"this clone does not claim {one_line(story.name, MAX_STORY_CHARS)}; "
            "`agent-progress status` names who does"
        )
    if state is None:
        notes += _log_claim(project, story.name, {"released": True}, session, now)
    return story.name, notes


def _prepare(project: Project, name: str, undone: str) -> tuple[_Story, TeamState | None, list[str]]:
    """Take in what others have done; return the story as it is then, the state if in a team, and notes.

    `undone` is the consequence if the server does not answer. A sync that runs already brings the same.
    Raises BadInput if the name cannot be a story's.
    """
    given = one_line(name).strip()
    if not given or len(given) > MAX_STORY_CHARS:
        raise BadInput(f"a story is named by 1 to {MAX_STORY_CHARS} characters on one line, such as US-003")
    prepare(project)
    take_in_latest(project)
    synced = None
    with suppress(Busy), explain_consequence(undone):
        synced = sync(project, joins=False, patience=SYNC_PATIENCE_S)
    return _find_story(project, given), team_state.load(project), list(synced.notes) if synced else []


def _log_claim(
    project: Project, story: str, claim: dict[str, Any], session: str | None, now: datetime
) -> list[str]:
    """Log a claim or its end, and return notes."""
    text = f"Claimed until {claim['until']}" if "until" in claim else "Released"
    data = {CLAIM: claim}
    done = log_entry(
        project, CLAIM_TYPE, now=now, task_id=story, description=text, data=data, session=session
    )
    return done.notes


@contextmanager
def _claims_of(project: Project, state: TeamState, notes: list[str]) -> Iterator[TeamServer]:
    """Open the server to change a claim; keep the claims afterwards, and renew the summary.

    A sync that runs keeps them otherwise.
    """
    with explain_consequence(UNSURE), opened(required_url(), state.project, writer_name(project)) as server:
        yield server
        with suppress(Busy), team_state.sync_lock(project, SYNC_PATIENCE_S):
            team_state.save_claims(project, server.read_claims())
        notes += renew_summary(project)


def _describe_holder(held: Claim) -> str:
    story, since = one_line(held.story, MAX_STORY_CHARS), f"since {held.since}, until {held.until}"
    if held.writer is not None:
        return f"{held.writer} claims {story} {since}; take another story, or ask its holder to release it"
    return (
        f"this clone claims {story} already, {since}: go on if that was you, else take another story; "
        "only the client's session that claimed it renews it, and "
        f"`agent-progress release {shlex.quote(story)}` frees it"
    )


def _find_story(project: Project, name: str) -> _Story:
    """Return what is known of a story, in any case of its id. Raises as reading does."""
    reading = read_project(project, InputSnapshot(project.root))
    facts, key = reading.facts, name.casefold()
    states = [each for plan in facts.state.plans for each in (*plan.items, *plan.groups)]
    planned = {each.item.id.casefold(): each for each in reversed(states) if each.item.id}
    logged = [(task, each) for each in reading.log.stories_logged() if (task := text_of(each, "task_id"))]
    known = {task.casefold(): task for task, _ in logged}
    known |= {story: each.item.id or "" for story, each in planned.items()}
    shown, objection = one_line(known.get(key, name), MAX_STORY_CHARS), ""
    done = [each for task, each in logged if task.casefold() == key and each["type"] == "task_completed"]
    if key in planned and (done or planned[key].status in FINISHED):
        by = writer_of(done[-1]) if done else None
        objection = f"{shown} is finished{f', by {one_line(by)}' if by else ''}; take another story"
    elif planned and key not in known:
        objection = f"no plan or log here has a story {shown}{describe_similar(key, known)}"
    claim = next((each for each in facts.claims if each.key == key), None)
    return _Story(known.get(key, name), objection, claim)
