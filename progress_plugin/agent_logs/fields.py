"""Read the labelled lines of an entry: status, task, ids, date, files, blockers, next steps."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from progress_plugin.agent_logs.dates import find_date
from progress_plugin.agent_logs.headings import read_heading
from progress_plugin.agent_logs.noise import is_empty
from progress_plugin.agent_logs.sections import section_of
from progress_plugin.model.status import Status, parse_box, parse_mark, parse_status, parse_wording
from progress_plugin.model.work import Statement
from progress_plugin.text.labels import plain, split_label, undecorated
from progress_plugin.text.paths_in_text import paths_in

_UUID = re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b")
_VALUE_END = re.compile(r"\s*[(（,;:.|–—]|\s-\s")


@dataclass(slots=True)
class Fields:
    """What the labelled lines of one entry say."""

    ids: tuple[str, ...] = ()
    title: str = ""
    status: Status | None = None
    date: dt.date | None = None
    files: list[str] = field(default_factory=list)
    blockers: list[str] = field(default_factory=list)
    next_steps: list[str] = field(default_factory=list)


def read_fields(statements: Iterable[Statement], plan_ids: Collection[str]) -> Fields:
    """Return the fields among the statements of one entry; the first of each kind counts."""
    fields = Fields()
    for statement in statements:
        name, value = split_label(statement.text)
        if name and value and section_of(name) == statement.section:
            _take_field(fields, statement.section, plain(value), plan_ids)
        if statement.section == "files":
            fields.files += paths_in(statement.text)
        blocker, step = blocker_of(statement), step_of(statement)
        fields.blockers += [blocker] if blocker else []
        fields.next_steps += [step] if step else []
    fields.files = list(dict.fromkeys(fields.files))
    return fields


def _take_field(fields: Fields, section: str | None, value: str, plan_ids: Collection[str]) -> None:
    date = find_date(value)
    if section == "status":
        fields.status = fields.status or status_of(value)
    elif section == "task":
        fields.title = fields.title or value.rstrip(".")
    elif section == "ticket":
        fields.ids = fields.ids or tuple(_UUID.findall(value)) or read_heading(value, plan_ids).ids
    elif section in {"date", "work"} and date and date.start <= 1:
        fields.date = fields.date or date.day


def status_of(value: str) -> Status | None:
    """Return the status that a value such as `✅ Complete (all tests pass)` begins with."""
    words = _VALUE_END.split(undecorated(value), maxsplit=1)[0].strip()
    if not words:
        return parse_mark(value)
    return parse_status(words) or parse_mark(value) or parse_wording(words.partition(" ")[0])


def blocker_of(statement: Statement) -> str:
    """Return what a statement says is in the way: in a section or field for that, or behind the box `[!]`."""
    text, status = without_box(statement.text)
    if status is Status.BLOCKED:
        return plain(text)
    if statement.section != "blocked" or status is Status.DONE or statement.form == "heading":
        return ""
    name, value = split_label(text)
    text = value if name and section_of(name) == "blocked" else text
    return "" if is_empty(text) else plain(text)


def step_of(statement: Statement) -> str:
    """Return the step that a statement says comes next: in a section or field for that, unless it is done."""
    text, status = without_box(statement.text)
    is_detail = statement.depth > 1 and section_of(statement.label) != "next"
    if statement.section != "next" or statement.form == "heading" or is_detail or text.startswith("~~"):
        return ""
    if status in {Status.DONE, Status.SKIPPED} or parse_mark(text) is Status.DONE:
        return ""
    name, value = split_label(text)
    text = value if name and section_of(name) == "next" else text
    return "" if is_empty(text) else plain(text)


def without_box(text: str) -> tuple[str, Status | None]:
    """Take a check-box off the beginning of a text, and return its status."""
    if text[:1] == "[" and text[2:3] == "]":
        return text[3:].lstrip(), parse_box(text[1])
    return text, None
