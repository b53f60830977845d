"""The tool `mem_progress`: read and write the progress document of a project."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import datetime
from difflib import get_close_matches
from typing import Annotated, Any

from pydantic import Field, WithJsonSchema

from progress_plugin.core import data_directory
from progress_plugin.core.data_directory import data_directory_of
from progress_plugin.core.errors import AgentProgressError, BadInput, Refused
from progress_plugin.memory import documents, json_values
from progress_plugin.memory.database import reading, writing
from progress_plugin.memory.observations import MANUAL_SESSION, ObservationDraft, save_revision
from progress_plugin.memory.projects import writer_of
from progress_plugin.usecases.memory.location import MemoryLocation
from progress_plugin.usecases.memory.tool import MemoryTool, Name, OneProject

MAX_COMPARED_CHARS = 100


class Progress(MemoryTool):
    """Read (no content) or write the progress document."""

    template = "memory_progress"
    project: OneProject = None
    content: Annotated[Any, WithJsonSchema({"type": ["object", "string"]})] = None
    session_id: Name = None
    namespace: Name = None
    base_revision: int | None = Field(None, description="as read")
    project_dir: str | None = None

    def run(self, place: MemoryLocation, now: datetime) -> dict[str, Any]:
        """Read the document if `content` is None or blank, else store it; return structured data.

        Raises BadInput if no project is named and there is none here, for invalid JSON and for a document of
        more than 1 MiB, Refused if a merge is impossible, or in a repository if another one has the name.
        """
        name = self.project or place.name
        if name is None:
            raise BadInput("there is no project here: name one as project; nothing was changed")
        if self.content is None or (isinstance(self.content, str) and not self.content.strip()):
            return read_progress(place, name, self.namespace)
        text, removed = json_values.parse_redacted(self.content)
        with writing(place.database) as db:
            kept = place.document_name_to_write(db, name)
            draft = documents.new_revision(kept, self.namespace, text, self.session_id or MANUAL_SESSION)
            written = documents.write(db, draft, place.root or "", now, self.base_revision)
        return _answer(place, draft, written, removed)


def read_progress(
    place: MemoryLocation, project: str, namespace: str | None, revision: int | None = None
) -> dict[str, Any]:
    """Return the live document, or one of its revisions; if there is none, the names similar to `project`."""
    with reading(place.database) as db:
        name = place.name_to_read(db, project) or project
        found = documents.find_document(db, name, namespace, revision)
        is_default = namespace is None and revision is None
        if found is None and is_default and place.root is not None and name in place.names:
            found = documents.document_of_root(db, place.names, place.root)
        names = [] if found else sorted({each.project for each in documents.live_documents(db)})
    if found is None:
        similar = get_close_matches(project[:MAX_COMPARED_CHARS], names, n=5)
        return {"found": False, "project": project, "similar": similar}
    return {
        "found": True, "project": found.project, "namespace": namespace, "id": found.id,
        "revision": found.revision, "updated_at": found.updated_at, "by": writer_of(found.session_id),
        "content": found.value, "text": found.text,
    }  # fmt: skip


def list_revisions(place: MemoryLocation, project: str, namespace: str | None) -> list[dict[str, Any]]:
    """Return the stored revisions of a document, the live one first: id, revision, time, size, writer."""
    with reading(place.database) as db:
        name = place.name_to_read(db, project) or project
        found = documents.history(db, name, namespace)
    return [
        {
            "id": each.id, "revision": each.revision, "updated_at": each.updated_at,
            "characters": len(each.text), "live": bool(each.is_live), "by": writer_of(each.session_id),
        }
        for each in found
    ]  # fmt: skip


def restore_revision(
    place: MemoryLocation, project: str, namespace: str | None, revision: int, *, now: datetime
) -> dict[str, Any]:
    """Store the content of an earlier revision as a new one. Raises Refused if the earlier is not stored."""
    with writing(place.database) as db:
        name = place.document_name_to_write(db, project)
        found = documents.find_document(db, name, namespace, revision)
        if found is None:
            raise Refused(
                f"revision {revision} of {name} is not stored; `memory progress --revisions` lists them"
            )
        draft = documents.new_revision(name, namespace, found.text)
        written = save_revision(db, draft, place.root or "", now)
    return _answer(place, draft, written) | {"merged_with": None, "restored": revision}


def _answer(
    place: MemoryLocation, draft: ObservationDraft, written: dict[str, Any], removed: int = 0
) -> dict[str, Any]:
    with reading(place.database) as db:
        own = place.name_to_read(db, None)
    is_shown = draft.project == own and draft.namespace is None
    if is_shown and place.root is not None:
        # A session start opens the database only in a project that has our directory.
        directory = data_directory_of(place.root)
        with suppress(AgentProgressError):
            if not os.path.isdir(directory):
                data_directory.prepare(directory)
    place.start_team_sync()
    return {
        "saved": True, "project": draft.project, "namespace": draft.namespace, **written,
        "removed_parts": removed, "session_start_reads": own, "shown_at_start": is_shown,
    }  # fmt: skip
