"""The types of this package: files that may be a plan or log, what their text holds, and the result."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Kind = Literal["plan", "log", "state", "handoff", "notes"]
Role = Literal["leads", "read", "passed over"]
Trust = Literal["name", "content", "status", "beside"]  # documented in names.tsv


@dataclass(frozen=True, slots=True)
class FoundFile:
    """One file that looks like a plan or log, whether it is read, and why."""

    path: str  # relative to the project root, with forward slashes
    kind: Kind
    format: str  # the format of its row in names.tsv
    role: Role
    reason: str  # one line for the user
    changed_s: int = 0  # time of the last commit or modification, in seconds since 1970; 0 if unknown
    object_id: str = ""  # git's id of the content; empty if it is not committed
    is_unreadable: bool = False  # broken, binary, too large or out of reach: `reason` says what to do

    @property
    def date(self) -> dt.date | None:
        """The day of the last commit or modification, in local time."""
        return dt.datetime.fromtimestamp(self.changed_s).astimezone().date() if self.changed_s else None


@dataclass(frozen=True, slots=True)
class Outline:
    """What the structure of a text shows without reading it as a plan or log."""

    kind: Kind | None = None  # None if it has no such structure
    branch: str | None = None
    open_items: int = 0
    done_items: int = 0
    ids: frozenset[str] = frozenset()
    titles: frozenset[str] = frozenset()  # of the items, to recognise copies
    problem: str = ""  # why the text cannot be read, and what to do


Recognise = Callable[[str, str], Outline]
"""Takes the path and the text of a file."""
