"""The tool `mem_compact`: identify old observations, replace them by a summary; and its undo."""

from __future__ import annotations

import json
import math
import sqlite3
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from progress_plugin.core.errors import BadInput, Refused
from progress_plugin.memory.database import LAST_TOUCHED, has_database, reading, writing
from progress_plugin.memory.observations import (
    MANUAL_SESSION,
    MAX_CONTENT_BYTES,
    PROGRESS_TYPE,
    SUMMARY_TYPE,
    ObservationDraft,
    insert,
    soft_delete,
    stamp,
)
from progress_plugin.text.bounds import counted
from progress_plugin.text.redact import redact
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.memory.location import EVERY_PROJECT, MemoryLocation, optional, scope_of

SNIPPET_CHARS = 100
MAX_ROWS = 200  # in one call
DEFAULT_ROWS = 50
MAX_ID = 2**63 - 1
MAX_DAYS = 1e9  # before any calendar begins


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

    def count(self, db: sqlite3.Connection) -> int:
        """Return how many live rows pass."""
        condition, values = self.condition()
        return int(db.execute(f"SELECT count(*) FROM observations WHERE {condition}", values).fetchone()[0])

    def resolved(self, db: sqlite3.Connection, place: MemoryLocation) -> Filter:
        """Return the filter with the name under which the memory keeps its project; None for all projects."""
        is_all = self.project == EVERY_PROJECT
        return replace(self, project=None if is_all else place.name_to_read(db, self.project))

    def as_answer(self) -> dict[str, Any]:
        """Return the filter as a part of an answer."""
        return asdict(self) | {"project": self.project or EVERY_PROJECT}


def mem_compact(  # noqa: PLR0913 - the parameters of the tool
    place: MemoryLocation,
    older_than_days: float,
    *,
    project: str | None = None,
    scope: str | None = None,
    namespace: str | None = None,
    compact_ids: object = None,
    summary_title: str | None = None,
    summary_content: str | None = None,
    session_id: str | None = None,
    limit: int | None = None,
    now: datetime,
) -> dict[str, Any]:
    """List what is old, or with ids replace exactly those in one transaction; the answer is structured.

    Raises BadInput or Refused; nothing is changed then.
    """
    if not 0 < older_than_days < math.inf:
        raise BadInput("older_than_days must be a finite number greater than 0; nothing was compacted")
    named = optional(project, "project") or place.name
    if named is None:
        raise BadInput('there is no project here: name one as project, or "*" for all')
    rows = Filter(project=named, scope=scope_of(scope), namespace=optional(namespace, "namespace"))
    title = optional(summary_title, "summary_title")
    content = optional(summary_content, "summary_content", MAX_CONTENT_BYTES)
    if content and not title:
        raise BadInput("summary_content needs a summary_title; nothing was compacted")
    days = float(min(older_than_days, MAX_DAYS))
    if compact_ids is None:
        if title:
            raise BadInput("a summary needs compact_ids, the observations it replaces; nothing was compacted")
        return _identify(place, rows, days, DEFAULT_ROWS if limit is None else limit, now)
    summary = title and ObservationDraft(
        type=SUMMARY_TYPE, title=redact(title)[0], content=redact(content or "")[0], project=None,
        tool_name="mem_compact", session_id=optional(session_id, "session_id") or MANUAL_SESSION,
    )  # fmt: skip
    ids = _ids(compact_ids)
    with writing(place.database) as db:
        answer = _execute(db, place, rows.resolved(db, place), ids, days, summary or None, now)
    place.tell_team()
    return answer


def _identify(place: MemoryLocation, rows: Filter, days: float, most: int, now: datetime) -> dict[str, Any]:
    """Return the oldest rows last touched before the threshold, and how many there are in all.

    Live documents and summaries of earlier compactions are left out.
    """
    if not 1 <= most <= MAX_ROWS:
        raise BadInput(f"limit must be from 1 to {MAX_ROWS}")
    with reading(place.database) as db:
        rows = rows.resolved(db, place)
        condition, values = rows.condition()
        old = f"FROM observations WHERE {condition} AND {LAST_TOUCHED} < ? AND type NOT IN (?, ?)"
        given = (*values, _threshold(days, now), PROGRESS_TYPE, SUMMARY_TYPE)
        total = db.execute(f"SELECT count(*) {old}", given).fetchone()[0]
        listed = db.execute(
            "SELECT id, type, title, project, scope, created_at, substr(content, 1, 1000) "
            f"{old} ORDER BY {LAST_TOUCHED}, id LIMIT ?",
            (*given, most),
        ).fetchall()
    found = [
        {
            "id": number, "type": kind, "title": one_line(title), "project": project, "scope": scope,
            "created_at": created, "snippet": one_line(content)[:SNIPPET_CHARS].rstrip(),
        }
        for number, kind, title, project, scope, created, content in listed
    ]  # fmt: skip
    return {
        "mode": "identify", "older_than_days": days, **rows.as_answer(), "count": len(found), "total": total,
        "observations": found, "hint": _hint(days, [row["id"] for row in found]),
    }  # fmt: skip


def _execute(  # noqa: PLR0913, PLR0917 - what to replace, within which bounds, and by what
    db: sqlite3.Connection,
    place: MemoryLocation,
    rows: Filter,
    ids: tuple[int, ...],
    days: float,
    summary: ObservationDraft | None,
    now: datetime,
) -> dict[str, Any]:
    """Delete all rows with these ids and write the summary; the counts are of live rows that pass.

    Raises Refused, naming the ids, if one of them may not be deleted; nothing is changed then.
    """
    common = _refuse_faults(db, rows, ids, _threshold(days, now))
    before = rows.count(db)
    deleted = soft_delete(db, list(ids), now)
    summary_id = None
    if summary is not None:
        draft = replace(
            summary,
            project=rows.project or common.project,
            scope=common.scope or "project",
            namespace=rows.namespace or common.namespace,
        )
        summary_id = insert(db, draft, place.root or "", now)
        place.share_summary(db, summary_id, rows.project, ids)
    db.execute(
        "INSERT INTO compactions (at, project, ids, summary_id) VALUES (?, ?, ?, ?)",
        (stamp(now), rows.project, json.dumps(ids), summary_id),
    )
    counts = {"deleted": deleted, "summary_id": summary_id, "before": before, "after": rows.count(db)}
    return {"mode": "execute", **rows.as_answer(), **counts}


def list_compactions(place: MemoryLocation) -> list[dict[str, Any]]:
    """Return the executed compactions of this database, oldest first."""
    with reading(place.database) as db:
        return _compactions(db)


def restore_compaction(place: MemoryLocation, number: int | None = None, *, now: datetime) -> dict[str, Any]:
    """Bring back what the last compaction deleted, or the one with that number, and retire its summary.

    A row stays deleted, `superseded`, if a newer one has its topic key. Raises Refused if nothing comes back.
    """
    if not has_database(place.database):
        raise Refused(f"there is no memory database at {place.database}, so nothing was compacted in it")
    with writing(place.database) as db:
        restored = next(filter(None, (_restore(db, one, now) for one in _undoable(db, number))), None)
        if restored is None:
            wanted = "compaction" if number is None else f"compaction {number}"
            raise Refused(f"there is no {wanted} to undo; it was undone already, or made in another database")
    place.tell_team()
    return restored


def _compactions(db: sqlite3.Connection) -> list[dict[str, Any]]:
    rows = db.execute("SELECT id, at, project, ids, summary_id FROM compactions ORDER BY id")
    return [
        {"compaction": number, "at": at, "project": project, "ids": json.loads(ids), "summary_id": summary}
        for number, at, project, ids, summary in rows
    ]


def _undoable(db: sqlite3.Connection, number: int | None) -> list[dict[str, Any]]:
    return [each for each in reversed(_compactions(db)) if number in {None, each["compaction"]}]


def _restore(db: sqlite3.Connection, compaction: dict[str, Any], now: datetime) -> dict[str, Any] | None:
    """Bring back the rows of one compaction; None if there is none to bring back."""
    deleted = db.execute(
        "SELECT id, EXISTS (SELECT 1 FROM observations newer WHERE newer.topic_key = gone.topic_key "
        "AND newer.project IS gone.project AND newer.scope = gone.scope AND newer.deleted_at IS NULL) "
        f"FROM observations gone WHERE id IN ({', '.join('?' * len(compaction['ids']))}) "
        "AND deleted_at = ? ORDER BY id",
        (*compaction["ids"], compaction["at"]),
    ).fetchall()
    ids = [row_id for row_id, is_superseded in deleted if not is_superseded]
    if not ids:
        return None
    db.executemany("UPDATE observations SET deleted_at = NULL WHERE id = ?", [(each,) for each in ids])
    if compaction["summary_id"] is not None:
        soft_delete(db, [compaction["summary_id"]], now)
    return {
        "restored": ids,
        "superseded": [row_id for row_id, is_superseded in deleted if is_superseded],
        "compaction": compaction["compaction"],
        "compacted_at": compaction["at"],
        "summary_id": compaction["summary_id"],
    }


def _threshold(older_than_days: float, now: datetime) -> str:
    """Return the stamp before which a row is old; empty if that is before any calendar."""
    try:
        return stamp(now - timedelta(days=older_than_days))
    except OverflowError:
        return ""


def _ids(value: object) -> tuple[int, ...]:
    """Return the ids, each once, in their order; `value` is a list, or a string that holds one as JSON."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            value = None
    if not isinstance(value, list) or any(isinstance(one, bool) or not isinstance(one, int) for one in value):
        raise BadInput(
            "compact_ids must be a JSON array of integers such as [1, 2, 3]; nothing was compacted"
        )
    ids = tuple(dict.fromkeys(value))
    if not ids:
        raise BadInput("compact_ids is empty; leave it out to list candidates. Nothing was compacted")
    if len(ids) > MAX_ROWS:
        raise BadInput(
            f"compact_ids has {counted(len(ids), 'id')}, at most {MAX_ROWS} go in one call; "
            "nothing was compacted"
        )
    impossible = [one for one in ids if not 0 < one <= MAX_ID]
    if impossible:
        raise BadInput(f"nothing was compacted. unknown: {', '.join(map(str, impossible))}")
    return ids


def _refuse_faults(db: sqlite3.Connection, rows: Filter, ids: tuple[int, ...], oldest: str) -> Filter:
    """Return what all rows with these ids have in common. Raises Refused, naming the ids that may not go."""
    found = db.execute(
        f"SELECT id, type, project, scope, namespace, deleted_at IS NOT NULL, {LAST_TOUCHED} "
        f"FROM observations WHERE id IN ({', '.join('?' * len(ids))})",
        ids,
    )
    by_id = {row[0]: row[1:] for row in found}
    faults: dict[str, list[int]] = {}
    for row_id in ids:
        if reason := _fault(by_id.get(row_id), rows, oldest):
            faults.setdefault(reason, []).append(row_id)
    if faults:
        named = "; ".join(f"{reason}: {', '.join(map(str, wrong))}" for reason, wrong in faults.items())
        raise Refused(f"nothing was compacted. {named}. Identify again and send only ids that it lists")
    project, scope, namespace = (_common({row[column] for row in by_id.values()}) for column in (1, 2, 3))
    return Filter(project=project, scope=scope, namespace=namespace)


def _fault(row: Any, rows: Filter, oldest: str) -> str | None:
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
    return None if touched < oldest else "younger than the threshold"


def _common(values: set[Any]) -> Any:
    return next(iter(values)) if len(values) == 1 else None


def _hint(days: float, ids: list[int]) -> str:
    if not ids:
        return "Nothing to compact. A smaller older_than_days looks at younger observations."
    return (
        "Review them; keep what is still needed. Then call mem_compact again with the same filter, "
        f"older_than_days={days:g}, compact_ids={json.dumps(ids)} (or fewer), summary_title, summary_content."
    )
