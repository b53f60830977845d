"""Read a folder of task files as one plan: each Markdown file is an item.

Its fields are in its front matter, or it has a title and a status: `# Story 1.2: Sails`, `## Status`, `Done`.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from typing import NamedTuple

from progress_plugin.model.work import Item, PlanDocument, Source
from progress_plugin.plans.json_items import Record, RecordReader, is_stated, make_items, order_items, text_of
from progress_plugin.plans.plan_words import read_label
from progress_plugin.plans.simple_yaml import read_simple_yaml
from progress_plugin.text.patterns import LazyPattern

FORMAT = "task-files"
MAX_CRITERIA = 30
MAX_CHARS = 100_000
_FRONT_MATTER = LazyPattern(r"\ufeff?---\n(.*?)\n---(?:\n|$)", re.DOTALL)
_HEADING = LazyPattern(r"^# (.{1,200})$", re.MULTILINE)
_STATUS = LazyPattern(
    r"^(?:[-*]\s)?(?:\*\*)?Status(?:\*\*)?:(?:\*\*)?[ \t]{1,9}(?P<field>.{1,80})$"
    r"|^#{2,4} Status:?\s{1,9}(?P<line>\w.{0,80})$",
    re.MULTILINE | re.IGNORECASE,
)
_OPEN_BOX = LazyPattern(r"^[-*] \[ \] (.{1,400})$", re.MULTILINE)


class TaskFile(NamedTuple):
    """The text of a file that holds one task."""

    path: str
    text: str
    date: dt.date | None = None


def read_task_files(folder: str, files: Sequence[TaskFile]) -> PlanDocument | None:
    """Read the files that have a status, and an id or a title, as a plan; None if there are none."""
    records, files_of = [], {}
    for file in sorted(files, key=lambda file: _numbers(file.path)):
        record = _record(file.text[:MAX_CHARS])
        name = text_of(record, "id") or text_of(record, "title")
        if name and is_stated(record):
            records.append(record)
            files_of[name] = file
    reader = RecordReader(folder, None)
    items = make_items(reader, records, (folder,))
    for item in items:
        _set_source(item, files_of)
    if not items:
        return None
    return PlanDocument(
        path=folder,
        name=folder,
        format=FORMAT,
        items=tuple(order_items(items)),
        problems=tuple(reader.problems),
        unknown_statuses=tuple(reader.unknown.items()),
    )


def _record(text: str) -> Record:
    found = _FRONT_MATTER.match(text.replace("\r\n", "\n"))
    fields = read_simple_yaml(found[1]) if found else {}
    if not isinstance(fields, dict):
        return {}
    heading, status = _HEADING.search(text), _STATUS.search(text)
    label = read_label(heading[1]) if heading else None
    own = {"title": heading[1]} if heading else {}
    own |= {"id": label.id, "title": label.title or label.id} if label else {}
    return {**own, **({"status": status["field"] or status["line"]} if status else {}), **fields}


def _set_source(item: Item, files: dict[str, TaskFile]) -> None:
    if file := files.get(item.id or item.title):
        item.source = Source(file.path, 1, date=file.date)
        item.reports = [report._replace(source=item.source) for report in item.reports]
        item.criteria = tuple(_OPEN_BOX.findall(file.text[:MAX_CHARS])[:MAX_CRITERIA])
    for child in item.children:
        _set_source(child, files)


def _numbers(path: str) -> tuple[list[int], str]:
    """Order by the numbers in the name: task 9 comes before task 10."""
    name = path.rpartition("/")[2]
    return [int(number[:9]) for number in re.findall(r"\d+", name)], name
