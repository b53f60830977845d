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
from progress_plugin.log import clone_identity, team_state
from progress_plugin.team import claim_leases, connection, schema
from progress_plugin.text.bounds import some_of
from progress_plugin.usecases.project_writes import prepare
from progress_plugin.usecases.team.project_key import required_url, team_url
from progress_plugin.usecases.team.sync import renew_summary

NO_MEMBER = "this clone takes part in no team's server; there is nothing to leave"
_REASONS = {
    "42501": "your role may not make the tables: the person who runs the server applies what "
    "`agent-progress team init --sql` prints",
}


class Tables(NamedTuple):
    """The tables on the server."""

    before: int  # the number of the schema as it was found; 0 for none
    now: int
    role: str
    allowed: tuple[str, ...]  # what the connected role may do with entries
    notes: tuple[str, ...]


class Left(NamedTuple):
    """What a clone has left."""

    project: str  # its name on the server
    released: tuple[str, ...]  # the stories that this clone claimed there
    notes: tuple[str, ...]

    def describe_released(self) -> str:
        """Name in one sentence the stories that are free now; empty if none was claimed."""
        return f"Free again: {some_of(list(self.released))}." if self.released else ""


def make_tables() -> Tables:
    """Bring the schema to this version, and return what the connected role may do.

    Raises BadInput if no team is configured or the schema cannot be brought up to date, TeamServerFault if
    the server refuses.
    """
    with (
        connection.explain_consequence("nothing was changed", _REASONS),
        connection.connected(required_url()) as server,
    ):
        before = schema.migrate(server)
        rights = schema.read_rights(server)
    allowed = {"read": rights.may_read, "append": rights.may_append}
    notes = []
    if rights.is_owner:
        notes.append(
            f"{rights.role} owns the tables, so no grant binds it; give people roles of their own: "
            f"`create role NAME login in role {schema.WRITER_ROLE}`"
        )
    elif not all(allowed.values()):
        notes.append(f"to sync, a role needs: `grant {schema.WRITER_ROLE} to {rights.role}`")
    if before == schema.EARLIER:
        notes.append(
            f"the tables of schema {before} are kept as agent_progress_{before}; once every clone has "
            f"synced, `drop schema agent_progress_{before} cascade` removes them"
        )
    names = tuple(name for name, is_allowed in allowed.items() if is_allowed)
    return Tables(before, schema.VERSION, rights.role, names, tuple(notes))


def leave(project: Project) -> Left:
    """Have this clone take part no more, and release what it claims on the server if that can be reached.

    Raises Refused if it takes no part, Busy while a sync runs, AgentProgressError if the disk refuses.
    """
    directory = project.log_directory
    if team_state.load(directory) is None:
        raise Refused(NO_MEMBER)
    prepare(project)
    with team_state.sync_lock(directory, DEFAULT_TIMEOUT_S):
        state = team_state.load(directory)
        if state is None:
            raise Refused(NO_MEMBER)
        released, notes = _release_all(directory, state.project)
        team_state.forget(directory)
    with suppress(Busy):
        notes += renew_summary(project)
    return Left(state.project, tuple(released), tuple(notes))


def _release_all(directory: str, key: str) -> tuple[list[str], list[str]]:
    """Release what this clone claims on the server; return the stories, and what could not be done."""
    writer, url = clone_identity.known_writer(directory), team_url()
    if writer is None:
        return [], []
    if url is None:
        return [], ["no server is configured any more, so what this clone claims there ends by its time"]
    try:
        with connection.connected(url) as server:
            return claim_leases.release(server, key, writer), []
    except AgentProgressError as error:
        reason = (
            f"the team's server: {error.reason}" if isinstance(error, connection.TeamServerFault) else error
        )
        return [], [f"what this clone claims there ends by its time: {reason}"]
