"""Make the items of a Markdown plan, also those of tables that have a column of statuses."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from progress_plugin.model.status import Status
from progress_plugin.model.work import Item, Report, Source
from progress_plugin.plans.markdown_sections import Section, Table, sections_of
from progress_plugin.plans.plan_words import Label, has_role, plan_words, read_field, read_label
from progress_plugin.plans.status_phrases import comes_last, is_held_back, status_of_field, status_of_phrase
from progress_plugin.text.bounds import shortened
from progress_plugin.text.labels import plain
from progress_plugin.text.patterns import LazyPattern

MAX_TITLE_CHARS = 300
MAX_PHRASE_CHARS = 60  # of an unknown status, which a line of the summary names
DASHES = frozenset("-–—")
MAX_ID_CHARS = 12  # a first column with longer texts holds titles
_LINK = LazyPattern(r"\[([^\[\]]*)\]\([^()]*\)")


@dataclass
class ParseState:
    """The Markdown document that is being read, and the facts found in it so far."""

    path: str
    date: dt.date | None
    is_log: bool
    box_meanings: dict[str, Status] = field(default_factory=dict)
    reads_status_lists: bool = False  # lists like `1. Sail - done` are items: nothing else lists the work
    unknown: Counter[str] = field(default_factory=Counter)
    other_boxes: list[Item] = field(default_factory=list)
    has_status_fields: bool = False  # several sections have a status field: these sections are items
    title: Section | None = None  # the only heading of level 1


def plain_text(markdown: str) -> str:
    """Return one line of text without Markdown marks."""
    return shortened(plain(_LINK.sub(r"\1", markdown)), MAX_TITLE_CHARS).rstrip(" #")


def known_status(state: ParseState, status: Status | None, phrase: str) -> Status:
    """Return a status, or pending if it is None; the unknown phrase is counted, so that it can be named."""
    if status is None and plain_text(phrase):
        state.unknown[shortened(plain_text(phrase), MAX_PHRASE_CHARS)] += 1
    return status or Status.PENDING


def new_item(path: tuple[str, ...], label: Label | None, title: str, report: Report) -> Item:
    """Make an item with one report. Its key ends with the id of its label; if it has none, its title."""
    name = label.id if label else None
    title = (label.title if label else "") or title
    is_offered = comes_last(report.text) or not is_held_back(report.text)
    headings = path[2:] or path[1:]  # without the file and the title of the document
    is_offered = is_offered and not any(map(is_held_back, headings))
    return Item(
        (*path, name or title), title, report.source, id=name, reports=[report], is_offered=is_offered
    )


def read_dependencies(line: str) -> list[str]:
    """Return the labels or ids in a line such as `Depends on: Phases 1, 2`."""
    value = read_field(line, "dependency_fields") or ""
    parts = [part.strip() for part in re.split(r"[,;+&]| and ", plain_text(value))]
    names: list[str] = []
    for part in parts:
        label = read_label(part) or read_label(f"{part}: x")  # a number is a label only before a title
        if label and label.kind == "number" and names and " " in names[-1]:  # `Phases 1, 2`
            names.append(f"{names[-1].rpartition(' ')[0]} {label.id}")
        elif label:
            names.append(label.id)
    return names


def read_tables(state: ParseState, root: Section, *, of_groups: bool = False) -> Iterator[Item]:
    """Yield the items in the tables of milestones or epics if `of_groups`, else in all other tables."""
    for section, above in sections_of(root):
        sections = (*above, section)
        if any(has_role(part.title, "sections_beside_the_work") for part in sections):
            continue
        path = (state.path, *(plain_text(part.title) for part in sections if part.level))
        for table in section.tables:
            columns = _columns(table)
            if columns and of_groups == (columns.id_name.casefold() in plan_words()["columns_of_groups"]):
                rows = (row for row in table.rows if not _is_divider(row[0]))
                yield from (_row_item(state, path, row, columns) for row in rows)


class _Columns(NamedTuple):
    title: int  # 0 if the first column holds the titles, with or without ids
    status: int
    cells: int  # the number of columns
    id_name: str  # of the first column


def _columns(table: Table) -> _Columns | None:
    """Return the columns of a table whose first column holds ids or items; None if it lists no work."""
    words, names = plan_words(), [name.strip("*_` ").casefold() for name in table.header]
    status = next((at for at, name in enumerate(names) if name in words["status_columns"]), None)
    if not status or names[0] not in words["id_columns"] | words["item_columns"]:
        return None
    stated = [bool(status_of_field(cells[status])) for cells, _ in table.rows if len(cells) > status]
    if not stated or sum(stated) * 2 < len(stated):
        return None
    title_names = words["title_columns"] | words["item_columns"]
    titles = [at for at, name in enumerate(names) if at not in {0, status} and name in title_names]
    has_ids = all(_is_id(plain_text(cells[0])) for cells, _ in table.rows)
    title = titles[0] if titles and has_ids else 0
    return _Columns(title, status, len(names), plain_text(table.header[0]))


def _is_divider(cells: tuple[str, ...]) -> bool:
    """Return whether a row only divides the table: a name without id, and a dash in every other cell."""
    return read_label(plain_text(cells[0])) is None and all(cell.strip() in DASHES for cell in cells[1:])


def _is_id(text: str) -> bool:
    """Return whether a first cell may be an id alone: `S-1`, `3` or `auth`, but not `3. Sails`."""
    label = read_label(text)
    return len(text) <= MAX_ID_CHARS and not (label and label.title)


def _row_item(
    state: ParseState, path: tuple[str, ...], row: tuple[tuple[str, ...], int], columns: _Columns
) -> Item:
    cells = [*row[0], *[""] * columns.cells]
    name, title = plain_text(cells[0]), plain_text(cells[columns.title])
    # The number 3 in a column `Phase` is the id `Phase 3`.
    is_unit_column = columns.id_name.casefold() in plan_words()["item_columns"]
    label: Label | None
    if not columns.title:
        label = read_label(title)
        if label and label.kind == "number" and is_unit_column:  # `3. Sails`
            label = label._replace(id=f"{columns.id_name} {label.id}")
    else:
        id_ = f"{columns.id_name} {name}" if is_unit_column and name.isdigit() else name
        label = Label(id_, title, "code") if name else None
    word = cells[columns.status]
    if status_of_field(word) is None:  # a row with a cell too few or too many
        others = [cell for at, cell in enumerate(cells) if at not in {0, columns.title}]
        word = next((cell for cell in others if status_of_phrase(cell) and not cell[:1].isdigit()), word)
    status = known_status(state, status_of_field(word), word)
    report = Report(status, plain_text(word), Source(state.path, row[1], date=state.date), is_plan=True)
    return new_item(path, label, title, report)
