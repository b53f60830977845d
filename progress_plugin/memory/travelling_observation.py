"""An observation between the machines of a team: what travels, and what of a stranger's is kept."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from progress_plugin.core.errors import BadInput
from progress_plugin.core.files import content_digest
from progress_plugin.memory.database import Store
from progress_plugin.memory.observation import (
    MANUAL_SESSION,
    PROGRESS_TYPE,
    ObservationDraft,
    insert,
    moment_of,
    normalized_hash,
)
from progress_plugin.memory.size_limit import MAX_CONTENT_BYTES, MAX_NAME_BYTES, refuse_too_long
from progress_plugin.memory.team_session import TEAM_SESSION
from progress_plugin.text.redact import redact


class TravellingObservation(NamedTuple):
    """What of an observation is the same on every machine."""

    type: str
    title: str
    content: str
    topic_key: str | None
    namespace: str | None
    created_at: str

    @property
    def text(self) -> str:
        """It as one line of JSON, in ASCII characters."""
        return json.dumps(self._asdict())


class StoredObservation(NamedTuple):
    """One of this machine's."""

    told: TravellingObservation
    live: bool

    @property
    def digest(self) -> str:
        """What tells its text from every other one."""
        return content_digest(self.told.text.encode()).decode()


def stored(store: Store, row_id: int, projects: Sequence[str]) -> StoredObservation | None:
    """Return an observation of a project that goes by these names; None where none there may travel."""
    namespace = "namespace" if "namespace" in store.columns else "NULL"
    row = store.connection.execute(
        f"SELECT type, title, content, topic_key, {namespace}, created_at, deleted_at IS NULL "
        "FROM observations WHERE id = ? AND scope = 'project' AND type <> ? "
        f"AND project IN ({', '.join('?' * len(projects))})",
        (row_id, PROGRESS_TYPE, *projects),
    ).fetchone()
    return None if row is None else StoredObservation(TravellingObservation(*row[:-1]), bool(row[-1]))


def stamps(store: Store, rows: Iterable[int]) -> dict[int, str]:
    """Return when these rows were made, of those that are there, deleted or not."""
    statement = "SELECT created_at FROM observations WHERE id = ?"
    found = ((row, store.connection.execute(statement, (row,)).fetchone()) for row in rows)
    return {row: str(each[0]) for row, each in found if each is not None}


def believed(text: str) -> TravellingObservation | None:
    """Return what a stranger's text says, without secrets and private parts; None for no observation."""
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(told, dict):
        return None
    needed = [told.get(name) for name in ("type", "title", "content")]
    free = [told.get(name) for name in ("topic_key", "namespace", "created_at")]
    if not all(isinstance(each, str) and each.strip() for each in needed):
        return None
    if not all(each is None or isinstance(each, str) for each in free):
        return None
    kind, title, content = (redact(str(each))[0] for each in needed)
    topic, namespace, created = (each and redact(str(each))[0] for each in free)
    found = TravellingObservation(kind, title, content, topic or None, namespace or None, created or "")
    return found if _is_allowed(found) else None


def _is_allowed(found: TravellingObservation) -> bool:
    if found.type == PROGRESS_TYPE or (found.topic_key or "").lower().startswith("progress/"):
        return False  # documents have their own way
    try:
        refuse_too_long(found.content, "content", MAX_CONTENT_BYTES)
        for name in (found.type, found.title, found.topic_key or "", found.namespace or ""):
            refuse_too_long(name, "name", MAX_NAME_BYTES)
            name.encode()
        found.content.encode()
    except (BadInput, UnicodeEncodeError):
        return False
    return True


def twin(store: Store, found: TravellingObservation, projects: Sequence[str]) -> int | None:
    """Return the live row of a project that goes by these names and says the same; None for none."""
    row = store.connection.execute(
        "SELECT id FROM observations WHERE normalized_hash = ? AND type = ? AND title = ? "
        "AND coalesce(topic_key, '') = ? AND scope = 'project' AND deleted_at IS NULL "
        f"AND project IN ({', '.join('?' * len(projects))}) ORDER BY id DESC LIMIT 1",
        (normalized_hash(found.content), found.type, found.title, found.topic_key or "", *projects),
    ).fetchone()
    return None if row is None else int(row[0])


def put(store: Store, found: TravellingObservation, whose: tuple[str, str, str | None], now: datetime) -> int:
    """Insert what a colleague sent, as old as it says, and return its row; the caller holds the transaction.

    `whose` is the name of the project, its root, and the writer; None for one of this clone, which lost it.
    """
    project, root, writer = whose
    draft = ObservationDraft(
        type=found.type, title=found.title, content=found.content, project=project,
        topic_key=found.topic_key, namespace=found.namespace if "namespace" in store.columns else None,
        tool_name="mem_save", session_id=f"{TEAM_SESSION}{writer}" if writer else MANUAL_SESSION,
    )  # fmt: skip
    return insert(store, draft, root, moment_of(found.created_at, now))
