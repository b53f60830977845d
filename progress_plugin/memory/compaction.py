"""Compaction: find old observations, replace them by a summary, and undo that."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from progress_plugin.core.errors import Refused
from progress_plugin.memory.observations import (
    PROGRESS_TYPE,
    SUMMARY_TYPE,
    ObservationDraft,
    insert,
    soft_delete,
    stamp,
)
from progress_plugin.memory.schema import LAST_TOUCHED


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """The rows that a compaction is about; None does not restrict."""

    project: str | None
    scope: str | None
    namespace: str | None

    def condition(self) -> tuple[str, tuple[str, ...]]:
        """Return an SQL condition for live rows that pass, and its values."""
        used = {column: value for column, value in asdict(self).items() if value is not None}
        return " AND ".join(["deleted_at IS NULL", *(f"{name} = ?" for name in used)]), tuple(used.values())


def identify(
    db: sqlite3.Connection, rows: Filter, older_than_days: float, limit: int, now: datetime
) -> tuple[list[dict[str, Any]], int]:
    """Return the oldest rows last touched before the threshold, and how many there are in all.

    Live documents and summaries of earlier compactions are left out.
    """
    condition, values = rows.condition()
    old = f"FROM observations WHERE {condition} AND {LAST_TOUCHED} < ? AND type NOT IN (?, ?)"
    given = (*values, _threshold(older_than_days, now), PROGRESS_TYPE, SUMMARY_TYPE)
    total = db.execute(f"SELECT count(*) {old}", given).fetchone()[0]
    listed = db.execute(
        "SELECT id, type, title, project, scope, created_at, substr(content, 1, 1000) "
        f"{old} ORDER BY {LAST_TOUCHED}, id LIMIT ?",
        (*given, limit),
    )
    names = ("id", "type", "title", "project", "scope", "created_at", "content")
    return [dict(zip(names, row, strict=True)) for row in listed], total


def execute(  # noqa: PLR0913, PLR0917 - what to replace, within which bounds, and by what
    db: sqlite3.Connection,
    rows: Filter,
    ids: tuple[int, ...],
    older_than_days: float,
    summary: ObservationDraft | None,
    directory: str,
    now: datetime,
) -> dict[str, Any]:
    """Delete all rows with these ids and write the summary. The caller holds the transaction.

    The counts in the answer are of live rows that pass the filter. Raises Refused, naming the ids, if one of
    them may not be deleted; nothing is changed then.
    """
    found = db.execute(
        f"SELECT id, type, project, scope, namespace, deleted_at IS NOT NULL, {LAST_TOUCHED} "
        f"FROM observations WHERE id IN ({', '.join('?' * len(ids))})",
        ids,
    )
    by_id = {row[0]: row[1:] for row in found}
    _refuse_faults(ids, by_id, rows, _threshold(older_than_days, now))
    before = _count(db, rows)
    deleted = soft_delete(db, list(ids), now)
    summary_id = None
    if summary is not None:
        project, scope, namespace = (_common({row[column] for row in by_id.values()}) for column in (1, 2, 3))
        draft = replace(
            summary,
            project=rows.project or project,
            scope=scope or "project",
            namespace=rows.namespace or namespace,
        )
        summary_id = insert(db, draft, directory, now)
    db.execute(
        "INSERT INTO compactions (at, project, ids, summary_id) VALUES (?, ?, ?, ?)",
        (stamp(now), rows.project, json.dumps(ids), summary_id),
    )
    return {"deleted": deleted, "summary_id": summary_id, "before": before, "after": _count(db, rows)}


def compactions(db: sqlite3.Connection) -> list[dict[str, Any]]:
    """Return the executed compactions, oldest first."""
    rows = db.execute("SELECT id, at, project, ids, summary_id FROM compactions ORDER BY id")
    return [
        {"compaction": number, "at": at, "project": project, "ids": json.loads(ids), "summary_id": summary}
        for number, at, project, ids, summary in rows
    ]


def restore(db: sqlite3.Connection, number: int | None, now: datetime) -> dict[str, Any]:
    """Bring back what a compaction deleted and retire its summary. The caller holds the transaction.

    `number` None is the last compaction with anything still deleted. A row stays deleted, `superseded`, if a
    newer one has its topic key. Raises Refused if nothing comes back.
    """
    for compaction in reversed(compactions(db)):
        if number not in (None, compaction["compaction"]):
            continue
        deleted = db.execute(
            "SELECT id, EXISTS (SELECT 1 FROM observations newer WHERE newer.topic_key = gone.topic_key "
            "AND newer.project IS gone.project AND newer.scope = gone.scope AND newer.deleted_at IS NULL) "
            f"FROM observations gone WHERE id IN ({', '.join('?' * len(compaction['ids']))}) "
            "AND deleted_at = ? ORDER BY id",
            (*compaction["ids"], compaction["at"]),
        ).fetchall()
        ids = [row_id for row_id, is_superseded in deleted if not is_superseded]
        if ids:
            db.executemany(
                "UPDATE observations SET deleted_at = NULL WHERE id = ?", [(each,) for each in ids]
            )
            if compaction["summary_id"] is not None:
                soft_delete(db, [compaction["summary_id"]], now)
            superseded = [row_id for row_id, is_superseded in deleted if is_superseded]
            return {
                "restored": ids, "superseded": superseded, "compaction": compaction["compaction"],
                "compacted_at": compaction["at"], "summary_id": compaction["summary_id"],
            }  # fmt: skip
    wanted = "compaction" if number is None else f"compaction {number}"
    raise Refused(f"there is no {wanted} to undo; it was undone already, or made in another database")


def _threshold(older_than_days: float, now: datetime) -> str:
    """Return the stamp before which a row is old; empty if that is before any calendar."""
    try:
        return stamp(now - timedelta(days=older_than_days))
    except OverflowError:
        return ""


def _count(db: sqlite3.Connection, rows: Filter) -> int:
    condition, values = rows.condition()
    return int(db.execute(f"SELECT count(*) FROM observations WHERE {condition}", values).fetchone()[0])


def _refuse_faults(ids: tuple[int, ...], by_id: dict[int, Any], rows: Filter, limit: str) -> None:
    faults: dict[str, list[int]] = {}
    for row_id in ids:
        reason = _fault(by_id.get(row_id), rows, limit)
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


def _common(values: set[Any]) -> Any:
    return next(iter(values)) if len(values) == 1 else None
