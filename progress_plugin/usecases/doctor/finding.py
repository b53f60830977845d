"""What `doctor` finds: how it stands, and what to do about it."""

from enum import StrEnum
from typing import NamedTuple


class FindingState(StrEnum):
    """Whether something has to be done."""

    OK = "ok"
    NOTE = "note"
    """Worth knowing; it may be meant so."""
    WRONG = "wrong"


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
