"""The progress document: an agent's own work state, one live JSON per project and namespace."""

from __future__ import annotations

import datetime as dt
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from progress_plugin.core.errors import AgentProgressError, BadInput, Refused
from progress_plugin.core.paths import DATABASE_VARIABLE, database_path
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.log.timestamp import read_time
from progress_plugin.memory import json_values
from progress_plugin.memory.database import GLANCE_TIMEOUT_S, has_database, reading
from progress_plugin.memory.json_values import merge
from progress_plugin.memory.observations import MANUAL_SESSION, PROGRESS_TYPE, ObservationDraft, save_revision
from progress_plugin.memory.projects import document_key, may_show, name_of_root, writer_of
from progress_plugin.model.status import Status
from progress_plugin.model.work import AgentLog, Report, Source, Statement
from progress_plugin.text.bounds import shortened

PATH = "mem_progress"  # named as the source instead of a file
MAX_COMPLETED = 3
MAX_OTHER_CHARS = 280
_COLUMNS = (
    "id, revision_count, updated_at, project, coalesce(namespace, ''), content, "
    "deleted_at IS NULL, session_id"
)


class DocumentRevision(NamedTuple):
    """One revision of a progress document."""

    id: int
    revision: int
    updated_at: str
    project: str
    namespace: str
    text: str
    is_live: bool
    session_id: str

    @property
    def value(self) -> Any:
        """The parsed document; its text if it is not JSON, which another program may store."""
        try:
            return json_values.load(self.text)
        except (ValueError, RecursionError):
            return self.text


def read_document(
    project: Project, inputs: InputSnapshot, names: Sequence[str], problems: list[str]
) -> DocumentRevision | None:
    """Return the document that a start shows, or None; `problems` gets a line if it cannot be read.

    `names` are the names of the project, the preferred one first.
    """
    inputs.note_variable(DATABASE_VARIABLE)
    path = None
    try:
        path = database_path(project.root, project.main_root)
        inputs.note_for_starts(path)  # before reading: a later write makes the snapshot stale
        if not has_database(path):
            return None
        with reading(path, GLANCE_TIMEOUT_S) as db:
            return document_of_root(db, names, project.main_root)
    except AgentProgressError as error:
        problems.append(str(error))
        if path:
            inputs.note_for_starts(path, is_settled=False)
        return None


def document_of_root(db: sqlite3.Connection, names: Sequence[str], root: str) -> DocumentRevision | None:
    """Return a repository's live document: under its name in the memory, else under one of `names`."""
    known = dict.fromkeys((name_of_root(db, root, names[0]), *names))
    allowed = (name for name in known if may_show(db, name, root))
    return next(filter(None, (find_document(db, name, None) for name in allowed)), None)


def find_document(
    db: sqlite3.Connection, project: str, namespace: str | None, revision: int | None = None
) -> DocumentRevision | None:
    """Return the live revision of a document, or the revision with the number `revision`.

    If several rows have the number, the live row is returned, or else the newest.
    """
    for each in history(db, project, namespace):
        if each.is_live if revision is None else each.revision == revision:
            return each
    return None


def history(db: sqlite3.Connection, project: str, namespace: str | None) -> list[DocumentRevision]:
    """Return the revisions of a document, the live one first, then the newest."""
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM observations WHERE topic_key = ? AND project = ? AND scope = 'project' "
        "AND type = 'progress' ORDER BY deleted_at IS NULL DESC, revision_count DESC, id DESC",
        (document_key(project, namespace), project),
    )
    return [DocumentRevision(*row) for row in rows]


def live_documents(db: sqlite3.Connection) -> list[DocumentRevision]:
    """Return the live documents of all projects."""
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM observations WHERE type = 'progress' AND deleted_at IS NULL AND project > ''"
    )
    return [DocumentRevision(*row) for row in rows]


def new_revision(
    project: str, namespace: str | None, text: str, session: str = MANUAL_SESSION
) -> ObservationDraft:
    """Return a draft of the next revision of a document."""
    return ObservationDraft(
        type=PROGRESS_TYPE, title=f"Progress: {project}", content=text, project=project,
        topic_key=document_key(project, namespace), namespace=namespace, tool_name="mem_progress",
        session_id=session,
    )  # fmt: skip


def write(
    db: sqlite3.Connection,
    draft: ObservationDraft,
    root: str,
    now: dt.datetime,
    base_revision: int | None = None,
) -> dict[str, Any]:
    """Store a new revision and soft-delete the live one. The caller holds the transaction.

    Return its `id` and `revision`, and the revision that it was `merged_with`, None if it was not merged.
    Raises BadInput for a base revision above the newest, Refused if no merge is possible.
    """
    revisions = history(db, draft.project or "", draft.namespace)
    text, merged_with = _merged_text(draft.content, base_revision, revisions)
    return {**save_revision(db, draft._replace(content=text), root, now), "merged_with": merged_with}


def _merged_text(
    text: str, base_revision: int | None, revisions: Sequence[DocumentRevision]
) -> tuple[str, int | None]:
    """Return the text to store and the revision it was merged with.

    A write without `base_revision` is taken to be based on the last revision written on this machine: so it
    keeps the changes that a sync has brought since then.
    """
    newest = max((each.revision for each in revisions), default=0)
    live = revisions[0] if revisions and revisions[0].is_live else None
    if base_revision is not None and base_revision > newest:
        known = f"the newest is revision {newest}" if newest else "there is no document yet"
        raise BadInput(f"base_revision {base_revision} does not exist, {known}; read it first")
    if live is None or base_revision == newest:
        return text, None
    writer = writer_of(live.session_id)
    if base_revision is None:
        if writer is None:
            return text, None
        local = [each.revision for each in revisions if writer_of(each.session_id) is None]
        base_revision = max(local, default=0)
    base = next((each for each in revisions if each.revision == base_revision), None)
    merged, conflicts = merge(base.value if base else None, live.value, json_values.load(text))
    if conflicts:
        raise Refused(
            f"Not saved: {writer or 'another call'} wrote revision {live.revision} after revision "
            f"{base_revision}; they differ in {', '.join(conflicts)}. Merge them and write with "
            f"base_revision {live.revision}.\nStored (revision {live.revision}):\n{live.text}\n"
            f"Yours:\n{text}"
        )
    return json_values.dump(merged), live.revision


def as_log(document: DocumentRevision) -> AgentLog:
    """Return a progress document as a log: goal, last completed work, next steps, blockers and the rest."""
    content = document.value
    fields: dict[str, Any] = content if isinstance(content, dict) else {"document": content}
    source = Source(PATH, date=_date(document.updated_at), writer=writer_of(document.session_id) or "")
    return AgentLog(
        PATH,
        "state",
        statements=tuple(_statements(fields, source)),
        next_steps=tuple(Report(Status.PENDING, text, source) for text in _texts(fields.get("next_steps"))),
        blockers=tuple(Report(Status.BLOCKED, text, source) for text in _texts(fields.get("blockers"))),
    )


def _statements(fields: dict[str, Any], source: Source) -> Iterator[Statement]:
    for text in _texts(fields.get("goal")):
        yield Statement(f"Goal: {text}", source, "focus")
    for text in _texts(fields.get("completed"))[-MAX_COMPLETED:]:
        yield Statement(f"Completed: {text}", source, "status")
    known = ("goal", "completed", "next_steps", "blockers")
    if rest := {name: value for name, value in fields.items() if name not in known}:
        yield Statement(shortened(json_values.dump(rest), MAX_OTHER_CHARS), source, "status")


def _texts(value: Any) -> list[str]:
    """Return a value or the items of a list as texts; an item that is not text becomes JSON."""
    items = value if isinstance(value, list) else [] if value is None else [value]
    return [item if isinstance(item, str) else json_values.dump(item) for item in items]


def _date(updated_at: str) -> dt.date | None:
    when = read_time(updated_at)
    return when.astimezone().date() if when else None
