"""A clone takes no part in its team's server any more.

What others have logged stays in the log here, and what this clone has sent stays on the server. From then on
a claim is an entry of the log, as in any clone without a team.
"""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from progress_plugin.core.errors import AgentProgressError, Busy, Refused
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project
from progress_plugin.log import team_state, writer_identity
from progress_plugin.text.bounds import some_of
from progress_plugin.usecases.project_writes import lock_of, prepare
from progress_plugin.usecases.reading import read_settings
from progress_plugin.usecases.recording.append import renew
from progress_plugin.usecases.team.team_server import team_url

_NO_MEMBER = "this clone takes part in no team's server; there is nothing to leave"

_HELD = "what this clone claimed there, before it was restored, cloned anew or cleaned, ends by its time"


class Left(NamedTuple):
    """What a clone has left."""

    project: str
    """What the project is called on the server."""
    released: tuple[str, ...]
    """The stories that this clone claimed there."""
    notes: tuple[str, ...]


def leave(project: Project) -> Left:
    """Have this clone take part no more, and free on the server what it claims there, if that can be reached.

    Raises Refused where it takes no part, Busy while a sync runs, AgentProgressError where the disk refuses.
    """
    directory = project.log_directory
    if team_state.load(directory) is None and not writer_identity.took_part(directory):
        raise Refused(_NO_MEMBER)
    prepare(project)
    with team_state.sync_lock(directory, DEFAULT_TIMEOUT_S):
        state = team_state.load(directory)
        if state is not None:
            key, (released, notes) = state.project, _released(directory, state.project)
        elif writer_identity.took_part(directory):
            key, released, notes = "its team's server", [], [_HELD]
        else:
            raise Refused(_NO_MEMBER)
        team_state.forget(directory)
        with lock_of(project, DEFAULT_TIMEOUT_S):
            writer_identity.note_membership(directory, is_member=False)
    settings = read_settings(project).stored
    if settings.auto_generate and settings.summary_enabled:
        with suppress(Busy):
            notes += renew(project)
    return Left(key, tuple(released), tuple(notes))


def _released(directory: str, key: str) -> tuple[list[str], list[str]]:
    """Free what this clone claims on the server; return the stories, and what could not be done."""
    writer, url = writer_identity.known_writer(directory), team_url()
    if writer is None:
        return [], []
    if url is None:
        return [], ["no server is configured any more, so what this clone claims there ends by its time"]
    from progress_plugin.team import claim_rows, connection  # noqa: PLC0415 - where there is a server

    try:
        with connection.connected(url) as server:
            return claim_rows.release_all(server, key, writer), []
    except connection.TeamServerFault as error:  # what becomes of a next sync is nobody's concern here
        return [], [f"what this clone claims there ends by its time: the team's server: {error.reason}"]
    except AgentProgressError as error:
        return [], [f"what this clone claims there ends by its time: {error}"]


def released_line(left: Left) -> str:
    """Return in one sentence which stories are free now; empty where none was claimed."""
    return f"Free again: {some_of(list(left.released))}." if left.released else ""
