"""Observations: save, replace, delete, erase and search them.

The full-text index splits texts into the same terms as the index of `recall`.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from progress_plugin.core.errors import BadInput
from progress_plugin.log.timestamp import read_time
from progress_plugin.text.decode import json_or_none
from progress_plugin.text.search_terms import spellings, terms_of

STAMP_FORMAT = "%Y-%m-%d %H:%M:%S"
MANUAL_SESSION = "manual-save"
PROGRESS_TYPE = "progress"
SUMMARY_TYPE = "compaction_summary"
MAX_CONTENT_BYTES = 1 << 20
MAX_NAME_BYTES = 4096  # of a title, a key or another name; as long as the longest path of a system
SAME_WITHIN = timedelta(minutes=15)  # a repeated observation is the same one within this time
MAX_WORDS = 100
COLUMNS = ("id", "type", "title", "project", "scope", "updated_at", "content", "session_id")


class ObservationDraft(NamedTuple):
    """A row about to be written; the database adds its id, the clock its stamps."""

    type: str
    title: str
    content: str
    project: str | None
    scope: str = "project"
    topic_key: str | None = None
    namespace: str | None = None
    tool_name: str | None = None
    session_id: str = MANUAL_SESSION
    revision: int = 1


class BrokenDocument(BadInput):
    """Without the erased text, a document would no longer be JSON."""


def stamp(now: datetime) -> str:
    """Return a time in UTC as the database writes it: `YYYY-MM-DD HH:MM:SS`."""
    return now.strftime(STAMP_FORMAT)


def moment_of(text: str, latest: datetime) -> datetime:
    """Return the time of a stamp from another machine or program; `latest` if it is later or not a time."""
    return min(read_time(text) or latest, latest)


def normalized_hash(content: str) -> str:
    """Return the SHA-256 of a text without regard to case and to the amount of white space."""
    return hashlib.sha256(" ".join(content.split()).lower().encode("utf-8", "replace")).hexdigest()


def refuse_too_long(text: str, name: str = "content", at_most: int = MAX_CONTENT_BYTES) -> None:
    """Raise BadInput if a text has over `at_most` bytes or half a surrogate pair; nothing is ever cut."""
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise BadInput(f"{name} is not valid UTF-8; nothing was saved") from None
    if size > at_most:
        raise BadInput(f"{name} has {size} bytes, at most {at_most} are kept; nothing was saved, shorten it")


def save(db: sqlite3.Connection, draft: ObservationDraft, directory: str, now: datetime) -> dict[str, Any]:
    """Store an observation; return its `id` and `revision`, and whether it is a `duplicate` of a live row.

    A draft with a topic key becomes the next revision of the topic, whose live row is soft-deleted. A draft
    without one that repeats a live row of the last 15 minutes only raises the row's count. The caller holds
    the transaction.
    """
    if draft.topic_key is not None:
        return {**save_revision(db, draft, directory, now), "duplicate": False}
    twin = _find_twin(db, draft, now)
    if twin is None:
        return {"id": insert(db, draft, directory, now), "revision": 1, "duplicate": False}
    row_id, revision = twin
    db.execute(
        "UPDATE observations SET duplicate_count = duplicate_count + 1, last_seen_at = ?, updated_at = ? "
        "WHERE id = ?",
        (stamp(now), stamp(now), row_id),
    )
    return {"id": row_id, "revision": revision, "duplicate": True}


def save_revision(
    db: sqlite3.Connection, draft: ObservationDraft, directory: str, now: datetime
) -> dict[str, Any]:
    """Store the next revision of a topic and soft-delete its live row; return the new `id` and `revision`."""
    rows = db.execute(
        "SELECT id, revision_count FROM observations WHERE topic_key = ? AND coalesce(project, '') = ? "
        "AND scope = ? AND coalesce(namespace, '') = ?",
        (draft.topic_key, draft.project or "", draft.scope, draft.namespace or ""),
    ).fetchall()
    revision = max((number for _, number in rows), default=0) + 1
    soft_delete(db, [row_id for row_id, _ in rows], now)
    return {"id": insert(db, draft._replace(revision=revision), directory, now), "revision": revision}


def insert(db: sqlite3.Connection, draft: ObservationDraft, directory: str, now: datetime) -> int:
    """Insert a row, and its session if that is new, and return its id. The caller holds the transaction.

    `directory` is the project's root, stored with the session. Raises BadInput for a content of more than
    1 MiB: a redacted text can be longer than the text that was sent.
    """
    refuse_too_long(draft.content)
    at = stamp(now)
    db.execute(
        "INSERT OR IGNORE INTO sessions (id, project, directory, started_at) VALUES (?, ?, ?, ?)",
        (draft.session_id, draft.project or "", os.fsencode(directory).decode("utf-8", "replace"), at),
    )
    row_id = db.execute(
        "INSERT INTO observations (session_id, type, title, content, tool_name, project, scope, topic_key, "
        "namespace, normalized_hash, revision_count, last_seen_at, created_at, updated_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            draft.session_id, draft.type, draft.title, draft.content, draft.tool_name, draft.project,
            draft.scope, draft.topic_key, draft.namespace, normalized_hash(draft.content), draft.revision,
            at, at, at,
        ),
    ).lastrowid  # fmt: skip
    if row_id is None:
        raise RuntimeError("SQLite gave no id to an inserted row")
    index_row(db, row_id, draft.title, draft.content, draft.type)
    return row_id


def soft_delete(db: sqlite3.Connection, ids: list[int], now: datetime) -> int:
    """Mark live rows as deleted and return how many; every other column stays, so restoring is exact."""
    return db.executemany(
        "UPDATE observations SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL",
        [(stamp(now), row_id) for row_id in ids],
    ).rowcount


def erase(
    db: sqlite3.Connection, without: Callable[[str], tuple[str, int]], *, apply: bool
) -> tuple[int, list[int]]:
    """Count a text in all observations, deleted ones too, and with `apply` replace it by a mark.

    `without` returns a text with the mark in place of each match, and the number of matches. Return the
    number of all matches, and the ids of observations with a match in their project name or topic key: names
    and keys are not changed. The caller holds the transaction. Raises BrokenDocument.
    """
    total, named = 0, []
    columns = "id, project, topic_key, title, content, tool_name"
    for number, project, topic, *texts in db.execute(f"SELECT {columns} FROM observations").fetchall():
        left, counts = zip(*(without(text or "") for text in texts), strict=True)
        if left[1] != texts[1] and json_or_none(texts[1]) is not None and json_or_none(left[1]) is None:
            raise BrokenDocument(
                f"nothing was erased: this matches the structure of observation {number}; name more of it"
            )
        if any(without(name or "")[1] for name in (project, topic)):
            named.append(number)
        if any(counts) and apply:
            statement = "UPDATE observations SET title = ?, content = ?, tool_name = ?, normalized_hash = ?"
            db.execute(f"{statement} WHERE id = ?", (*left, normalized_hash(left[1]), number))
        total += sum(counts)
    if apply:
        index_all(db)
    return total, named


def _find_twin(db: sqlite3.Connection, draft: ObservationDraft, now: datetime) -> tuple[int, int] | None:
    found: tuple[int, int] | None = db.execute(
        "SELECT id, revision_count FROM observations WHERE normalized_hash = ? AND coalesce(project, '') = ? "
        "AND scope = ? AND type = ? AND title = ? AND coalesce(namespace, '') = ? AND deleted_at IS NULL "
        "AND created_at >= ? ORDER BY id DESC LIMIT 1",
        (
            normalized_hash(draft.content), draft.project or "", draft.scope, draft.type, draft.title,
            draft.namespace or "", stamp(now - SAME_WITHIN),
        ),
    ).fetchone()  # fmt: skip
    return found


def search(
    db: sqlite3.Connection, query: str, project: str | None, kind: str | None, limit: int
) -> list[dict[str, Any]]:
    """Return the live observations that have every word of `query`, best first; for no words the newest.

    `project` and `kind` restrict to one project and type; None is all. A result has the values of `COLUMNS`.
    """
    conditions, values = ["o.deleted_at IS NULL"], list[str | int]()
    tables, order = "observations o", "o.id DESC"
    expression = match_expression(query)
    if expression is not None:
        tables = "observation_terms t JOIN observations o ON o.id = t.rowid"
        conditions.append("observation_terms MATCH ?")
        values.append(expression)
        order = "bm25(observation_terms), o.id DESC"
    for column, value in (("project", project), ("type", kind)):
        if value is not None:
            conditions.append(f"o.{column} = ?")
            values.append(value)
    rows = db.execute(
        f"SELECT {', '.join(f'o.{name}' for name in COLUMNS)} FROM {tables} "
        f"WHERE {' AND '.join(conditions)} ORDER BY {order} LIMIT ?",
        (*values, limit),
    )
    return [dict(zip(COLUMNS, row, strict=True)) for row in rows]


def match_expression(query: str) -> str | None:
    """Return an FTS5 expression that asks for each word in any of its spellings, or None without a word.

    Stop words, such as `the`, are left out. Terms are quoted, so nothing in a query is an operator. Raises
    BadInput for a query with too many words.
    """
    words = query.split()
    if len(words) > MAX_WORDS:
        raise BadInput(f"query has {len(words)} words, at most {MAX_WORDS} are searched for; shorten it")
    wanted = [dict.fromkeys((" ".join(terms_of(word)), *spellings(word))) for word in words]
    groups = [" OR ".join(f'"{phrase}"' for phrase in phrases if phrase) for phrases in wanted]
    return " AND ".join(f"({group})" for group in groups if group) or None


def index_row(connection: sqlite3.Connection, row_id: int, *texts: str) -> None:
    """Add the terms of a new row's texts to the index, which cannot give the texts back."""
    terms = " ".join(terms_of("\n".join(texts)))
    connection.execute("INSERT INTO observation_terms (rowid, terms) VALUES (?, ?)", (row_id, terms))


def index_all(connection: sqlite3.Connection) -> None:
    """Index all rows again, so that words which are no longer in any row leave the index."""
    connection.execute("INSERT INTO observation_terms (observation_terms) VALUES ('delete-all')")
    rows = connection.execute("SELECT id, title, content, type FROM observations").fetchall()
    for row in rows:
        index_row(connection, *row)
