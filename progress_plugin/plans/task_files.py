"""Read a folder of task files as one plan: each file is an item.

A task file is a JSON object, or Markdown with front matter or with a title and a status, e.g. the lines
`# Story 1.2: Sails`, `## Status`, `Done`.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from typing import NamedTuple

from progress_plugin.model.work import Item, PlanDocument, Source
from progress_plugin.plans.json_items import ParseState, make_items, normalise_priorities
from progress_plugin.plans.json_records import Record, first_text, has_status
from progress_plugin.plans.markdown_boxes import boxes_in, open_steps
from progress_plugin.plans.markdown_items import plain_text
from progress_plugin.plans.markdown_sections import Section, read_outline, sections_of
from progress_plugin.plans.plan_words import read_field, read_label
from progress_plugin.plans.simple_yaml import read_simple_yaml
from progress_plugin.text.decode import json_or_none

MAX_CRITERIA = 30
MAX_CHARS = 100_000


class TaskFile(NamedTuple):
    """The text of a file that holds one task."""

    path: str
    text: str
    date: dt.date | None = None


def read_task_files(folder: str, files: Sequence[TaskFile]) -> PlanDocument | None:
    """Read the files that have a status, and an id or a title, as a plan; None if there are none."""
    records, files_of = [], {}
    for file in sorted(files, key=lambda file: _sort_key(file.path.removeprefix(folder))):
        is_json = file.path.lower().endswith(".json")
        record = _json_object(file.text) if is_json else _record(read_outline(file.text[:MAX_CHARS]))
        name = first_text(record, "id") or first_text(record, "title")
        if name and has_status(record):
            records.append(record)
            files_of[name] = file
    state = ParseState(folder, None)
    items = make_items(state, records, (folder,))
    for item in items:
        _set_source(item, files_of)
    if not items:
        return None
    return PlanDocument(
        path=folder,
        name=folder,
        format="task-files",
        items=tuple(normalise_priorities(items)),
        problems=tuple(state.problems),
        unknown_statuses=tuple(state.unknown.items()),
    )


def _json_object(text: str) -> Record:
    record = json_or_none(text)
    return record if isinstance(record, dict) else {}


def _record(root: Section) -> Record:
    """Return the fields of a task: from its front matter, else from its title, status and boxes."""
    heading = next((plain_text(part.title) for part in root.sections if part.level == 1), "")
    label = read_label(heading)
    named = {"id": label.id, "title": label.title or label.id} if label else {"title": heading}
    fields = read_simple_yaml(root.front_matter)
    criteria = {"acceptanceCriteria": [*open_steps(boxes_in(root))[:MAX_CRITERIA]]}
    return {**named, **_read_status(root), **criteria, **(fields if isinstance(fields, dict) else {})}


def _read_status(root: Section) -> Record:
    """Return a record with the status in the first status field, or in the line below a heading `Status`."""
    for section, _ in sections_of(root):
        lines = [line for line, _ in section.lines] + [item.text for item in section.items]
        for line in (section.title, *(f"{section.title}: {line}" for line in lines[:1]), *lines):
            if status := read_field(line, "status_fields"):
                return {"status": status}
    return {}


def _set_source(item: Item, files: dict[str, TaskFile]) -> None:
    if file := files.get(item.id or item.title):
        item.source = Source(file.path, 1, date=file.date)
        item.reports = [report._replace(source=item.source) for report in item.reports]
    for child in item.children:
        _set_source(child, files)


def _sort_key(path: str) -> tuple[list[int], str]:
    """Return a key that orders by the numbers in the path: task 9 comes before task 10."""
    return [int(number[:9]) for number in re.findall(r"\d+", path)], path
