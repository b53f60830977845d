"""The story table: finished neighbours share a row, and so do pending ones after the first three."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from progress_plugin.model.status import FINISHED, SHOWN_MARKS, SHOWN_WORDS, Status
from progress_plugin.model.work import Line, Source
from progress_plugin.state.state import ItemState
from progress_plugin.text.bounds import shortened
from progress_plugin.text.safe_output import cell

MAX_TITLE_CHARS, MAX_NAME_CHARS = 70, 50
MAX_LISTED_IDS = 2  # of a row; of more ids only the first and the last are shown
MERE_NUMBER = re.compile(r"(?:[^\W\d_]+ )?\d+")
SHARING_A_ROW = FINISHED | {Status.PENDING}
MAX_OPEN_ROWS = 3  # further pending stories share a row
MAX_ROWS = 12  # if there are more, stories that are no neighbours share a row, too


class StoryRow(NamedTuple):
    """One row of the table."""

    id: str
    title: str
    mark: str
    agent: str
    attempts: int
    sources: tuple[Source, ...]


def make_rows(items: Sequence[ItemState]) -> list[StoryRow]:
    """Return the rows in the order of the plan; if they are too many, also distant stories share a row."""
    first = [each for each in items if each.status is Status.PENDING][:MAX_OPEN_ROWS]
    keys = [
        (each.status, at if each.status not in SHARING_A_ROW or each in first else -1)
        for at, each in enumerate(items)
    ]
    pairs = list(zip(keys, items, strict=True))
    is_scattered = sum(1 for _ in groupby(keys)) > MAX_ROWS
    if is_scattered:
        places = {key: place for place, key in enumerate(dict.fromkeys(keys))}
        pairs.sort(key=lambda pair: places[pair[0]])
    rows = []
    for (status, _), group in groupby(pairs, itemgetter(0)):
        states = [state for _, state in group]
        if len(states) == 1 or not all(map(_is_mere_number, states)):
            rows.append(_row(status, states, is_range=not is_scattered))
    return rows


def _is_mere_number(state: ItemState) -> bool:
    """Return whether an item has only a number, e.g. `Phase 3`: a row of them says no more than a count."""
    return state.item.title == state.item.id and MERE_NUMBER.fullmatch(state.item.title) is not None


def _row(status: Status, states: Sequence[ItemState], *, is_range: bool) -> StoryRow:
    first, last = states[0].item, states[-1].item
    if len(states) == 1:
        names, title = first.id or "", first.title
    else:
        has_ids = is_range and first.id and last.id
        joint = " to " if len(states) > MAX_LISTED_IDS else ", "
        names = f"{first.id}{joint}{last.id}" if has_ids else ""
        is_counted, name = has_ids or not is_range, shortened(first.title, MAX_NAME_CHARS, "…")
        title = f"{len(states)} stories" if is_counted else f"{name} and {len(states) - 1} more"
    return StoryRow(
        cell(names, MAX_TITLE_CHARS),
        cell(title, MAX_TITLE_CHARS),
        SHOWN_MARKS[status],
        cell(first.agent, MAX_TITLE_CHARS) if len(states) == 1 else "",
        first.attempts if len(states) == 1 else 0,
        tuple(dict.fromkeys((first.source, last.source, *(state.item.source for state in states)))),
    )


def legend_of(rows: Sequence[StoryRow]) -> str:
    """Return the marks of these rows with their words."""
    marks = {row.mark for row in rows}
    return ", ".join(f"{mark} {SHOWN_WORDS[status]}" for status, mark in SHOWN_MARKS.items() if mark in marks)


def row_line(row: StoryRow) -> Line:
    return Line(f"{row.id} {row.title} {row.mark}".strip(), row.sources)
