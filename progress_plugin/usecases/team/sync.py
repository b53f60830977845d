"""One sync of a project with its team's server: one pull and one push for everything that a team shares.

There is no queue: what is to be sent is what the server does not have. So after a kill, an outage or a
partition the next sync does the rest. A server that was restored from a backup no longer has the row at our
cursor: then everything is read, and compared, from the beginning.

A clone that leaves keeps what others have logged, and the server keeps what it has sent.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import NamedTuple

from progress_plugin.core import environment, error_log
from progress_plugin.core.errors import AgentProgressError, BadInput, Busy, Refused
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.paths import database_path
from progress_plugin.core.project import Project, find_project
from progress_plugin.core.snapshot import Stamp, stamp_of
from progress_plugin.log import clone_identity, store
from progress_plugin.team import state as team_state
from progress_plugin.team.connection import TeamServerFault
from progress_plugin.team.server import TeamServer, opened
from progress_plugin.team.state import TeamState
from progress_plugin.usecases.project_writes import lock_of, prepare
from progress_plugin.usecases.reading import read_settings
from progress_plugin.usecases.recording.append import renew
from progress_plugin.usecases.team.entries import Entries
from progress_plugin.usecases.team.memory import Memory
from progress_plugin.usecases.team.setup import project_key, required_url, team_url

TURNS = 5  # how often an exchange goes on because another clone wrote the same revision of a document


class Synced(NamedTuple):
    """What one sync did."""

    project: str  # its name on the server
    writer: str
    taken: int  # entries
    sent: int
    memory_taken: int  # observations, their ends, and revisions of progress documents of others
    memory_sent: int
    notes: tuple[str, ...]  # what a person should know, one sentence each


class Left(NamedTuple):
    """What a clone has left."""

    project: str  # its name on the server
    released: tuple[str, ...]  # the stories that this clone claimed there
    notes: tuple[str, ...]


def sync(
    project: Project, *, joins: bool, named: str | None = None, patience: float = DEFAULT_TIMEOUT_S
) -> Synced | None:
    """Take in what others have added, send what the server lacks, and read who claims what.

    With `joins` the clone takes part from now on; without, the result is None if it does not. `named` is the
    project's name on the server from now on; without it the name is kept that the clone joined with.
    `patience` is for another sync of this clone, in seconds. Raises BadInput if no team is configured, Busy
    while another sync runs, TeamServerFault if the server cannot be reached or refuses, AgentProgressError if
    the disk does.
    """
    if not joins and team_state.load(project) is None:
        return None
    url = required_url()
    prepare(project)
    with team_state.sync_lock(project, patience):
        state = team_state.load(project)
        if state is None and not joins:
            return None  # it has left meanwhile
        key = named or (state.project if state else "") or project_key(project)
        if state is None or state.project != key:
            state = TeamState(key)
        team_state.save(project, state)  # so it takes part if the server is away, and no start syncs at once
        try:
            with opened(url, key, writer_name(project)) as server:
                done = _sync_with(project, server, state)
            state.note_success(project)
        except AgentProgressError as error:
            state.note_fault(str(error))
            raise
        finally:
            team_state.save(project, state)
    return done


def run_in_background(root: str) -> None:
    """Sync until nothing was written meanwhile; a process that finds another one at it leaves it to that.

    A failure is noted in the clone until a sync succeeds, and shown by `doctor` and `status`.
    """
    environment.enter()
    project = find_project(root)
    before: list[Stamp] | None = None
    with suppress(AgentProgressError):
        while (now := _stamps(project)) != before:
            before = now
            done = sync(project, joins=False, patience=0)
            for note in done.notes if done else ():
                error_log.note("sync", AgentProgressError(note))  # for `doctor`


def _stamps(project: Project) -> list[Stamp]:
    """Return size and time of what a sync sends."""
    paths = [os.path.join(project.log_directory, store.LOG_FILE)]
    with suppress(BadInput):
        database = database_path(project.root, project.main_root) or ""
        paths += [database, f"{database}-wal"]
    return list(map(stamp_of, paths))


def leave(project: Project) -> Left:
    """Have this clone take part no more, and release what it claims on the server if that can be reached.

    From then on a claim is an entry of the log, as in any clone without a team. Raises Refused if it takes no
    part, Busy while a sync runs, AgentProgressError if the disk refuses.
    """
    released: list[str] = []
    notes: list[str] = []
    with team_state.sync_lock(project, DEFAULT_TIMEOUT_S):
        state = team_state.load(project)
        if state is None:
            raise Refused("this clone takes part in no team's server; there is nothing to leave")
        prepare(project)
        if url := team_url():
            try:
                with opened(url, state.project, writer_name(project)) as server:
                    released = server.release()
            except AgentProgressError as error:
                reason = f"the team's server: {error.reason}" if isinstance(error, TeamServerFault) else error
                notes.append(f"what this clone claims there ends by its time: {reason}")
        else:
            notes.append("no server is configured any more, so what this clone claims there ends by its time")
        team_state.forget(project)
    with suppress(Busy):
        notes += renew_summary(project)
    return Left(state.project, tuple(released), tuple(notes))


def _sync_with(project: Project, server: TeamServer, state: TeamState) -> Synced:
    entries = Entries(project, state)
    entries.exchange_erasures(server)
    _exchange(server, entries)
    notes, memory = entries.notes(), None
    try:
        if database := database_path(project.root, project.main_root):
            memory = Memory(project, database, server.writer)
            _exchange(server, memory)
            notes += memory.notes()
    except TeamServerFault:
        raise
    except AgentProgressError as error:  # the log is synced without it
        notes.append(f"the memory was not synced: {error}")
    memory_taken, memory_sent = (memory.taken, memory.sent) if memory else (0, 0)
    has_new_claims = team_state.save_claims(project, server.read_claims())
    if entries.taken or has_new_claims or memory_taken:
        notes += renew_summary(project)
    return Synced(
        server.project, server.writer, entries.taken, entries.sent, memory_taken, memory_sent, tuple(notes)
    )


def _exchange(server: TeamServer, side: Entries | Memory) -> None:
    """Take in what is new on the server, and send what it lacks."""
    cursor = side.cursor(server)
    for _ in range(TURNS):
        for rows in server.read_pages(cursor, side.kinds):  # also our own, so that their loss is noticed
            side.take_in(rows)
            cursor = rows[-1].cursor
        if not side.send(server):
            break


def writer_name(project: Project) -> str:
    """Return the name of this clone, made now if it has none. Raises Busy."""
    with lock_of(project, DEFAULT_TIMEOUT_S):
        return clone_identity.writer_of(project.log_directory)


def renew_summary(project: Project) -> list[str]:
    """Renew the summary if the settings want that; return why that cannot be."""
    settings = read_settings(project).stored
    return renew(project) if settings.auto_generate and settings.summary_enabled else []
