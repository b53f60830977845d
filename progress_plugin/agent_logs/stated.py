"""Read what a document says of the present: focus, next steps, blockers, branch, and its list of the work."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace

from progress_plugin.agent_logs.dates import find_date
from progress_plugin.agent_logs.fields import find_blockers, find_steps, without_box
from progress_plugin.agent_logs.headings import read_heading
from progress_plugin.agent_logs.noise import is_empty
from progress_plugin.agent_logs.sections import TEACHING, normalise, section_of
from progress_plugin.model.status import Status
from progress_plugin.model.work import Item, Report, Source, Statement
from progress_plugin.plans.status_phrases import status_of_field
from progress_plugin.text.labels import plain, split_label

MAX_FOCUS_CHARS = 300
NO_WORK = TEACHING | {"checks", "notes", "files"}  # sections whose boxes are no list of the work


@dataclass(frozen=True, slots=True)
class Stated:
    """What a document says of the present state of the work."""

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
        items=tuple(_items(outside)),
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
    return replace(statement, source=replace(statement.source, date=date)) if date else statement


def _steps(statements: Sequence[Statement]) -> tuple[Report, ...]:
    return tuple(Report(Status.PENDING, text, each.source) for each, text in find_steps(statements))


def _blockers(statements: Sequence[Statement]) -> tuple[Report, ...]:
    return tuple(Report(Status.BLOCKED, text, each.source) for each, text in find_blockers(statements))


def _focus(statements: Sequence[Statement]) -> Report | None:
    """Return the first section or field that says what is being worked on, its lines as one text."""
    found = [each for each in statements if each.section == "focus" and each.form != "heading"]
    found = [each for each in found if not is_empty(each.text)]
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
    return Report(None, text, replace(first.source, last=last.source.last))


def _branch(statements: Sequence[Statement]) -> str | None:
    for statement in statements:
        name, value = split_label(statement.text)
        words = plain(value).split()
        if words and normalise(name) == "branch":
            return words[0].rstrip(",;.")
    return None


def _items(statements: Sequence[Statement]) -> list[Item]:
    """Return the boxes and rows with a status that list the work; a box below another is its part."""
    top: list[Item] = []
    parents: list[tuple[int, Item]] = []
    for statement in statements:
        if statement.section in NO_WORK:
            continue
        if statement.form == "row":
            top += _row_item(statement)
        elif statement.form == "box":
            text, status = without_box(statement.text)
            while parents and parents[-1][0] >= statement.depth:
                parents.pop()
            is_part = bool(parents) and statement.depth > 1
            parent = parents[-1][1] if is_part else None
            item = _item(statement, text, status, parent)
            (parent.children if parent else top).append(item)
            parents.append((statement.depth, item))
    return top


def _row_item(statement: Statement) -> list[Item]:
    """Return the item of a table row: the first cell that is no status names it."""
    cells = [plain(cell) for cell in statement.text.split(" — ")]
    statuses = [status_of_field(cell) for cell in cells]
    status = next((each for each in statuses if each), None)
    names = [cell for cell, each in zip(cells, statuses, strict=True) if not each]
    if not status or not names:
        return []
    is_id = not read_heading(names[0]).title and len(names) > 1
    return [_item(statement, f"{names[0]}: {names[1]}" if is_id else names[0], status, None)]


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
