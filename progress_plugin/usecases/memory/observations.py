"""The tools `mem_save` and `mem_search`, and `memory import`: observations that agents keep."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from datetime import datetime
from typing import Any

from pydantic import Field

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
from progress_plugin.usecases.memory.location import EVERY_PROJECT, MemoryLocation
from progress_plugin.usecases.memory.tool import (
    MemoryTool,
    Name,
    OneProject,
    RequiredName,
    RequiredText,
    Scope,
)
from progress_plugin.usecases.recalling import recall

MAX_FOUND = 50
DEFAULT_FOUND = 10
MAX_ANSWER_CHARS = 60_000  # of content; clients cut a longer answer
IMPORTED_COLUMNS = ("type", "title", "content", "project", "scope", "topic_key", "session_id", "created_at")


class Save(MemoryTool):
    """Keep an observation."""

    template = "memory_save"
    title: RequiredName
    content: RequiredText
    type: RequiredName = Field(description="decision, bugfix...")
    project: OneProject = None
    scope: Scope = None
    topic_key: Name = Field(None, description="repeated: new revision")

    def run(self, place: MemoryLocation, now: datetime) -> dict[str, Any]:
        """Store the observation and return its id; private parts and secrets are taken out first.

        Raises BadInput for a type or topic key that only the other tools may write.
        """
        given = (self.title, self.content, self.type, self.topic_key or "")
        (title, content, kind, topic), removed = zip(*map(redact, given), strict=True)
        if kind in (PROGRESS_TYPE, SUMMARY_TYPE):
            writer = "mem_progress" if kind == PROGRESS_TYPE else "mem_compact"
            raise BadInput(f"type {kind} is written by {writer} only")
        if topic.lower().startswith("progress/"):
            raise BadInput("topic keys that begin with progress/ belong to mem_progress; choose another")
        with writing(place.database) as db:
            draft = ObservationDraft(
                type=kind, title=title, content=content, project=place.name_to_write(db, self.project),
                scope=self.scope or "project", topic_key=topic or None, tool_name="mem_save",
            )  # fmt: skip
            saved = observations.save(db, draft, place.root or "", now)
            place.share(db, saved["id"], draft.project, draft.scope)
        place.start_team_sync()
        return {"saved": True, **saved, "project": draft.project, "removed_parts": sum(removed)}


def import_memory(place: MemoryLocation, path: str, *, now: datetime) -> dict[str, Any]:
    """Copy the live rows of a Hoofy or engram database, except those that we have or have deleted.

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


class Search(MemoryTool):
    """Find observations and history by words."""

    is_read_only, template = True, "memory_search"
    query: Name
    project: Name = Field(None, description='"*": all')
    type: Name = None
    limit: int | None = Field(None, ge=1, le=MAX_FOUND)

    def run(self, place: MemoryLocation, now: datetime) -> dict[str, Any]:  # noqa: ARG002 - as every tool
        """Return the observations with every word of the query, best first; for an empty query the newest.

        For a query with words, `history` holds what `recall` finds, without observations, if this project is
        searched. Raises BadInput for a query with too many words, or only words such as `the`.
        """
        words = self.query or ""
        if words and observations.match_expression(words) is None:
            raise BadInput(
                f"nothing can be searched for in {one_line(words, 80)!r}: it has no word, or only such as "
                "`the`; an empty query lists the newest"
            )
        named = self.project or place.name or EVERY_PROJECT
        with reading(place.database) as db:
            kept = None if named == EVERY_PROJECT else place.name_to_read(db, named)
            is_here = kept is None or kept == place.name_to_read(db, None)
            found = observations.search(db, words, kept, self.type, self.limit or DEFAULT_FOUND)
        answer: dict[str, Any] = {
            "query": words,
            "project": kept or EVERY_PROJECT,
            "count": len(found),
            "observations": [_view_observation(each, MAX_ANSWER_CHARS // len(found)) for each in found],
        }
        return answer | (_history(place, words, self.type, self.limit) if words and is_here else {})


def _history(place: MemoryLocation, words: str, kind: str | None, limit: int | None) -> dict[str, Any]:
    """Return hits in the history, without observations, and a note on the search; empty if there are none."""
    if place.project is None or (kind is not None and not find_kinds(kind)):
        return {}
    number = min(limit or recall.DEFAULT_HITS, recall.DEFAULT_HITS)
    try:
        found = recall.recall(place.project, words, 4 * number, Filters(kind=kind))  # observations included
    except AgentProgressError as error:
        return {"note": f"the history was not searched: {error}"}
    history = [hit for hit in found["hits"] if MEMORY not in hit][:number]
    answer = {"history": history, "note": "; ".join(found["notes"] if history else ())}
    return {name: value for name, value in answer.items() if value}


def _view_observation(found: dict[str, Any], room: int) -> dict[str, Any]:
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
    given = (row["type"], row["title"], row["content"], row["topic_key"] or "")
    kind, title, content, topic = (redact(text)[0] for text in given)
    namespace = row.get("namespace")
    if kind == PROGRESS_TYPE or topic.startswith("progress/"):
        kind, topic = PROGRESS_TYPE, document_key(row["project"] or "", namespace)
        with suppress(BadInput):  # a document stays JSON
            content = json_values.parse_redacted(row["content"])[0]
    return ObservationDraft(
        type=kind, title=title, content=content, project=row["project"], scope=row["scope"] or "project",
        topic_key=topic or None, namespace=namespace, tool_name="memory import", session_id=row["session_id"],
    )  # fmt: skip
