"""Read labelled lines: the fields of an entry, and what a document says of the present."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from progress_plugin.agent_logs.dates import find_date
from progress_plugin.agent_logs.headings import read_heading
from progress_plugin.agent_logs.noise import is_empty
from progress_plugin.agent_logs.sections import TEACHING, normalise, section_of
from progress_plugin.model.status import Status
from progress_plugin.model.work import Item, Report, Source, Statement
from progress_plugin.plans.status_phrases import (
    first_mark,
    is_bare_status,
    status_of_box,
    status_of_field,
    status_of_phrase,
)
from progress_plugin.text.labels import has_box, plain, split_label, undecorated
from progress_plugin.text.paths_in_text import paths_in
from progress_plugin.text.patterns import LazyPattern

_SENTENCE_END = LazyPattern(r"[.;](?:\s|$)")
_UUID = LazyPattern(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b")


@dataclass(slots=True)
class Fields:
    """The values of the labelled lines of one entry."""

    ids: tuple[str, ...] = ()
    title: str = ""
    title_line: int = 0
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
        if fields.title and not fields.title_line:
            fields.title_line = statement.source.line
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


def find_blockers(statements: Iterable[Statement]) -> list[tuple[Statement, str]]:
    """Return the blockers: a section, field or status names them (`Status: waiting for Ann`), or `[!]`.

    What is below a blocker is its detail, and its reason if a label says so. A section that begins with
    "None" holds no blockers, also if more is below its heading.
    """
    found: list[tuple[Statement, str]] = []
    empty_sections: set[str] = set()
    line = 0  # the last one of the last blocker and its details
    for statement in statements:
        text, status = without_box(statement.text)
        if statement.section == "status" and status_of_phrase(split_label(text)[1] or text) is Status.BLOCKED:
            status = Status.BLOCKED
        is_open = statement.section == "blocked" and status is not Status.DONE
        is_detail = bool(found) and statement.source.line == line + 1 and statement.depth > found[-1][0].depth
        if is_detail:
            line = statement.source.last
        if status is not Status.BLOCKED and not (is_open and statement.form != "heading"):
            continue
        named, text = text, _without_label(text, "blocked")
        if is_empty(_SENTENCE_END.split(text, maxsplit=1)[0]):
            empty_sections.add(statement.label)
        elif is_detail and text != named:
            found[-1] = found[-1][0], f"{found[-1][1]}: {plain(text)}"
        elif not (is_detail or plain(text).endswith(":") or statement.label in empty_sections):
            found.append((statement, _with_topic(statement, text)))
            line = statement.source.last
    return found


def find_steps(statements: Iterable[Statement]) -> Iterator[tuple[Statement, str]]:
    """Yield the steps that a section or field says come next; not those that are done, nor their details.

    A section that says "None yet" holds no steps, also if its heading is explained.
    """
    found: set[str] = set()
    statements = [each for each in statements if each.section == "next"]
    empty = {each.label for each in statements if each.form == "paragraph" and is_empty(each.text)}
    for statement in statements:
        if statement.form == "heading" or statement.label in empty - {""}:
            continue
        text, status = without_box(statement.text)
        status = status or first_mark(text)
        is_detail = statement.depth > 1 and statement.label in found
        if is_detail or status in {Status.DONE, Status.SKIPPED} or text.startswith("~~"):
            continue
        text = _without_label(text, "next")
        is_field = statement.form == "paragraph" and bool(split_label(text)[0])  # `Risk: low` of a step
        if not (is_field or is_empty(text) or (statement.form == "paragraph" and plain(text).endswith(":"))):
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


MAX_FOCUS_CHARS = 300
NO_WORK = TEACHING | {"checks", "notes", "files"}  # sections whose boxes are no list of the work


class Stated(NamedTuple):
    """The statements of a document about the present state of the work."""

    focus: Report | None
    next_steps: tuple[Report, ...]
    blockers: tuple[Report, ...]
    branch: str | None
    items: tuple[Item, ...]


def read_stated(statements: Sequence[Statement], newest_entry: int) -> Stated:
    """Read the labelled sections and fields outside of entries, and those of the newest entry."""
    updated = _last_update(statements)
    outside = [_dated(each, updated) for each in statements if not each.entry]
    newest = [each for each in statements if newest_entry and each.entry == newest_entry]
    return Stated(
        focus=_focus(newest) or _focus(outside),
        next_steps=_steps(newest) or _steps(outside),
        blockers=_blockers(newest) + _blockers(outside),
        branch=_branch(newest) or _branch(outside),
        items=tuple(_items(outside or newest)),  # an entry may be the whole document
    )


def _last_update(statements: Sequence[Statement]) -> dt.date | None:
    """Return the date of a field such as `Last updated: 2026-01-05` outside of entries."""
    for statement in statements:
        name, value = split_label(statement.text)
        if not statement.entry and "updated" in normalise(name):
            date = find_date(value)
            if date:
                return date.day
    return None


def _dated(statement: Statement, date: dt.date | None) -> Statement:
    return statement._replace(source=statement.source._replace(date=date)) if date else statement


def _steps(statements: Sequence[Statement]) -> tuple[Report, ...]:
    """Return the stated steps; a field such as `Next action: Buy oak` comes before lists of what is left."""
    steps = sorted(find_steps(statements), key=lambda step: not _is_field(step[0]))
    return tuple(Report(Status.PENDING, text, each.source) for each, text in steps)


def _is_field(statement: Statement) -> bool:
    return statement.form == "paragraph" and section_of(split_label(statement.text)[0]) == "next"


def _blockers(statements: Sequence[Statement]) -> tuple[Report, ...]:
    return tuple(Report(Status.BLOCKED, text, each.source) for each, text in find_blockers(statements))


def _focus(statements: Sequence[Statement]) -> Report | None:
    """Return the first section or field that says what is being worked on, its lines as one text."""
    found = [each for each in statements if each.section == "focus" and each.form != "heading"]
    found = [each for each in found if not (is_empty(each.text) or _is_bare_status(each.text))]
    if not found:
        return None
    first = found[0]
    lines = [
        each for each in found if each.label == first.label and without_box(each.text)[1] is not Status.DONE
    ]
    if not lines:
        return None
    text, last = "", first
    for line in lines:
        name, value = split_label(without_box(line.text)[0])
        part = plain(value if name and section_of(name) == "focus" else line.text)
        if text and len(text) + len(part) > MAX_FOCUS_CHARS:
            break
        text, last = f"{text}; {part}" if text else part, line
    return Report(None, text, first.source._replace(last=last.source.last))


def _is_bare_status(text: str) -> bool:
    """Return whether a text, or the value of its label, is a status: it names no work."""
    return is_bare_status(split_label(text)[1] or text)


def _branch(statements: Sequence[Statement]) -> str | None:
    for statement in statements:
        name, value = split_label(statement.text)
        words = plain(value).split()
        if words and normalise(name) == "branch":
            return words[0].rstrip(",;.")
    return None


def _items(statements: Sequence[Statement]) -> list[Item]:
    """Return the boxes that list the work; a box below another is its part."""
    top: list[Item] = []
    parents: list[tuple[int, Item]] = []
    for statement in statements:
        if statement.form == "box" and statement.section not in NO_WORK:
            text, status = without_box(statement.text)
            while parents and parents[-1][0] >= statement.depth:
                parents.pop()
            is_part = bool(parents) and statement.depth > 1
            parent = parents[-1][1] if is_part else None
            item = _item(statement, text, status, parent)
            (parent.children if parent else top).append(item)
            parents.append((statement.depth, item))
    return top


def _item(statement: Statement, text: str, status: Status | None, parent: Item | None) -> Item:
    heading = read_heading(text)
    id_ = heading.ids[0] if heading.ids else None
    source: Source = statement.source
    place = parent.key if parent else (source.path, statement.label)
    report = Report(heading.status or status, plain(text), source, is_plan=True)
    return Item(
        (*place, id_ or f"line {source.line}"),
        heading.title or plain(text),
        source,
        id_,
        [report],
        is_offered=statement.section != "deferred",
    )
