"""The progress document of the memory tools as a document that states where the work is."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator, Sequence
from typing import Any

from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.paths import DATABASE_VARIABLE, database_path
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.memory.documents import Document, document_for_start
from progress_plugin.memory.team_rows import writer_of
from progress_plugin.model.status import Status
from progress_plugin.model.work import AgentLog, Report, Source, Statement
from progress_plugin.text.bounds import shortened

PATH = "mem_progress"
MAX_COMPLETED = 3
MAX_OTHER_CHARS = 280


def read_document(
    project: Project, inputs: InputSnapshot, names: Sequence[str], problems: list[str]
) -> Document | None:
    """Return the live document of a project; a database in trouble is named in `problems`."""
    inputs.note_variable(DATABASE_VARIABLE)
    path = None
    try:
        path = database_path(project.root, project.main_root)
        if path is None:
            return None
        inputs.note_for_starts(path)  # before reading: a later write makes the snapshot stale
        return document_for_start(path, tuple(dict.fromkeys(names)), project.main_root)
    except AgentProgressError as error:
        problems.append(str(error))
        if path:
            inputs.note_for_starts(path, is_settled=False)
        return None


def as_log(document: Document) -> AgentLog:
    """Return what a progress document states: goal, next steps, blockers, what was completed last."""
    content = document.content
    fields: dict[str, Any] = content if isinstance(content, dict) else {"document": content}
    source = Source(PATH, date=_date(document.updated_at), writer=writer_of(document.session_id) or "")
    return AgentLog(
        PATH,
        "state",
        statements=tuple(_statements(fields, source)),
        next_steps=tuple(Report(Status.PENDING, text, source) for text in _texts(fields.get("next_steps"))),
        blockers=tuple(Report(Status.BLOCKED, text, source) for text in _texts(fields.get("blockers"))),
    )


def _statements(fields: dict[str, Any], source: Source) -> Iterator[Statement]:
    for text in _texts(fields.get("goal")):
        yield Statement(f"Goal: {text}", source, "focus")
    for text in _texts(fields.get("completed"))[-MAX_COMPLETED:]:
        yield Statement(f"Completed: {text}", source, "status")
    known = ("goal", "completed", "next_steps", "blockers")
    rest = {name: value for name, value in fields.items() if name not in known}
    if rest:
        yield Statement(shortened(json.dumps(rest, ensure_ascii=False), MAX_OTHER_CHARS), source, "status")


def _texts(value: Any) -> list[str]:
    """Return the items of a list as text; members of other types as JSON."""
    items = value if isinstance(value, list) else [] if value is None else [value]
    return [item if isinstance(item, str) else json.dumps(item, ensure_ascii=False) for item in items]


def _date(updated_at: str) -> dt.date | None:
    try:
        return dt.datetime.fromisoformat(updated_at).replace(tzinfo=dt.UTC).astimezone().date()
    except ValueError:
        return None
