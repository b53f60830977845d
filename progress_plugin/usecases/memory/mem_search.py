"""The tool `mem_search`: which project is searched, and how much of each text is answered.

How a query finds and orders observations, and how long it may be, is in `memory.search` (`MAX_QUERY`), what
the history says on it, in `recalling`.
"""

from __future__ import annotations

import os
from typing import Any

from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.core.project import Project
from progress_plugin.memory import full_text
from progress_plugin.memory.database import reading
from progress_plugin.memory.search import FoundObservation, match_expression, search
from progress_plugin.memory.team_session import writer_of_session
from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import clean, one_line
from progress_plugin.usecases.memory.arguments import optional
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

    For a query with words `history` is what log, archive and agents' logs of this project say on it: no
    observations, and without ids. `project` None is this one, `*` is all. Raises BadInput for a limit outside
    1 to 50, for a query that is too long, and for one that is not empty and has no word: nothing could be
    said to match it.
    """
    if limit is not None and not 1 <= limit <= MOST:
        raise BadInput(f"limit must be from 1 to {MOST}")
    words = optional(query, "query", at_most=None) or ""
    if words and match_expression(words) is None:
        raise BadInput(
            f"nothing can be searched for in {one_line(words, 80)!r}: it has no word that says what is "
            "meant; an empty query lists the newest"
        )
    named = optional(project, "project") or place.name or "*"
    found: list[FoundObservation] = []
    notes: list[str] = []
    if os.path.exists(place.database):
        with reading(place.database) as store:
            found = search(
                store,
                words,
                None if named == "*" else named,
                optional(kind, "type"),
                limit or 10,
            )
            if words and not full_text.is_there(store.connection):
                what, remedy = full_text.missing(place.database, own=store.own)
                notes.append(
                    f"{what}: the words were looked for as they stand, the newest comes first; {remedy}"
                )
    history: list[dict[str, Any]] = []
    if words and place.project is not None and (named == "*" or named in place.names):
        history = _history(place.project, words, optional(kind, "type"), limit, notes)
    return {
        "query": words,
        "project": named,
        "count": len(found),
        "observations": [_shown(one, ROOM // len(found)) for one in found],
        **({"history": history} if history else {}),
        **({"note": "; ".join(notes)} if notes else {}),
    }


def _history(
    project: Project, words: str, kind: str | None, limit: int | None, notes: list[str]
) -> list[dict[str, Any]]:
    """Return what the history says; why it cannot be searched is a note, since the observations are there."""
    from progress_plugin.usecases.recalling import answer_text, recall  # noqa: PLC0415 - where there are words

    if kind is not None and not recall.is_kind(kind):
        return []
    try:
        wanted = recall.Wanted(kind=kind)
        found = recall.recall(project, words, min(limit or recall.DEFAULT, recall.DEFAULT), wanted)
    except AgentProgressError as error:
        notes.append(f"the history was not searched: {error}")
        return []
    notes += answer_text.notes(found)
    return answer_text.hits_as_objects(found.hits)


def _shown(one: FoundObservation, room: int) -> dict[str, Any]:
    content = clean(one.content)
    if len(content) > room:
        left_out = counted(len(content) - room, "more character")
        content = f"{content[:room]}… ({left_out}; a smaller limit shows more)"
    return {
        "id": one.id, "type": one.type, "title": one_line(one.title), "project": one.project,
        "scope": one.scope, "updated_at": one.updated_at, "content": content,
        **({"by": one_line(by)} if (by := writer_of_session(one.session_id)) else {}),
    }  # fmt: skip
