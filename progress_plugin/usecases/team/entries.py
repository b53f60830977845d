"""Entries of the log, and which were erased, as rows of the team's server."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import stamp_of
from progress_plugin.log import archive, history, known_erasures, shared_entries, store
from progress_plugin.log.entry import WRITER, data_of, text_of
from progress_plugin.team import state as team_state
from progress_plugin.team.server import ENTRY, ERASED, Cursor, NewRow, Row, TeamServer, can_be_id, cursor_at
from progress_plugin.team.state import TeamState
from progress_plugin.text.bounds import counted, some_of
from progress_plugin.usecases.project_writes import lock_of
from progress_plugin.usecases.reading import read_log
from progress_plugin.usecases.sharing import Foreign, KnownEntries, put_into_log


class Entries:
    """The log of one clone. The caller holds the sync's lock."""

    kinds = (ENTRY,)

    def __init__(self, project: Project, state: TeamState) -> None:
        self._project, self._state = project, state
        self._directory = project.log_directory
        self._own: dict[str, dict[str, Any]] = {}
        self._unsent: list[str] = []  # ids that no row can have
        self._invalid = 0
        self._has_new_erasures = False
        self.taken = 0

    def cursor(self) -> Cursor:
        """Return the cursor of the last sync, unless the log was restored from before it."""
        state = self._state
        is_known = not state.entry or KnownEntries(self._project).has(state.entry, "")
        return Cursor(state.seq, state.mark) if is_known else Cursor()

    def begin_again(self) -> None:
        """Have the archive compared, too."""
        self._state.archive = ""

    def learn_erasures(self, server: TeamServer) -> None:
        """Learn what others have erased, before any entry is read."""
        own, others = known_erasures.read(self._directory)
        rows = chain.from_iterable(server.read_pages(Cursor(), [ERASED]))
        new = {row.id: row.writer for row in rows if row.id not in own and row.id not in others}
        if new:
            self._has_new_erasures = True
            with lock_of(self._project, DEFAULT_TIMEOUT_S):
                known_erasures.remember(self._directory, others=new)

    def take_in(self, rows: Sequence[Row]) -> None:
        """Put new entries into the log, before the cursor is moved: a kill in between loses nothing."""
        found = [each for row in rows if (each := self._entry_in(row))]
        if found:
            reading = read_log(self._project)
            with lock_of(self._project, DEFAULT_TIMEOUT_S):
                self.taken += put_into_log(reading, found)
            self._state.entry = found[-1][0]["id"]
        self._state.seq, self._state.mark = cursor_at(rows[-1])
        team_state.save(self._project, self._state)

    def _entry_in(self, row: Row) -> Foreign | None:
        """Return the validated entry of a row with its writer; None for anything else."""
        if row.body is None:
            return None
        entry = shared_entries.entry_of(row.body.encode(), dated=False)
        if isinstance(entry, str) or entry["id"] != row.id or not shared_entries.is_writer(row.writer):
            self._invalid += 1
            return None
        return entry, row.writer

    def offers(self) -> Mapping[str, Iterable[str]]:
        """Return the ids of our entries, and of the archive's unless the server has had all of those."""
        folder = f"{self._directory}/{archive.ARCHIVE_FOLDER}"
        stamp = str([stamp_of(f"{folder}/{name}") for name in archive.month_names(self._directory)])
        has_all = stamp == self._state.archive
        entries = store.load(self._directory).entries if has_all else history.everything(self._directory)
        own = [entry for entry in entries if WRITER not in entry]
        self._own = {entry["id"]: entry for entry in own if can_be_id(entry.get("id"))}
        self._unsent = [text_of(each, "id") or "(no id)" for each in own if not can_be_id(each.get("id"))]
        self._state.archive = stamp  # kept with the next cursor, when all of it was sent
        return {ERASED: sorted(known_erasures.read(self._directory).own), ENTRY: self._own}

    def row_of(self, kind: str, name: str) -> NewRow | None:
        """Return the redacted entry, or the digest of an erased one."""
        if kind == ERASED:
            return NewRow(ERASED, name)
        line = shared_entries.line_of(self._own[name])
        if line is None:
            self._unsent.append(name)
        return None if line is None else NewRow(ENTRY, name, line.decode())

    def finished_stories(self, rows: Iterable[NewRow]) -> set[str]:
        """Return the stories that entries finish, without what only adds to such an entry."""
        entries = [self._own[row.id] for row in rows if row.kind == ENTRY]
        finishes = [each for each in entries if each.get("type") == "task_completed"]
        finishes = [each for each in finishes if "supplements" not in data_of(each)]
        return {story for each in finishes if (story := text_of(each, "task_id"))}

    def notes(self) -> list[str]:
        """Return what a person should know, one sentence each."""
        notes = []
        if self._has_new_erasures and (here := known_erasures.erased_by_others(self._directory)):
            notes.append(f"{known_erasures.sentence(here)}; {known_erasures.commands(here)}")
        if self._unsent:
            notes.append(f"not sent, too large or without an id that fits: {some_of(self._unsent)}")
        if self._invalid:
            notes.append(f"{counted(self._invalid, 'row')} of the server hold no valid entry; passed over")
        return notes
