"""One sync of a project with its team's server: take in what is new there, send what it lacks.

There is no queue: what is to be sent is what the server does not have. So after a kill, an outage or a
partition the next sync does the rest. A server that was restored from a backup no longer has the row at our
cursor: then everything is read, and compared, from the beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

from progress_plugin.core import environment, error_log
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.paths import database_path
from progress_plugin.core.project import Project, find_project
from progress_plugin.core.snapshot import stamp_of
from progress_plugin.log import (
    archive,
    claims,
    clone_identity,
    known_erasures,
    shared_entries,
    store,
    team_state,
)
from progress_plugin.log.entry import WRITER, data_of, text_of
from progress_plugin.log.shared_entries import digest_of, month_of
from progress_plugin.log.team_state import TeamState
from progress_plugin.team import claim_leases, connection, schema, server_log
from progress_plugin.team.connection import TeamServerFault
from progress_plugin.team.server_log import DOCUMENT, ENTRY, ERASED, KINDS, Cursor, NewRow, Row
from progress_plugin.text.bounds import counted, some_of
from progress_plugin.usecases.project_writes import lock_of, prepare, take_turn
from progress_plugin.usecases.reading import read_settings
from progress_plugin.usecases.recording.append import renew
from progress_plugin.usecases.sharing import Arrivals, put_into_log
from progress_plugin.usecases.team.memory_sync import MemorySync
from progress_plugin.usecases.team.project_key import project_key, required_url, team_url

if TYPE_CHECKING:
    from progress_plugin.team.connection import Connection

TURNS = 5  # how often a sync goes on because another clone wrote the same revision of a document


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
    """Return the state under the project's name, kept: this clone takes part, also if the server is away.

    The name follows from the remote when the user asks for a sync; no other sync changes it.
    """
    is_named = named is not None or (state is not None and state.named)
    key = named or (project_key(project) if state is None or (joins and not state.named) else state.project)
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
        self._cursor = Cursor(state.seq, state.mark)
        self._invalid = self._taken = self._sent = self._memory_sent = 0
        self._unsent: list[str] = []  # ids that no row can have
        self._erased = known_erasures.read_team(self._directory)
        self._has_new_erasures = False
        self._writer = writer_name(project)
        self._memory_fault = ""
        self._memory = self._open_memory()

    def run(self) -> Synced:
        """Do all of it, and return what was done."""
        self._begin_again_if_restored()
        self._take_in_erasures()
        for _ in range(TURNS):
            self._pull()  # also past our own rows, so that a restore which loses them is noticed
            if not self._push_entries() + self._push_memory():
                break
        held = claim_leases.read_current(self._server, self._state.project, self._writer)
        has_new_claims = claims.save_leases(self._directory, held)
        memory_taken = self._memory.taken if self._memory else 0
        notes = renew_summary(self._project) if self._taken or has_new_claims or memory_taken else []
        return Synced(
            self._state.project, self._writer, self._taken, self._sent, memory_taken, self._memory_sent,
            (*self._describe(), *notes),
        )  # fmt: skip

    def _describe(self) -> Iterator[str]:
        """Yield what a person should know."""
        here = known_erasures.erased_by_others(self._directory) if self._has_new_erasures else {}
        if here:
            yield f"{known_erasures.sentence(here)}; {known_erasures.commands(here)}"
        if self._unsent:
            yield f"not sent, too large or without an id that fits: {some_of(self._unsent)}"
        if self._invalid:
            yield f"{counted(self._invalid, 'row')} of the server hold no valid entry; passed over"
        if self._memory_fault:
            yield f"the memory was not synced: {self._memory_fault}"
        elif self._memory:
            if number := self._memory.invalid:
                rows = counted(number, "observation or document", "observations or documents")
                yield f"{rows} of the server cannot be used; passed over"
            yield from dict.fromkeys(self._memory.notes)

    def _open_memory(self) -> MemorySync | None:
        """Return the memory; None if there is none, or it cannot be opened: the log is synced without it."""
        try:
            database = database_path(self._project.root, self._project.main_root)
            if database is not None:
                place = database, self._state.server, self._state.project
                return MemorySync(self._project, place, self._writer)
        except AgentProgressError as error:
            self._memory_fault = str(error)
        return None

    def _use_memory(self, use: Callable[[MemorySync], None]) -> None:
        """Use the memory, and go on without it if it cannot be written."""
        try:
            if self._memory:
                use(self._memory)
        except TeamServerFault:
            raise
        except AgentProgressError as error:
            self._memory, self._memory_fault = None, str(error)

    def _begin_again_if_restored(self) -> None:
        """Read from the beginning if the server, the log or the memory here is new or was restored."""
        state, memory = self._state, self._memory
        month, writer, name = state.entry.split(" ", 2) if state.entry else ("", "", "")
        is_known = not name or Arrivals(self._project).is_known(name, month, writer)
        is_intact = memory is None or memory.is_intact
        if not (is_known and is_intact and server_log.has_row_at(self._server, state.project, self._cursor)):
            self._cursor = Cursor()
            state.seq, state.mark, state.entry, state.months = 0, "", "", {}
            if memory:
                memory.begin_again()

    def _take_in_erasures(self) -> None:
        """Learn what others have erased before any entry is read, and send what was erased here."""
        cursor = self._cursor
        while rows := server_log.read_after(self._server, self._state.project, cursor, [ERASED]):
            self._note_erasures(rows)
            cursor = server_log.cursor_at(rows[-1])
        own = sorted(known_erasures.read(self._directory).own)
        lacking = server_log.find_lacking(self._server, self._state.project, ERASED, own)
        self._send([NewRow(ERASED, digest) for digest in sorted(lacking)])

    def _note_erasures(self, rows: Iterable[Row]) -> None:
        """Keep which entries others have erased."""
        new = {row.id: row.writer for row in rows if row.kind == ERASED and row.id not in self._erased}
        if new:
            self._erased |= new
            self._has_new_erasures = True
            known_erasures.save_team(self._directory, self._erased)
            known_erasures.remember(self._directory)

    def _pull(self) -> None:
        """Take in new rows, before the cursor is moved: a kill in between loses nothing."""
        state = self._state
        while rows := server_log.read_after(self._server, state.project, self._cursor, KINDS):
            self._note_erasures(rows)
            valid = [each for row in rows if row.kind == ENTRY and (each := self._entry_in(row))]
            self._taken += take_turn(
                self._project,
                DEFAULT_TIMEOUT_S,
                lambda valid=valid: self._arrivals(valid),  # type: ignore[misc]
                lambda arrivals, _: put_into_log(self._project, arrivals),
            )
            self._use_memory(lambda memory, rows=rows: memory.take_in(rows))  # type: ignore[misc]
            self._cursor = server_log.cursor_at(rows[-1])
            if valid:
                entry, writer = valid[-1]
                state.entry = f"{month_of(entry)} {writer} {entry['id']}"
        read_body = partial(server_log.read_body, self._server, state.project, DOCUMENT)
        self._use_memory(lambda memory: memory.settle_documents(read_body))
        if not self._memory_fault:  # else the next sync reads the rows of the memory again
            state.seq, state.mark = self._cursor
        team_state.save(self._directory, state)

    def _entry_in(self, row: Row) -> tuple[dict[str, Any], str] | None:
        """Return the validated entry of a row with its writer; None for anything else."""
        if row.body is None or digest_of(row.id) in self._erased:
            return None
        entry = shared_entries.entry_of(row.body.encode(), dated=False)
        if isinstance(entry, str) or entry["id"] != row.id or not shared_entries.is_writer(row.writer):
            self._invalid += 1
            return None
        return entry, row.writer

    def _arrivals(self, entries: Iterable[tuple[dict[str, Any], str]]) -> Arrivals:
        arrivals = Arrivals(self._project)
        for entry, writer in entries:
            arrivals.add(entry, writer)
        arrivals.settle()
        return arrivals

    def _push_entries(self) -> int:
        """Send our entries that the server lacks, release the stories they finish; return how many."""
        months, own = self._own_entries()
        by_id = {entry["id"]: entry for entry in own if _has_usable_id(entry)}
        lacking = server_log.find_lacking(self._server, self._state.project, ENTRY, list(by_id))
        lines = {name: shared_entries.line_of(by_id[name]) for name in by_id if name in lacking}
        rows = [NewRow(ENTRY, name, line.decode()) for name, line in lines.items() if line is not None]
        sent = self._send(rows, lambda name: _finished_story(by_id[name]))
        self._sent += sent
        self._unsent = [text_of(entry, "id") or "(no id)" for entry in own if not _has_usable_id(entry)]
        self._unsent += [name for name, line in lines.items() if line is None]
        self._state.sent = team_state.digest_of_id(own[-1]) if own else ""
        self._state.months = months
        team_state.save(self._directory, self._state)
        return sent

    def _push_memory(self) -> int:
        """Send what of the memory the server lacks; return how many rows that may be."""
        rows = self._memory.outbox() if self._memory else []
        self._memory_sent += self._send(rows)
        if self._memory:
            self._memory.note_sent(rows)
        return len(rows)

    def _send(self, rows: Sequence[NewRow], story_of: Callable[[str], str | None] = lambda _: None) -> int:
        """Append rows and return how many were new; release the stories that `story_of` their ids names."""
        sent = 0
        for part in server_log.portions(rows):
            with self._server.transaction():  # no kill leaves a story claimed that is sent as finished
                sent += server_log.append(self._server, self._state.project, self._writer, part)
                if finished := {story for row in part if (story := story_of(row.id))}:
                    claim_leases.release(self._server, self._state.project, self._writer, finished)
        return sent

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
    return bool(name.strip()) and len(name.encode()) <= shared_entries.LONGEST_ID


def _finished_story(entry: dict[str, Any]) -> str | None:
    """Return the story that an entry finishes; None if it only adds to such an entry."""
    is_finish = entry.get("type") == "task_completed" and "supplements" not in data_of(entry)
    return text_of(entry, "task_id") if is_finish else None
