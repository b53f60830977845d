"""The check-boxes of a Markdown plan: items, steps of an item, or `other_boxes` that list no work."""

from __future__ import annotations

from collections.abc import Iterable

from progress_plugin.model.status import Status
from progress_plugin.model.work import Item, Report, Source
from progress_plugin.plans.markdown_items import (
    ParseState,
    known_status,
    new_item,
    plain_text,
    read_dependencies,
)
from progress_plugin.plans.markdown_sections import ListItem, Section, sections_of
from progress_plugin.plans.plan_words import read_label
from progress_plugin.plans.status_phrases import split_status, status_of_box, status_of_phrase
from progress_plugin.text.patterns import LazyPattern

_LEGEND = LazyPattern(r"`\[(?P<mark>.)\]`[^\S\n]*[-–—=:]*[^\S\n]*(?P<phrase>[^·|,;`\n]{2,60})")


def top_boxes(items: Iterable[ListItem]) -> list[ListItem]:
    """Return the outermost boxes of lists: also below an item without a box, but not below another box."""
    return [box for item in items for box in ([item] if item.box is not None else top_boxes(item.children))]


def boxes_in(section: Section) -> list[ListItem]:
    return [box for part, _ in sections_of(section) for box in top_boxes(part.items)]


def open_steps(boxes: Iterable[ListItem]) -> tuple[str, ...]:
    return tuple(plain_text(box.text) for box in boxes if status_of_box(box.box or "") is not Status.DONE)


def add_other_boxes(state: ParseState, boxes: list[ListItem], path: tuple[str, ...]) -> None:
    """Add boxes that list no work to `other_boxes`."""
    state.other_boxes += [box_item(state, box, path, None) for box in boxes]


def box_item(state: ParseState, box: ListItem, path: tuple[str, ...], heading_status: Status | None) -> Item:
    """Return the item of a check-box, which only its mark can make done.

    Otherwise a status in its title counts, and for an open box without one the heading's.
    """
    text = plain_text(box.text.partition("\n")[0])
    status, title, phrase = box_status(state, box), text, f"[{box.box or ' '}]"
    if status is not Status.DONE:
        title, stated, words = split_status(text)
        status = stated if stated not in {None, Status.DONE} else status
        if status is Status.PENDING and not words and heading_status not in {None, Status.DONE}:
            status = heading_status or status
        title, phrase = (title, words) if stated not in {None, Status.DONE} else (text, phrase)
    source = Source(state.path, box.line, box.last, state.date)
    item = new_item(path, read_label(title), title, Report(status, phrase, source, is_plan=True))

    item.criteria = open_steps(box.children)
    item.depends_on = tuple(name for step in box.children for name in read_dependencies(step.text))
    return item


def box_status(state: ParseState, box: ListItem) -> Status:
    """Return the status that the mark of a box means: in this document, else in the table of boxes."""
    mark = box.box or ""
    known = state.box_meanings.get(mark) or status_of_box(mark)
    return known_status(state, known, f"[{mark}]")


def box_meanings(root: Section, text: str) -> dict[str, Status]:
    """Return the meanings that a document gives to the marks in its boxes.

    In a legend: `[B]` in backticks, then "Blocked". In titles: `[~] Gild it (deferred)` makes `[~]` deferred.
    """
    stated: dict[str, set[Status]] = {}
    for box in boxes_in(root):
        status = split_status(plain_text(box.text.partition("\n")[0]))[1]
        if box.box and box.box not in "xX" and status:
            stated.setdefault(box.box, set()).add(status)
    meanings = {mark: statuses.pop() for mark, statuses in stated.items() if len(statuses) == 1}
    for found in _LEGEND.finditer(text):
        if status := status_of_phrase(found["phrase"]):
            meanings[found["mark"].strip()] = status
    return meanings
