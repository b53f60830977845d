"""The tools `mem_save` and `mem_search`, and `memory import`: observations that agents keep."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from datetime import datetime
from typing import Any

from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.memory import json_values, observations
from progress_plugin.memory.database import connect, reading, writing
from progress_plugin.memory.observations import PROGRESS_TYPE, SUMMARY_TYPE, ObservationDraft
from progress_plugin.memory.projects import document_key, writer_of
from progress_plugin.recall.filters import Filters, find_kinds
from progress_plugin.recall.index import MEMORY
from progress_plugin.text.bounds import counted
from progress_plugin.text.redact import redact
from progress_plugin.text.safe_output import clean, one_line
from progress_plugin.usecases.memory import location
from progress_plugin.usecases.memory.location import MemoryLocation
from progress_plugin.usecases.recalling import recall

MAX_FOUND = 50
DEFAULT_FOUND = 10
MAX_ANSWER_CHARS = 60_000  # of content; clients cut a longer answer
MAX_QUERY_BYTES = 1 << 20
IMPORTED_COLUMNS = ("type", "title", "content", "project", "scope", "topic_key", "session_id", "created_at")


def mem_save(  # noqa: PLR0913 - the parameters of the tool
    place: MemoryLocation,
    title: str | None,
    content: str | None,
    kind: str | None,
    *,
    project: str | None = None,
    scope: str | None = None,
    topic_key: str | None = None,
    now: datetime,
) -> dict[str, Any]:
    """Store an observation and return its id; private parts and secrets are taken out first.

    Raises BadInput without title, content or type, for one that is too long, and for what only the other
    tools may write.
    """
    name, removed_from_name = redact(location.required(title, "title"))
    text, removed = redact(location.required(content, "content", observations.MAX_CONTENT_BYTES))
    kind, topic = location.required(kind, "type"), location.optional(topic_key, "topic_key")
    if kind in (PROGRESS_TYPE, SUMMARY_TYPE):
        writer = "mem_progress" if kind == PROGRESS_TYPE else "mem_compact"
        raise BadInput(f"type {kind} is written by {writer} only")
    if (topic or "").lower().startswith("progress/"):
        raise BadInput("topic keys that begin with progress/ belong to mem_progress; choose another")
    wanted, where = location.one_project(project), location.scope_of(scope) or "project"
    with writing(place.database) as db:
        draft = ObservationDraft(
            type=kind, title=name, content=text, project=place.name_to_write(db, wanted), scope=where,
            topic_key=topic, tool_name="mem_save",
        )  # fmt: skip
        saved = observations.save(db, draft, place.root or "", now)
        place.share(db, saved["id"], draft.project, draft.scope)
    place.tell_team()
    removed += removed_from_name
    return {"saved": True, **saved, "project": draft.project, "removed_parts": removed}


def import_memory(place: MemoryLocation, path: str, *, now: datetime) -> dict[str, Any]:
    """Copy each live observation and document of a database of Hoofy or engram that is not there yet.

    Raises BadInput if the file is not such a database.
    """
    rows, copied = _read_foreign(path), 0
    with writing(place.database) as db:
        for row in rows:
            draft = _draft_of(row)
            digest = observations.normalized_hash(draft.content)
            is_known = db.execute(
                "SELECT 1 FROM observations WHERE project IS ? AND ((normalized_hash = ? AND type = ? "
                "AND title = ?) OR (topic_key = ? AND deleted_at IS NULL))",
                (draft.project, digest, draft.type, draft.title, draft.topic_key),
            ).fetchone()
            if not is_known:
                observations.insert(db, draft, "", observations.moment_of(row["created_at"], now))
                copied += 1
    return {"imported": copied, "known": len(rows) - copied}


def mem_search(
    place: MemoryLocation,
    query: str | None,
    *,
    project: str | None = None,
    kind: str | None = None,
    limit: int | None = None,
) -> dict[str, Any]:
    """Return the observations that have every word of the query, best first; for an empty one the newest.

    For a query with words, `history` holds the matches in log, archive, agent logs and plans of this project.
    `project` None is this one, `*` is all. Raises BadInput for a limit outside 1 to 50, and for a query that
    is too long or, though not empty, has no word.
    """
    if limit is not None and not 1 <= limit <= MAX_FOUND:
        raise BadInput(f"limit must be from 1 to {MAX_FOUND}")
    words = location.optional(query, "query", MAX_QUERY_BYTES) or ""
    if words and observations.match_expression(words) is None:
        raise BadInput(
            f"nothing can be searched for in {one_line(words, 80)!r}: it has no word that says what is "
            "meant; an empty query lists the newest"
        )
    named = location.optional(project, "project") or place.name or location.EVERY_PROJECT
    wanted_kind = location.optional(kind, "type")
    with reading(place.database) as db:
        kept = None if named == location.EVERY_PROJECT else place.name_to_read(db, named)
        is_here = kept is None or kept == place.name_to_read(db, None)
        found = observations.search(db, words, kept, wanted_kind, limit or DEFAULT_FOUND)
    answer: dict[str, Any] = {
        "query": words,
        "project": kept or location.EVERY_PROJECT,
        "count": len(found),
        "observations": [_shown(each, MAX_ANSWER_CHARS // len(found)) for each in found],
    }
    return answer | (_history(place, words, wanted_kind, limit) if words and is_here else {})


def _history(place: MemoryLocation, words: str, kind: str | None, limit: int | None) -> dict[str, Any]:
    """Return hits in the history, without the observations, and notes on the search."""
    if place.project is None or (kind is not None and not find_kinds(kind)):
        return {}
    number = min(limit or recall.DEFAULT_HITS, recall.DEFAULT_HITS)
    try:
        found = recall.recall(place.project, words, 4 * number, Filters(kind=kind))  # with observations
    except AgentProgressError as error:
        return {"note": f"the history was not searched: {error}"}
    history = [hit for hit in found["hits"] if MEMORY not in hit][:number]
    answer = {"history": history, "note": "; ".join(found["notes"] if history else ())}
    return {name: value for name, value in answer.items() if value}


def _shown(found: dict[str, Any], room: int) -> dict[str, Any]:
    content, writer = clean(found["content"]), writer_of(found.pop("session_id"))
    if len(content) > room:
        rest = counted(len(content) - room, "more character")
        content = f"{content[:room]}… ({rest}; a smaller limit shows more)"
    by = {"by": one_line(writer)} if writer else {}
    return found | {"title": one_line(found["title"]), "content": content} | by


def _read_foreign(path: str) -> list[dict[str, Any]]:
    try:
        with closing(connect(path, "ro")) as source:
            rows = source.execute("SELECT * FROM observations WHERE deleted_at IS NULL ORDER BY id")
            names = [column[0] for column in rows.description]
            found = [dict(zip(names, row, strict=True)) for row in rows]
    except sqlite3.Error as error:
        raise BadInput(f"{path} cannot be read ({error}); nothing was imported") from error
    if not {*IMPORTED_COLUMNS} <= {*names}:
        raise BadInput(f"{path} is not a database of Hoofy or engram; nothing was imported")
    return found


def _draft_of(row: dict[str, Any]) -> ObservationDraft:
    kind, topic, namespace = row["type"], row["topic_key"], row.get("namespace")
    if kind == PROGRESS_TYPE or (topic or "").startswith("progress/"):
        kind, topic = PROGRESS_TYPE, document_key(row["project"] or "", namespace)
    return ObservationDraft(
        type=kind, title=redact(row["title"])[0], content=_without_secrets(kind, row["content"]),
        project=row["project"], scope=row["scope"] or "project", topic_key=topic, namespace=namespace,
        tool_name="memory import", session_id=row["session_id"],
    )  # fmt: skip


def _without_secrets(kind: str, content: str) -> str:
    """Return a content without secrets and private parts; a document stays JSON."""
    if kind == PROGRESS_TYPE:
        with suppress(BadInput):
            return json_values.parse_redacted(content)[0]
    return redact(content)[0]
