"""A finding of `doctor`: the state of one thing, and what to do about it."""

from enum import StrEnum
from typing import NamedTuple


class FindingState(StrEnum):
    """Whether something has to be done."""

    OK = "ok"
    NOTE = "note"  # worth knowing; it may be intended
    WRONG = "wrong"  # something has to be done; `doctor` exits with 1


class Finding(NamedTuple):
    """The state of one thing."""

    area: str  # what it is about, in a word or two
    state: FindingState
    what: str  # a sentence without a full stop
    remedy: str = ""


def ok(area: str, what: str) -> Finding:
    """Return a finding of something that works."""
    return Finding(area, FindingState.OK, what)


def note(area: str, what: str, remedy: str = "") -> Finding:
    """Return a finding that is worth knowing."""
    return Finding(area, FindingState.NOTE, what, remedy)


def wrong(area: str, what: str, remedy: str) -> Finding:
    """Return a finding of something that does not work."""
    return Finding(area, FindingState.WRONG, what, remedy)
