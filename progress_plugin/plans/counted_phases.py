"""Read a document that counts its work but does not list it: `Phase: 3 of 8`, `completed_phases: 2`."""

from __future__ import annotations

import datetime as dt
import re

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
    """Return the counted phases of a document as items, or None if it counts none or over 200.

    Counts (`completed_phases: 2`) win over a position (`Phase: 3 of 8`). By a position, the phases before the
    current one are done; the current one is done only if the status below the position says so.
    """
    total, position = _TOTAL.search(text), _POSITION.search(text)
    counted = re.search(_DONE.format(total["unit"]), text, re.MULTILINE) if total else None
    current, name = 0, ""
    if total and counted:
        unit = {"stories": "Story"}.get(total["unit"], total["unit"].removesuffix("s").capitalize())
        phases, done, place = int(total["number"]), int(counted["number"]), counted.start()
    elif position:
        unit, phases, place = position["unit"], int(position["total"]), position.start()
        current, name = int(position["at"]), position["name"] or ""
        status = _STATUS.search(text, position.end())
        is_done = status is not None and status_of_phrase(status["status"]) is Status.DONE
        done = current if is_done else current - 1
    else:
        return None
    if not 0 < phases <= MAX_PHASES:
        return None
    source = Source(path, text.count("\n", 0, place) + 1, date=date)
    items = []
    for number in range(1, phases + 1):
        label = f"{unit} {number}"
        title = name if name and number == current else label
        status_of_phase = Status.ACTIVE if number == current else Status.PENDING
        report = Report(Status.DONE if number <= done else status_of_phase, "", source, is_plan=True)
        items.append(Item((path, label), title, source, id=label, reports=[report]))
    return PlanDocument(path, path, "counted-phases", tuple(items))
