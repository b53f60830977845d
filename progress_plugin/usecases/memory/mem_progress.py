"""The tool `mem_progress`: read and write the progress document of a project."""

from __future__ import annotations

import os
from datetime import datetime
from typing import Any

from progress_plugin.core import data_directory
from progress_plugin.core.data_directory import DATA_DIRECTORY
from progress_plugin.core.errors import AgentProgressError, Refused
from progress_plugin.memory import json_text, progress_document
from progress_plugin.memory.database import Store, reading, writing
from progress_plugin.memory.observation import MANUAL_SESSION
from progress_plugin.memory.progress_document import ProgressDocument, Revision, RevisionLine
from progress_plugin.memory.team_session import told_writer, unsettled
from progress_plugin.memory.write_document import Writing, WrittenRevision, write
from progress_plugin.text.redact import redact_value
from progress_plugin.usecases.memory.arguments import one_project, optional, required
from progress_plugin.usecases.memory.location import MemoryLocation
from progress_plugin.usecases.memory.team_share import tell_team
from progress_plugin.usecases.reading import MAX_NAME_CHARS

_CLOSE = 0.6


def mem_progress(  # noqa: PLR0913 - the parameters of the tool
    place: MemoryLocation,
    project: str | None,
    content: object = None,
    *,
    session_id: str | None = None,
    namespace: str | None = None,
    base_revision: int | None = None,
    now: datetime,
) -> dict[str, Any]:
    """Read the document where `content` is None or blank, else store it, and answer with structured data.

    Raises BadInput without a project, for invalid JSON and for a document of more than 1 MiB, Refused where a
    merge is impossible.
    """
    name = required(project, "project")
    one_project(name)
    space = optional(namespace, "namespace")
    if content is None or (isinstance(content, str) and not content.strip()):
        return read_progress(place, name, space)
    (value, removed), text = _without_secrets(content)
    session = optional(session_id, "session_id") or MANUAL_SESSION
    with writing(place.database) as store:
        line, namesake = _to_write(store, place, name, space)
        writing_ = Writing(
            line=line, namespace=space, value=value, text=text, root=place.root, namesake=namesake,
            base_revision=base_revision, session_id=session,
        )  # fmt: skip
        written = write(store, writing_, now)
    return _answer(place, name, writing_, written) | {"removed_parts": removed}


def read_progress(
    place: MemoryLocation, project: str, namespace: str | None, revision: int | None = None
) -> dict[str, Any]:
    """Return the live document, or one of its revisions, or that there is none and which names are near."""
    if not os.path.exists(place.database):
        return {"found": False, "project": project, "similar": []}
    with reading(place.database) as store:
        found = _find(store, _to_read(store, place, project, namespace), revision)
        similar = [] if found else _similar(project, progress_document.names_in_use(store))
    if found is None:
        return {"found": False, "project": project, "similar": similar}
    return {
        "found": True, "project": project, "namespace": namespace, "id": found.id, "revision": found.revision,
        "updated_at": found.updated_at, "by": told_writer(found.session_id),
        "unsettled": unsettled(found.content), "bound_elsewhere": _elsewhere(place, found),
        "content": json_text.printable(found.content), "text": found.text,
    }  # fmt: skip


def list_revisions(place: MemoryLocation, project: str, namespace: str | None) -> list[dict[str, Any]]:
    """Return what is stored of a document, newest first: id, revision, time, size, whether live, writer.

    The last, `by`, is None for what this machine wrote by itself.
    """
    if not os.path.exists(place.database):
        return []
    with reading(place.database) as store:
        found = progress_document.history(store, _to_read(store, place, project, namespace))
    return [_told(one) for one in found]


def _told(one: Revision) -> dict[str, Any]:
    told = one._asdict()
    return told | {"live": bool(one.live), "by": told_writer(told.pop("session_id"))}


def restore_revision(
    place: MemoryLocation, project: str, namespace: str | None, revision: int, *, now: datetime
) -> dict[str, Any]:
    """Make an earlier revision the content of a new one; raises Refused where it is not stored."""
    with writing(place.database) as store:
        found = _find(store, _to_read(store, place, project, namespace), revision)
        if found is None:
            raise Refused(
                f"revision {revision} of {project} is not stored; `memory progress --revisions` lists them"
            )
        line, namesake = _to_write(store, place, project, namespace)
        newest = max((one.revision for one in progress_document.history(store, line)), default=None)
        again = Writing(
            line=line, namespace=namespace, value=found.content, text=found.text, root=place.root,
            namesake=namesake, base_revision=newest,
        )  # fmt: skip
        written = write(store, again, now)
    return _answer(place, project, again, written) | {"restored": revision}


def _without_secrets(content: object) -> tuple[tuple[Any, int], str]:
    """Return the value with the number of parts taken out, and its text: as sent where there was none."""
    value, text = json_text.parse(content)
    clean, count = redact_value(value)
    text = json_text.dump(clean) if count else text
    return (clean, count), text


def _to_read(store: Store, place: MemoryLocation, project: str, namespace: str | None) -> RevisionLine:
    """Return the document that a name means here: for one of this project's names, what its starts show."""
    return _own(store, place, project, namespace) or progress_document.line_to_read(
        store, project, namespace, place.root
    )


def _to_write(
    store: Store, place: MemoryLocation, project: str, namespace: str | None
) -> tuple[RevisionLine, str | None]:
    """Return the document that a write continues, or begins, and the root of another one of its name."""
    line = _own(store, place, project, namespace) or progress_document.line_to_write(
        store, project, namespace, place.root
    )
    return line, progress_document.other_under(store, line.project, namespace, place.root)


def _own(store: Store, place: MemoryLocation, project: str, namespace: str | None) -> RevisionLine | None:
    """Return the document that starts here show, where the name is one of this project's; None else.

    However the project is called, it has one document: a start looks under all of its names.
    """
    if place.root is None or namespace is not None or project not in place.names:
        return None
    found = progress_document.shown(store, place.names, place.root)
    return found[0] if found else None


def _find(store: Store, line: RevisionLine, revision: int | None) -> ProgressDocument | None:
    if revision is None:
        return progress_document.live(store, line)
    return progress_document.at_revision(store, line, revision)


def _elsewhere(place: MemoryLocation, document: ProgressDocument) -> str | None:
    """Return the other root that a document is bound to, None where a session start here may show it."""
    return None if progress_document.may_be_shown(document, place.root) else document.root


def _similar(project: str, names: list[str]) -> list[str]:
    from difflib import get_close_matches  # noqa: PLC0415 - only a miss needs it

    by_fold: dict[str, list[str]] = {}
    for name in names if len(project) <= MAX_NAME_CHARS else ():
        by_fold.setdefault(name.casefold(), []).append(name)
    close = get_close_matches(project.casefold(), by_fold, n=5, cutoff=_CLOSE)
    return [name for fold in close for name in by_fold[fold]]


def _let_starts_find_it(root: str) -> None:
    """Make our directory: a start in a project that has nothing of ours does not open the database."""
    directory = os.path.join(root, *DATA_DIRECTORY.split("/"))
    if os.path.isdir(directory):
        return
    try:
        data_directory.prepare(directory)
    except AgentProgressError:
        # The document is kept all the same; in a project with a plan or log a start looks anyway.
        return


def _answer(place: MemoryLocation, named: str, writing_: Writing, written: WrittenRevision) -> dict[str, Any]:
    at_start = writing_.line.project in place.names and writing_.namespace is None
    if at_start and place.root is not None:
        _let_starts_find_it(place.root)
    tell_team(place)
    return {
        "saved": True, "project": named, "namespace": writing_.namespace, "id": written.id,
        "revision": written.revision, "removed_parts": 0, "merged_with": written.merged_with,
        "session_start_reads": place.name, "shown_at_start": at_start, "bound_to": written.root,
        "replaced_root": written.replaced_root, "namesake": writing_.namesake,
    }  # fmt: skip
