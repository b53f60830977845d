"""Sync a project with its team's server: read and send everything that a team shares.

There is no queue: a sync sends what the server lacks. So after a kill or an outage the next sync does the
rest. A server that was restored from a backup no longer has the row at our cursor: then everything is read,
and compared, from the beginning.

A clone that leaves keeps what others have logged, and the server keeps what it has sent.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from typing import Any, NamedTuple

from progress_plugin.core import environment, error_log
from progress_plugin.core.errors import AgentProgressError, BadInput, Busy, Refused, notify
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.paths import database_path
from progress_plugin.core.project import Project, find_project
from progress_plugin.core.snapshot import Stamp, stamp_of
from progress_plugin.log import archive, shared_entries, store
from progress_plugin.log.entry import WRITER, data_of, text_of
from progress_plugin.team import state as team_state
from progress_plugin.team.connection import TeamServerFault
from progress_plugin.team.server import ENTRY, ERASED, Cursor, NewRow, Row, TeamServer, opened
from progress_plugin.team.state import TeamState
from progress_plugin.text.bounds import counted, some_of
from progress_plugin.usecases import sharing
from progress_plugin.usecases.project_writes import lock_of
from progress_plugin.usecases.recording.writing import renew_summaries
from progress_plugin.usecases.team.memory_sync import Memory
from progress_plugin.usecases.team.setup import project_key, provide_psycopg, required_url

MAX_EXCHANGE_ROUNDS = 5  # another clone may write the same revision of a document meanwhile


class SyncResult(NamedTuple):
    """The result of one sync."""

    project: str  # its name on the server
    writer: str
    taken: int  # entries
    sent: int
    memory_taken: int  # observations, their deletions, and revisions of progress documents, by others
    memory_sent: int  # the same, from here
    notes: tuple[str, ...]  # for a person, one sentence each


class Entries:
    """The log of one clone. The caller holds the sync's lock."""

    kinds = (ENTRY,)

    def __init__(self, project: Project, state: TeamState) -> None:
        self._project, self._state = project, state
        self._directory = project.log_directory
        self._unsent: list[str] = []  # ids of entries that cannot be sent
        self._invalid = 0
        self._has_new_erasures = False
        self.taken = self.sent = 0

    def exchange_erasures(self, server: TeamServer) -> None:
        """Store remote erasures before any entry is read, and announce our own."""
        known = shared_entries.read_erasures(self._directory)
        rows = list(chain.from_iterable(server.read_pages(Cursor(), [ERASED])))
        if new := {row.id: row.writer for row in rows if row.id not in known}:
            self._has_new_erasures = True
            with lock_of(self._project, DEFAULT_TIMEOUT_S):
                shared_entries.remember_erasures(self._directory, new)
        own = {digest for digest, writer in known.items() if not writer}
        server.append([NewRow(ERASED, digest) for digest in sorted(own - {row.id for row in rows})])

    def cursor(self, server: TeamServer) -> Cursor:
        """Return the cursor of the last row read; the beginning if none is known or log or server lost it."""
        state = self._state
        cursor = Cursor(state.seq, state.mark)
        last = [{"id": state.entry, WRITER: ""}] if state.entry else []  # the log may have lost it
        if not sharing.find_new_entries(self._project, last) and server.has_row_at(cursor):
            return cursor
        state.archive = ""  # `send` must compare the archive again, too
        return Cursor()

    def import_rows(self, rows: Sequence[Row]) -> None:
        """Put new entries into the log, before the cursor is moved: a kill in between loses nothing."""
        if found := [each for row in rows if (each := self._entry_in(row))]:
            self.taken += sharing.insert_entries(self._project, found)
            self._state.entry = found[-1]["id"]
        self._state.seq, self._state.mark = rows[-1].cursor
        team_state.save(self._project, self._state)

    def _entry_in(self, row: Row) -> dict[str, Any] | None:
        """Return the validated entry of a row with its writer; None for anything else."""
        if row.body is None:
            return None
        entry = shared_entries.parse_entry(row.body.encode(), row.writer)
        if entry is None or entry["id"] != row.id or not shared_entries.is_writer(row.writer):
            self._invalid += 1
            return None
        return entry

    def send(self, server: TeamServer) -> bool:
        """Send our entries that the server lacks, and return whether any could be sent.

        The archive is compared only if it has changed since all of it was sent.
        """
        stamp = str(stamp_of(os.path.join(self._directory, archive.ARCHIVE_FOLDER)))
        has_all = stamp == self._state.archive
        entries = store.load(self._directory).entries if has_all else store.read_all_entries(self._directory)
        own = [entry for entry in entries if WRITER not in entry]
        is_id = shared_entries.is_id
        by_id = {entry["id"]: entry for entry in own if is_id(entry.get("id"))}
        self._unsent = [text_of(each, "id") or "(no id)" for each in own if not is_id(each.get("id"))]
        lacking = server.find_missing([NewRow(ENTRY, name) for name in by_id])
        new = [row for each in lacking if (row := self._row_of(by_id[each.id]))]
        self.sent += server.append(new)
        self._state.archive = stamp
        return bool(new)

    def _row_of(self, entry: dict[str, Any]) -> NewRow | None:
        """Return the redacted entry as a row; None if it cannot be sent."""
        line = shared_entries.serialise_entry(entry)
        if line is None:
            self._unsent.append(entry["id"])
            return None
        # A supplement adds to the completion of a story that was finished before.
        is_finish = entry.get("type") == "task_completed" and "supplements" not in data_of(entry)
        return NewRow(ENTRY, entry["id"], line.decode(), text_of(entry, "task_id") if is_finish else None)

    def notes(self) -> list[str]:
        """Describe faults of the exchange, one sentence each."""
        faults = sharing.describe_remote_erasures(self._directory) if self._has_new_erasures else []
        notes = list(map(str, faults))
        if self._unsent:
            notes.append(f"not sent, too large or without a valid id or time: {some_of(self._unsent)}")
        if self._invalid:
            notes.append(f"{counted(self._invalid, 'row')} of the server hold no valid entry; passed over")
        return notes


def sync(
    project: Project, *, joins: bool, named: str | None = None, patience: float = DEFAULT_TIMEOUT_S
) -> SyncResult | None:
    """Import remote rows, send missing rows, and read the claims.

    With `joins` the clone takes part from now on. Without it the result is None if the clone takes no part.
    `named` is the project's name on the server from now on, by default the one that the clone joined with.
    `patience` is the longest wait for another sync of this clone, in seconds.
    """
    required_url()
    with team_state.sync_lock(project, patience):
        state = team_state.load(project)
        if state is None and not joins:
            return None
        key = named or (state.project if state else "") or project_key(project)
        if state is None or state.project != key:
            state = TeamState(key)
        team_state.save(project, state)  # so it takes part even if the server is away
        try:
            provide_psycopg(notify)
            with open_team_server(project, state) as server:
                done = _sync_with(project, server, state)
            state.note_success(project)
        except AgentProgressError as error:
            state.note_fault(str(error))
            raise
        finally:
            team_state.save(project, state)
    return done


def run_in_background(root: str) -> None:
    """Sync again until nothing was written during a sync; stop if another process syncs.

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
    """Return the stamps of the log and the memory database: a sync sends what is new in them."""
    paths = [os.path.join(project.log_directory, store.LOG_FILE)]
    with suppress(BadInput):
        database = database_path(project.root, project.main_root)
        paths += [database, f"{database}-wal"]
    return list(map(stamp_of, paths))


def leave(project: Project) -> dict[str, Any]:
    """Leave the team, and release the claims of this clone if the server can be reached.

    Return the `project` as it is called there, the stories `released`, and `notes`. Raises Refused if the
    clone takes no part.
    """
    released: list[str] = []
    notes: list[str] = []
    with team_state.sync_lock(project, DEFAULT_TIMEOUT_S):
        state = team_state.load(project)
        if state is None:
            raise Refused("this clone takes part in no team's server; there is nothing to leave")
        try:
            with open_team_server(project, state) as server:
                released = server.release()
        except AgentProgressError as error:
            reason = getattr(error, "reason", error)
            notes.append(f"the claims of this clone could not be released and expire: {reason}")
        team_state.forget(project)
    with suppress(Busy):
        notes += renew_summaries(project)
    return {"project": state.project, "released": released, "notes": notes}


def _sync_with(project: Project, server: TeamServer, state: TeamState) -> SyncResult:
    entries = Entries(project, state)
    entries.exchange_erasures(server)
    _exchange(server, entries)
    notes, memory = entries.notes(), None
    try:
        memory = Memory(project, database_path(project.root, project.main_root), server.writer)
        _exchange(server, memory)
        notes += memory.notes()
    except TeamServerFault:
        raise
    except AgentProgressError as error:  # the log is synced without it
        notes.append(f"the memory was not synced: {error}")
    memory_taken, memory_sent = (memory.taken, memory.sent) if memory else (0, 0)
    has_new_claims = team_state.save_claims(project, server.read_claims())
    if entries.taken or has_new_claims or memory_taken:
        notes += renew_summaries(project)
    return SyncResult(
        server.project, server.writer, entries.taken, entries.sent, memory_taken, memory_sent, tuple(notes)
    )


def _exchange(server: TeamServer, side: Entries | Memory) -> None:
    """Import new rows of the server, and send the rows that it lacks."""
    cursor = side.cursor(server)
    for _ in range(MAX_EXCHANGE_ROUNDS):
        for rows in server.read_pages(cursor, side.kinds):  # our own too: the server may lose them
            side.import_rows(rows)
            cursor = rows[-1].cursor
        if not side.send(server):
            break


@contextmanager
def open_team_server(project: Project, state: TeamState) -> Iterator[TeamServer]:
    """Open the server of a team as this clone; create the clone's name if it has none.

    Raises BadInput also for another schema, and if psycopg is missing.
    """
    url = required_url()
    with lock_of(project, DEFAULT_TIMEOUT_S):
        writer = shared_entries.ensure_writer(project.log_directory)
    with opened(url, state.project, writer) as server:
        yield server
