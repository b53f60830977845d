"""Read a plan from Markdown by its structure: tables with a status column, sections, check-boxes, lines.

Items are, in this order of preference: the rows of a table with a column of ids or items and one of statuses;
a section with a status of its own or a label like `Task 3`; check-boxes, list items and lines that state a
status. Boxes below an item are its steps. Boxes that list no work, e.g. success criteria, are kept apart as
`other_boxes`.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from typing import NamedTuple

from progress_plugin.model.status import FINISHED, Status
from progress_plugin.model.work import Item, PlanDocument, Report, Source
from progress_plugin.plans.markdown_boxes import (
    add_other_boxes,
    box_item,
    box_meanings,
    box_status,
    boxes_in,
    open_steps,
    top_boxes,
)
from progress_plugin.plans.markdown_items import (
    ParseState,
    known_status,
    new_item,
    plain_text,
    read_dependencies,
    read_tables,
)
from progress_plugin.plans.markdown_sections import ListItem, Section, read_outline, sections_of
from progress_plugin.plans.plan_words import Label, has_role, plan_words, read_field, read_label
from progress_plugin.plans.status_phrases import (
    is_held_back,
    split_status,
    status_of_field,
    status_of_phrase,
    without_status,
)
from progress_plugin.text.patterns import LazyPattern

_FILE_NAME = LazyPattern(r"^[\w.-]+\.md\W+")
_COMMIT_STEP = LazyPattern(r"\bCommit\b\W{0,6}[`\"]([^`\"\n]{8,200})[`\"]")


def read_markdown_plan(
    path: str, text: str, date: dt.date | None = None, *, is_log: bool = False
) -> PlanDocument | None:
    """Read a Markdown document as a plan. None if it does not list work.

    In a log a section is an item only if it has a label such as `Task 3`: any other section may report work.
    """
    root = read_outline(text)
    state = ParseState(path, date, is_log, box_meanings(root, text))
    state.has_status_fields = not is_log and _has_status_fields(root)
    titles = [section for section in root.sections if section.level == 1]
    state.title = titles[0] if len(titles) == 1 else None
    items = _without_repeated_ids(_read_items(state, root))
    if not items:
        return None
    first = root.sections[0] if root.sections and root.sections[0].level == 1 else root
    return PlanDocument(
        path=path,
        name=_name(first) or path,
        format="markdown",
        items=tuple(items),
        branch=_branch(root),
        goal=_goal(root),
        unknown_statuses=tuple(state.unknown.items()),
        other_boxes=tuple(state.other_boxes),
        has_statuses=_have_statuses(items),
    )


def _name(first: Section) -> str:
    """Return the title without a file name, and without generic words that are all of it or before a colon.

    `TASKS.md — Roadmap: Ferry` becomes `Ferry`, and `Task Plan` becomes empty.
    """
    title = _FILE_NAME.sub("", plain_text(first.title))
    for part in (title, title.partition(": ")[0]):
        if plan_words()["words_of_a_title"].issuperset(re.findall(r"[\w-]+", part.casefold())):
            return title.removeprefix(part).removeprefix(": ")
    return title


def _read_items(state: ParseState, root: Section) -> list[Item]:
    """Return the items of tables, else of sections and boxes, else of lists whose lines state a status.

    A table of milestones or epics is used only if no section or box of the document states a status.
    """
    items = list(read_tables(state, root))
    listed = [] if items else _section_items(state, root, (state.path,))
    if not items and not _have_statuses(listed):
        items = list(read_tables(state, root, of_groups=True))
    if _lists_progress(root):
        listed = [item for item in listed if _have_statuses([item])]
    if items:
        state.other_boxes = []
        headings = [(_read_heading(section), section) for section, _ in sections_of(root)]
        labelled = [(each.label.id.casefold(), section) for each, section in headings if each.label]
        for item in items:
            details = [part for name, part in labelled if item.id and name == item.id.casefold()]
            if len(details) == 1:  # of several sections it is unclear which one describes the item
                _add_details(item, details[0])
        for section, _ in sections_of(root):
            add_other_boxes(state, top_boxes(section.items), (state.path, plain_text(section.title)))
        return items
    items = listed
    if not items and not state.is_log:
        state.reads_status_lists, state.other_boxes = True, []
        items = _section_items(state, root, (state.path,))
    if state.other_boxes and not state.is_log and not _have_statuses(items):
        items, state.other_boxes = state.other_boxes, []  # nothing else has a status
    return items


def _lists_progress(root: Section) -> bool:
    """Return whether a section `Progress` has boxes: these are the work, as in execution plans of Codex."""
    return any(
        has_role(part.title, "sections_of_progress") and top_boxes(part.items)
        for part, _ in sections_of(root)
    )


def _have_statuses(items: Iterable[Item]) -> bool:
    """Return whether any item says how far it is, by words, its box or the boxes of its steps."""
    return any(item.states_status or item.criteria or _have_statuses(item.children) for item in items)


def _branch(root: Section) -> str | None:
    """Return the branch that a field names directly below the title; a later field is about one item."""
    first = root.sections[:1] if root.sections and root.sections[0].level == 1 else []
    lines = [line for section in (root, *first) for line, _ in section.lines]
    values = [plain_text(read_field(line, "branch_fields") or "") for line in lines]
    return next((value.split()[0] for value in values if value.strip()), None)


def _goal(root: Section) -> str:
    for section, _ in sections_of(root):
        for line, _ in section.lines:
            if (goal := read_field(line, "goal_fields")) is not None:
                return plain_text(goal)
        if has_role(section.title, "goal_fields") and section.lines:
            return plain_text(section.lines[0][0])
    return ""


class _Heading(NamedTuple):
    """The parts of a heading and of a status field below it."""

    title: str
    label: Label | None
    status: Status | None
    phrase: str
    has_field: bool


def _read_heading(section: Section) -> _Heading:
    text = plain_text(section.title)
    label = read_label(text)
    if label and label.title:  # in `Phase 3: Review` the word is a title, not a status
        title, status, phrase = split_status(label.title)
        label = label._replace(title=title)
    else:
        title, status, phrase = split_status(text)
        label = read_label(title)
    value = _field_value(section)
    if value is not None:
        status, phrase = status_of_field(value) or status, value
    return _Heading(title, label, status, phrase, value is not None)


def _section_items(
    state: ParseState,
    section: Section,
    path: tuple[str, ...],
    *,
    is_beside_work: bool = False,
    is_in_list: bool = False,
) -> list[Item]:
    """Return the items of a section and of the sections in it, in document order.

    `is_beside_work`: the section is in one that lists no work, e.g. `Success criteria`. `is_in_list`:
    `_lists_numbered_work` is true for the section that it is in.
    """
    is_beside_work = is_beside_work or has_role(section.title, "sections_beside_the_work")
    below = (*path, plain_text(section.title)) if section.level else path
    inner: list[Item] = []
    is_list = _lists_numbered_work(section)
    for part in section.sections:
        inner += _section_items(state, part, below, is_beside_work=is_beside_work, is_in_list=is_list)
    heading = _read_heading(section)
    if section is state.title:
        heading = _Heading(heading.title, None, None, "", has_field=False)
    is_numbered_item = is_in_list and not inner and bool(heading.label and heading.label.kind == "number")
    if is_numbered_item or _is_item(state, section, heading, inner):
        return [_section_item(state, section, path, heading)]
    own = _boxes_and_lines(state, section, below, is_beside_work=is_beside_work)
    children = sorted([*own, *inner], key=lambda item: item.source.line)
    label = heading.label
    if label is None or not label.names_item or not (children or label.kind == "group"):
        return children
    item = _section_item(state, section, path, heading)
    if children:
        item.children, item.criteria = children, ()
    return [item]


def _lists_numbered_work(section: Section) -> bool:
    """Return whether two or more numbered sections, and at least half, state a status: `1.2 Sail ✅`."""
    headings = map(_read_heading, section.sections)
    stated = [each.status is not None for each in headings if each.label and each.label.kind == "number"]
    return sum(stated) > 1 and sum(stated) * 2 >= len(stated)


def _is_item(state: ParseState, section: Section, heading: _Heading, inner: list[Item]) -> bool:
    """Return whether a section is one item, so that the boxes in it are its steps."""
    if any(map(_is_labelled_or_group, inner)) or (not heading.has_field and _holds_labelled_boxes(section)):
        return False
    if heading.label is None:
        return heading.has_field and section.level > 1 and not inner and state.has_status_fields
    is_stated = heading.status is not None and (heading.has_field or not is_held_back(heading.phrase))
    is_stated = is_stated or (heading.has_field and state.has_status_fields)
    return heading.label.kind in {"item", "code"} or is_stated


def _has_status_fields(root: Section) -> bool:
    """Return whether several sections have a status field, and at least half of the statuses are known."""
    values = [_field_value(section) for section, _ in sections_of(root) if section.level > 1]
    known = [status_of_field(value) is not None for value in values if value is not None]
    return len(known) > 1 and sum(known) * 2 >= len(known)


def _is_labelled_or_group(item: Item) -> bool:
    label = read_label(f"{item.id}: x") if item.id else None
    return bool(label and label.names_item) or bool(item.children)


def _holds_labelled_boxes(section: Section) -> bool:
    labels = [read_label(plain_text(box.text)) for box in top_boxes(section.items)]
    return any(each and each.names_item and not each.id.casefold().startswith("step") for each in labels)


def _field_value(section: Section) -> str | None:
    if section.box:
        return section.box
    lines = [line for line, _ in section.lines]
    lines += [item.text.partition("\n")[0] for item in section.items if item.box is None]
    return next((value for line in lines if (value := read_field(line, "status_fields")) is not None), None)


def _section_item(state: ParseState, section: Section, path: tuple[str, ...], heading: _Heading) -> Item:
    boxes = boxes_in(section)
    status = heading.status
    if status is None and heading.phrase:
        status = known_status(state, None, heading.phrase)
    marks = [box_status(state, box) for box in boxes]
    done = sum(mark in FINISHED for mark in marks)
    if status in {None, Status.PENDING}:  # boxes decide: they are changed more often than headings
        status = Status.DONE if marks and done == len(marks) else Status.ACTIVE if done else Status.PENDING
    source = Source(state.path, section.line, section.last, state.date)
    report = Report(status, plain_text(heading.phrase), source, is_plan=True)
    item = new_item(path, heading.label, heading.title, report)
    _add_details(item, section)
    return item


def _add_details(item: Item, section: Section) -> None:
    """Add open steps, commits, dependencies and files from the section of an item."""
    boxes = boxes_in(section)
    item.criteria = open_steps(boxes)
    item.commits = tuple(subject for part, _ in sections_of(section) for subject in part.commits)
    item.commits += tuple(found[1] for box in boxes if (found := _COMMIT_STEP.search(box.text)))
    lines = [line for line, _ in section.lines] + [bullet.text for bullet in section.items]
    item.depends_on = tuple(name for line in lines for name in read_dependencies(line))
    files = [plain_text(read_field(line, "file_fields") or "") for line in lines]
    item.files = tuple(name for line in files for name in re.split(r",\s*", line) if name)


def _boxes_and_lines(
    state: ParseState, section: Section, path: tuple[str, ...], *, is_beside_work: bool
) -> list[Item]:
    """Return the items among the boxes, list items and lines of one section."""
    boxes = top_boxes(section.items)
    if is_beside_work and not _holds_labelled_boxes(section):
        add_other_boxes(state, boxes, path)
        return []
    heading_status = _status_of_heading(plain_text(section.title))
    items = [box_item(state, box, path, heading_status) for box in boxes]
    items += [_line_item(state, item.text, item.line, path) for item in _status_list(state, section)]
    status_lines = [(line, number) for line, number in section.lines if _is_status_line(line)]
    return items + [_line_item(state, line, number, path) for line, number in status_lines]


def _status_of_heading(title: str) -> Status | None:
    """Return the status that a heading gives the items below it: `In progress`, `Pending tasks`."""
    if has_role(title, "sections_of_progress"):
        return None
    words = title.split()
    if len(words) > 1 and words[-1].casefold() in plan_words()["work_nouns"]:
        title = " ".join(words[:-1])
    return status_of_phrase(title)


def _status_list(state: ParseState, section: Section) -> list[ListItem]:
    """Return the list items without boxes, if two or more, and at least half, state a status: `✅ Sail`."""
    plain = [item for item in section.items if item.box is None]
    has_boxes = len(plain) < len(section.items)
    stated = [item for item in plain if _has_status(item, only_leading=has_boxes)]
    is_list = len(stated) > 1 and len(stated) * 2 >= len(plain)
    return plain if is_list and (has_boxes or state.reads_status_lists) and not state.is_log else []


def _has_status(item: ListItem, *, only_leading: bool) -> bool:
    """Return whether a list item begins with a status, or, numbered and not `only_leading`, ends with it."""
    text = plain_text(item.text.partition("\n")[0])
    title, status, _ = split_status(text)
    is_leading = text.endswith(title)
    return status is not None and (is_leading or bool(item.number and not only_leading))


def _is_status_line(line: str) -> bool:
    """Return whether a line is a label with its status: `Task 1: complete (review clean)`."""
    label = read_label(plain_text(line))
    return bool(label and label.names_item and status_of_phrase(label.title))


def _line_item(state: ParseState, text: str, line: int, path: tuple[str, ...]) -> Item:
    """Return the item of a line such as `Find the leak - completed` or `A1: DONE - read the map`."""
    title, status, phrase = split_status(plain_text(text.partition("\n")[0]))
    label = read_label(title)
    if label and not label.title:
        label = label._replace(title=without_status(phrase))
    source = Source(state.path, line, date=state.date)
    report = Report(known_status(state, status, phrase), phrase, source, is_plan=True)
    return new_item(path, label, title, report)


def _without_repeated_ids(items: list[Item]) -> list[Item]:
    """Leave out an item without status that has the id of an item before it, e.g. a second `Phase 2`."""
    seen: dict[str, Item] = {}
    kept = []
    for item in items:
        first = seen.get(item.id.casefold()) if item.id and item.id[0].isalpha() else None
        if first is None or item.reports[0].text:
            kept.append(item)
            if item.id:
                seen.setdefault(item.id.casefold(), item)
    return kept
