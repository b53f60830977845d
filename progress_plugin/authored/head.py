"""Read the lines above the first entry: project, branch, start (S6.1)."""

from __future__ import annotations

import re
from typing import NamedTuple

from progress_plugin.authored.dates import find_date
from progress_plugin.text.labels import plain, split_label
from progress_plugin.text.markdown import Document, Kind

_CTIME = re.compile(r"\b([A-Z][a-z]{2})\s+(\d{1,2})\s.*?\b(20\d{2})\b")
_NAMES = {
    "project": "project",
    "branch": "branch",
    "started": "started",
    "start date": "started",
    "created": "started",
}
_LOOKED_AT = 20


class Head(NamedTuple):
    """What a log says about itself; None where it says nothing."""

    project: str | None = None
    branch: str | None = None
    started: str | None = None
    """`YYYY-MM-DD`, or as written where no date is found."""


def read_head(document: Document, stop: int) -> Head:
    """Read the labels among the blocks before `stop`."""
    found: dict[str, str] = {}
    for block in document.blocks[: min(stop, _LOOKED_AT)]:
        if block.kind not in {Kind.LABEL, Kind.ITEM}:
            continue
        name, rest = split_label(block.text)
        key = _NAMES.get(name.casefold())
        if key and rest:
            found.setdefault(key, plain(rest))
    if "started" in found:
        found["started"] = _day(found["started"])
    return Head(**found)


def _day(text: str) -> str:
    date = find_date(text)
    if date is None and (ctime := _CTIME.search(text)):
        date = find_date(f"{ctime[1]} {ctime[2]}, {ctime[3]}")
    return date.day if date else text
