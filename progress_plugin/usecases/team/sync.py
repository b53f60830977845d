"""One sync of a project with its team's server: one pull and one push for everything that a team shares.

There is no queue: what is to be sent is what the server does not have. So after a kill, an outage or a
partition the next sync does the rest. A server that was restored from a backup no longer has the row at our
cursor: then everything is read, and compared, from the beginning.
"""

from __future__ import annotations

from collections import Counter
from importlib.util import find_spec
from typing import NamedTuple

from progress_plugin.core import environment, error_log
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.paths import database_path
from progress_plugin.core.project import Project, find_project
from progress_plugin.log import clone_identity
from progress_plugin.team import state as team_state
from progress_plugin.team.connection import TeamServerFault
from progress_plugin.team.server import ENTRY, ROWS_AT_ONCE, Cursor, TeamServer, cursor_at, opened
from progress_plugin.team.state import TeamState
from progress_plugin.usecases.project_writes import lock_of, prepare
from progress_plugin.usecases.reading import read_settings
from progress_plugin.usecases.recording.append import renew
from progress_plugin.usecases.team.entries import Entries
from progress_plugin.usecases.team.memory import Memory
from progress_plugin.usecases.team.project_key import project_key, required_url, team_url

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
        team_state.note_beginning(project)
        try:
            key = named or (state.project if state else "") or project_key(project)
            if state is None or state.project != key:
                state = TeamState(project=key)
                team_state.save(project, state)  # it takes part, also if the server is away
            with opened(url, state.project, writer_name(project)) as server:
                server_id = server.read_id()
                if state.server != server_id:
                    state = TeamState(server_id, state.project)
                done = _sync_with(project, server, state)
            team_state.note_success(project, state)
        except AgentProgressError as error:
            team_state.note_fault(project, str(error))
            raise
    return done


def run_in_background(root: str) -> None:
    """Sync until nothing was written meanwhile; another process that syncs looks once more itself.

    A failure is noted in the clone until a sync succeeds, and shown by `doctor` and `status`.
    """
    environment.enter()
    project = find_project(root)
    if team_state.load(project) is None or team_url() is None or find_spec("psycopg") is None:
        return  # `doctor` says what is missing
    while True:
        try:
            done = sync(project, joins=False, patience=0)
        except AgentProgressError:
            return
        for note in done.notes if done is not None else ():
            error_log.note("sync", AgentProgressError(note))  # for `doctor`
        if not team_state.is_wanted(project):
            return


def _sync_with(project: Project, server: TeamServer, state: TeamState) -> Synced:
    entries = Entries(project, state)
    entries.learn_erasures(server)
    sent = _exchange(server, entries)[ENTRY]
    memory, memory_sent, fault = None, 0, ""
    try:
        database = database_path(project.root, project.main_root)
        if database is not None:
            memory = Memory(project, database, server.writer)
            memory_sent = _exchange(server, memory).total()
    except TeamServerFault:
        raise
    except AgentProgressError as error:  # the log is synced without it
        fault = f"the memory was not synced: {error}"
    has_new_claims = team_state.save_claims(project, server.read_claims())
    memory_taken = memory.taken if memory else 0
    notes = [*entries.notes(), *([fault] if fault else memory.notes() if memory else [])]
    if entries.taken or has_new_claims or memory_taken:
        notes += renew_summary(project)
    return Synced(server.project, server.writer, entries.taken, sent, memory_taken, memory_sent, tuple(notes))


def _exchange(server: TeamServer, side: Entries | Memory) -> Counter[str]:
    """Take in what is new on the server, send what it lacks; return how many rows of each kind it took."""
    cursor = side.cursor()
    if not cursor.seq or not server.has_row_at(cursor):
        cursor = Cursor()
        side.begin_again()
    sent: Counter[str] = Counter()
    for _ in range(TURNS):
        for rows in server.read_pages(cursor, side.kinds):  # also our own, so that their loss is noticed
            side.take_in(rows)
            cursor = cursor_at(rows[-1])
        is_over = True
        for kind, names in side.offers().items():
            lacking = server.find_lacking(kind, [*names])
            new = [row for name in lacking if (row := side.row_of(kind, name))]
            for first in range(0, len(new), ROWS_AT_ONCE):
                is_over, part = False, new[first : first + ROWS_AT_ONCE]
                sent[kind] += server.append(part, side.finished_stories(part))
        if is_over:
            break
    return sent


def writer_name(project: Project) -> str:
    """Return the name of this clone, made now if it has none. Raises Busy."""
    with lock_of(project, DEFAULT_TIMEOUT_S):
        return clone_identity.writer_of(project.log_directory)


def renew_summary(project: Project) -> list[str]:
    """Renew the summary if the settings want that; return why that cannot be."""
    settings = read_settings(project).stored
    return renew(project) if settings.auto_generate and settings.summary_enabled else []
