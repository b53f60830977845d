"""The memory tools as functions."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from progress_plugin.usecases.memory.location import MemoryLocation
from progress_plugin.usecases.memory.mem_compact import Compact
from progress_plugin.usecases.memory.mem_progress import Progress
from progress_plugin.usecases.memory.observations import Save, Search


def mem_save(
    place: MemoryLocation,
    title: str | None,
    content: str | None,
    kind: str | None,
    *,
    now: datetime,
    **given: Any,
) -> dict[str, Any]:
    return Save.check({"title": title, "content": content, "type": kind, **given}).run(place, now)


def mem_search(place: MemoryLocation, query: str, **given: Any) -> dict[str, Any]:
    return Search.check({"query": query, **given}).run(place, datetime.now(UTC))


def mem_progress(
    place: MemoryLocation, project: str | None, content: object, *, now: datetime, **given: Any
) -> dict[str, Any]:
    return Progress.check({"project": project, "content": content, **given}).run(place, now)


def mem_compact(place: MemoryLocation, days: Any, *, now: datetime, **given: Any) -> dict[str, Any]:
    return Compact.check({"older_than_days": days, **given}).run(place, now)
