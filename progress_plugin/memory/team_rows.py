"""Rows of the memory that travel between the machines of a team."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from progress_plugin.core.errors import BadInput
from progress_plugin.core.files import content_digest
from progress_plugin.memory.json_merge import Conflict, identity
from progress_plugin.memory.observations import (
    MANUAL_SESSION,
    MAX_NAME_BYTES,
    PROGRESS_TYPE,
    ObservationDraft,
    insert,
    moment_of,
    normalized_hash,
    refuse_too_long,
)
from progress_plugin.text.bounds import shortened
from progress_plugin.text.redact import redact

OTHER_VERSIONS = "other_versions"  # member of a document: what another machine has in a field
TEAM_SESSION = "team "  # begins the session of a colleague's row; the writer follows
JOINED_SUFFIX = " joined"  # this machine has put its own changes into what the writer had
MAX_SHOWN_CHARS = 200


@dataclass(frozen=True, slots=True)
class TeamObservation:
    """What is the same of an observation on every machine."""

    type: str
    title: str
    content: str
    topic_key: str | None
    namespace: str | None
    created_at: str

    @property
    def text(self) -> str:
        """The observation as one line of JSON."""
        return json.dumps(asdict(self))

    @property
    def digest(self) -> str:
        """The hash of its text."""
        return content_digest(self.text.encode()).decode()


def session_of(writer: str, *, joined: bool = False) -> str:
    """Return the session of a row that a sync has written; `joined` with changes of this machine."""
    return f"{TEAM_SESSION}{writer}{JOINED_SUFFIX if joined else ''}"


def writer_of(session_id: str) -> str | None:
    """Return which colleague's clone a row came from; None for one of this machine."""
    is_team = session_id.startswith(TEAM_SESSION)
    return session_id[len(TEAM_SESSION) :].removesuffix(JOINED_SUFFIX) if is_team else None


def describe_writer(session_id: str) -> str | None:
    """Return who wrote a row, in words; None if only this machine did."""
    writer = writer_of(session_id)
    is_joined = writer is not None and session_id.endswith(JOINED_SUFFIX)
    return f"this clone, joined with what {writer} wrote" if is_joined else writer


def unsettled(document: Any) -> list[str]:
    """Return what has to be settled in a document, one sentence for each field."""
    versions = document.get(OTHER_VERSIONS) if isinstance(document, dict) else None
    return [
        f"{each['field'] or 'the whole document'} is {_shown(each.get('value'))} for {each['by']}"
        for each in (versions if isinstance(versions, list) else [])
        if isinstance(each, dict) and isinstance(each.get("field"), str) and isinstance(each.get("by"), str)
    ]


def with_other_versions(document: Any, conflicts: list[Conflict], writer: str) -> Any:
    """Return a document with what a writer has in the fields that differ, if it is an object."""
    if not conflicts or not isinstance(document, dict):
        return document
    versions = document.get(OTHER_VERSIONS, [])
    if not isinstance(versions, list):
        return document
    added = [{"field": each.path, "by": writer, "value": each.second} for each in conflicts]
    known = {identity(each) for each in versions}
    new = [each for each in added if identity(each) not in known]
    return {**document, OTHER_VERSIONS: [*versions, *new]}


def read_team_observation(
    db: sqlite3.Connection, row_id: int, project: str
) -> tuple[TeamObservation, bool] | None:
    """Return an observation of a project and whether it is live; None if it may not travel."""
    row = db.execute(
        "SELECT type, title, content, topic_key, namespace, created_at, deleted_at IS NULL "
        "FROM observations WHERE id = ? AND scope = 'project' AND type <> ? AND project = ?",
        (row_id, PROGRESS_TYPE, project),
    ).fetchone()
    return None if row is None else (TeamObservation(*row[:-1]), bool(row[-1]))


def creation_stamps(db: sqlite3.Connection, rows: Iterable[int]) -> dict[int, str]:
    """Return when these rows were created, of those that exist, deleted or not."""
    statement = "SELECT created_at FROM observations WHERE id = ?"
    found = ((row, db.execute(statement, (row,)).fetchone()) for row in rows)
    return {row: str(each[0]) for row, each in found if each is not None}


def validated(text: str) -> TeamObservation | None:
    """Return the observation in a remote text, without secrets and private parts; None if it is not one."""
    try:
        fields = json.loads(text)
        needed = [fields.get(name) for name in ("type", "title", "content")]
        optional = [fields.get(name) for name in ("topic_key", "namespace", "created_at")]
    except (ValueError, RecursionError, AttributeError):
        return None
    if not all(isinstance(each, str) and each.strip() for each in needed):
        return None
    if not all(each is None or isinstance(each, str) for each in optional):
        return None
    kind, title, content = (redact(str(each))[0] for each in needed)
    topic, namespace, created = (each and redact(str(each))[0] for each in optional)
    if kind == PROGRESS_TYPE or (topic or "").lower().startswith("progress/"):
        return None  # documents travel as rows of their own
    try:
        refuse_too_long(content)
        for name in (kind, title, topic or "", namespace or ""):
            refuse_too_long(name, "name", MAX_NAME_BYTES)
            name.encode()
        content.encode()
    except (BadInput, UnicodeEncodeError):
        return None
    return TeamObservation(kind, title, content, topic or None, namespace or None, created or "")


def find_twin(db: sqlite3.Connection, wanted: TeamObservation, project: str) -> int | None:
    """Return the live row of a project that says the same, or None."""
    row = db.execute(
        "SELECT id FROM observations WHERE normalized_hash = ? AND type = ? AND title = ? "
        "AND coalesce(topic_key, '') = ? AND scope = 'project' AND deleted_at IS NULL "
        "AND project = ? ORDER BY id DESC LIMIT 1",
        (normalized_hash(wanted.content), wanted.type, wanted.title, wanted.topic_key or "", project),
    ).fetchone()
    return None if row is None else int(row[0])


def insert_team_observation(  # noqa: PLR0913, PLR0917 - where it goes, and from whom
    db: sqlite3.Connection, new: TeamObservation, project: str, root: str, writer: str | None, now: datetime
) -> int:
    """Insert an observation, as old as it says, and return its row. The caller holds the transaction.

    `writer` is None for one of this clone, which lost it.
    """
    draft = ObservationDraft(
        type=new.type, title=new.title, content=new.content, project=project, topic_key=new.topic_key,
        namespace=new.namespace, tool_name="mem_save",
        session_id=session_of(writer) if writer else MANUAL_SESSION,
    )  # fmt: skip
    return insert(db, draft, root, moment_of(new.created_at, now))


def _shown(value: Any) -> str:
    return (
        "removed" if value is None else shortened(json.dumps(value, ensure_ascii=False), MAX_SHOWN_CHARS, "…")
    )
