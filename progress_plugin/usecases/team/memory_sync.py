"""The memory of a project as rows of the team's server: observations, their deletions, progress documents.

An observation has the same random id on every machine. Its deletion is a row of its own. A document has a
row per revision: if two clones write the same revision, the second one imports that of the first and merges.
The memory belongs to the user, so a clone shares only observations that were saved in it after it joined.
"""

from __future__ import annotations

import json
import shlex
import sqlite3
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints, ValidationError

from progress_plugin.core.errors import BadInput
from progress_plugin.core.project import Project
from progress_plugin.log.entry import canonical
from progress_plugin.memory import documents, json_values, observations, projects
from progress_plugin.memory.database import has_database, writing
from progress_plugin.team.server import (
    DOCUMENT,
    ENDED,
    MAX_ID_BYTES,
    OBSERVATION,
    Cursor,
    NewRow,
    Row,
    TeamServer,
)
from progress_plugin.text.bounds import counted, some_of
from progress_plugin.text.redact import redact
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.reading import read_log

MAX_SHOWN_CHARS = 60

_Text = Annotated[str, StringConstraints(min_length=1), AfterValidator(lambda text: redact(text)[0])]
_Name = Annotated[_Text, StringConstraints(strip_whitespace=True, max_length=observations.MAX_NAME_BYTES)]


class TeamObservation(BaseModel):
    """The part of an observation that is the same on every machine; without secrets and private parts."""

    model_config = ConfigDict(strict=True)

    type: _Name
    title: _Name
    content: _Text
    topic_key: _Name | None = None
    namespace: _Name | None = None
    created_at: str = ""


class Memory:
    """The memory of one clone. The caller holds the sync's lock.

    All methods but `notes` raise AgentProgressError if the database cannot be opened or written.
    """

    kinds = (ENDED, OBSERVATION, DOCUMENT)

    def __init__(self, project: Project, database: str, writer: str) -> None:
        self._database, self._root, self._writer = database, project.main_root, writer
        self._names = read_log(project).names  # of the project here, the preferred one first
        self._now = datetime.now(UTC)
        self._invalid = 0
        self._notes: list[str] = []
        self.taken = self.sent = 0

    def cursor(self, server: TeamServer) -> Cursor:
        """Return the cursor of the last row read; the beginning if the server or the database is another one.

        It is in the database, so that a database restored from a backup has the cursor of that time.
        """
        if not has_database(self._database):
            return Cursor()
        with writing(self._database) as db:
            found = db.execute("SELECT seq, mark FROM team_cursors WHERE root = ?", (self._root,)).fetchone()
        cursor = Cursor(*found) if found else Cursor()
        return cursor if server.has_row_at(cursor) else Cursor()

    def import_rows(self, rows: Sequence[Row]) -> None:
        """Import observations, deletions and revisions; the cursor moves with the same write."""
        observe, delete, revise = self._add_observation, self._delete_observation, self._apply_revision
        take = {OBSERVATION: observe, ENDED: delete, DOCUMENT: revise}
        with writing(self._database) as db:
            for row in rows:
                take[row.kind](db, row)
            db.execute("REPLACE INTO team_cursors VALUES (?, ?, ?)", (self._root, *rows[-1].cursor))

    def _add_observation(self, db: sqlite3.Connection, row: Row) -> None:
        known = "SELECT 1 FROM team_observations WHERE root = ? AND id = ?"
        if row.body is None or db.execute(known, (self._root, row.id)).fetchone():
            return
        found = parse_observation(row.body)
        if found is None:
            self._invalid += 1
            return
        writer = None if row.writer == self._writer else row.writer
        draft = observations.ObservationDraft(
            **found.model_dump(exclude={"created_at"}), tool_name="mem_save",
            project=projects.register(db, self._root, self._names),
            session_id=projects.session_of(writer) if writer else observations.MANUAL_SESSION,
        )  # fmt: skip
        created = observations.moment_of(found.created_at, self._now)
        number = observations.insert(db, draft, self._root, created)
        self.taken += 1
        projects.add_shared(db, self._root, row.id, number, writer)

    def _delete_observation(self, db: sqlite3.Connection, row: Row) -> None:
        known = "SELECT row FROM team_observations WHERE root = ? AND id = ?"
        deleted = db.execute(known, (self._root, row.id)).fetchall()
        self.taken += observations.soft_delete(db, [number for (number,) in deleted], self._now)

    def _apply_revision(self, db: sqlite3.Connection, row: Row) -> None:
        """Apply a remote revision of a document. Of an invalid one only the number is noted."""
        key, _, revision = row.id.rpartition(" ")
        agreed, number, base = _agreed(db, self._root, key)
        if not revision.isdecimal() or int(revision) <= agreed:
            return
        text = read_document(row.body)
        if text is not None:
            number = self._replace_document(db, key, row, text, base)
        elif row.body is not None:
            self._invalid += 1
        values = (self._root, key, int(revision), number)
        db.execute("REPLACE INTO team_documents VALUES (?, ?, ?, ?)", values)

    def _replace_document(self, db: sqlite3.Connection, key: str, row: Row, text: str, base: str) -> int:
        """Store a remote document, then local changes since `base` as its next revision.

        Returns the row of the remote document.
        """
        name = projects.register(db, self._root, self._names)
        mine = documents.find_document(db, name, key or None)
        if mine is not None and mine.text == text:
            return mine.id
        draft = documents.new_revision(name, key or None, text, projects.session_of(row.writer))
        number = observations.save_revision(db, draft, self._root, min(row.arrived, self._now))["id"]
        self.taken += 1
        if mine is not None and mine.text != base:
            merged = self._merge(base, text, mine, row.writer)
            if merged != text:
                observations.save_revision(db, draft._replace(content=merged), self._root, self._now)
        return int(number)

    def _merge(self, base: str, text: str, mine: documents.DocumentRevision, writer: str) -> str:
        """Merge local changes into a remote document; if both changed a field, the remote value wins."""
        theirs = json_values.load(text)
        merged, conflicts = json_values.merge(json_values.load(base) if base else None, theirs, mine.value)
        if conflicts:
            names = [one_line(path, MAX_SHOWN_CHARS) for path in conflicts]
            namespace = f" --namespace {shlex.quote(mine.namespace)}" if mine.namespace else ""
            self._notes.append(
                f"{writer} wrote the progress document, too; kept as in that version: {some_of(names)}; "
                f"to see yours: `memory progress{namespace} --revision {mine.revision}`"
            )
        return text if canonical(merged) == canonical(theirs) else json_values.dump(merged)

    def send(self, server: TeamServer) -> bool:
        """Send observations, deletions and revisions that the server lacks. Return whether it lacked any."""
        if not has_database(self._database):
            return False
        with writing(self._database) as db:
            rows = [*self._observations(db), *self._documents(db)]
        rows = [row for row in rows if "\0" not in row.id and len(row.id.encode()) <= MAX_ID_BYTES]
        new = server.find_missing(rows)
        self.sent += server.append(new)
        return bool(new)

    def _observations(self, db: sqlite3.Connection) -> Iterator[NewRow]:
        found = db.execute(
            "SELECT shared.id, kept.id, type, title, content, topic_key, namespace, created_at "
            "FROM team_observations AS shared "
            "LEFT JOIN observations AS kept ON kept.id = row AND deleted_at IS NULL "
            "WHERE root = ? AND (kept.id IS NULL OR writer IS NULL) ORDER BY shared.id",
            (self._root,),
        )
        for name, number, *values in found.fetchall():
            text = json.dumps(dict(zip(TeamObservation.model_fields, values, strict=True)))
            yield NewRow(OBSERVATION, name, text) if number else NewRow(ENDED, name)

    def _documents(self, db: sqlite3.Connection) -> Iterator[NewRow]:
        """Yield the agreed revisions, which a restored server may lack, and those that were written since."""
        name = projects.name_of_root(db, self._root, self._names[0])
        for mine in documents.live_documents(db):
            if mine.project != name:
                continue
            key = mine.namespace
            agreed, number, text = _agreed(db, self._root, key)
            revisions = [(agreed, text)] if number else []
            revisions += [(agreed + 1, mine.text)] if mine.id != number else []
            for revision, text in revisions:
                yield NewRow(DOCUMENT, f"{key} {revision}", json.dumps({"key": key, "text": text}))

    def notes(self) -> list[str]:
        """Describe faults and conflicts of the exchange, one sentence each."""
        rows = counted(self._invalid, "observation or document", "observations or documents")
        invalid = [f"{rows} of the server cannot be used; passed over"] if self._invalid else []
        return [*invalid, *dict.fromkeys(self._notes)]


def parse_observation(text: str) -> TeamObservation | None:
    """Return the observation in a remote text, without secrets; None if there is no valid one."""
    try:
        found = TeamObservation.model_validate_json(text)
    except ValidationError:
        return None
    topic = (found.topic_key or "").lower()
    is_document = found.type == observations.PROGRESS_TYPE or topic.startswith("progress/")
    is_too_long = len(found.content.encode()) > observations.MAX_CONTENT_BYTES
    return None if is_document or is_too_long else found  # documents travel as rows of their own


def read_document(body: str | None) -> str | None:
    """Return the text of a document's row, without secrets; None if it cannot be used."""
    try:
        return json_values.parse_redacted(json.loads(body or "null")["text"])[0]
    except (BadInput, ValueError, KeyError, TypeError, RecursionError):
        return None


def _agreed(db: sqlite3.Connection, root: str, key: str) -> tuple[int, int, str]:
    """Return revision, row and text of the last version of a document that the server and we both have."""
    statement = (
        "SELECT revision, row, coalesce(content, '') FROM team_documents "
        "LEFT JOIN observations ON id = row WHERE root = ? AND key = ?"
    )
    return db.execute(statement, (root, key)).fetchone() or (0, 0, "")
