"""Recognise plans by reading them, and logs and state documents by their headings and lines."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from functools import cached_property

from progress_plugin.core.errors import BadInput
from progress_plugin.model.status import FINISHED, Status
from progress_plugin.model.work import Item, Kind, PlanDocument, all_items
from progress_plugin.plans.documents import read_plans
from progress_plugin.text.markdown import lines_outside_code
from progress_plugin.text.patterns import LazyPattern

MAX_CHARS = 400_000  # half from the beginning of a longer document, half from its end
MIN_ENTRIES = MIN_ITEMS = 2


_BOX = LazyPattern(r"\s{0,40}(?:[-*+]|\d{1,4}[.)])\s{1,9}\[.\]\s")
_HEADING = LazyPattern(r"\s{0,3}#{1,6}\s+(.*)|\*\*(.{3,})\*\*:?\s*$")
_DATED_ITEM = LazyPattern(r"\s{0,3}(?:[-*+]\s+)?\W{0,3}(?:\d{4}-\d\d-\d\d|\d{1,2}\.\d{1,2}\.\d{4})\b")
_ENTRY = LazyPattern(
    r"\d{4}[-/]\d\d?[-/]\d\d?|\d{4}年|\d{1,2}\.\d{1,2}\.\d{4}|"
    r"(?:\d{1,2} )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2},? \d{4}|"
    r"\b(?:session|iteration|entry|run|round|day|turn|attempt|loop)\b[ #:]*\d",
    re.IGNORECASE,
)
_RELEASE = LazyPattern(r"\W*(?:version |release |v)?(?!\d{1,4}\.\d\d?\.\d{2,4}\b)\d+\.\d+", re.IGNORECASE)
_ITEM = LazyPattern(r"\b[A-Z][A-Z0-9]{0,9}-\d+\b|^\W*(?i:task|step|story|phase|milestone|feature|issue) \d")
_STATUS_FIELD = LazyPattern(r"\W{0,6}(?:status|state|状态|статус)\W{0,4}[:：]", re.IGNORECASE)
_STATE_HEADING = LazyPattern(
    r"\b(?:current|next|status|focus|blockers?|remaining|pending|now|state|todo|open|done|completed|resume|"
    r"handoff|hand-off|summary)\b|下一步|当前|次の|дальше|сейчас|следующ",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Structure:
    """The plans in a file, or the kind of document that the file looks like."""

    plans: tuple[PlanDocument, ...] = ()
    kind: Kind | None = None  # only if the file was not read as a plan; None if it looks like no kind
    problem: str = ""  # why the file cannot be read, and what to do

    @cached_property
    def items(self) -> tuple[Item, ...]:
        return tuple(item for plan in self.plans for item in all_items(plan.items) if not item.children)

    @cached_property
    def states_statuses(self) -> bool:
        return any(plan.has_statuses for plan in self.plans)

    @property
    def is_begun(self) -> bool:
        return any(item.reports[0].status is not Status.PENDING for item in self.items)

    @cached_property
    def done_items(self) -> int:
        return sum(item.reports[0].status in FINISHED for item in self.items)

    @cached_property
    def open_items(self) -> int:
        """The number of open items; 0 if the plans do not state any status."""
        return len(self.items) - self.done_items if self.states_statuses else 0

    @cached_property
    def titles(self) -> frozenset[str]:
        return frozenset(item.title for item in self.items)

    @property
    def branch(self) -> str | None:
        return next((plan.branch for plan in self.plans if plan.branch), None)


def recognise_plan(path: str, text: str, date: dt.date | None) -> Structure:
    """Read a file as a plan."""
    try:
        return Structure(tuple(read_plans(path, text, date)))
    except BadInput as error:
        return Structure(problem=str(error).removeprefix(f"{path}: "))


def recognise_document(text: str) -> Structure:
    """Return the kind that a Markdown document looks like: a log, else a plan, else a state document."""
    if len(text) > MAX_CHARS:
        text = f"{text[: MAX_CHARS // 2]}\n{text[-MAX_CHARS // 2 :]}"
    lines = text.splitlines()
    lines = [lines[number] for number in lines_outside_code(lines)]
    headings = [found[1] or found[2] or "" for line in lines if (found := _HEADING.match(line))]
    entries = sum(bool(_ENTRY.search(heading)) and not _RELEASE.match(heading) for heading in headings)
    entries += sum(bool(_DATED_ITEM.match(line)) for line in lines)
    if entries >= MIN_ENTRIES:
        return Structure(kind="log")
    tasks = sum(bool(_BOX.match(line) or _STATUS_FIELD.match(line)) for line in lines)
    tasks += sum(bool(_ITEM.search(heading)) for heading in headings)
    if tasks >= MIN_ITEMS:
        return Structure(kind="plan")
    is_state = any(_STATE_HEADING.search(heading) for heading in headings)
    return Structure(kind="state" if is_state else None)
