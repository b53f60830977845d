"""Copy the live observations and documents of a database of Hoofy or engram into ours."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from typing import Any

from progress_plugin.core.errors import BadInput
from progress_plugin.memory import json_values
from progress_plugin.memory.database import connect
from progress_plugin.memory.observations import PROGRESS_TYPE, ObservationDraft, insert, normalized_hash
from progress_plugin.memory.projects import document_key
from progress_plugin.text.redact import redact, redact_value

COLUMNS = ("type", "title", "content", "project", "scope", "topic_key", "session_id", "created_at")


def import_rows(db: sqlite3.Connection, path: str, now: datetime) -> tuple[int, int]:
    """Copy each live row that is not there yet; return how many were copied and how many were known.

    The caller holds the transaction. Raises BadInput if the file is not such a database.
    """
    copied = known = 0
    for row in _read(path):
        draft = _draft(row)
        is_known = db.execute(
            "SELECT 1 FROM observations WHERE project IS ? AND ((normalized_hash = ? AND type = ? "
            "AND title = ?) OR (topic_key = ? AND deleted_at IS NULL))",
            (draft.project, normalized_hash(draft.content), draft.type, draft.title, draft.topic_key),
        ).fetchone()
        if is_known:
            known += 1
        else:
            insert(db, draft, "", min(_moment(row["created_at"]) or now, now))
            copied += 1
    return copied, known


def _read(path: str) -> list[dict[str, Any]]:
    try:
        with closing(connect(path, "ro")) as source:
            columns = {row[1] for row in source.execute("PRAGMA table_info(observations)")}
            if not columns.issuperset((*COLUMNS, "deleted_at")):
                raise BadInput(f"{path} is not a database of Hoofy or engram; nothing was imported")
            names = [*COLUMNS, *({"namespace"} & columns)]
            rows = source.execute(
                f"SELECT {', '.join(names)} FROM observations WHERE deleted_at IS NULL ORDER BY id"
            ).fetchall()
    except sqlite3.Error as error:
        raise BadInput(f"{path} cannot be read ({error}); nothing was imported") from error
    return [dict(zip(names, row, strict=True)) for row in rows]


def _draft(row: dict[str, Any]) -> ObservationDraft:
    kind, topic, namespace = row["type"], row["topic_key"], row.get("namespace")
    if kind == PROGRESS_TYPE or (topic or "").startswith("progress/"):
        kind, topic = PROGRESS_TYPE, document_key(row["project"] or "", namespace)
    return ObservationDraft(
        type=kind, title=redact(row["title"])[0], content=_without_secrets(kind, row["content"]),
        project=row["project"], scope=row["scope"] or "project", topic_key=topic, namespace=namespace,
        tool_name="memory import", session_id=row["session_id"],
    )  # fmt: skip


def _moment(text: Any) -> datetime | None:
    try:
        when = datetime.fromisoformat(text)
    except (ValueError, TypeError):
        return None
    return when.astimezone(UTC) if when.tzinfo else when.replace(tzinfo=UTC)


def _without_secrets(kind: str, content: str) -> str:
    """Return a content without secrets and private parts; a document stays JSON."""
    if kind == PROGRESS_TYPE:
        try:
            value, count = redact_value(json_values.load(content))
        except (ValueError, RecursionError):
            return redact(content)[0]
        return json_values.dump(value) if count else content
    return redact(content)[0]
