"""Which observations come back when a compaction is undone, and which compaction is meant.

What a compaction noted for it is in `memory.compaction_log`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from progress_plugin.core.errors import Refused
from progress_plugin.memory.compaction_log import Compaction, Ledger
from progress_plugin.memory.database import Store
from progress_plugin.memory.observation import soft_delete


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """What came back."""

    compaction: Compaction
    ids: list[int]
    superseded: list[int]
    """Rows that stay deleted, since a newer one has their topic key by now."""


def restore(store: Store, ledger: Ledger, number: int | None, now: datetime) -> Restored:
    """Bring back what a compaction took and retire its summary; the caller holds the transaction.

    `number` is the compaction's place in its database, from 1; None is the last with anything still gone.

    Raises Refused where there is nothing to bring back.
    """
    for compaction in reversed(ledger.compactions(store.path)):
        if number in (None, compaction.number):
            taken = _still_deleted(store, compaction)
            ids = [row_id for row_id, topic_key in taken if topic_key is None or not _has_live(store, row_id)]
            if ids:
                _bring_back(store, compaction, ids, now)
                superseded = [row_id for row_id, _ in taken if row_id not in ids]
                return Restored(compaction=compaction, ids=ids, superseded=superseded)
    wanted = "compaction" if number is None else f"compaction {number}"
    raise Refused(f"there is no {wanted} of {store.path} to undo; it was undone already, or made elsewhere")


def _bring_back(store: Store, compaction: Compaction, ids: list[int], now: datetime) -> None:
    store.connection.executemany(
        "UPDATE observations SET deleted_at = NULL WHERE id = ?", [(row_id,) for row_id in ids]
    )
    if compaction.summary_id is not None:
        soft_delete(store, [compaction.summary_id], now)


def _still_deleted(store: Store, compaction: Compaction) -> list[tuple[int, str | None]]:
    """Return (id, topic key) of the rows that still carry the compaction's stamp."""
    return store.connection.execute(
        f"SELECT id, topic_key FROM observations WHERE id IN ({', '.join('?' * len(compaction.ids))}) "
        "AND deleted_at = ? ORDER BY id",
        (*compaction.ids, compaction.at),
    ).fetchall()


def _has_live(store: Store, row_id: int) -> bool:
    return (
        store.connection.execute(
            "SELECT 1 FROM observations gone JOIN observations newer ON newer.topic_key = gone.topic_key "
            "AND newer.project IS gone.project AND newer.scope = gone.scope AND newer.deleted_at IS NULL "
            "WHERE gone.id = ?",
            (row_id,),
        ).fetchone()
        is not None
    )
