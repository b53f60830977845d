"""The tool `mem_search`: find observations, and what log and plans say on the same words."""

from __future__ import annotations

from typing import Any

from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.memory.database import reading
from progress_plugin.memory.search import FoundObservation, match_expression, search
from progress_plugin.memory.team_rows import writer_of
from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import clean, one_line
from progress_plugin.usecases.memory.location import EVERY_PROJECT, MemoryLocation, optional

MAX_FOUND = 50
DEFAULT_FOUND = 10
MAX_ANSWER_CHARS = 60_000  # of content; clients cut a longer answer
MAX_QUERY_BYTES = 1 << 20


def mem_search(
    place: MemoryLocation,
    query: str | None,
    *,
    project: str | None = None,
    kind: str | None = None,
    limit: int | None = None,
) -> dict[str, Any]:
    """Return the observations that have every word of the query, best first; for an empty one the newest.

    For a query with words `history` is what log, archive, agents' logs and plans of this project say.
    `project` None is this one, `*` is all. Raises BadInput for a limit outside 1 to 50, and for a query that
    is too long or, though not empty, has no word.
    """
    if limit is not None and not 1 <= limit <= MAX_FOUND:
        raise BadInput(f"limit must be from 1 to {MAX_FOUND}")
    words = optional(query, "query", MAX_QUERY_BYTES) or ""
    if words and match_expression(words) is None:
        raise BadInput(
            f"nothing can be searched for in {one_line(words, 80)!r}: it has no word that says what is "
            "meant; an empty query lists the newest"
        )
    named, wanted_kind = optional(project, "project") or place.name or EVERY_PROJECT, optional(kind, "type")
    is_here = named == EVERY_PROJECT or named in place.names
    with reading(place.database) as db:
        kept = None if named == EVERY_PROJECT else place.name_to_read(db, named)
        is_here = is_here or kept == place.name_to_read(db, None)
        found = search(db, words, kept, wanted_kind, limit or DEFAULT_FOUND)
    named = kept or EVERY_PROJECT
    answer: dict[str, Any] = {
        "query": words,
        "project": named,
        "count": len(found),
        "observations": [_shown(each, MAX_ANSWER_CHARS // len(found)) for each in found],
    }
    return answer | (_history(place, words, wanted_kind, limit) if words and is_here else {})


def _history(place: MemoryLocation, words: str, kind: str | None, limit: int | None) -> dict[str, Any]:
    """Return what the history says, without the observations, and notes on the search."""
    from progress_plugin.recall import filters  # noqa: PLC0415 - where there are words
    from progress_plugin.usecases.recalling import answer_text, recall  # noqa: PLC0415 - where there are words

    if place.project is None or (kind is not None and not filters.is_kind(kind)):
        return {}
    try:
        number = min(limit or recall.DEFAULT, recall.DEFAULT)
        found = recall.recall(place.project, words, number, filters.Filters(kind=kind), with_memory=False)
    except AgentProgressError as error:
        return {"note": f"the history was not searched: {error}"}
    hits, notes = [answer_text.as_object(hit) for hit in found.hits], answer_text.notes(found)
    return {**({"history": hits} if hits else {}), **({"note": "; ".join(notes)} if notes else {})}


def _shown(one: FoundObservation, room: int) -> dict[str, Any]:
    content = clean(one.content)
    if len(content) > room:
        rest = counted(len(content) - room, "more character")
        content = f"{content[:room]}… ({rest}; a smaller limit shows more)"
    return {
        "id": one.id, "type": one.type, "title": one_line(one.title), "project": one.project,
        "scope": one.scope, "updated_at": one.updated_at, "content": content,
        **({"by": one_line(by)} if (by := writer_of(one.session_id)) else {}),
    }  # fmt: skip
