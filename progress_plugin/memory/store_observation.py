"""Saving an observation: once, however often it is sent, and as a revision where it has a topic."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from progress_plugin.memory.database import Store
from progress_plugin.memory.observation import ObservationDraft, insert, normalized_hash, soft_delete, stamp

SAME_WITHIN = timedelta(minutes=15)
"""The time within which a repeated observation counts as the same one, as in Hoofy and engram."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """Where an observation ended up."""

    id: int
    revision: int
    duplicate: bool


def save(store: Store, draft: ObservationDraft, directory: str, now: datetime) -> Saved:
    """Store an observation; the caller holds the transaction.

    One with the topic key of a live one becomes its next revision, the earlier one is soft-deleted. One that
    was already saved in the last 15 minutes only counts there.
    """
    if draft.topic_key is not None:
        return _save_revision(store, draft, directory, now)
    twin = _twin(store, draft, now)
    if twin is None:
        return Saved(id=insert(store, draft, directory, now), revision=1, duplicate=False)
    at = stamp(now)
    store.connection.execute(
        "UPDATE observations SET duplicate_count = duplicate_count + 1, last_seen_at = ?, updated_at = ? "
        "WHERE id = ?",
        (at, at, twin),
    )
    return Saved(id=twin, revision=1, duplicate=True)


def _save_revision(store: Store, draft: ObservationDraft, directory: str, now: datetime) -> Saved:
    rows = store.connection.execute(
        "SELECT id, revision_count FROM observations WHERE topic_key = ? AND coalesce(project, '') = ? "
        f"AND scope = ? {_same_namespace(store)} AND deleted_at IS NULL",
        (draft.topic_key, draft.project or "", draft.scope, *_namespace(store, draft)),
    ).fetchall()
    revision = max((row[1] for row in rows), default=0) + 1
    soft_delete(store, [row[0] for row in rows], now)
    row_id = insert(store, replace(draft, revision=revision), directory, now)
    return Saved(id=row_id, revision=revision, duplicate=False)


def _twin(store: Store, draft: ObservationDraft, now: datetime) -> int | None:
    row = store.connection.execute(
        "SELECT id FROM observations WHERE normalized_hash = ? AND coalesce(project, '') = ? AND scope = ? "
        f"AND type = ? AND title = ? {_same_namespace(store)} AND deleted_at IS NULL "
        "AND datetime(created_at) >= ? ORDER BY id DESC LIMIT 1",
        (
            normalized_hash(draft.content), draft.project or "", draft.scope, draft.type, draft.title,
            *_namespace(store, draft), stamp(now - SAME_WITHIN),
        ),
    ).fetchone()  # fmt: skip
    return None if row is None else int(row[0])


def _same_namespace(store: Store) -> str:
    return "AND coalesce(namespace, '') = ?" if "namespace" in store.columns else ""


def _namespace(store: Store, draft: ObservationDraft) -> tuple[str, ...]:
    return (draft.namespace or "",) if "namespace" in store.columns else ()
