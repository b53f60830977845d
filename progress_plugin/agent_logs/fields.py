"""Read labelled lines: the fields of an entry, and focus, steps, blockers and boxes of a document."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Sequence
from itertools import zip_longest

from progress_plugin.agent_logs.dates import find_date
from progress_plugin.agent_logs.headings import Heading, read_heading
from progress_plugin.agent_logs.noise import is_empty
from progress_plugin.agent_logs.sections import TEACHING, normalise, section_of
from progress_plugin.model.status import Status
from progress_plugin.model.work import Item, Report, Statement
from progress_plugin.plans.status_phrases import (
    first_mark,
    is_bare_status,
    status_of_box,
    status_of_field,
    status_of_phrase,
)
from progress_plugin.text.labels import has_box, plain, split_label, undecorated
from progress_plugin.text.patterns import LazyPattern

MAX_FOCUS_CHARS = 300
NO_WORK = TEACHING | {"checks", "notes", "files"}  # sections whose boxes are no list of the work
_SENTENCE_END = LazyPattern(r"[.;](?:\s|$)")
_UUID = LazyPattern(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b")


def with_fields(heading: Heading, statements: Sequence[Statement], plan_ids: Collection[str]) -> Heading:
    """Fill each missing part of an entry's heading from the first labelled line that has this part."""
    for statement in statements:
        name, value = split_label(statement.text)
        if name and value and section_of(name) == statement.section:
            had_title = bool(heading.title)
            heading = _with_field(heading, statement.section, plain(value), plan_ids)
            if heading.title and not had_title:
                heading = heading._replace(title_line=statement.source.line)
    return heading


def _with_field(heading: Heading, section: str | None, value: str, plan_ids: Collection[str]) -> Heading:
    date = find_date(value)
    if section == "status":
        status = heading.status or status_of_field(value) or status_of_field(undecorated(value))
        return heading._replace(status=status)
    if section == "task":
        return heading._replace(title=heading.title or value.rstrip("."))
    if section == "ticket":
        ticket = read_heading(value, plan_ids)
        ids = heading.ids or tuple(_UUID.findall(value)) or ticket.ids
        return heading._replace(ids=ids, title=heading.title or (ticket.title if ticket.ids else ""))
    if section in {"date", "work"} and date and date.start <= 1:
        return heading._replace(date=heading.date or date.day)
    return heading


def find_blockers(statements: Iterable[Statement]) -> tuple[Report, ...]:
    """Return the blockers, named by a section, field, status (`Status: waiting for Ann`) or box `[!]`.

    Lines below a blocker are left out as details, but a line `Blocked by: ...` is added to the blocker.
    A section that begins with "None" has no blockers, whatever follows in it.
    """
    found: list[Report] = []
    empty_sections: set[str] = set()
    line, depth = 0, 0  # last line and depth of the last blocker and its details
    for statement in statements:
        text, status = without_box(statement.text)
        if statement.section == "status" and status_of_phrase(split_label(text)[1] or text) is Status.BLOCKED:
            status = Status.BLOCKED
        is_open = statement.section == "blocked" and status is not Status.DONE
        is_detail = bool(found) and statement.source.line == line + 1 and statement.depth > depth
        if is_detail:
            line = statement.source.last
        if status is not Status.BLOCKED and not (is_open and statement.form != "heading"):
            continue
        labelled, text = text, _without_label(text, "blocked")
        if is_empty(_SENTENCE_END.split(text, maxsplit=1)[0]):
            empty_sections.add(statement.label)
        elif is_detail and text != labelled:
            found[-1] = found[-1]._replace(text=f"{found[-1].text}: {plain(text)}")
        elif not (is_detail or plain(text).endswith(":") or statement.label in empty_sections):
            found.append(Report(Status.BLOCKED, _with_topic(statement, text), statement.source))
            line, depth = statement.source.last, statement.depth
    return tuple(found)


def find_steps(statements: Iterable[Statement]) -> tuple[Report, ...]:
    """Return the open next steps that sections and fields state, without the details below a step.

    A section with a paragraph such as "None yet" has no steps. A field such as `Next action: Buy oak` comes
    before lists. A heading with code below it is a step.
    """
    of_fields: list[Report] = []
    of_lists: list[Report] = []
    found: set[str] = set()
    statements = [each for each in statements if each.section == "next"]
    empty = {each.label for each in statements if each.form == "paragraph" and is_empty(each.text)}
    for statement, below in zip_longest(statements, statements[1:]):
        is_name = statement.form == "heading" and not (below and below.form == "code")
        if is_name or statement.form == "code" or statement.label in empty - {""}:
            continue
        text, status = without_box(statement.text)
        status = status or first_mark(text)
        is_detail = statement.depth > 1 and statement.label in found
        if is_detail or status in {Status.DONE, Status.SKIPPED} or text.startswith("~~"):
            continue
        is_paragraph = statement.form == "paragraph"
        labelled, text = text, _without_label(text, "next")
        is_other_field = is_paragraph and bool(split_label(text)[0])  # `Risk: low` of a step
        announces = is_paragraph and plain(text).endswith(":")
        if not (is_other_field or announces or is_empty(text)):
            found.add(plain(statement.text))
            is_field = is_paragraph and text != labelled
            step = Report(Status.PENDING, _with_topic(statement, text), statement.source)
            (of_fields if is_field else of_lists).append(step)
    return (*of_fields, *of_lists)


def _with_topic(statement: Statement, text: str) -> str:
    """Put the list item above a text in front of the text, if it is a topic: `Order oak: twelve boards`."""
    label = statement.label
    is_topic = statement.depth > 1 and label and section_of(label, exactly=True) is None
    return f"{label}: {plain(text)}" if is_topic else plain(text)


def _without_label(text: str, section: str) -> str:
    """Take a label off a text. A label with a digit names the work and stays: `Next is US-7: Mend it`."""
    name, value = split_label(text)
    is_mere_label = name and value and section_of(name) == section and not any(map(str.isdigit, name))
    return value if is_mere_label else text


def without_box(text: str) -> tuple[str, Status | None]:
    """Take a check-box off the beginning of a text, and return its status."""
    if has_box(text):
        return text[3:].lstrip(), status_of_box(text[1])
    return text, None


def find_focus(statements: Sequence[Statement]) -> Report | None:
    """Return the lines of the first section or field that says what is being worked on, as one text."""
    found = [
        each
        for each in statements
        if each.section == "focus"
        and each.form != "heading"
        and not (is_empty(each.text) or is_bare_status(split_label(each.text)[1] or each.text))
        and without_box(each.text)[1] is not Status.DONE
    ]
    if not found:
        return None
    first = found[0]
    lines = [each for each in found if each.label == first.label]
    text, last = "", first
    for line in lines:
        name, value = split_label(without_box(line.text)[0])
        part = plain(value if name and section_of(name) == "focus" else line.text)
        if text and len(text) + len(part) > MAX_FOCUS_CHARS:
            break
        text, last = f"{text}; {part}" if text else part, line
    return Report(None, text, first.source._replace(last=last.source.last))


def last_update(statements: Iterable[Statement]) -> dt.date | None:
    """Return the date of a field such as `Last updated: 2026-01-05`."""
    fields = (split_label(each.text) for each in statements)
    dates = (find_date(value) for name, value in fields if "updated" in normalise(name))
    return next((date.day for date in dates if date), None)


def find_branch(statements: Iterable[Statement]) -> str | None:
    """Return the branch that a field names."""
    fields = (split_label(each.text) for each in statements)
    words = (plain(value).split() for name, value in fields if normalise(name) == "branch")
    return next((each[0].rstrip(",;.") for each in words if each), None)


def find_boxes(statements: Iterable[Statement]) -> tuple[Item, ...]:
    """Return the boxes that list the work. A box with boxes below it is part of their keys, but no item."""
    boxes = [each for each in statements if each.form == "box" and each.section not in NO_WORK]
    found: list[Item] = []
    holders: list[tuple[int, Item]] = []  # the boxes above the current one, with their depths
    for statement, below in zip_longest(boxes, boxes[1:]):
        while holders and holders[-1][0] >= statement.depth:
            holders.pop()
        key = holders[-1][1].key if holders else (statement.source.path, statement.label)
        item = _item(statement, key)
        if below and below.depth > statement.depth:
            holders.append((statement.depth, item))
        else:
            found.append(item)
    return tuple(found)


def _item(statement: Statement, place: tuple[str, ...]) -> Item:
    text, status = without_box(statement.text)
    heading = read_heading(text)
    id_ = next(iter(heading.ids), None)
    title = heading.title or plain(text)
    report = Report(heading.status or status, plain(text), statement.source, is_plan=True)
    key = (*place, id_ or f"line {statement.source.line}")
    is_offered = statement.section != "deferred"
    return Item(key, title, statement.source, id_, [report], is_offered=is_offered)
