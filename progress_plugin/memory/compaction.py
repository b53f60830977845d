"""Compaction: find old observations, replace them by a summary, and undo that."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from progress_plugin.core.errors import Refused
from progress_plugin.memory.observations import (
    MANUAL_SESSION,
    PROGRESS_TYPE,
    STAMP_FORMAT,
    SUMMARY_TYPE,
    ObservationDraft,
    insert,
    soft_delete,
    stamp,
)
from progress_plugin.memory.schema import LAST_TOUCHED

SNIPPET_CHARS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """The rows that a compaction is about; None does not restrict."""

    project: str | None
    scope: str | None
    namespace: str | None

    def condition(self) -> tuple[str, tuple[str, ...]]:
        """Return an SQL condition for live rows that pass, and its values."""
        columns = {"project": self.project, "scope": self.scope, "namespace": self.namespace}
        used = {column: value for column, value in columns.items() if value is not None}
        return " AND ".join(["deleted_at IS NULL", *(f"{name} = ?" for name in used)]), tuple(used.values())


@dataclass(frozen=True, slots=True)
class Candidate:
    """An observation that may be compacted."""

    id: int
    type: str
    title: str
    project: str | None
    scope: str
    created_at: str
    snippet: str
    age_days: int  # since it was created, changed or seen, whichever was last


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What to replace, within which bounds, and by what."""

    ids: tuple[int, ...]
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
class Compaction:
    """A compaction that was executed."""

    number: int
    at: str  # the `deleted_at` of its rows
    project: str | None
    ids: tuple[int, ...]
    summary_id: int | None


@dataclass(frozen=True, slots=True)
class Restored:
    """A compaction that was undone."""

    compaction: Compaction
    ids: list[int]
    superseded: list[int]  # rows that stay deleted because a newer one has their topic key


def threshold(older_than_days: float, now: datetime) -> str:
    """Return the stamp before which a row is old; empty if that is before any calendar."""
    try:
        return stamp(now - timedelta(days=older_than_days))
    except OverflowError:
        return ""


def identify(
    db: sqlite3.Connection, rows: Filter, older_than_days: float, limit: int, now: datetime
) -> tuple[list[Candidate], int]:
    """Return the oldest rows last touched before the threshold, and how many there are in all.

    Live documents and summaries of earlier compactions are left out.
    """
    condition, values = rows.condition()
    old = f"FROM observations WHERE {condition} AND {LAST_TOUCHED} < ? AND type NOT IN (?, ?)"
    given = (*values, threshold(older_than_days, now), PROGRESS_TYPE, SUMMARY_TYPE)
    total = db.execute(f"SELECT count(*) {old}", given).fetchone()[0]
    listed = db.execute(
        f"SELECT id, type, title, project, scope, created_at, substr(content, 1, 1000), {LAST_TOUCHED} "
        f"{old} ORDER BY {LAST_TOUCHED}, id LIMIT ?",
        (*given, limit),
    )
    return [_candidate(row, now) for row in listed], total


def execute(db: sqlite3.Connection, order: Order, now: datetime) -> Outcome:
    """Delete all rows of the order and write the summary. The caller holds the transaction.

    Raises Refused, naming the ids, if one of them may not be deleted; nothing is changed then.
    """
    found = db.execute(
        f"SELECT id, type, project, scope, namespace, deleted_at IS NOT NULL, {LAST_TOUCHED} "
        f"FROM observations WHERE id IN ({', '.join('?' * len(order.ids))})",
        order.ids,
    )
    rows = {row[0]: row[1:] for row in found}
    _refuse_faults(order, rows, now)
    before = _count(db, order.rows)
    deleted = soft_delete(db, list(order.ids), now)
    summary_id = _write_summary(db, order, list(rows.values()), now)
    db.execute(
        "INSERT INTO compactions (at, project, ids, summary_id) VALUES (?, ?, ?, ?)",
        (stamp(now), order.rows.project, json.dumps(order.ids), summary_id),
    )
    return Outcome(deleted=deleted, summary_id=summary_id, before=before, after=_count(db, order.rows))


def compactions(db: sqlite3.Connection) -> list[Compaction]:
    """Return the executed compactions, oldest first."""
    rows = db.execute("SELECT id, at, project, ids, summary_id FROM compactions ORDER BY id")
    return [Compaction(row[0], row[1], row[2], tuple(json.loads(row[3])), row[4]) for row in rows]


def restore(db: sqlite3.Connection, number: int | None, now: datetime) -> Restored:
    """Bring back what a compaction deleted and retire its summary. The caller holds the transaction.

    `number` None is the last compaction with anything still deleted. Raises Refused if nothing comes back.
    """
    for compaction in reversed(compactions(db)):
        if number not in (None, compaction.number):
            continue
        deleted = db.execute(
            "SELECT id, EXISTS (SELECT 1 FROM observations newer WHERE newer.topic_key = gone.topic_key "
            "AND newer.project IS gone.project AND newer.scope = gone.scope AND newer.deleted_at IS NULL) "
            f"FROM observations gone WHERE id IN ({', '.join('?' * len(compaction.ids))}) "
            "AND deleted_at = ? ORDER BY id",
            (*compaction.ids, compaction.at),
        ).fetchall()
        ids = [row_id for row_id, is_superseded in deleted if not is_superseded]
        if ids:
            db.executemany(
                "UPDATE observations SET deleted_at = NULL WHERE id = ?", [(each,) for each in ids]
            )
            if compaction.summary_id is not None:
                soft_delete(db, [compaction.summary_id], now)
            return Restored(compaction, ids, [row_id for row_id, _ in deleted if row_id not in ids])
    wanted = "compaction" if number is None else f"compaction {number}"
    raise Refused(f"there is no {wanted} to undo; it was undone already, or made in another database")


def _candidate(row: Any, now: datetime) -> Candidate:
    touched = datetime.strptime(row[7][:19].replace("T", " "), STAMP_FORMAT).replace(tzinfo=UTC)
    number, kind, title, project, scope, created, content = row[:7]
    snippet = " ".join(content.split())
    return Candidate(number, kind, title, project, scope, created, snippet, (now - touched).days)


def _count(db: sqlite3.Connection, rows: Filter) -> int:
    condition, values = rows.condition()
    return int(db.execute(f"SELECT count(*) FROM observations WHERE {condition}", values).fetchone()[0])


def _refuse_faults(order: Order, rows: dict[int, Any], now: datetime) -> None:
    limit = threshold(order.older_than_days, now)
    faults: dict[str, list[int]] = {}
    for row_id in order.ids:
        reason = _fault(rows.get(row_id), order.rows, limit)
        if reason is not None:
            faults.setdefault(reason, []).append(row_id)
    if faults:
        named = "; ".join(f"{reason}: {', '.join(map(str, ids))}" for reason, ids in faults.items())
        raise Refused(f"nothing was compacted. {named}. Identify again and send only ids that it lists")


def _fault(row: Any, rows: Filter, limit: str) -> str | None:
    """Return why an observation may not be compacted; None if it may."""
    if row is None:
        return "unknown"
    kind, project, scope, namespace, is_deleted, touched = row
    if is_deleted:
        return "already deleted"
    if kind == PROGRESS_TYPE:
        return "a live progress document"
    wanted = ((rows.project, project), (rows.scope, scope), (rows.namespace, namespace))
    if any(want is not None and want != have for want, have in wanted):
        return "outside the filter"
    return None if touched < limit else "younger than the threshold"


def _write_summary(db: sqlite3.Connection, order: Order, rows: list[Any], now: datetime) -> int | None:
    if order.summary_title is None:
        return None
    project, scope, namespace = (_common({row[column] for row in rows}) for column in (1, 2, 3))
    draft = ObservationDraft(
        type=SUMMARY_TYPE,
        title=order.summary_title,
        content=order.summary_content or "",
        project=order.rows.project or project,
        scope=scope or "project",
        namespace=order.rows.namespace or namespace,
        tool_name="mem_compact",
        session_id=order.session_id,
    )
    return insert(db, draft, order.directory, now)


def _common(values: set[Any]) -> Any:
    return next(iter(values)) if len(values) == 1 else None
