"""One sync of a project with its team's server: take in what is new there, send what it lacks.

There is no queue: what is to be sent is what the server does not have. So after a kill, an outage or a
partition the next sync does the rest. A server that was restored from a backup no longer has the row at our
cursor: then everything is read, and compared, from the beginning.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

from progress_plugin.core import environment, error_log
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project, find_project
from progress_plugin.core.snapshot import stamp_of
from progress_plugin.log import (
    archive,
    claims,
    clone_identity,
    foreign_entry,
    known_erasures,
    store,
    team_state,
)
from progress_plugin.log.entry import WRITER, data_of, text_of
from progress_plugin.log.foreign_entry import digest_of
from progress_plugin.log.shared_entries import month_of
from progress_plugin.log.team_state import TeamState
from progress_plugin.team import claim_leases, connection, schema, server_log
from progress_plugin.team.server_log import ENTRY, ERASED, Cursor, NewRow, Row
from progress_plugin.text.bounds import counted, some_of
from progress_plugin.usecases.project_writes import lock_of, prepare, take_turn
from progress_plugin.usecases.reading import read_settings
from progress_plugin.usecases.recording.append import renew
from progress_plugin.usecases.recording.arrivals import Arrivals, put_into_log
from progress_plugin.usecases.team.memory_sync import sync_memory
from progress_plugin.usecases.team.project_key import (
    agreed_key,
    project_key,
    required_url,
    team_url,
)

if TYPE_CHECKING:
    from progress_plugin.team.connection import Connection


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
    project's name on the server from now on. `patience` is for another sync of this clone, in seconds. Raises
    BadInput if no team is configured, Busy while another sync runs, TeamServerFault if the server cannot be
    reached or refuses, AgentProgressError if the disk does.
    """
    directory = project.log_directory
    if not joins and team_state.load(directory) is None:
        return None
    url = required_url()
    prepare(project)
    with team_state.sync_lock(directory, patience):
        state = team_state.load(directory)
        if state is None and not joins:
            return None  # it has left meanwhile
        team_state.note_beginning(directory)
        try:
            state = _enter(project, state, named, joins=joins)
            with connection.connected(url) as server:
                schema.refuse_other_version(server)
                server_id = server_log.read_server_id(server)
                if state.server != server_id:
                    state = TeamState(server_id, state.project, state.named)
                done = _Sync(project, server, state).run()
            team_state.note_success(directory, state)
        except AgentProgressError as error:
            if team_state.load(directory) is not None:
                team_state.note_fault(directory, str(error))
            raise
    return done


def run_in_background(root: str) -> None:
    """Sync until nothing was written meanwhile; another process that syncs looks once more itself.

    A failure is noted in the clone until a sync succeeds, and shown by `doctor` and `status`.
    """
    environment.enter()
    project = find_project(root)
    directory = project.log_directory
    if team_state.load(directory) is None or team_url() is None or find_spec("psycopg") is None:
        return  # `doctor` says what is missing
    while True:
        try:
            done = sync(project, joins=False, patience=0)
        except AgentProgressError:
            return
        for note in done.notes if done is not None else ():
            error_log.note("sync", AgentProgressError(note))  # for `doctor`
        if not team_state.is_wanted(directory):
            return


def _enter(project: Project, state: TeamState | None, named: str | None, *, joins: bool) -> TeamState:
    """Return the state under the project's name, kept: this clone takes part, also if the server is away."""
    if named is not None:
        key = named
    elif state is None or (joins and not state.named):
        key = project_key(project)
    else:
        key = agreed_key(project, state)
    is_named = named is not None or (state is not None and state.named)
    if state is not None and (state.project, state.named) == (key, is_named):
        return state
    state = TeamState(project=key, named=is_named)
    team_state.save(project.log_directory, state)
    return state


class _Sync:
    """The steps of one sync, over one connection."""

    def __init__(self, project: Project, server: Connection, state: TeamState) -> None:
        self._project, self._server, self._state = project, server, state
        self._directory = project.log_directory
        self._invalid = 0
        self._withheld: dict[str, str] = {}  # entries of others that are erased, with who says so
        self._erased = known_erasures.read_team(self._directory)
        self._has_new_erasures = False
        self._writer = writer_name(project)

    def run(self) -> Synced:
        """Do all of it, and return what was done."""
        self._forget_if_restored()
        self._take_in_erasures()
        taken = self._pull()
        sent, unsent = self._push()
        taken += self._pull()  # past our own rows, so that a restore which loses them is noticed
        held = claim_leases.read_current(self._server, self._state.project, self._writer)
        has_new_claims = claims.save_leases(self._directory, held)
        memory = sync_memory(self._project, self._server, self._state, self._writer)
        notes: list[str] = []
        here = known_erasures.erased_by_others(self._directory) if self._has_new_erasures else {}
        if here:
            notes.append(f"{known_erasures.sentence(here)}; {known_erasures.commands(here)}")
        if unsent:
            notes.append(f"not sent, too large or without an id that fits: {some_of(unsent)}")
        if self._withheld:
            writers = some_of(sorted(set(self._withheld.values())))
            notes.append(
                f"{counted(len(self._withheld), 'entry')} of others not taken in: erased by the team "
                f"({writers} says so): {some_of(sorted(self._withheld))}"
            )
        if taken or has_new_claims or memory.taken:
            notes += renew_summary(self._project)
        if self._invalid:
            notes.append(f"{counted(self._invalid, 'row')} of the server hold no valid entry; passed over")
        notes += memory.notes
        return Synced(self._state.project, self._writer, taken, sent, memory.taken, memory.sent, tuple(notes))

    @property
    def _cursor(self) -> Cursor:
        return Cursor(self._state.seq, self._state.mark)

    def _forget_if_restored(self) -> None:
        """Read from the beginning if the server, or the log here, was restored from a backup."""
        state = self._state
        month, writer, name = state.entry.split(" ", 2) if state.entry else ("", "", "")
        is_known = not name or Arrivals(self._project).is_known(name, month, writer)
        if not is_known or not server_log.has_row_at(self._server, state.project, self._cursor):
            state.seq, state.mark, state.entry, state.months = 0, "", "", {}

    def _take_in_erasures(self) -> None:
        """Learn what others have erased before any entry is read, and send what was erased here."""
        cursor = self._cursor
        while rows := server_log.read_after(self._server, self._state.project, cursor, [ERASED]):
            self._note_erasures(rows)
            cursor = server_log.cursor_at(rows[-1])
        own = sorted(known_erasures.read(self._directory).own)
        lacking = server_log.find_lacking(self._server, self._state.project, ERASED, own)
        for part in server_log.portions([NewRow(ERASED, digest) for digest in sorted(lacking)]):
            server_log.append(self._server, self._state.project, self._writer, part)

    def _note_erasures(self, rows: Iterable[Row]) -> None:
        """Keep which entries others have erased."""
        new = {row.id: row.writer for row in rows if row.kind == ERASED and row.id not in self._erased}
        if new:
            self._erased |= new
            self._has_new_erasures = True
            known_erasures.save_team(self._directory, self._erased)
            known_erasures.remember(self._directory)

    def _pull(self) -> int:
        """Take in new entries; the log is written before the cursor, so a kill in between loses nothing."""
        taken = 0
        while rows := server_log.read_after(self._server, self._state.project, self._cursor, [ENTRY, ERASED]):
            self._note_erasures(rows)
            valid = [each for row in rows if row.kind == ENTRY and (each := self._entry_in(row))]
            taken += take_turn(
                self._project,
                DEFAULT_TIMEOUT_S,
                lambda valid=valid: self._arrivals(valid),  # type: ignore[misc]
                lambda arrivals, _: put_into_log(self._project, arrivals),
            )
            self._state.seq, self._state.mark = server_log.cursor_at(rows[-1])
            if valid:
                entry, writer = valid[-1]
                self._state.entry = f"{month_of(entry)} {writer} {entry['id']}"
            team_state.save(self._directory, self._state)
        return taken

    def _entry_in(self, row: Row) -> tuple[dict[str, Any], str] | None:
        """Return the validated entry of a row with its writer; None for anything else."""
        if row.body is None:
            return None
        eraser = self._erased.get(digest_of(row.id))
        if eraser is not None:
            if row.writer != self._writer:
                self._withheld[row.id] = eraser
            return None
        entry = foreign_entry.entry_of(row.body.encode(), dated=False)
        if isinstance(entry, str) or entry["id"] != row.id or not foreign_entry.is_writer(row.writer):
            self._invalid += 1
            return None
        return entry, row.writer

    def _arrivals(self, entries: Iterable[tuple[dict[str, Any], str]]) -> Arrivals:
        arrivals = Arrivals(self._project)
        for entry, writer in entries:
            arrivals.add(entry, writer)
        arrivals.settle()
        return arrivals

    def _push(self) -> tuple[int, list[str]]:
        """Send our entries that the server lacks; return their number, and the ids that no row can have."""
        months, own = self._own_entries()
        by_id = {entry["id"]: entry for entry in own if _has_usable_id(entry)}
        lacking = server_log.find_lacking(self._server, self._state.project, ENTRY, list(by_id))
        lines = {name: foreign_entry.line_of(by_id[name]) for name in by_id if name in lacking}
        rows = [NewRow(ENTRY, name, line.decode()) for name, line in lines.items() if line is not None]
        sent = 0
        for part in server_log.portions(rows):
            with self._server.transaction():  # no kill leaves a story claimed that is sent as finished
                sent += server_log.append(self._server, self._state.project, self._writer, part)
                finished = {name for row in part if (name := _finished_story(by_id[row.id]))}
                if finished:
                    claim_leases.release(self._server, self._state.project, self._writer, finished)
        self._state.sent = team_state.digest_of_id(own[-1]) if own else ""
        self._state.months = months
        team_state.save(self._directory, self._state)
        unsent = [text_of(entry, "id") or "(no id)" for entry in own if not _has_usable_id(entry)]
        return sent, unsent + [name for name, line in lines.items() if line is None]

    def _own_entries(self) -> tuple[dict[str, str], list[dict[str, Any]]]:
        """Return the stamps of the archive's months, and our entries of the log and of changed months."""
        months: dict[str, str] = {}
        items: list[Any] = []
        for name in archive.month_names(self._directory):
            months[name] = str(stamp_of(f"{self._directory}/{archive.ARCHIVE_FOLDER}/{name}"))
            if self._state.months.get(name) != months[name]:
                items += archive.read_month(self._directory, name).items
        items += store.load(self._directory).items
        return months, [item for item in items if isinstance(item, dict) and WRITER not in item]


def writer_name(project: Project) -> str:
    """Return the name of this clone, made now if it has none. Raises Busy."""
    with lock_of(project, DEFAULT_TIMEOUT_S):
        return clone_identity.writer_of(project.log_directory)


def renew_summary(project: Project) -> list[str]:
    """Renew the summary if the settings want that; return why that cannot be."""
    settings = read_settings(project).stored
    return renew(project) if settings.auto_generate and settings.summary_enabled else []


def _has_usable_id(entry: dict[str, Any]) -> bool:
    """Return whether an id can be a row's: PostgreSQL's texts hold neither NUL nor half a character."""
    name = entry.get("id")
    if not isinstance(name, str) or "\0" in name or any("\ud800" <= each <= "\udfff" for each in name):
        return False
    return bool(name.strip()) and len(name.encode()) <= foreign_entry.LONGEST_ID


def _finished_story(entry: dict[str, Any]) -> str | None:
    """Return the story that an entry finishes; None if it only adds to such an entry."""
    is_finish = entry.get("type") == "task_completed" and "supplements" not in data_of(entry)
    return text_of(entry, "task_id") if is_finish else None
