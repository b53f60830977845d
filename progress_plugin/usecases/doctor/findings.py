"""A finding of `doctor`: the state of one thing, and what to do about it."""

from enum import StrEnum
from functools import partial
from typing import NamedTuple


class FindingState(StrEnum):
    """Whether something has to be done."""

    OK = "ok"
    NOTE = "note"  # worth knowing; it may be intended
    WRONG = "wrong"  # something has to be done; `doctor` exits with 1


class Finding(NamedTuple):
    """The state of one thing."""

    state: FindingState
    area: str  # what it is about, in a word or two
    what: str  # a sentence without a full stop
    remedy: str = ""


ok = partial(Finding, FindingState.OK)
note = partial(Finding, FindingState.NOTE)
wrong = partial(Finding, FindingState.WRONG)
