"""Copy the live observations and documents of a database of Hoofy or engram into ours."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime

from progress_plugin.core.errors import BadInput
from progress_plugin.memory import json_text
from progress_plugin.memory.database import connect
from progress_plugin.memory.observations import PROGRESS_TYPE, ObservationDraft, insert, normalized_hash
from progress_plugin.memory.projects import document_key
from progress_plugin.text.redact import redact, redact_value

NEEDED = frozenset(
    {"session_id", "type", "title", "content", "project", "scope", "topic_key", "created_at", "deleted_at"}
)


def import_rows(db: sqlite3.Connection, path: str, now: datetime) -> tuple[int, int]:
    """Copy each live row that is not there yet; return how many were copied and how many were known.

    The caller holds the transaction. Raises BadInput if the file is not such a database.
    """
    copied = known = 0
    for draft, created in _read(path):
        same = db.execute(
            "SELECT 1 FROM observations WHERE normalized_hash = ? AND project IS ? AND type = ? "
            "AND title = ?",
            (normalized_hash(draft.content), draft.project, draft.type, draft.title),
        ).fetchone()
        taken = (
            draft.topic_key
            and db.execute(
                "SELECT 1 FROM observations WHERE topic_key = ? AND project IS ? AND deleted_at IS NULL",
                (draft.topic_key, draft.project),
            ).fetchone()
        )
        if same or taken:
            known += 1
        else:
            insert(db, draft, "", min(created or now, now))
            copied += 1
    return copied, known


def _read(path: str) -> list[tuple[ObservationDraft, datetime | None]]:
    try:
        with closing(connect(path, "ro")) as source:
            columns = {row[1] for row in source.execute("PRAGMA table_info(observations)")}
            if not columns >= NEEDED:
                raise BadInput(f"{path} is not a database of Hoofy or engram; nothing was imported")
            namespace = "namespace" if "namespace" in columns else "NULL"
            rows = source.execute(
                f"SELECT type, title, content, project, scope, topic_key, {namespace}, session_id, "
                "created_at FROM observations WHERE deleted_at IS NULL ORDER BY id"
            ).fetchall()
    except sqlite3.Error as error:
        raise BadInput(f"{path} cannot be read ({error}); nothing was imported") from error
    return [_draft(row) for row in rows]


def _draft(row: tuple[str, ...]) -> tuple[ObservationDraft, datetime | None]:
    kind, title, content, project, scope, topic, namespace, session, created = row
    if kind == PROGRESS_TYPE or (topic or "").startswith("progress/"):
        kind, topic = PROGRESS_TYPE, document_key(project or "", namespace)
    draft = ObservationDraft(
        type=kind, title=redact(title)[0], content=_without_secrets(kind, content), project=project,
        scope=scope or "project",
        topic_key=topic, namespace=namespace, tool_name="memory import", session_id=session,
    )  # fmt: skip
    try:
        when = datetime.fromisoformat(created)
    except (ValueError, TypeError):
        return draft, None
    return draft, when.astimezone(UTC) if when.tzinfo else when.replace(tzinfo=UTC)


def _without_secrets(kind: str, content: str) -> str:
    """Return a content without secrets and private parts; a document stays JSON."""
    if kind == PROGRESS_TYPE:
        try:
            value, count = redact_value(json_text.load(content))
        except (ValueError, RecursionError):
            return redact(content)[0]
        return json_text.dump(value) if count else content
    return redact(content)[0]
