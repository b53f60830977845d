"""Phases that a task_plan.md lists in a table or by numbers, instead of a heading for each."""

from __future__ import annotations

import re
from collections.abc import Iterator

from progress_plugin.model.status import parse_status_phrase, parse_wording
from progress_plugin.plans.json_fields import JsonRecord
from progress_plugin.plans.json_stories import LINE_FIELD
from progress_plugin.plans.markdown_plan import STATUS_LABELS, PlanRow, PlanSection
from progress_plugin.plans.title_status import plain, split_number, split_state
from progress_plugin.text.patterns import LazyPattern

_PHASES = LazyPattern(r"\W*(?:phases?|phasen|fases|étapes|阶段|階段|フェーズ|المراحل)\b", re.IGNORECASE)
_TAIL = LazyPattern(r"(?<!\s)\s+[-–—]\s+([^-–—]{1,30})$")


def records(sections: list[PlanSection]) -> list[JsonRecord]:
    """Return one record per listed phase, from the first section named after phases that lists any."""
    for section in sections:
        if _PHASES.match(section.text):
            found = list(_of_table(section.rows)) or list(_of_numbers(section.numbered))
            if found:
                return found
    return []


def told_again(sections: list[PlanSection]) -> Iterator[JsonRecord]:
    """Yield the rows of tables on phases that are listed elsewhere: how far each is."""
    for section in sections:
        if section.rows and _PHASES.match(section.rows[0].cells[0]):
            yield from _of_table(section.rows)


def _of_table(rows: list[PlanRow]) -> Iterator[JsonRecord]:
    header = [cell.casefold() for cell in rows[0].cells] if rows else []
    column = next((place for place, cell in enumerate(header) if cell in STATUS_LABELS), None)
    for row in rows[1:]:
        if column is not None and len(row.cells) > column and row.cells[0].strip("-: "):
            number, title = split_number(row.cells[0])
            yield _record(number, title, row.cells[column], row.line)


def _of_numbers(numbered: list[PlanRow]) -> Iterator[JsonRecord]:
    for row in numbered:
        number, text = row.cells
        tail = _TAIL.search(text)
        if tail and parse_wording(tail[1]):
            yield _record(number, text[: tail.start()], tail[1], row.line)
        else:
            yield _record(number, *split_state(text), row.line)


def _record(number: str, title: str, state: str, line: int) -> JsonRecord:
    status = state if parse_status_phrase(state) else ""
    return {
        "id": f"Phase {number}" if number else "",
        "title": plain(title),
        "status": status,
        LINE_FIELD: line,
    }
