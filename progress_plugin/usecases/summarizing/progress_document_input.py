"""The progress document as an input of the summary: one row of a whole database."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.core.paths import DATABASE_VARIABLE, database_path, usual_database_path
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.model.event import Event
from progress_plugin.model.story import Plan
from progress_plugin.plans.plan_and_story_identity import names_plan
from progress_plugin.summary.summary_input import WORK_ITEMS, WorkDocument
from progress_plugin.text.bounds import shortened

if TYPE_CHECKING:
    from progress_plugin.memory.progress_document import ProgressDocument

_PLAN_FIELDS = ("plan", "prd", "branch", "branchName", "branch_name")
_SHOWN_COMPLETED = 3
_LONGEST_OTHER = 280
_MINUTE = len("2026-01-01T10:00")


class Documents(NamedTuple):
    """The progress document of a project, in the two databases that may be meant."""

    shown: ProgressDocument | None
    """What this call shows: that of the database which its environment names, else of the usual one."""
    stored: ProgressDocument | None
    """What is stored shows: always that of the usual one."""


def read_documents(
    project: Project, inputs: InputSnapshot, names: Sequence[str], problems: list[str]
) -> Documents:
    """Return the document that a start shows; a database in trouble is named, not fatal."""
    inputs.note_variable(DATABASE_VARIABLE)
    usual = usual_database_path()
    try:
        path = database_path(project.root, project.main_root)
    except BadInput as error:
        problems.append(str(error))
        return Documents(None, _read(project, inputs, names, problems, usual))
    shown = _read(project, inputs, names, problems, path)
    stored = shown if usual == path else _read(project, inputs, names, problems, usual)
    return Documents(shown, stored)


def _read(
    project: Project, inputs: InputSnapshot, names: Sequence[str], problems: list[str], path: str | None
) -> ProgressDocument | None:
    if path is None:
        return None
    files = (path, f"{path}-wal")
    for file in files:  # before reading: a later write makes the snapshot stale
        inputs.note_for_starts(file)
    try:
        return _current(path, names, project.main_root) if os.path.exists(path) else None
    except AgentProgressError as error:
        problems.append(str(error))
        inputs.note_for_starts(
            path, is_settled=False
        )  # it may be readable a moment later, with the same size
        return None


def _current(path: str, names: Sequence[str], root: str) -> ProgressDocument | None:
    from progress_plugin.memory.progress_document import current  # noqa: PLC0415 - SQLite, only where it is used

    return current(path, dict.fromkeys(names), root)


def document_identity(document: ProgressDocument | None) -> bytes:
    """Return what identifies one state of the row, as one word; `-` where there is none."""
    if document is None:
        return b"-"
    return f"{document.id}.{document.revision}.{document.updated_at}.{document.hash}".replace(
        " ", "T"
    ).encode()


def work_document(document: ProgressDocument, lead: Plan | None, events: Sequence[Event]) -> WorkDocument:
    """Return what a summary may show of a document: less, the older it has become."""
    from progress_plugin.memory import team_session  # noqa: PLC0415 - where there is a document

    content = document.content
    fields: dict[str, Any] = content if isinstance(content, dict) else {"document": content}
    completed = _texts(fields.get("completed"))
    known = ("goal", "completed", "next_steps", "blockers", *_PLAN_FIELDS)
    rest = {name: value for name, value in fields.items() if name not in known}
    # What another machine has in a field waits to be settled: it goes first where the rest is shortened.
    other = [f"to settle: {each}" for each in team_session.unsettled(fields)]
    if other:
        del rest[team_session.OTHER_VERSIONS]
    other += [json.dumps(rest, ensure_ascii=False)] if rest else []
    goal = fields.get("goal")
    return WorkDocument(
        updated=_iso(document.updated_at),
        goal=goal if isinstance(goal, str) else json.dumps(goal, ensure_ascii=False) if goal else None,
        completed=tuple(reversed(completed[-_SHOWN_COMPLETED:])),
        next_steps=tuple(_texts(fields.get("next_steps"))[:WORK_ITEMS]),
        blockers=tuple(_texts(fields.get("blockers"))[:WORK_ITEMS]),
        other=shortened("; ".join(other), _LONGEST_OTHER) or None,
        outdated=_moved_on(_iso(document.updated_at), lead, events),
        foreign_plan=_other_plan(fields, lead),
        by=team_session.told_writer(document.session_id),
    )


def _texts(value: Any) -> list[str]:
    """Return a list's items as text; members of other types as JSON."""
    items = value if isinstance(value, list) else [] if value is None else [value]
    return [item if isinstance(item, str) else json.dumps(item, ensure_ascii=False) for item in items]


def _moved_on(written: str, lead: Plan | None, events: Sequence[Event]) -> bool:
    """Return whether an entry or a finished story is younger than the document, by the minute or the day."""
    dates = [
        event.when
        for event in events
        if event.when and event.type not in ("session_started", "session_ended")
    ]
    dates += [story.completed_at for story in lead.stories if story.completed_at] if lead else []
    for date in dates:
        text = date.replace(" ", "T")
        length = min(len(text), _MINUTE) if "T" in text else len("2026-01-01")
        if text[:length] > written[:length]:
            return True
    return False


def _other_plan(fields: dict[str, Any], lead: Plan | None) -> str | None:
    named = next((fields[name] for name in _PLAN_FIELDS if isinstance(fields.get(name), str)), None)
    return named if named and lead is not None and not names_plan(lead, named) else None


def _iso(stamp: str) -> str:
    """Return SQLite's `YYYY-MM-DD HH:MM:SS`, which is UTC, in ISO form."""
    return stamp.replace(" ", "T")
