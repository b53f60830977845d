"""Search the memory by words (S14.5)."""

from __future__ import annotations

import os
from typing import Any

from progress_plugin.core.errors import BadInput
from progress_plugin.memory.database import reading
from progress_plugin.memory.search import FoundObservation, match_expression, search
from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import clean, one_line
from progress_plugin.usecases.memory.arguments import optional, whole_number
from progress_plugin.usecases.memory.location import MemoryLocation

MOST = 50
"""Observations in one answer."""

ROOM = 60_000
"""Characters of content in one answer, shared by its observations; clients cut what is much longer."""


def mem_search(
    place: MemoryLocation,
    query: str | None,
    *,
    project: str | None = None,
    kind: str | None = None,
    limit: int | None = None,
) -> dict[str, Any]:
    """Return the observations that have every word of the query, best first; for an empty one the newest.

    `project` None is this one, `*` is all. Raises BadInput for a limit outside 1 to 50, for a query that is
    too long, and for one that is not empty and has no word: nothing could be said to match it.
    """
    wanted = whole_number(limit, "limit")
    if wanted is not None and not 1 <= wanted <= MOST:
        raise BadInput(f"limit must be from 1 to {MOST}")
    words = optional(query, "query") or ""
    if words and match_expression(words) is None:
        raise BadInput(
            f"nothing can be searched for in {one_line(words)!r}: it has no letter and no digit; "
            "an empty query lists the newest"
        )
    named = optional(project, "project") or place.name or "*"
    found: list[FoundObservation] = []
    if os.path.exists(place.database):
        with reading(place.database) as store:
            found = search(
                store,
                words,
                None if named == "*" else named,
                optional(kind, "type"),
                wanted or 10,
            )
    return {
        "query": words,
        "project": named,
        "count": len(found),
        "observations": [_shown(one, ROOM // len(found)) for one in found],
    }


def _shown(one: FoundObservation, room: int) -> dict[str, Any]:
    content = clean(one.content)
    if len(content) > room:
        left_out = counted(len(content) - room, "more character")
        content = f"{content[:room]}… ({left_out}; a smaller limit shows more)"
    return {
        "id": one.id, "type": one.type, "title": one_line(one.title), "project": one.project,
        "scope": one.scope, "updated_at": one.updated_at, "content": content,
    }  # fmt: skip
