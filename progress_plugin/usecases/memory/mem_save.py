"""The tool `mem_save`: keep one observation; and `memory import`, which copies those of other programs."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from progress_plugin.core.errors import BadInput
from progress_plugin.memory.database import writing
from progress_plugin.memory.import_file import import_rows
from progress_plugin.memory.observations import (
    MANUAL_SESSION,
    MAX_CONTENT_BYTES,
    PROGRESS_TYPE,
    SUMMARY_TYPE,
    ObservationDraft,
    save,
)
from progress_plugin.text.redact import redact
from progress_plugin.usecases.memory.location import MemoryLocation, one_project, optional, required, scope_of


def mem_save(  # noqa: PLR0913 - the parameters of the tool
    place: MemoryLocation,
    title: str | None,
    content: str | None,
    kind: str | None,
    *,
    project: str | None = None,
    scope: str | None = None,
    topic_key: str | None = None,
    namespace: str | None = None,
    session_id: str | None = None,
    now: datetime,
) -> dict[str, Any]:
    """Store an observation and return its id; private parts and secrets are taken out first.

    Raises BadInput without title, content or type, for one that is too long, and for what only the other
    tools may write.
    """
    name, removed_from_name = redact(required(title, "title"))
    text, removed = redact(required(content, "content", MAX_CONTENT_BYTES))
    kind, topic = _kind(kind), _topic(topic_key)
    wanted, where = one_project(project), scope_of(scope) or "project"
    space, session = optional(namespace, "namespace"), optional(session_id, "session_id") or MANUAL_SESSION
    with writing(place.database) as db:
        draft = ObservationDraft(
            type=kind, title=name, content=text, project=place.name_to_write(db, wanted), scope=where,
            topic_key=topic, namespace=space, tool_name="mem_save", session_id=session,
        )  # fmt: skip
        saved = save(db, draft, place.root or "", now)
        place.share(db, saved.id, draft.project, draft.scope)
    place.tell_team()
    return {
        "saved": True, "id": saved.id, "revision": saved.revision, "duplicate": saved.duplicate,
        "project": draft.project, "removed_parts": removed + removed_from_name,
    }  # fmt: skip


def import_memory(place: MemoryLocation, path: str, *, now: datetime) -> dict[str, Any]:
    """Copy what Hoofy or engram kept in a database. Raises BadInput if the file is not one."""
    with writing(place.database) as db:
        copied, known = import_rows(db, path, now)
    return {"imported": copied, "known": known}


def _kind(value: str | None) -> str:
    kind = required(value, "type")
    if kind in (PROGRESS_TYPE, SUMMARY_TYPE):
        raise BadInput(
            f"type {kind} is written by mem_{'progress' if kind == PROGRESS_TYPE else 'compact'} only"
        )
    return kind


def _topic(value: str | None) -> str | None:
    topic = optional(value, "topic_key")
    if topic is not None and topic.lower().startswith("progress/"):
        raise BadInput("topic keys that begin with progress/ belong to mem_progress; choose another")
    return topic
