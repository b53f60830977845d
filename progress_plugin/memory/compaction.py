"""Taking old observations away and leaving a summary: the second phase of a compaction."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from progress_plugin.core.errors import Refused
from progress_plugin.memory.compaction_candidates import Filter, threshold
from progress_plugin.memory.compaction_log import Compaction, Ledger
from progress_plugin.memory.database import Store
from progress_plugin.memory.observation import (
    MANUAL_SESSION,
    PROGRESS_TYPE,
    SUMMARY_TYPE,
    ObservationDraft,
    insert,
    soft_delete,
    stamp,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What to take, within which bounds, and what to leave in its place."""

    ids: tuple[int, ...]
    """Without repetitions, 1 to 200 of them."""
    rows: Filter
    older_than_days: float
    summary_title: str | None
    summary_content: str | None
    session_id: str = MANUAL_SESSION
    directory: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What an execution did; the counts are of live rows that pass the filter."""

    deleted: int
    summary_id: int | None
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class _Row:
    id: int
    type: str
    project: str | None
    scope: str
    namespace: str | None
    deleted: bool
    touched: str


def execute(store: Store, order: Order, ledger: Ledger, now: datetime) -> Outcome:
    """Take all rows of the order and write the summary; the caller holds the transaction.

    Raises Refused, naming the ids, where one of them may not be taken; nothing is changed then.
    """
    condition, values = order.rows.condition(store)
    rows = _rows(store, order.ids)
    _ensure_allowed(order, rows, now)
    before = _count(store, condition, values)
    deleted = soft_delete(store, [row.id for row in rows], now)
    summary_id = _write_summary(store, order, rows, now)
    ledger.append(
        Compaction(
            database=store.path,
            ids=order.ids,
            summary_id=summary_id,
            at=stamp(now),
            project=order.rows.project,
        )
    )
    return Outcome(
        deleted=deleted, summary_id=summary_id, before=before, after=_count(store, condition, values)
    )


def _count(store: Store, condition: str, values: tuple[str, ...]) -> int:
    statement = f"SELECT count(*) FROM observations WHERE {condition}"
    return int(store.connection.execute(statement, values).fetchone()[0])


def _rows(store: Store, ids: tuple[int, ...]) -> list[_Row]:
    namespace = "namespace" if "namespace" in store.columns else "NULL"
    found = store.connection.execute(
        f"SELECT id, type, project, scope, {namespace}, deleted_at IS NOT NULL, {store.last_touched} "
        f"FROM observations WHERE id IN ({', '.join('?' * len(ids))})",
        ids,
    )
    return [_Row(*row) for row in found]


def _ensure_allowed(order: Order, rows: list[_Row], now: datetime) -> None:
    limit = threshold(order.older_than_days, now)
    by_id = {row.id: row for row in rows}
    faults: dict[str, list[int]] = {}
    for row_id in order.ids:
        reason = _fault(by_id.get(row_id), order.rows, limit)
        if reason is not None:
            faults.setdefault(reason, []).append(row_id)
    if faults:
        named = "; ".join(f"{reason}: {', '.join(map(str, ids))}" for reason, ids in faults.items())
        raise Refused(f"nothing was compacted. {named}. Identify again and send only ids that it lists")


def _fault(row: _Row | None, rows: Filter, limit: str) -> str | None:
    """Return why an observation may not be compacted; None where it may."""
    if row is None:
        return "unknown"
    if row.deleted:
        return "already deleted"
    if row.type == PROGRESS_TYPE:
        return "a live progress document"
    wanted = ((rows.project, row.project), (rows.scope, row.scope), (rows.namespace, row.namespace))
    if any(want is not None and want != have for want, have in wanted):
        return "outside the filter"
    return None if "" < row.touched < limit else "younger than the threshold"


def _write_summary(store: Store, order: Order, rows: list[_Row], now: datetime) -> int | None:
    if order.summary_title is None:
        return None
    draft = ObservationDraft(
        type=SUMMARY_TYPE,
        title=order.summary_title,
        content=order.summary_content or "",
        project=order.rows.project or _common({row.project for row in rows}),
        scope=_common({row.scope for row in rows}) or "project",
        namespace=order.rows.namespace or _common({row.namespace for row in rows}),
        tool_name="mem_compact",
        session_id=order.session_id,
    )
    return insert(store, draft, order.directory, now)


def _common(values: set[str | None]) -> str | None:
    return next(iter(values)) if len(values) == 1 else None
