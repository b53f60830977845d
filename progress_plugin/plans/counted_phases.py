"""Read a document that counts its work but does not list it: `Phase: 3 of 8`, `completed_phases: 2`."""

from __future__ import annotations

import datetime as dt
import re
from typing import NamedTuple

from progress_plugin.model.status import Status
from progress_plugin.model.work import Item, PlanDocument, Report, Source
from progress_plugin.plans.status_phrases import status_of_phrase
from progress_plugin.text.patterns import LazyPattern

MAX_PHASES = 200
_TOTAL = LazyPattern(
    r"^[ \t]{0,20}total_(?P<unit>phases|plans|tasks|stories|steps):[ \t]{0,9}(?P<number>\d{1,4})[ \t]{0,9}$",
    re.MULTILINE,
)
_DONE = r"^[ \t]{{0,20}}completed_{}:[ \t]{{0,9}}(?P<number>\d{{1,4}})[ \t]{{0,9}}$"
_POSITION = LazyPattern(
    r"^[^\w\n]{0,9}(?P<unit>Phase|Milestone|Stage|Step|Task|Story)[^\w\n:]{0,9}:[^\w\n]{0,9}"
    r"(?P<at>\d{1,3}) (?:of|/) (?P<total>\d{1,3})\b"
    r"(?: ?\((?P<name>[^()\n]+)\))?",
    re.MULTILINE,
)
_STATUS = LazyPattern(r"^[^\w\n]{0,9}Status[^\w\n:]{0,9}:[^\w\n]{0,9}(?P<status>.+)$", re.MULTILINE)


def read_counted_phases(path: str, text: str, date: dt.date | None = None) -> PlanDocument | None:
    """Read the counted phases of a document as items, or None if it counts none.

    Counts in the front matter win over the position in the text. Phases before the current one are done; the
    current one is done only if the status below it says so.
    """
    counted = _read_counts(text) or _read_position(text)
    if counted is None or not 0 < counted.total <= MAX_PHASES:
        return None
    source = Source(path, counted.line, date=date)
    items = tuple(_phase(path, source, counted, number) for number in range(1, counted.total + 1))
    return PlanDocument(path, path, "counted-phases", items)


class _Count(NamedTuple):
    unit: str
    total: int
    done: int
    line: int
    active: int = 0
    name: str = ""


def _read_counts(text: str) -> _Count | None:
    total = _TOTAL.search(text)
    done = re.search(_DONE.format(total["unit"]), text, re.MULTILINE) if total else None
    if total is None or done is None:
        return None
    unit = {"stories": "Story"}.get(total["unit"], total["unit"].removesuffix("s").capitalize())
    return _Count(unit, int(total["number"]), int(done["number"]), _line_at(text, done.start()))


def _read_position(text: str) -> _Count | None:
    found = _POSITION.search(text)
    if found is None:
        return None
    status, current = _STATUS.search(text, found.end()), int(found["at"])
    is_done = status is not None and status_of_phrase(status["status"]) is Status.DONE
    line, name = _line_at(text, found.start()), found["name"] or ""
    done, active = (current, 0) if is_done else (current - 1, current)
    return _Count(found["unit"], int(found["total"]), done, line, active, name)


def _line_at(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def _phase(path: str, source: Source, counted: _Count, number: int) -> Item:
    label = f"{counted.unit} {number}"
    status = Status.DONE if number <= counted.done else Status.PENDING
    if number == counted.active:
        status = Status.ACTIVE
    title = counted.name if counted.name and number == counted.active else label
    return Item((path, label), title, source, id=label, reports=[Report(status, "", source, is_plan=True)])
