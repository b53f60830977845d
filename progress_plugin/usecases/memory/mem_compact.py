"""The tool `mem_compact`: identify old observations, then take them and leave a summary."""

from __future__ import annotations

import json
import math
import os
from datetime import datetime
from typing import Any

from progress_plugin.core.errors import BadInput
from progress_plugin.memory.compaction import Order, Outcome, execute
from progress_plugin.memory.compaction_candidates import CompactionCandidate, Filter, Stale, ages, identify
from progress_plugin.memory.compaction_log import ledger_for
from progress_plugin.memory.database import reading, writing
from progress_plugin.memory.observation import MANUAL_SESSION
from progress_plugin.memory.size_limit import MAX_CONTENT_BYTES
from progress_plugin.text.bounds import counted
from progress_plugin.text.redact import redact
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.memory.arguments import EVERY_PROJECT, optional
from progress_plugin.usecases.memory.arguments import scope as scope_of
from progress_plugin.usecases.memory.location import MemoryLocation
from progress_plugin.usecases.memory.team_share import share_summary

MOST = 200
"""Rows in one call."""

_LARGEST_ID = 2**63 - 1

_LONGEST_AGO = 1e9
"""Days; before any calendar begins."""


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
    """List what is old, or with ids take exactly those in one transaction; the answer is structured.

    Raises BadInput or Refused ; nothing is changed then.
    """
    days = _days(older_than_days)
    rows = Filter(
        project=_project(place, project),
        scope=scope_of(scope),
        namespace=optional(namespace, "namespace"),
    )
    title = optional(summary_title, "summary_title")
    content = optional(summary_content, "summary_content", MAX_CONTENT_BYTES)
    if content and not title:
        raise BadInput("summary_content needs a summary_title; nothing was compacted")
    if compact_ids is None:
        if title:
            raise BadInput("a summary needs compact_ids, the observations it replaces; nothing was compacted")
        return _identified(place, rows, days, _limit(limit), now)
    order = Order(
        ids=_ids(compact_ids), rows=rows, older_than_days=days, summary_title=_clean(title),
        summary_content=_clean(content), session_id=optional(session_id, "session_id") or MANUAL_SESSION,
        directory=place.root or "",
    )  # fmt: skip
    with writing(place.database) as store:
        outcome = execute(store, order, ledger_for(store.path), now)
    note = share_summary(place, outcome.summary_id, rows.project, order.ids)
    return _executed(order, outcome) | ({"note": note} if note else {})


def _days(value: float) -> float:
    if 0 < value < math.inf:
        return float(min(value, _LONGEST_AGO))
    raise BadInput("older_than_days must be a finite number greater than 0; nothing was compacted")


def _project(place: MemoryLocation, value: str | None) -> str | None:
    """Return the project to restrict to, None for all."""
    named = optional(value, "project") or place.name
    if named is None:
        raise BadInput('there is no project here: name one as project, or "*" for all')
    return None if named == EVERY_PROJECT else named


def _limit(value: int | None) -> int:
    if value is not None and not 1 <= value <= MOST:
        raise BadInput(f"limit must be from 1 to {MOST}")
    return value or 50


def _ids(value: object) -> tuple[int, ...]:
    """Return the ids, each once, in their order; `value` is a list, or a string that holds one as JSON."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise _no_ids() from None
    if not isinstance(value, list) or any(isinstance(one, bool) or not isinstance(one, int) for one in value):
        raise _no_ids()
    ids = tuple(dict.fromkeys(value))
    if not ids:
        raise BadInput("compact_ids is empty; leave it out to list candidates. Nothing was compacted")
    if len(ids) > MOST:
        raise BadInput(
            f"compact_ids has {counted(len(ids), 'id')}, at most {MOST} go in one call; nothing was compacted"
        )
    impossible = [one for one in ids if not 0 < one <= _LARGEST_ID]
    if impossible:
        raise BadInput(f"nothing was compacted. unknown: {', '.join(map(str, impossible))}")
    return ids


def _no_ids() -> BadInput:
    return BadInput("compact_ids must be a JSON array of integers such as [1, 2, 3]; nothing was compacted")


def _clean(text: str | None) -> str | None:
    return None if text is None else redact(text)[0]


def _identified(
    place: MemoryLocation, rows: Filter, days: float, limit: int, now: datetime
) -> dict[str, Any]:
    stale = Stale(candidates=[], total=0)
    if os.path.exists(place.database):
        with reading(place.database) as store:
            stale = identify(store, rows, days, limit, now)
    ids = [candidate.id for candidate in stale.candidates]
    return {
        "mode": "identify", "older_than_days": days, "project": rows.project or EVERY_PROJECT,
        "scope": rows.scope, "namespace": rows.namespace, "count": len(ids), "total": stale.total,
        "ages": ages(stale.candidates),
        "observations": [_listed(candidate) for candidate in stale.candidates], "hint": _hint(days, ids),
    }  # fmt: skip


def _listed(candidate: CompactionCandidate) -> dict[str, Any]:
    return {
        "id": candidate.id, "type": candidate.type, "title": one_line(candidate.title),
        "project": candidate.project, "scope": candidate.scope,
        "created_at": candidate.created_at, "snippet": one_line(candidate.snippet),
    }  # fmt: skip


def _hint(days: float, ids: list[int]) -> str:
    if not ids:
        return "Nothing to compact. A smaller older_than_days looks at younger observations."
    return (
        "Review them; keep what is still needed. Then call mem_compact again with the same filter, "
        f"older_than_days={days:g}, compact_ids={json.dumps(ids)} (or fewer), summary_title, summary_content."
    )


def _executed(order: Order, outcome: Outcome) -> dict[str, Any]:
    return {
        "mode": "execute", "project": order.rows.project or EVERY_PROJECT, "scope": order.rows.scope,
        "namespace": order.rows.namespace, "deleted": outcome.deleted, "summary_id": outcome.summary_id,
        "before": outcome.before, "after": outcome.after,
    }  # fmt: skip
