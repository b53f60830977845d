"""What `doctor` finds: the state of one thing, and what to do about it.

One that is WRONG makes doctor exit with 1: `usecases.doctor.examination` (`Examination.is_good`). Which state
a finding has is decided where it is looked at, in the functions `look_at_...` of the modules beside this.
"""

from enum import StrEnum
from typing import NamedTuple


class FindingState(StrEnum):
    """Whether something has to be done."""

    OK = "ok"
    NOTE = "note"
    """Worth knowing; it may be meant so."""
    WRONG = "wrong"
    """Something has to be done; one of these makes the command exit with 1."""


class Finding(NamedTuple):
    """One thing that was looked at."""

    area: str
    """What it is about, in a word or two."""
    state: FindingState
    what: str
    """A sentence without a full stop."""
    remedy: str = ""
    """What to do, where something is to be done."""


def ok(area: str, what: str) -> Finding:
    """Return that something is as it should be."""
    return Finding(area, FindingState.OK, what)


def note(area: str, what: str, remedy: str = "") -> Finding:
    """Return something worth knowing."""
    return Finding(area, FindingState.NOTE, what, remedy)


def wrong(area: str, what: str, remedy: str) -> Finding:
    """Return something that is not as it should be."""
    return Finding(area, FindingState.WRONG, what, remedy)
