"""The memory of a project within a sync: its observations and progress documents, as rows of the team's log.

An observation has one random name on every machine; its end is a row of its own. A document is a row per
revision; of two clones that write the same revision the second reads again and merges.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.core.files import content_digest
from progress_plugin.core.paths import database_path
from progress_plugin.core.project import Project
from progress_plugin.log import team_memory
from progress_plugin.log.team_memory import DocumentMark, SharedRow, TeamMemory
from progress_plugin.log.team_state import TeamState
from progress_plugin.memory import documents, json_text, projects, team_rows
from progress_plugin.memory.database import has_database, reading, writing
from progress_plugin.memory.documents import Document, DocumentDraft
from progress_plugin.memory.json_merge import identity, merge
from progress_plugin.memory.observations import moment_of, soft_delete
from progress_plugin.memory.team_rows import session_of
from progress_plugin.team import server_log
from progress_plugin.team.connection import TeamServerFault
from progress_plugin.team.server_log import DOCUMENT, ENDED, OBSERVATION, Cursor, NewRow, Row
from progress_plugin.text.bounds import counted, some_of
from progress_plugin.text.redact import redact_value
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.reading import read_log

if TYPE_CHECKING:
    from progress_plugin.team.connection import Connection

TURNS = 5  # how often a push begins again because another clone wrote the same revision of a document
MAX_KEY_BYTES = 400
MAX_SHOWN_CHARS = 60
SECONDS_CHARS = len("2026-11-25 10:00:00")


class SyncedMemory(NamedTuple):
    """What of the memory was taken in and sent."""

    taken: int
    sent: int
    notes: tuple[str, ...]


class _Overtaken(Exception):
    """Another clone has written the same revision of a document, or an agent here wrote it meanwhile."""


def sync_memory(project: Project, server: Connection, state: TeamState, writer: str) -> SyncedMemory:
    """Take in what is new of the team's memory, and send what it lacks. The caller holds the sync's lock.

    A memory that cannot be opened or written is named in a note: the log has been synced by then.
    """
    try:
        database = database_path(project.root, project.main_root)
        if database is None:
            return SyncedMemory(0, 0, ())
        memory = team_memory.load(project.log_directory, (database, state.server, state.project))
        work = _MemorySync(project, server, memory, writer)
        work.run()
    except TeamServerFault:
        raise
    except AgentProgressError as error:
        return SyncedMemory(0, 0, (f"the memory was not synced: {error}",))
    return SyncedMemory(work.taken, work.sent, tuple(work.notes))


class _MemorySync:
    def __init__(self, project: Project, server: Connection, memory: TeamMemory, writer: str) -> None:
        self._server, self._memory, self._writer = server, memory, writer
        self._database, _, self._project = memory.place
        self._directory, self._root = project.log_directory, project.main_root
        self._names = read_log(project).names  # of the project here; what comes is kept under the first
        self._now = datetime.now(UTC)
        self._invalid = 0
        self.taken = self.sent = 0
        self.notes: list[str] = []

    def run(self) -> None:
        """Take in, then send; again if another clone was first."""
        self._forget_if_restored()
        for _ in range(TURNS):
            try:
                self._pull()
                self._push_observations()
                self._push_documents()
                self._pull()
            except _Overtaken:
                continue
            if self._invalid:
                number = counted(self._invalid, "observation or document", "observations or documents")
                self.notes.append(f"{number} of the server cannot be used; passed over")
            return
        self.notes.append("others write a progress document all the time; the next sync goes on")

    def _forget_if_restored(self) -> None:
        """Compare from the beginning if the server, or the database here, was restored or is new."""
        memory = self._memory
        created = {shared.row: shared.created for shared in memory.shared.values()}
        found: dict[int, str] = {}
        if created and has_database(self._database):
            with reading(self._database) as store:
                found = team_rows.creation_stamps(store, created)
        own = self._own_documents()
        lost = [key for key, mark in memory.documents.items() if key not in own or own[key].id < mark.row]
        if found != created:
            self._memory = TeamMemory(memory.place)
        elif lost or not server_log.has_row_at(self._server, self._project, Cursor(memory.seq, memory.mark)):
            memory.seq, memory.mark, memory.documents = 0, "", {}
            memory.pending |= {name for name, shared in memory.shared.items() if shared.is_ours} | memory.gone

    def _pull(self) -> None:
        memory, kinds = self._memory, (OBSERVATION, ENDED, DOCUMENT)
        for row in self._read_newest_documents():
            self._take_in_document(row)
        while rows := server_log.read_after(
            self._server, self._project, Cursor(memory.seq, memory.mark), kinds
        ):
            self._take_in_observations([row for row in rows if row.kind != DOCUMENT])
            for row in rows:
                if row.kind == DOCUMENT:
                    self._take_in_document(row)
            # The database first: after a kill in between the same rows come again, and are known.
            memory.seq, memory.mark = server_log.cursor_at(rows[-1])
            self._save()

    def _read_newest_documents(self) -> list[Row]:
        """Return the newest usable revision of each document after the cursor."""
        newest: dict[str, Row] = {}
        cursor = Cursor(self._memory.seq, self._memory.mark)
        while rows := server_log.read_after(self._server, self._project, cursor, [DOCUMENT]):
            for row in rows:
                key, _, text = self._read_document(row.body)
                if key is not None and text is not None:
                    newest[key] = row
            cursor = server_log.cursor_at(rows[-1])
        return list(newest.values())

    def _save(self) -> None:
        team_memory.save(self._directory, self._memory)

    def _take_in_observations(self, rows: list[Row]) -> None:
        memory = self._memory
        live = Counter(shared.row for name, shared in memory.shared.items() if name not in memory.gone)
        new = [row for row in rows if row.id not in (memory.gone if row.kind == ENDED else memory.shared)]
        if not new:
            return
        with writing(self._database) as store:
            for row in new:
                if row.kind == ENDED:
                    self._end(store, row.id, live)
                elif row.id not in memory.gone and row.body is not None:
                    self._begin(store, row, live)

    def _end(self, store: sqlite3.Connection, name: str, live: Counter[int]) -> None:
        """End an observation; its row is deleted unless another one of the team still says the same."""
        self._memory.gone.add(name)
        ended = self._memory.shared.get(name)
        if ended is None:
            return
        live[ended.row] -= 1
        if not ended.was_here and not live[ended.row]:
            self.taken += soft_delete(store, [ended.row], self._now)

    def _begin(self, store: sqlite3.Connection, row: Row, live: Counter[int]) -> None:
        found = team_rows.validated(row.body or "")
        if found is None:
            self._invalid += 1
            return
        is_ours = row.writer == self._writer
        name = projects.register(store, self._root, self._names)
        twin = team_rows.find_twin(store, found, name)
        number = twin
        if number is None:
            writer = None if is_ours else row.writer
            number = team_rows.insert_team_observation(store, found, name, self._root, writer, self._now)
            self.taken += 1
        kept = team_rows.read_team_observation(store, number, name)
        if kept is None:
            raise AgentProgressError("an observation that was just put into the memory is not there")
        was_here = twin is not None and not is_ours and not live[number]
        live[number] += 1
        self._memory.shared[row.id] = SharedRow(number, kept[0].digest, kept[0].created_at, is_ours, was_here)

    def _push_observations(self) -> None:
        memory = self._memory
        texts = self._find_new_observations()
        self._save()  # the names first: nothing is sent under two names after a kill
        # Ends first: a changed text is a new observation that may say the same as the one before.
        rows = [NewRow(ENDED, name) for name in sorted(memory.pending & memory.gone)]
        rows += [NewRow(OBSERVATION, name, text) for name, text in texts.items()]
        for part in server_log.portions(rows):
            self.sent += server_log.append(self._server, self._project, self._writer, part)
        memory.pending.clear()
        self._save()
        rows_there = {shared.row for shared in memory.shared.values()}
        team_memory.forget_saved(self._directory, self._database, rows_there)

    def _find_new_observations(self) -> dict[str, str]:
        """Note what began and ended here, and return by name the texts that the server may lack."""
        memory = self._memory
        noted = team_memory.read_saved(self._directory, self._database)
        names: dict[int, list[str]] = {row: [] for row in noted}
        for name, shared in memory.shared.items():
            names.setdefault(shared.row, []).extend(() if name in memory.gone else (name,))
        sent_before = {shared.row for shared in memory.shared.values() if not shared.was_here}
        texts: dict[str, str] = {}
        if not names or not has_database(self._database):
            return texts
        with reading(self._database) as store:
            project = projects.name_of_root(store, self._root, self._names[0])
            for row, known in names.items():
                found, is_live = team_rows.read_team_observation(store, row, project) or (None, False)
                digest = found.digest if found is not None and is_live else None
                ended = {name for name in known if memory.shared[name].digest != digest}
                memory.gone |= ended
                memory.pending |= ended
                if found is None or digest is None or (not known and noted.get(row, digest) != digest):
                    continue
                kept = [name for name in known if name not in ended]
                is_ours = any(memory.shared[name].is_ours for name in kept)
                was_restored = not kept and row in sent_before  # by `memory restore`
                if not is_ours and (row in noted or was_restored):
                    kept.append(secrets.token_hex(16))
                    memory.shared[kept[-1]] = SharedRow(row, digest, found.created_at, True, False)
                    memory.pending.add(kept[-1])
                texts |= {name: found.text for name in kept if name in memory.pending}
        return texts

    def _take_in_document(self, row: Row) -> None:
        """Follow a newer revision, or merge it with what was changed here."""
        key, value, text = self._read_document(row.body)
        number = row.id.rpartition(" ")[2]
        revision = int(number) if number.isdigit() else 0
        known = self._memory.documents.get(key)
        if key is None or not revision or (known is not None and revision <= known.revision):
            self._invalid += key is None
            return
        if text is None:  # it cannot be used, but its number is taken
            self._invalid += 1
            mark = known or DocumentMark(0, "", 0)
            self._memory.documents[key] = mark._replace(revision=revision)
            return
        mine = self._own_documents().get(key)
        is_changed = mine is not None and (known is None or _digest(mine.text) != known.digest)
        written = text
        if mine is not None and is_changed:
            base = self._read_base(key, known)
            merged = merge(base, value, mine.value)
            joined = team_rows.with_other_versions(merged.value, merged.conflicts, self._writer)
            written = text if identity(joined) == identity(value) else json_text.dump(joined)
            if merged.conflicts:
                names = [
                    one_line(each.path, MAX_SHOWN_CHARS) or "the whole document" for each in merged.conflicts
                ]
                self.notes.append(
                    f"{row.writer} wrote the progress document, too: {some_of(names)} is kept as there, "
                    "yours beside it; settle it and write it again "
                    f"(yours as it was: `memory progress --revision {mine.revision}`)"
                )
        number_here = self._write(key, row, (text, written), mine)
        self._memory.documents[key] = DocumentMark(revision, _digest(text), number_here)

    def _read_document(self, body: str | None) -> tuple[Any, Any, str | None]:
        """Return key, value and text of a document's row, without secrets; None for what cannot be used."""
        try:
            fields = json.loads(body or "null")
            key = fields["key"] if isinstance(fields["key"], str) else None
        except (ValueError, KeyError, TypeError, RecursionError):
            return None, None, None
        try:
            value, text = json_text.parse(fields.get("text"))
        except (BadInput, TypeError, AttributeError):
            return key, None, None
        clean, count = redact_value(value)
        return key, clean, json_text.dump(clean) if count else text

    def _read_base(self, key: str, known: DocumentMark | None) -> Any:
        """Return the document that both sides began with; None if it is not known."""
        if known is None:
            return None
        name = _row_id(key, known.revision)
        return self._read_document(server_log.read_body(self._server, self._project, DOCUMENT, name))[1]

    def _write(self, key: str, row: Row, texts: tuple[str, str], mine: Document | None) -> int:
        """Make a text the document here, unless it is, and return its row. Raises _Overtaken."""
        theirs, text = texts
        if mine is not None and mine.text == text:
            return mine.id
        arrived = moment_of(row.arrived[:SECONDS_CHARS], self._now)
        # Not older than the document it replaces, or another one of the project would be shown.
        when = max(arrived, moment_of(mine.updated_at, self._now)) if mine is not None else arrived
        with writing(self._database) as store:
            name = projects.register(store, self._root, self._names)
            now_here = documents.live_document(store, name, key or None)
            if (now_here and now_here.id) != (mine and mine.id):
                raise _Overtaken
            revisions = documents.history(store, name, key or None)
            new = DocumentDraft(
                project=name, namespace=key or None, value=json_text.load(text), text=text,
                base_revision=max((each.revision for each in revisions), default=None),
                session_id=session_of(row.writer, joined=text != theirs),
            )  # fmt: skip
            self.taken += 1
            return documents.write(store, new, self._root, when if text == theirs else self._now).id

    def _push_documents(self) -> None:
        """Send each document that was changed here. Raises _Overtaken."""
        for key, mine in self._own_documents().items():
            known = self._memory.documents.get(key)
            digest = _digest(mine.text)
            if known is not None and digest == known.digest:
                continue
            if len(key.encode("utf-8", "replace")) > MAX_KEY_BYTES or "\0" in key:
                self.notes.append(f"not sent, its namespace is too long: {one_line(key, MAX_SHOWN_CHARS)}")
                continue
            revision = known.revision + 1 if known else 1
            row = NewRow(DOCUMENT, _row_id(key, revision), json.dumps({"key": key, "text": mine.text}))
            if not server_log.append(self._server, self._project, self._writer, [row]):
                raise _Overtaken
            self._memory.documents[key] = DocumentMark(revision, digest, mine.id)
            self.sent += 1
            self._save()

    def _own_documents(self) -> dict[str, Document]:
        if not has_database(self._database):
            return {}
        with reading(self._database) as store:
            name = projects.name_of_root(store, self._root, self._names[0])
            return documents.live_documents(store, name)


def _row_id(key: str, revision: int) -> str:
    return f"{key} {revision}"


def _digest(text: str) -> str:
    return content_digest(text.encode("utf-8", "replace")).decode()
