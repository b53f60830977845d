"""A new revision of a progress document in place of the live one, merged where two wrote (S14.1, S14.2)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from progress_plugin.core.errors import BadInput, Refused
from progress_plugin.memory import json_text, progress_document
from progress_plugin.memory.database import Store
from progress_plugin.memory.merge import merge
from progress_plugin.memory.observation import MANUAL_SESSION, PROGRESS, Draft, insert, soft_delete
from progress_plugin.memory.progress_document import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """What is to become the next revision; `value` is `text` parsed."""

    project: str
    namespace: str | None
    value: Any
    text: str
    root: str | None
    """The project root that the document will be bound to; None leaves it unbound."""
    base_revision: int | None = None
    session_id: str = MANUAL_SESSION


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What became of it."""

    id: int
    revision: int
    text: str
    merged_with: int | None
    """The revision it was merged with, None where it stands as it was sent."""
    replaced_root: str | None
    """The other root that the document before it was bound to, None where there is nothing to warn about."""


def write(store: Store, writing: Writing, now: datetime) -> Written:
    """Store a new revision and retire the live one; the caller holds the transaction.

    Raises BadInput for a base revision that never was or more than 1 MiB, Refused where no merge is possible.
    """
    history = progress_document.revisions(store, writing.project, writing.namespace)
    newest = history[0] if history else None
    live = newest if newest is not None and newest.live else None
    text, merged_with = _with_base(writing, live, history)
    json_text.ensure_small(text)
    soft_delete(store, [document.id for document in history if document.live], now)
    revision = max((document.revision for document in history), default=0) + 1
    row_id = insert(store, _draft(writing, text, live, store, revision), writing.root or "", now)
    other = live.root if live is not None and writing.root and live.root else None
    replaced = (
        other
        if other and progress_document.mark_of(writing.root or "") != progress_document.mark_of(other)
        else None
    )
    return Written(id=row_id, revision=revision, text=text, merged_with=merged_with, replaced_root=replaced)


def _draft(writing: Writing, text: str, live: Document | None, store: Store, revision: int) -> Draft:
    return Draft(
        type=PROGRESS,
        title=f"Progress: {writing.project}",
        content=text,
        project=writing.project,
        topic_key=_key(store, live) or progress_document.topic_key(writing.project, writing.namespace),
        namespace=writing.namespace,
        tool_name=progress_document.mark_of(writing.root) if writing.root else None,
        session_id=writing.session_id,
        revision=revision,
    )


def _key(store: Store, live: Document | None) -> str | None:
    """Return the key of the live row: a document born in Hoofy stays under Hoofy's spelling of it."""
    if live is None:
        return None
    row = store.connection.execute("SELECT topic_key FROM observations WHERE id = ?", (live.id,)).fetchone()
    return str(row[0])


def _with_base(writing: Writing, live: Document | None, history: list[Document]) -> tuple[str, int | None]:
    """Return the text to store and the revision it was merged with."""
    newest = max((document.revision for document in history), default=0)
    if writing.base_revision is None or writing.base_revision == newest:
        return writing.text, None
    if writing.base_revision > newest:
        stands = f"the newest is revision {newest}" if newest else "there is no document yet"
        raise BadInput(f"base_revision {writing.base_revision} does not exist, {stands}; read it first")
    if live is None:
        return writing.text, None
    base = next((one.content for one in history if one.revision == writing.base_revision), None)
    merged, conflicts = merge(base, live.content, writing.value)
    if conflicts:
        raise Refused(_both_versions(live, writing, conflicts))
    return json_text.dump(merged), live.revision


def _both_versions(live: Document, writing: Writing, conflicts: list[str]) -> str:
    return (
        f"Not saved: revision {live.revision} was written after your base_revision {writing.base_revision}; "
        f"they differ in {', '.join(conflicts)}. Merge them and write with base_revision {live.revision}.\n"
        f"Stored (revision {live.revision}):\n{live.text}\nYours:\n{writing.text}"
    )
