"""Which phases a document of the state of the work is beyond, by its own words.

Such documents are renewed in parts, a line by a program, another by an agent: the counts in the data they
begin with and the names of the plans that they tell of are newer than a focus of a phase before that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from progress_plugin.passages.passage import Form, Passage
from progress_plugin.text.blocker_words import names_concerns
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.section_names import SectionKind

_HEAD = re.compile(rb"---[ \t]*\r?\n(.{0,4000}?)\n---[ \t]*\r?\n", re.DOTALL)
_COUNT = re.compile(rb"^[ \t]*(completed|total)_(\w{1,30}):[ \t]*(\d{1,5})\s*$", re.MULTILINE)
_POSITION = LazyPattern(r"\W*phase\W{1,6}(\d{1,3}) of \d", re.IGNORECASE)
_PHASE = LazyPattern(r"\bphase (\d{1,3})\b", re.IGNORECASE)
_PLAN_IN_NAME = LazyPattern(r"\b(?:phase|plan) (\d{1,3})-(\d{1,3})\b", re.IGNORECASE)
_PLAN = LazyPattern(r"\b(\d{2,3})-(\d{2,3})\b(?!-\d)")
_NTH_PLAN = LazyPattern(r"\W*plan\W{1,6}(\d{1,3}) of \d", re.IGNORECASE)
_STOPPED = LazyPattern(r"\W*(?:stopped at|left off|last activity)\b", re.IGNORECASE)


class DocumentPhases(NamedTuple):
    """How far a document says that its phases are."""

    current: int = 0
    """The number of the phase that it is in; 0 where it gives none."""
    finished: int = 0
    """How many are finished by the data that it begins with."""
    counts: Passage | None = None
    """Those data as a statement: `2/4 phases, 5/8 plans complete`."""
    plan: tuple[int, int] = (0, 0)
    """Phase and number of the last plan that a heading or label names."""

    def is_past(self, statement: Passage) -> bool:
        """Return whether a statement was of the state of the work until a later phase or plan."""
        text = statement.text
        if statement.section is SectionKind.BLOCKED and names_concerns(statement.label):
            phases = [int(number) for number in _PHASE.findall(text)]
            return bool(phases) and max(phases) < max(self.current, self.finished + 1)
        if nth := _NTH_PLAN.match(text):
            return self.plan[0] == self.current and int(nth[1]) < self.plan[1]
        if _STOPPED.match(text):
            plans = [(int(phase), int(number)) for phase, number in _PLAN.findall(text)]
            return bool(plans) and max(plans) < self.plan
        return False

    def corrected(self, focus: Sequence[Passage]) -> list[Passage]:
        """Return what says where the work stands, without the name of a phase that is finished."""
        old = [
            each
            for each in focus
            if not _STOPPED.match(each.text)
            and (found := _PHASE.search(each.text))
            and int(found[1]) <= self.finished
        ]
        if not old or self.counts is None:
            return list(focus)
        return [self.counts, *(each for each in focus if each not in old)]


def phases_of(passages: Sequence[Passage], data: bytes) -> DocumentPhases:
    """Return how far a document is; `data` are those of its file."""
    source = passages[0].source if passages else ""
    positions = (found for each in passages if (found := _POSITION.match(each.text)))
    position = next(positions, None)
    named = (found for each in passages for found in _PLAN_IN_NAME.findall(each.label))
    finished, counts = _counted(data, source)
    return DocumentPhases(
        current=int(position[1]) if position else 0,
        finished=finished,
        counts=counts,
        plan=max(((int(phase), int(number)) for phase, number in named), default=(0, 0)),
    )


def _counted(data: bytes, source: str) -> tuple[int, Passage | None]:
    """Return how many phases are finished, and what is counted in all; by the YAML at the beginning."""
    head = _HEAD.match(data)
    found: dict[str, dict[str, int]] = {}
    for kind, name, number in _COUNT.findall(head[1]) if head else ():
        found.setdefault(name.decode(), {})[kind.decode()] = int(number)
    told = [
        f"{counts['completed']}/{counts['total']} {name.replace('_', ' ')}"
        for name, counts in found.items()
        if len(counts) > 1
    ]
    if not told or head is None:
        return 0, None
    text = f"{', '.join(told)} complete"
    last = head[0].count(b"\n")
    counts = Passage(text, 1, last, source, Form.LABEL, SectionKind.STATUS, "Status", "", 0, None, None, 0, 0)
    return found.get("phases", {}).get("completed", 0), counts
