"""Read the labelled lines of an entry: status, task, ids, date, files, blockers, next steps."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from progress_plugin.agent_logs.dates import find_date
from progress_plugin.agent_logs.document import has_box
from progress_plugin.agent_logs.headings import read_heading
from progress_plugin.agent_logs.noise import is_empty
from progress_plugin.agent_logs.sections import section_of
from progress_plugin.model.status import Status
from progress_plugin.model.work import Statement
from progress_plugin.plans.status_phrases import first_mark, status_of_box, status_of_field, status_of_phrase
from progress_plugin.text.labels import plain, split_label, undecorated
from progress_plugin.text.paths_in_text import paths_in

_SENTENCE_END = re.compile(r"[.;](?:\s|$)")
_UUID = re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b")


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


def read_fields(statements: Sequence[Statement], plan_ids: Collection[str]) -> Fields:
    """Return the fields among the statements of one entry; the first of each kind counts."""
    fields = Fields()
    for statement in statements:
        name, value = split_label(statement.text)
        if name and value and section_of(name) == statement.section:
            _take_field(fields, statement.section, plain(value), plan_ids)
        if statement.section == "files":
            fields.files += paths_in(statement.text)
    fields.files = list(dict.fromkeys(fields.files))
    fields.blockers = [text for _, text in find_blockers(statements)]
    fields.next_steps = [text for _, text in find_steps(statements)]
    return fields


def _take_field(fields: Fields, section: str | None, value: str, plan_ids: Collection[str]) -> None:
    date = find_date(value)
    if section == "status":
        fields.status = fields.status or status_of_field(value) or status_of_field(undecorated(value))
    elif section == "task":
        fields.title = fields.title or value.rstrip(".")
    elif section == "ticket":
        heading = read_heading(value, plan_ids)
        fields.ids = fields.ids or tuple(_UUID.findall(value)) or heading.ids
        fields.title = fields.title or (heading.title if heading.ids else "")
    elif section in {"date", "work"} and date and date.start <= 1:
        fields.date = fields.date or date.day


def find_blockers(statements: Iterable[Statement]) -> Iterator[tuple[Statement, str]]:
    """Yield what is in the way: a section, field or status says so (`Status: waiting for Ann`), or `[!]`.

    A section that begins with "None" holds no blockers, whatever else is below its heading.
    """
    empty_sections: set[str] = set()
    for statement in statements:
        text, status = without_box(statement.text)
        if statement.section == "status" and status_of_phrase(split_label(text)[1] or text) is Status.BLOCKED:
            status = Status.BLOCKED
        is_open = statement.section == "blocked" and status is not Status.DONE
        if status is Status.BLOCKED or (is_open and statement.form != "heading"):
            text = _without_label(text, "blocked")
            if is_empty(_SENTENCE_END.split(text, maxsplit=1)[0]):
                empty_sections.add(statement.label)
            elif statement.section != "blocked" or statement.label not in empty_sections:
                yield statement, _with_topic(statement, text)


def find_steps(statements: Iterable[Statement]) -> Iterator[tuple[Statement, str]]:
    """Yield the steps that a section or field says come next; not those that are done, nor their details."""
    found: set[str] = set()
    for statement in statements:
        if statement.section != "next" or statement.form == "heading":
            continue
        text, status = without_box(statement.text)
        status = status or first_mark(text)
        is_detail = statement.depth > 1 and statement.label in found
        if is_detail or status in {Status.DONE, Status.SKIPPED} or text.startswith("~~"):
            continue
        text = _without_label(text, "next")
        if not is_empty(text):
            found.add(plain(statement.text))
            yield statement, _with_topic(statement, text)


def _with_topic(statement: Statement, text: str) -> str:
    """Return a text behind the item that it is below, if that names a topic: `Order oak: twelve boards`."""
    label = statement.label
    is_topic = statement.depth > 1 and label and section_of(label, exactly=True) is None
    return f"{label}: {plain(text)}" if is_topic else plain(text)


def _without_label(text: str, section: str) -> str:
    name, value = split_label(text)
    return value if name and value and section_of(name) == section else text


def without_box(text: str) -> tuple[str, Status | None]:
    """Take a check-box off the beginning of a text, and return its status."""
    if has_box(text):
        return text[3:].lstrip(), status_of_box(text[1])
    return text, None
