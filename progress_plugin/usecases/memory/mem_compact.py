"""The tool `mem_compact`: identify old observations, replace them by a summary; and its undo."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from datetime import datetime
from typing import Any

from progress_plugin.core.errors import BadInput, Refused
from progress_plugin.memory.compaction import Filter, compactions, execute, identify, restore
from progress_plugin.memory.database import has_database, reading, writing
from progress_plugin.memory.observations import (
    MANUAL_SESSION,
    MAX_CONTENT_BYTES,
    SUMMARY_TYPE,
    ObservationDraft,
)
from progress_plugin.text.bounds import counted
from progress_plugin.text.redact import redact
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.memory.location import EVERY_PROJECT, MemoryLocation, optional, scope_of
from progress_plugin.usecases.memory.team_share import share_summary, tell_team

SNIPPET_CHARS = 100
MAX_ROWS = 200  # in one call
DEFAULT_ROWS = 50
MAX_ID = 2**63 - 1
MAX_DAYS = 1e9  # before any calendar begins


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
    days = float(min(older_than_days, MAX_DAYS))
    named = optional(project, "project") or place.name
    if named is None:
        raise BadInput('there is no project here: name one as project, or "*" for all')
    rows = Filter(project=named, scope=scope_of(scope), namespace=optional(namespace, "namespace"))
    title = optional(summary_title, "summary_title")
    content = optional(summary_content, "summary_content", MAX_CONTENT_BYTES)
    if content and not title:
        raise BadInput("summary_content needs a summary_title; nothing was compacted")
    if compact_ids is None:
        if title:
            raise BadInput("a summary needs compact_ids, the observations it replaces; nothing was compacted")
        return _identify(place, rows, days, _limit(limit), now)
    ids = _ids(compact_ids)
    session = optional(session_id, "session_id") or MANUAL_SESSION
    summary = title and ObservationDraft(
        type=SUMMARY_TYPE, title=redact(title)[0], content=redact(content or "")[0], project=None,
        tool_name="mem_compact", session_id=session,
    )  # fmt: skip
    with writing(place.database) as db:
        rows = _resolved(db, place, rows)
        outcome = execute(db, rows, ids, days, summary or None, place.root or "", now)
        if outcome["summary_id"] is not None:
            share_summary(place, db, outcome["summary_id"], rows.project, ids)
    tell_team(place)
    return {"mode": "execute", **_filter(rows), **outcome}


def restore_compaction(place: MemoryLocation, number: int | None = None, *, now: datetime) -> dict[str, Any]:
    """Bring back what the last compaction deleted, or the one with that number, and retire its summary.

    Raises Refused if there is nothing to bring back.
    """
    if not has_database(place.database):
        raise Refused(f"there is no memory database at {place.database}, so nothing was compacted in it")
    with writing(place.database) as db:
        restored = restore(db, number, now)
    tell_team(place)
    return restored


def list_compactions(place: MemoryLocation) -> list[dict[str, Any]]:
    """Return the executed compactions of this database, oldest first."""
    if not has_database(place.database):
        return []
    with reading(place.database) as db:
        return compactions(db)


def _resolved(db: Any, place: MemoryLocation, rows: Filter) -> Filter:
    """Return the filter with the name under which the memory keeps its project; None for all projects."""
    named = None if rows.project == EVERY_PROJECT else place.name_to_read(db, rows.project)
    return Filter(project=named, scope=rows.scope, namespace=rows.namespace)


def _limit(value: int | None) -> int:
    if value is not None and not 1 <= value <= MAX_ROWS:
        raise BadInput(f"limit must be from 1 to {MAX_ROWS}")
    return value or DEFAULT_ROWS


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


def _identify(place: MemoryLocation, rows: Filter, days: float, limit: int, now: datetime) -> dict[str, Any]:
    found, total = list[dict[str, Any]](), 0
    if has_database(place.database):
        with reading(place.database) as db:
            rows = _resolved(db, place, rows)
            found, total = identify(db, rows, days, limit, now)
    ids = [row["id"] for row in found]
    for row in found:
        row["title"] = one_line(row["title"])
        row["snippet"] = one_line(row.pop("content"))[:SNIPPET_CHARS].rstrip()
    return {
        "mode": "identify", "older_than_days": days, **_filter(rows), "count": len(ids), "total": total,
        "observations": found, "hint": _hint(days, ids),
    }  # fmt: skip


def _filter(rows: Filter) -> dict[str, Any]:
    return asdict(rows) | {"project": rows.project or EVERY_PROJECT}


def _hint(days: float, ids: list[int]) -> str:
    if not ids:
        return "Nothing to compact. A smaller older_than_days looks at younger observations."
    return (
        "Review them; keep what is still needed. Then call mem_compact again with the same filter, "
        f"older_than_days={days:g}, compact_ids={json.dumps(ids)} (or fewer), summary_title, summary_content."
    )
