"""The tool `mem_save`: keep one observation."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from progress_plugin.core.errors import BadInput
from progress_plugin.memory.database import writing
from progress_plugin.memory.observation import MANUAL_SESSION, PROGRESS_TYPE, SUMMARY_TYPE, ObservationDraft
from progress_plugin.memory.size_limit import MAX_CONTENT_BYTES
from progress_plugin.memory.store_observation import save
from progress_plugin.text.redact import redact
from progress_plugin.usecases.memory.arguments import one_project, optional, required
from progress_plugin.usecases.memory.arguments import scope as scope_of
from progress_plugin.usecases.memory.location import MemoryLocation
from progress_plugin.usecases.memory.team_share import share_observation


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
    """Store an observation and answer with its id; private parts and secrets are taken out first.

    Raises BadInput without title, content or type, for one that is too long, and for what only the other
    tools may write.
    """
    name, removed_from_name = redact(required(title, "title"))
    text, removed = redact(required(content, "content", MAX_CONTENT_BYTES))
    draft = ObservationDraft(
        type=_kind(kind), title=name, content=text,
        project=one_project(optional(project, "project")) or place.name,
        scope=scope_of(scope) or "project", topic_key=_topic(topic_key),
        namespace=optional(namespace, "namespace"),
        tool_name="mem_save", session_id=optional(session_id, "session_id") or MANUAL_SESSION,
    )  # fmt: skip
    with writing(place.database) as store:
        if draft.namespace is not None and "namespace" not in store.columns:
            raise BadInput(f"{store.path} has no namespaces; leave namespace out")
        saved = save(store, draft, place.root or "", now)
    note = share_observation(place, saved.id, draft.project, draft.scope)
    return {
        "saved": True, "id": saved.id, "revision": saved.revision, "duplicate": saved.duplicate,
        "project": draft.project, "removed_parts": removed + removed_from_name,
        **({"note": note} if note else {}),
    }  # fmt: skip


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
