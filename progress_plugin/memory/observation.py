"""One row of the memory: what it holds, and how it is written and taken away."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from datetime import UTC, datetime

from progress_plugin.memory.database import Store
from progress_plugin.memory.size_limit import refuse_too_long

_STAMP = "%Y-%m-%d %H:%M:%S"
MANUAL_SESSION = "manual-save"
"""The session of whatever is saved without naming one."""

PROGRESS_TYPE = "progress"
"""Type of progress documents."""

SUMMARY_TYPE = "compaction_summary"
"""Type of what a compaction leaves in place of what it took."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservationDraft:
    """A row about to be written; the database adds its id, the clock its stamps."""

    type: str
    title: str
    content: str
    project: str | None
    scope: str = "project"
    topic_key: str | None = None
    namespace: str | None = None
    tool_name: str | None = None
    session_id: str = MANUAL_SESSION
    revision: int = 1


def stamp(now: datetime) -> str:
    """Return an aware time as the database writes it: UTC, `YYYY-MM-DD HH:MM:SS`."""
    return now.strftime(_STAMP)


def moment_of(at: str, latest: datetime) -> datetime:
    """Return the time of a stamp that another machine gave, `latest` for a later one or what is no stamp."""
    try:
        return min(datetime.strptime(at, _STAMP).replace(tzinfo=UTC), latest)
    except ValueError:
        return latest


def normalized_hash(content: str) -> str:
    """Return the hash that Hoofy and engram compare: SHA-256 without regard to case and white space."""
    return hashlib.sha256(" ".join(content.split()).lower().encode("utf-8", "replace")).hexdigest()


def insert(store: Store, draft: ObservationDraft, directory: str, now: datetime) -> int:
    """Insert a row, and its session where that is new, and return its id; the caller holds the transaction.

    `directory` is the project's root, or empty: the session keeps it. Raises BadInput for a content of more
    than 1 MiB: what takes the place of a secret, or a merge, can be longer than what was sent.
    """
    refuse_too_long(draft.content)
    at = stamp(now)
    store.connection.execute(
        "INSERT OR IGNORE INTO sessions (id, project, directory, started_at) VALUES (?, ?, ?, ?)",
        (draft.session_id, draft.project or "", os.fsencode(directory).decode("utf-8", "replace"), at),
    )
    values = {
        "session_id": draft.session_id, "type": draft.type, "title": draft.title, "content": draft.content,
        "tool_name": draft.tool_name, "project": draft.project, "scope": draft.scope,
        "topic_key": draft.topic_key, "normalized_hash": normalized_hash(draft.content),
        "revision_count": draft.revision, "last_seen_at": at, "created_at": at, "updated_at": at,
        **_where_known(store, draft),
    }  # fmt: skip
    names = ", ".join(values)
    places = ", ".join("?" * len(values))
    statement = f"INSERT INTO observations ({names}) VALUES ({places})"
    row_id = store.connection.execute(statement, tuple(values.values())).lastrowid
    if row_id is None:
        raise RuntimeError("SQLite gave no id to an inserted row")
    return row_id


def soft_delete(store: Store, ids: list[int], now: datetime) -> int:
    """Mark live rows as deleted and return how many; every other column stays, so that restoring is exact."""
    return store.connection.executemany(
        "UPDATE observations SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL",
        [(stamp(now), row_id) for row_id in ids],
    ).rowcount


def _where_known(store: Store, draft: ObservationDraft) -> dict[str, str | None]:
    """Columns that only some databases have; engram identifies rows by a `sync_id` of this shape."""
    values: dict[str, str | None] = {}
    if "namespace" in store.columns:
        values["namespace"] = draft.namespace
    if "sync_id" in store.columns:
        values["sync_id"] = (
            f"obs-{store.connection.execute('SELECT lower(hex(randomblob(16)))').fetchone()[0]}"
        )
    return values
