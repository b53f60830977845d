"""The memory of a project within a sync: observations and progress documents as rows of the team's log.

An observation has one random name on every machine; its end is a row of its own. A document is a row per
revision; of two clones that write the same revision the second takes in the first one's and merges.
Observations of the memory database belong to the user, not to a project, so only those are shared that were
saved in a clone that takes part, from then on: `note_saved` notes them.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, NamedTuple

from progress_plugin import TEAM_STATE_FORMAT
from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.core.files import content_digest, list_inside
from progress_plugin.core.project import Project
from progress_plugin.log import team_state
from progress_plugin.memory import documents, json_text, projects, team_rows
from progress_plugin.memory.database import has_database, reading, writing
from progress_plugin.memory.documents import Document, DocumentDraft
from progress_plugin.memory.json_merge import identity, merge
from progress_plugin.memory.observations import moment_of, soft_delete
from progress_plugin.memory.team_rows import session_of
from progress_plugin.team.server_log import DOCUMENT, ENDED, OBSERVATION, NewRow, Row
from progress_plugin.text.bounds import some_of
from progress_plugin.text.redact import redact_value
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.reading import read_log

MEMORY = f"{team_state.FOLDER}/memory"
SAVED_PREFIX = "saved-"
MAX_KEY_BYTES = 400
MAX_SHOWN_CHARS = 60
SECONDS_CHARS = len("2026-11-25 10:00:00")


class SharedRow(NamedTuple):
    """An observation of the team in this machine's database."""

    row: int  # several that say the same share one; 0 if the user had saved it before the team
    digest: str  # of its text, as it travelled
    created: str  # stamp of the row: a row of another database with this id has another one
    is_ours: bool  # whether this clone sent it


class DocumentMark(NamedTuple):
    """The revision of a progress document that this clone and the server agree on."""

    revision: int = 0
    digest: str = ""  # of the text; another text here has changed since
    row: int = 0  # of the memory database; an older row is that of a restored database


def note_saved(directory: str, database: str, row: int) -> None:
    """Note that an observation was saved in this clone, for the next sync, if the clone takes part.

    There is a file for each, so that saving waits for no sync. Raises as `write_atomic`.
    """
    if team_state.load(directory) is not None:
        name = f"{team_state.FOLDER}/{SAVED_PREFIX}{row}"
        team_state.put(directory, name, json.dumps([row, database]).encode())


def shared_rows(directory: str) -> set[int]:
    """Return the rows of the memory database that are the team's."""
    shared = team_state.json_of(team_state.read(directory, MEMORY)).get("shared", {})
    return {row[0] for row in shared.values()}


class MemorySync:
    """What one clone knows of the team's memory. The caller holds the sync's lock.

    Everything raises AgentProgressError if the memory cannot be opened or written.
    """

    def __init__(self, project: Project, place: tuple[str, str, str], writer: str) -> None:
        """`place` is the path of the memory database, the server, and the project's name there."""
        self._database, self._writer = place[0], writer
        self._directory, self._root = project.log_directory, project.main_root
        self._names = read_log(project).names  # of the project here; what comes is kept under the first
        self._now = datetime.now(UTC)
        self._newest: dict[str, tuple[int, Row]] = {}  # documents to be taken in, with their revisions
        self.taken = self.invalid = 0
        self.notes: list[str] = []
        self._head = {"format": TEAM_STATE_FORMAT, "place": list(place)}
        known = team_state.json_of(team_state.read(self._directory, MEMORY))
        if is_new := any(known.get(name) != value for name, value in self._head.items()):
            known = {}
        self._shared = {name: SharedRow(*row) for name, row in known.get("shared", {}).items()}
        self._ended = set(known.get("ended", ()))
        self._pending = set(known.get("pending", ()))  # names that the server may lack
        self._documents = {key: DocumentMark(*mark) for key, mark in known.get("documents", {}).items()}
        self.is_intact = not is_new and self._is_intact()

    def _save(self) -> None:
        facts = {"shared": self._shared, "documents": self._documents}
        names = {"ended": sorted(self._ended), "pending": sorted(self._pending)}
        team_state.put(self._directory, MEMORY, json.dumps({**self._head, **facts, **names}).encode())

    def _is_intact(self) -> bool:
        """Return whether the database is the one that was synced; if not, forget what was known of it."""
        created = {shared.row: shared.created for shared in self._shared.values() if shared.row}
        found: dict[int, str] = {}
        if created and has_database(self._database):
            with reading(self._database) as store:
                found = team_rows.creation_stamps(store, created)
        if found != created:
            self._shared, self._ended, self._documents = {}, set(), {}
            return False
        own, marks = self._own_documents(), self._documents.items()
        return all(not mark.row or (key in own and own[key].id >= mark.row) for key, mark in marks)

    def begin_again(self) -> None:
        """Prepare for reading the server from the beginning: what is not found there is sent again."""
        self._documents = {}
        self._pending = {name for name, shared in self._shared.items() if shared.is_ours} | self._ended

    def take_in(self, rows: Iterable[Row]) -> None:
        """Take in rows of the server; of each document the newest is left to `settle_documents`."""
        new = [
            row
            for row in rows
            if row.id not in self._ended
            and (row.kind == ENDED or (row.kind == OBSERVATION and row.id not in self._shared))
        ]
        if new:
            with writing(self._database) as store:
                for row in new:
                    if row.kind == ENDED:
                        self._end(store, row.id)
                    else:
                        self._begin(store, row)
        for row in rows:
            if row.kind == DOCUMENT:
                self._note_document(row)
        self._save()

    def _end(self, store: sqlite3.Connection, name: str) -> None:
        """End an observation; its row is deleted unless another one of the team still says the same."""
        self._ended.add(name)
        row = self._shared[name].row if name in self._shared else 0
        if row and not self._live_names(row):
            self.taken += soft_delete(store, [row], self._now)

    def _live_names(self, row: int) -> list[str]:
        return [name for name, each in self._shared.items() if each.row == row and name not in self._ended]

    def _begin(self, store: sqlite3.Connection, row: Row) -> None:
        found = team_rows.validated(row.body) if row.body is not None else None
        if found is None:
            self.invalid += row.body is not None
            return
        is_ours = row.writer == self._writer
        name = projects.register(store, self._root, self._names)
        number = team_rows.find_twin(store, found, name)
        if number is None:
            writer = None if is_ours else row.writer
            number = team_rows.insert_team_observation(store, found, name, self._root, writer, self._now)
            self.taken += 1
        elif not (is_ours or self._live_names(number) or _is_of_team(store, number)):
            self._shared[row.id] = SharedRow(0, "", "", is_ours=False)
            return
        kept = team_rows.read_team_observation(store, number, name)
        if kept is None:
            raise AgentProgressError("an observation that was just put into the memory is not there")
        self._shared[row.id] = SharedRow(number, kept[0].digest, kept[0].created_at, is_ours)

    def outbox(self) -> list[NewRow]:
        """Return what the server lacks: ends, observations, and progress documents that were changed here.

        Ends come first: a changed text is a new observation that may say the same as the one before.
        """
        noted = self._read_saved()
        texts = self._find_new_observations(set(noted))
        self._save()  # the names first: nothing is sent under two names after a kill
        for file in noted.values():
            team_state.remove(self._directory, file)
        return [
            *(NewRow(ENDED, name) for name in sorted(self._pending & self._ended)),
            *(NewRow(OBSERVATION, name, text) for name, text in texts.items()),
            *self._changed_documents(),
        ]

    def note_sent(self, rows: Iterable[NewRow]) -> None:
        """Note that the server has rows of the outbox; a document counts once it comes back as the newest."""
        self._pending -= {row.id for row in rows if row.kind != DOCUMENT}
        self._save()

    def _read_saved(self) -> dict[int, str]:
        """Return the noted rows of this database, each with the file that notes it."""
        found = {}
        for name in list_inside(None, team_state.path_of(self._directory, team_state.FOLDER)):
            if name.startswith(SAVED_PREFIX):
                file = f"{team_state.FOLDER}/{name}"
                with suppress(ValueError, TypeError):
                    row, database, *_ = json.loads(team_state.read(self._directory, file) or b"null")
                    if database == self._database:
                        found[int(row)] = file
        return found

    def _find_new_observations(self, noted: set[int]) -> dict[str, str]:
        """Note what began and ended here, and return by name the texts that the server may lack."""
        names: dict[int, list[str]] = {row: [] for row in noted}
        for name, shared in self._shared.items():
            if shared.row:
                names.setdefault(shared.row, []).extend(() if name in self._ended else (name,))
        sent_before = {shared.row for shared in self._shared.values()}
        texts: dict[str, str] = {}
        if not names or not has_database(self._database):
            return texts
        with reading(self._database) as store:
            project = projects.name_of_root(store, self._root, self._names[0])
            for row, known in names.items():
                found, is_live = team_rows.read_team_observation(store, row, project) or (None, False)
                digest = found.digest if found is not None and is_live else None
                kept = [name for name in known if self._shared[name].digest == digest]
                ended = set(known) - set(kept)
                self._ended |= ended
                self._pending |= ended
                if found is None or digest is None:
                    continue
                is_ours = any(self._shared[name].is_ours for name in kept)
                was_changed = not kept and row in sent_before  # or restored by `memory restore`
                if not is_ours and (row in noted or was_changed):
                    kept.append(secrets.token_hex(16))
                    self._shared[kept[-1]] = SharedRow(row, digest, found.created_at, is_ours=True)
                    self._pending.add(kept[-1])
                texts |= {name: found.text for name in kept if name in self._pending}
        return texts

    def _changed_documents(self) -> Iterator[NewRow]:
        for key, mine in self._own_documents().items():
            known = self._documents.get(key, DocumentMark())
            if _digest(mine.text) == known.digest:
                continue
            if len(key.encode("utf-8", "replace")) > MAX_KEY_BYTES or "\0" in key:
                self.notes.append(f"not sent, its namespace is too long: {one_line(key, MAX_SHOWN_CHARS)}")
                continue
            body = json.dumps({"key": key, "text": mine.text})
            yield NewRow(DOCUMENT, f"{key} {known.revision + 1}", body)

    def _own_documents(self) -> dict[str, Document]:
        if not has_database(self._database):
            return {}
        with reading(self._database) as store:
            name = projects.name_of_root(store, self._root, self._names[0])
            return documents.live_documents(store, name)

    def _note_document(self, row: Row) -> None:
        """Note a newer revision of a document; one that cannot be used only takes its number."""
        key, _, text = _read_document(row.body)
        number = row.id.rpartition(" ")[2]
        revision = int(number) if number.isdigit() else 0
        known = self._documents.get(key, DocumentMark())
        if text is None:
            self.invalid += 1
            if key is not None:
                self._documents[key] = known._replace(revision=max(revision, known.revision))
        elif revision > known.revision:
            self._newest[key] = revision, row

    def settle_documents(self, read_body: Callable[[str], str | None]) -> None:
        """Follow the newer revisions, each merged with what was changed here since the one before.

        `read_body` reads a document's row of the server by its id.
        """
        for key, (revision, row) in self._newest.items():
            known = self._documents.get(key, DocumentMark())
            base = _read_document(read_body(f"{key} {known.revision}"))[1] if known.digest else None
            text = _read_document(row.body)[2] or ""
            number = self._follow(key, row, base, known)
            self._documents[key] = DocumentMark(max(revision, known.revision), _digest(text), number)
        self._newest.clear()
        self._save()

    def _follow(self, key: str, row: Row, base: Any, known: DocumentMark) -> int:
        """Make a row's document the one here, and return its row of the database."""
        _, value, text = _read_document(row.body)
        written, when = text or "", moment_of(row.arrived[:SECONDS_CHARS], self._now)
        with writing(self._database) as store:
            name = projects.register(store, self._root, self._names)
            mine = documents.live_document(store, name, key or None)
            if mine is not None:
                # Not older than the document it replaces, or another one of the project would be shown.
                when = max(when, moment_of(mine.updated_at, self._now))
                if _digest(mine.text) != known.digest:
                    written = self._merge(base, (value, written), mine, row.writer)
                if mine.text == written:
                    return mine.id
            revisions = documents.history(store, name, key or None)
            new = DocumentDraft(
                project=name, namespace=key or None, value=json_text.load(written), text=written,
                base_revision=max((each.revision for each in revisions), default=None),
                session_id=session_of(row.writer, joined=written != text),
            )  # fmt: skip
            self.taken += 1
            return documents.write(store, new, self._root, when if written == text else self._now).id

    def _merge(self, base: Any, theirs: tuple[Any, str], mine: Document, writer: str) -> str:
        """Return a remote document, given as value and text, with what was changed here."""
        value, text = theirs
        merged = merge(base, value, mine.value)
        if merged.conflicts:
            names = [
                one_line(each.path, MAX_SHOWN_CHARS) or "the whole document" for each in merged.conflicts
            ]
            self.notes.append(
                f"{writer} wrote the progress document, too: {some_of(names)} is kept as there, "
                "yours beside it; settle it and write it again "
                f"(yours as it was: `memory progress --revision {mine.revision}`)"
            )
        joined = team_rows.with_other_versions(merged.value, merged.conflicts, self._writer)
        return text if identity(joined) == identity(value) else json_text.dump(joined)


def _read_document(body: str | None) -> tuple[Any, Any, str | None]:
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
    return key, clean, (json_text.dump(clean) if count else text) if key is not None else None


def _is_of_team(store: sqlite3.Connection, row: int) -> bool:
    session = store.execute("SELECT session_id FROM observations WHERE id = ?", (row,)).fetchone()
    return session is not None and team_rows.writer_of(session[0] or "") is not None


def _digest(text: str) -> str:
    return content_digest(text.encode("utf-8", "replace")).decode()
