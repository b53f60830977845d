"""Claim a story, so that no other agent takes it, and release it: by a lease on the team's server."""

from __future__ import annotations

import re
import shlex
from contextlib import suppress
from datetime import timedelta
from typing import Any

from progress_plugin.core.clients import session_from_environment
from progress_plugin.core.errors import BadInput, Busy, Refused
from progress_plugin.core.files import content_digest
from progress_plugin.core.project import Project
from progress_plugin.log.entry import text_of, writer_of
from progress_plugin.model.status import FINISHED
from progress_plugin.team import state as team_state
from progress_plugin.team.server import TeamServer
from progress_plugin.team.state import TeamState
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.reading import read_project
from progress_plugin.usecases.recording.changes import describe_similar
from progress_plugin.usecases.recording.writing import renew_summaries
from progress_plugin.usecases.sharing import import_shared_entries
from progress_plugin.usecases.team.sync import open_team_server, sync

USUAL_DURATION = "2h"
MAX_DURATION = timedelta(days=30)
MAX_STORY_CHARS = 200
SESSION_DIGITS = 12
SYNC_PATIENCE_S = 0.5  # for a sync that runs already: it reads the claims, too
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


def parse_duration(text: str) -> timedelta:
    """Parse a duration such as `90m`, `2h` or `1d`. Raises BadInput for another text, 0 and above 30 days."""
    found = re.fullmatch(r"(\d{1,4})([mhd])", text.strip().lower())
    duration = timedelta(**{_UNITS[found[2]]: int(found[1])}) if found else timedelta()
    if not timedelta() < duration <= MAX_DURATION:
        raise BadInput(f"{one_line(text, 40)} is not a claim duration; use 90m, 2h, ... up to 30d")
    return duration


def claim_story(project: Project, name: str, duration: timedelta, *, force: bool) -> dict[str, Any]:
    """Import remote entries, then claim a story for a while, and return the claim.

    With it come `renewed`, whether this session held it already, and `notes`. Raises Refused if another clone
    or session holds the story, and without `force` as `_find_story` does. If the server does not answer, the
    next sync shows whether the story is claimed.
    """
    given, state = _check(project, name)
    import_shared_entries(project)
    notes: list[str] = []
    with suppress(Busy):  # a sync that runs already brings the same
        synced = sync(project, joins=False, patience=SYNC_PATIENCE_S)
        notes += synced.notes if synced else ()
    story, since = _find_story(project, given, force=force)
    # The server gets only a digest of the session id. Without an id each call counts as another session.
    session = session_from_environment()
    mark = content_digest(session.encode("utf-8", "replace")).decode()[:SESSION_DIGITS] if session else ""
    with open_team_server(project, state) as server:
        claim, is_ours = server.claim(story, mark, duration)
        notes += _keep_claims(project, server)
    if not is_ours:
        held = f"{claim.writer or 'this clone'} claims {one_line(claim.story, MAX_STORY_CHARS)} already"
        free = f"have it freed there: `agent-progress release {shlex.quote(story)}`"
        raise Refused(f"{held}, since {claim.since}, until {claim.until}; take another story, or {free}")
    return {**claim._asdict(), "renewed": since == claim.since, "notes": notes}


def release_story(project: Project, name: str) -> dict[str, Any]:
    """Release a story that this clone claims; return its name as `released`, and `notes`.

    Raises Refused if it claims no such story.
    """
    given, state = _check(project, name)
    with open_team_server(project, state) as server:
        released = server.release([given])
        notes = _keep_claims(project, server)
    if not released:
        raise Refused(f"this clone does not claim {given}; `agent-progress status` names who does")
    return {"released": released[0], "notes": notes}


def _check(project: Project, name: str) -> tuple[str, TeamState]:
    """Return the name on one line and the team's state. Raises BadInput for a bad name or without a team."""
    given, state = one_line(name).strip(), team_state.load(project)
    if not given or len(given) > MAX_STORY_CHARS:
        raise BadInput(f"a story is named by 1 to {MAX_STORY_CHARS} characters on one line, such as US-003")
    if state is None:
        raise BadInput(
            "claims are kept by a team's server, and this clone takes part in none; "
            "join with `agent-progress sync`"
        )
    return given, state


def _keep_claims(project: Project, server: TeamServer) -> list[str]:
    """Save the current claims, unless a running sync does it, and renew the summary. Return notes."""
    with suppress(Busy), team_state.sync_lock(project, SYNC_PATIENCE_S):
        team_state.save_claims(project, server.read_claims())
    return renew_summaries(project)


def _find_story(project: Project, name: str, *, force: bool) -> tuple[str, str]:
    """Return a story as the plan or else the log spells it, or as given, and the time of its claim, or "".

    Without `force` raises Refused for a finished story of a plan, and, if plans give ids, for an unknown one.
    """
    reading = read_project(project)
    facts, key = reading.facts, name.casefold()
    states = [each for plan in facts.state.plans for each in (*plan.items, *plan.groups)]
    planned = {each.item.id.casefold(): each for each in reversed(states) if each.item.id}
    logged = [(task, each) for each in reading.log.effective_entries if (task := text_of(each, "task_id"))]
    known = {task.casefold(): task for task, _ in logged}
    known |= {story: each.item.id or "" for story, each in planned.items()}
    shown, anyway = one_line(known.get(key, name), MAX_STORY_CHARS), "claim it anyway with --force"
    done = [each for task, each in logged if task.casefold() == key and each["type"] == "task_completed"]
    if not force and key in planned and (done or planned[key].status in FINISHED):
        by = writer_of(done[-1]) if done else None
        finished = f"{shown} is finished{f', by {one_line(by)}' if by else ''}"
        raise Refused(f"{finished}; take another story; {anyway}")
    if not force and planned and key not in known:
        raise Refused(f"no plan or log here has a story {shown}{describe_similar(key, known)}; {anyway}")
    return known.get(key, name), next((each.since for each in facts.claims if each.key == key), "")
