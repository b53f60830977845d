"""Entries of the log, and which were erased, as rows of the team's server."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import stamp_of
from progress_plugin.log import archive, known_erasures, shared_entries, store
from progress_plugin.log.entry import WRITER, data_of, text_of
from progress_plugin.team import state as team_state
from progress_plugin.team.server import ENTRY, ERASED, Cursor, NewRow, Row, TeamServer
from progress_plugin.team.state import TeamState
from progress_plugin.text.bounds import counted, some_of
from progress_plugin.usecases.project_writes import lock_of
from progress_plugin.usecases.sharing import Foreign, KnownEntries, find_erased_by_team, put_into_log


class Entries:
    """The log of one clone. The caller holds the sync's lock."""

    kinds = (ENTRY,)

    def __init__(self, project: Project, state: TeamState) -> None:
        self._project, self._state = project, state
        self._directory = project.log_directory
        self._unsent: list[str] = []  # ids that no row can have
        self._invalid = 0
        self._has_new_erasures = False
        self.taken = self.sent = 0

    def exchange_erasures(self, server: TeamServer) -> None:
        """Learn what others have erased, before any entry is read, and announce what was erased here."""
        own, others = known_erasures.read(self._directory)
        rows = list(chain.from_iterable(server.read_pages(Cursor(), [ERASED])))
        new = {row.id: row.writer for row in rows if row.id not in own and row.id not in others}
        if new:
            self._has_new_erasures = True
            with lock_of(self._project, DEFAULT_TIMEOUT_S):
                known_erasures.remember(self._directory, others=new)
        server.append([NewRow(ERASED, digest) for digest in sorted(own - {row.id for row in rows})])

    def cursor(self, server: TeamServer) -> Cursor:
        """Return how far was read; the beginning if log or server were restored from before that."""
        state = self._state
        cursor = Cursor(state.seq, state.mark)
        is_in_log = not state.entry or KnownEntries(self._project).has(state.entry, "")
        if is_in_log and server.has_row_at(cursor):
            return cursor
        state.archive = ""
        return Cursor()

    def take_in(self, rows: Sequence[Row]) -> None:
        """Put new entries into the log, before the cursor is moved: a kill in between loses nothing."""
        found = [each for row in rows if (each := self._entry_in(row))]
        if found:
            self.taken += put_into_log(self._project, found)
            self._state.entry = found[-1][0]["id"]
        self._state.seq, self._state.mark = rows[-1].cursor
        team_state.save(self._project, self._state)

    def _entry_in(self, row: Row) -> Foreign | None:
        """Return the validated entry of a row with its writer; None for anything else."""
        if row.body is None:
            return None
        entry = shared_entries.entry_of(row.body.encode())
        if entry is None or entry["id"] != row.id or not shared_entries.is_writer(row.writer):
            self._invalid += 1
            return None
        return entry, row.writer

    def send(self, server: TeamServer) -> bool:
        """Send our entries that the server lacks, and return whether it lacked any.

        The archive is compared unless the server has had all of it.
        """
        folder = f"{self._directory}/{archive.ARCHIVE_FOLDER}"
        stamp = str([stamp_of(f"{folder}/{name}") for name in archive.month_names(self._directory)])
        has_all = stamp == self._state.archive
        entries = store.load(self._directory).entries if has_all else store.everything(self._directory)
        own = [entry for entry in entries if WRITER not in entry]
        is_id = shared_entries.is_id
        by_id = {entry["id"]: entry for entry in own if is_id(entry.get("id"))}
        self._unsent = [text_of(each, "id") or "(no id)" for each in own if not is_id(each.get("id"))]
        lacking = server.find_lacking([NewRow(ENTRY, name) for name in by_id])
        new = [row for each in lacking if (row := self._row_of(by_id[each.id]))]
        self.sent += server.append(new)
        self._state.archive = stamp
        return bool(new)

    def _row_of(self, entry: dict[str, Any]) -> NewRow | None:
        """Return the redacted entry as a row; None if it cannot be sent."""
        line = shared_entries.line_of(entry)
        if line is None:
            self._unsent.append(entry["id"])
            return None
        # What only adds to a completion finishes nothing.
        is_finish = entry.get("type") == "task_completed" and "supplements" not in data_of(entry)
        return NewRow(ENTRY, entry["id"], line.decode(), text_of(entry, "task_id") if is_finish else None)

    def notes(self) -> list[str]:
        """Return what a person should know, one sentence each."""
        notes = []
        if self._has_new_erasures and (erased := find_erased_by_team(self._directory)):
            notes.append("; ".join(erased))
        if self._unsent:
            notes.append(f"not sent, too large or without a time or an id that fits: {some_of(self._unsent)}")
        if self._invalid:
            notes.append(f"{counted(self._invalid, 'row')} of the server hold no valid entry; passed over")
        return notes
