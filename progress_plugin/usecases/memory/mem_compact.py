"""The tool `mem_compact`: list old observations, or replace them by a summary; and undo that."""

from __future__ import annotations

import json
import sqlite3
from datetime import datetime, timedelta
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema

from progress_plugin.core.errors import BadInput, Refused
from progress_plugin.memory import observations, projects
from progress_plugin.memory.database import LAST_TOUCHED, has_database, reading, writing
from progress_plugin.text.redact import redact
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.memory.location import EVERY_PROJECT, MemoryLocation
from progress_plugin.usecases.memory.tool import MemoryTool, Name, Scope, Text, parse_nested

SNIPPET_CHARS = 100
MAX_ROWS = 200  # in one call
DEFAULT_ROWS = 50
MAX_DAYS = 365_000.0  # older than any observation

Filter = dict[str, str | None]
"""Required `project`, `scope` and `namespace` of the rows of a compaction; None does not restrict."""


class Compact(MemoryTool):
    """List old observations; with compact_ids delete them, or replace them by a summary."""

    template = "memory_compact"
    older_than_days: float = Field(gt=0, le=MAX_DAYS, allow_inf_nan=False)
    project: Name = None
    scope: Scope = None
    namespace: Name = None
    compact_ids: Annotated[
        list[int] | None,
        Field(min_length=1, max_length=MAX_ROWS),
        BeforeValidator(parse_nested),
        WithJsonSchema({"type": ["array", "string"], "items": {"type": "integer"}}),
    ] = None
    summary_title: Name = None
    summary_content: Text = None
    session_id: Name = None
    limit: int | None = Field(None, ge=1, le=MAX_ROWS)

    def run(self, place: MemoryLocation, now: datetime) -> dict[str, Any]:
        """List old observations, or replace exactly those with the given ids in one transaction."""
        cutoff = observations.stamp(now - timedelta(days=self.older_than_days))
        if self.project is None and place.name is None:
            raise BadInput('there is no project here: name one as project, or "*" for all')
        if self.summary_content and not self.summary_title:
            raise BadInput("summary_content needs a summary_title; nothing was compacted")
        if self.compact_ids is not None:
            return self._execute(place, list(dict.fromkeys(self.compact_ids)), cutoff, now)
        if self.summary_title:
            raise BadInput("a summary needs compact_ids, the observations it replaces; nothing was compacted")
        with reading(place.database) as db:
            wanted = self._filter(place, db)
            found, total = _find_old(db, wanted, cutoff, self.limit or DEFAULT_ROWS)
        return {
            "mode": "identify", "older_than_days": self.older_than_days, **_describe_filter(wanted),
            "count": len(found), "total": total, "observations": found,
            "hint": _hint(found, self.older_than_days),
        }  # fmt: skip

    def _filter(self, place: MemoryLocation, db: sqlite3.Connection) -> Filter:
        project = None if self.project == EVERY_PROJECT else place.name_to_read(db, self.project)
        return {"project": project, "scope": self.scope, "namespace": self.namespace}

    def _execute(self, place: MemoryLocation, ids: list[int], cutoff: str, now: datetime) -> dict[str, Any]:
        """Delete observations, and add a summary if it has a title, in one transaction."""
        summary_id = None
        title, content = (redact(text or "")[0] for text in (self.summary_title, self.summary_content))
        with writing(place.database) as db:
            wanted = self._filter(place, db)
            _refuse_faults(db, wanted, ids, cutoff)
            before = _count(db, wanted)
            deleted = observations.soft_delete(db, ids, now)
            if self.summary_title:
                project, scope, namespace = _shared_values(db, ids)
                draft = observations.ObservationDraft(
                    observations.SUMMARY_TYPE, title, content, project, scope or "project",
                    namespace=namespace, tool_name="mem_compact",
                    session_id=self.session_id or observations.MANUAL_SESSION,
                )  # fmt: skip
                summary_id = observations.insert(db, draft, place.root or "", now)
                if projects.are_shared(db, place.root or "", ids):
                    place.share(db, summary_id, wanted["project"])
            db.execute(
                "INSERT INTO compactions (at, project, ids, summary_id) VALUES (?, ?, ?, ?)",
                (observations.stamp(now), wanted["project"], json.dumps(ids), summary_id),
            )
            after = _count(db, wanted)
        place.start_team_sync()
        counts = {"deleted": deleted, "summary_id": summary_id, "before": before, "after": after}
        return {"mode": "execute", **_describe_filter(wanted), **counts}


def list_compactions(place: MemoryLocation) -> list[dict[str, Any]]:
    """Return the executed compactions of this database, oldest first."""
    with reading(place.database) as db:
        return _compactions(db)


def restore_compaction(place: MemoryLocation, number: int | None = None, *, now: datetime) -> dict[str, Any]:
    """Restore the rows of compaction `number`, by default the last that can be undone; delete its summary.

    A row stays deleted, listed as `superseded`, if a live row has its topic key. Raises Refused if no row
    comes back.
    """
    if not has_database(place.database):
        raise Refused(f"there is no memory database at {place.database}, so nothing was compacted in it")
    with writing(place.database) as db:
        wanted = [each for each in _compactions(db) if number in {None, each["compaction"]}]
        restored = next(filter(None, (_restore(db, each, now) for each in reversed(wanted))), None)
        if restored is None:
            name = "compaction" if number is None else f"compaction {number}"
            raise Refused(f"there is no {name} to undo: undone already, replaced, or of another database")
    place.start_team_sync()
    return restored


def _compactions(db: sqlite3.Connection) -> list[dict[str, Any]]:
    rows = db.execute("SELECT id, at, project, ids, summary_id FROM compactions ORDER BY id")
    return [
        {"compaction": number, "at": at, "project": project, "ids": json.loads(ids), "summary_id": summary}
        for number, at, project, ids, summary in rows
    ]


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
    projects.share_again(db, ids)
    if compaction["summary_id"] is not None:
        observations.soft_delete(db, [compaction["summary_id"]], now)
    return {
        "restored": ids, "superseded": [row_id for row_id, is_superseded in deleted if is_superseded],
        "compaction": compaction["compaction"], "compacted_at": compaction["at"],
        "summary_id": compaction["summary_id"],
    }  # fmt: skip


def _describe_filter(wanted: Filter) -> Filter:
    return {**wanted, "project": wanted["project"] or EVERY_PROJECT}


def _condition(wanted: Filter) -> tuple[str, tuple[str, ...]]:
    """Return an SQL condition for the live rows that pass the filter, and its values."""
    used = {column: value for column, value in wanted.items() if value is not None}
    return " AND ".join(["deleted_at IS NULL", *(f"{name} = ?" for name in used)]), tuple(used.values())


def _count(db: sqlite3.Connection, wanted: Filter) -> int:
    condition, values = _condition(wanted)
    return int(db.execute(f"SELECT count(*) FROM observations WHERE {condition}", values).fetchone()[0])


def _find_old(
    db: sqlite3.Connection, wanted: Filter, cutoff: str, number: int
) -> tuple[list[dict[str, Any]], int]:
    """Return the `number` rows that were touched longest ago, before `cutoff`, and how many there are in all.

    Live documents and summaries of earlier compactions are left out.
    """
    condition, values = _condition(wanted)
    old = f"FROM observations WHERE {condition} AND {LAST_TOUCHED} < ? AND type NOT IN (?, ?)"
    given = (*values, cutoff, observations.PROGRESS_TYPE, observations.SUMMARY_TYPE)
    total = db.execute(f"SELECT count(*) {old}", given).fetchone()[0]
    listed = db.execute(
        "SELECT id, type, title, project, scope, created_at, substr(content, 1, 1000) "
        f"{old} ORDER BY {LAST_TOUCHED}, id LIMIT ?",
        (*given, number),
    )
    names = ("id", "type", "title", "project", "scope", "created_at", "snippet")
    found = [dict(zip(names, row, strict=True)) for row in listed]
    for row in found:
        row["title"] = one_line(row["title"])
        row["snippet"] = one_line(row["snippet"])[:SNIPPET_CHARS].rstrip()
    return found, total


def _hint(found: list[dict[str, Any]], days: float) -> str:
    if not found:
        return "Nothing to compact. A smaller older_than_days looks at younger observations."
    return (
        "Review them; keep what is still needed. Then call mem_compact again with the same filter, "
        f"older_than_days={days:g}, compact_ids={json.dumps([row['id'] for row in found])} (or fewer), "
        "summary_title, summary_content."
    )


def _refuse_faults(db: sqlite3.Connection, wanted: Filter, ids: list[int], cutoff: str) -> None:
    """Raise Refused with the ids that may not be compacted, by reason."""
    condition, values = _condition(wanted)
    found = db.execute(
        "SELECT value, CASE WHEN id IS NULL THEN 'unknown' "
        "WHEN deleted_at IS NOT NULL THEN 'already deleted' "
        "WHEN type = ? THEN 'a live progress document' "
        f"WHEN NOT coalesce({condition}, 0) THEN 'outside the filter' "
        f"WHEN {LAST_TOUCHED} >= ? THEN 'younger than the threshold' END AS reason "
        "FROM (SELECT value FROM json_each(?)) LEFT JOIN observations ON id = value WHERE reason NOT NULL",
        (observations.PROGRESS_TYPE, *values, cutoff, json.dumps(list(map(str, ids)))),
    )
    faults: dict[str, list[str]] = {}
    for number, reason in found:
        faults.setdefault(reason, []).append(number)
    if faults:
        named = "; ".join(f"{reason}: {', '.join(wrong)}" for reason, wrong in faults.items())
        raise Refused(f"nothing was compacted. {named}. List them again and send only ids that it lists")


def _shared_values(db: sqlite3.Connection, ids: list[int]) -> list[str | None]:
    """Return project, scope and namespace of observations, each None if they differ in it."""
    marks = ", ".join("?" * len(ids))
    found = db.execute(f"SELECT project, scope, namespace FROM observations WHERE id IN ({marks})", ids)
    return [values[0] if len({*values}) == 1 else None for values in zip(*found, strict=True)]
