"""The type of this package: a file that may be a plan or log."""

from __future__ import annotations

import datetime as dt
from typing import Literal, NamedTuple

from progress_plugin.model.work import PlanDocument

Kind = Literal["plan", "log", "state", "handoff", "notes"]
Role = Literal["leads", "read", "passed over"]
Trust = Literal["name", "content", "list", "beside", "item"]  # documented in names.tsv


class FoundFile(NamedTuple):
    """One file that looks like a plan or log, whether it is read, and why."""

    path: str  # relative to the project root, with forward slashes
    kind: Kind
    format: str  # the format of its row in names.tsv
    role: Role
    reason: str  # one line for the user
    changed_s: int = 0  # time of the last commit or modification, in seconds since 1970; 0 if unknown
    object_id: str = ""  # git's id of the content; empty if it is not committed
    is_unreadable: bool = False  # broken, binary, too large or out of reach: `reason` says what to do
    plans: tuple[PlanDocument, ...] | None = None
    """The plans that were read in it; None if it was not tried."""

    @property
    def date(self) -> dt.date | None:
        """The day of the last commit or modification, in local time."""
        return dt.datetime.fromtimestamp(self.changed_s).astimezone().date() if self.changed_s else None
