"""Make the tables on a team's server, and leave it.

A clone that leaves keeps what others have logged, and the server keeps what it has sent. From then on a claim
is an entry of the log, as in any clone without a team.
"""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from progress_plugin.core.errors import AgentProgressError, Busy, Refused
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project
from progress_plugin.log import clone_identity
from progress_plugin.team import schema
from progress_plugin.team import state as team_state
from progress_plugin.team.connection import TeamServerFault, connected, explain_consequence
from progress_plugin.team.server import TeamServer
from progress_plugin.usecases.project_writes import prepare
from progress_plugin.usecases.team.project_key import required_url, team_url
from progress_plugin.usecases.team.sync import renew_summary

NO_MEMBER = "this clone takes part in no team's server; there is nothing to leave"


class Tables(NamedTuple):
    """The tables on the server."""

    before: int  # the number of the schema as it was found; 0 for none
    now: int
    notes: tuple[str, ...]


class Left(NamedTuple):
    """What a clone has left."""

    project: str  # its name on the server
    released: tuple[str, ...]  # the stories that this clone claimed there
    notes: tuple[str, ...]


def make_tables() -> Tables:
    """Bring the schema to this version.

    Raises BadInput if no team is configured or the schema cannot be brought up to date, TeamServerFault if
    the server refuses.
    """
    with explain_consequence("nothing was changed"), connected(required_url()) as connection:
        before = schema.migrate(connection)
    grant = f"`create role NAME login in role {schema.WRITER_ROLE}`, or `grant {schema.WRITER_ROLE} to NAME`"
    notes = [f"give people roles of their own: {grant}"]
    if before == schema.EARLIER:
        notes.append(
            f"the tables of schema {before} are kept as agent_progress_{before}; once every clone has "
            f"synced, `drop schema agent_progress_{before} cascade` removes them"
        )
    return Tables(before, schema.VERSION, tuple(notes))


def leave(project: Project) -> Left:
    """Have this clone take part no more, and release what it claims on the server if that can be reached.

    Raises Refused if it takes no part, Busy while a sync runs, AgentProgressError if the disk refuses.
    """
    if team_state.load(project) is None:
        raise Refused(NO_MEMBER)
    prepare(project)
    with team_state.sync_lock(project, DEFAULT_TIMEOUT_S):
        state = team_state.load(project)
        if state is None:
            raise Refused(NO_MEMBER)
        released, notes = _release_all(project, state.project)
        team_state.forget(project)
    with suppress(Busy):
        notes += renew_summary(project)
    return Left(state.project, tuple(released), tuple(notes))


def _release_all(project: Project, key: str) -> tuple[list[str], list[str]]:
    """Release what this clone claims on the server; return the stories, and what could not be done."""
    writer, url = clone_identity.known_writer(project.log_directory), team_url()
    if writer is None:
        return [], []
    if url is None:
        return [], ["no server is configured any more, so what this clone claims there ends by its time"]
    try:
        with connected(url) as connection:
            return TeamServer(connection, key, writer).release(), []
    except TeamServerFault as error:
        return [], [f"what this clone claims there ends by its time: the team's server: {error.reason}"]
    except AgentProgressError as error:
        return [], [f"what this clone claims there ends by its time: {error}"]
