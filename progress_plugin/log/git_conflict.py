"""A log with git's conflict markers in it: two versions in one file, and what both hold.

It is read in `log.document` (`parse`), which lets nobody write it while the markers are in there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from progress_plugin.log.entry import entry_identity, time_of
from progress_plugin.text.patterns import LazyPattern

# No line of a JSON file can begin like this, since strings hold no raw line ends. Git ends its lines as the
# file does, and knows no other ends than these: U+2028 in a text is none.
_MARKER = LazyPattern(r"^(<{7}|>{7}|\|{7}|={7})(?: [^\n]*)?\r?$", re.MULTILINE)


_SIDES = {"<": "ours", "|": "base", "=": "theirs", ">": ""}
"""What begins behind each marker."""


def has_markers(text: str) -> bool:
    """Return whether git left a conflict in this JSON text."""
    return any(not mark[1].startswith("=") for mark in _MARKER.finditer(text))


def told(name: str) -> str:
    """Return what there is to know of a file with markers: until when nothing is written, and what to do.

    Everybody says it in these words: starts, `status`, `log`, `repair`, `verify`, `doctor`.
    """
    return (
        f"{name} holds git conflict markers; until they are removed both sides are read and nothing is "
        "written: delete the lines that begin with <<<<<<<, |||||||, ======= or >>>>>>>, keep the entries of "
        "both sides, then run `agent-progress repair`"
    )


def sides(text: str) -> tuple[str, str]:
    """Return the text as the one side has it and as the other has it; a common base (diff3) is in neither."""
    ours: list[str] = []
    theirs: list[str] = []
    side = ""
    for line in text.split("\n"):
        marker = _MARKER.match(line)
        if marker is not None and (side or marker[1][0] in "<>"):
            side = _SIDES[marker[1][0]]
            continue
        if side in ("", "ours"):
            ours.append(line)
        if side in ("", "theirs"):
            theirs.append(line)
    return "\n".join(ours), "\n".join(theirs)


def union(ours: Sequence[Any], theirs: Sequence[Any]) -> list[Any]:
    """Return the entries of both sides: those they share, then what only one has, in order of time."""
    of_ours, of_theirs = set(map(entry_identity, ours)), set(map(entry_identity, theirs))
    shared = [item for item in ours if entry_identity(item) in of_theirs]
    single = [item for item in ours if entry_identity(item) not in of_theirs]
    single += [item for item in theirs if entry_identity(item) not in of_ours]
    return shared + sorted(single, key=_when)


def _when(item: Any) -> float:
    time = time_of(item) if isinstance(item, dict) else None
    return time.timestamp() if time else 0.0
