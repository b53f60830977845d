"""The types that packages exchange: sources, items of plans, entries and statements of agents' logs."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from progress_plugin.model.status import Status

Kind = Literal["plan", "log", "state", "handoff", "notes"]
AgentLogKind = Literal["log", "state", "handoff", "notes"]
Role = Literal["leads", "read", "passed over"]
Trust = Literal["name", "content", "list", "beside", "item"]  # documented in names.tsv


class Source(NamedTuple):
    """The place of a statement: file and lines."""

    path: str  # relative to the project root, with forward slashes
    line: int = 0  # the first line, counted from 1; 0 if only the file is known
    last: int = 0  # the last line; 0 if there is only one
    date: dt.date | None = None  # of the statement, else of the file
    writer: str = ""  # the clone that wrote the entry; empty for this clone

    def lines(self) -> range:
        return range(self.line, max(self.line, self.last) + 1)


class Report(NamedTuple):
    """One statement about an item."""

    status: Status | None  # None: work is reported, but not how it ended
    text: str
    source: Source
    is_plan: bool = False  # true if a list of the work says it, not an entry or a commit
    record: str = ""  # id of the entry of our log, or hash of the commit, that states it
    is_after_plan: bool = False  # true for an entry of our log that is newer than the file of the plan


@dataclass(eq=False, slots=True)
class Item:
    """One piece of work. Items may share an id, but not a `key`: file, section, and id or position."""

    key: tuple[str, ...]
    title: str
    source: Source
    id: str | None = None
    reports: list[Report] = field(default_factory=list)
    children: list[Item] = field(default_factory=list)
    depends_on: tuple[str, ...] = ()  # ids as written
    deferred_until: dt.date | None = None
    is_offered: bool = True  # false if a flag, type, status or section forbids offering it as next work
    criteria: tuple[str, ...] = ()
    lines: Mapping[str, int] = field(default_factory=dict)  # line of each criterion and of the notes, by text
    files: tuple[str, ...] = ()
    description: str = ""
    notes: str = ""
    agent: str = ""
    attempts: int = 0
    priority: float | None = None  # smaller comes first
    commits: tuple[str, ...] = ()  # commit subjects that the plan prescribes for this item

    @property
    def states_status(self) -> bool:
        """True if a report of the item or of an item below it has a text, or another status than pending."""
        of_children = any(child.states_status for child in self.children)
        return of_children or any(
            report.text or report.status is not Status.PENDING for report in self.reports
        )


def all_items(items: Iterable[Item]) -> Iterator[Item]:
    """Yield items and their children, in plan order."""
    for item in items:
        yield item
        yield from all_items(item.children)


class PlanDocument(NamedTuple):
    """An explicit list of the work, as one file states it."""

    path: str
    name: str
    format: str
    items: tuple[Item, ...]
    branch: str | None = None
    goal: str = ""
    problems: tuple[str, ...] = ()  # one line each: what cannot be read, and what to do
    unknown_statuses: tuple[tuple[str, int], ...] = ()  # phrase and number of its items, which count as open
    other_boxes: tuple[Item, ...] = ()  # check-boxes that are not items of the plan, e.g. success criteria
    has_statuses: bool = True  # false if no item states a status
    settings: Mapping[str, Any] = MappingProxyType({})  # of agent-progress, in a JSON plan
    changed_s: int = 0  # time of the last commit or modification, in seconds since 1970; 0 if unknown

    @property
    def date(self) -> dt.date | None:
        return _local_day(self.changed_s)


def _local_day(time_s: int) -> dt.date | None:
    try:
        return dt.datetime.fromtimestamp(time_s).astimezone().date() if time_s else None
    except (OverflowError, OSError, ValueError):  # a forged commit may have any time
        return None


class Entry(NamedTuple):
    """One entry of an agent's log."""

    number: int  # 1 is the oldest
    title: str
    source: Source
    ids: tuple[str, ...] = ()
    date: dt.date | None = None
    status: Status | None = None  # None if the entry does not say how its work ended
    files: tuple[str, ...] = ()
    blockers: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    title_line: int = 0  # of the field or sentence that the title is from; 0 if it is in the heading


Form = Literal["paragraph", "item", "row", "heading", "code", "box"]


class Statement(NamedTuple):
    """One unit of text that can be shown."""

    text: str
    source: Source
    section: str | None = None  # its kind by the headings above it, e.g. `learned`; a key of `sections.json`
    label: str = ""  # the heading or label that it is below
    form: Form = "paragraph"
    depth: int = 0
    entry: int = 0  # number of its entry; 0 outside of entries
    nth: int = 0  # position within its entry or section
    story: str | None = None


class LearningKind(StrEnum):
    """The kind of a learning: how things are done, what goes wrong, or what depends on what."""

    PATTERN = "pattern"
    GOTCHA = "gotcha"
    DEPENDENCY = "dependency"


class LearningGroup(NamedTuple):
    """The learnings of one kind: their name in templates and in the page of `report`, and their heading."""

    name: str
    heading: str


LEARNING_GROUPS = {
    LearningKind.PATTERN: LearningGroup("patterns", "Repository Patterns"),
    LearningKind.GOTCHA: LearningGroup("gotchas", "Gotchas & Warnings"),
    LearningKind.DEPENDENCY: LearningGroup("dependencies", "Dependencies Discovered"),
}


class Learning(NamedTuple):
    """A statement that teaches something, at one place; other places may say the same."""

    text: str
    kind: LearningKind
    source: Source
    entry: int = 0  # number of its entry; 0 outside of entries
    story: str | None = None


class AgentLog(NamedTuple):
    """A Markdown document that an agent keeps: a log of entries, or a state, hand-off or notes document."""

    path: str
    kind: AgentLogKind
    entries: tuple[Entry, ...] = ()  # oldest first
    statements: tuple[Statement, ...] = ()  # in file order
    learnings: tuple[Learning, ...] = ()  # in file order, duplicates too
    focus: Report | None = None
    next_steps: tuple[Report, ...] = ()
    blockers: tuple[Report, ...] = ()
    items: tuple[Item, ...] = ()  # check-boxes that list the work; of nested ones the innermost
    branch: str | None = None
    problems: tuple[str, ...] = ()


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
    plans: tuple[PlanDocument, ...] | None = None  # None if it was not read as a plan

    @property
    def date(self) -> dt.date | None:
        return _local_day(self.changed_s)


class Line(NamedTuple):
    """One line of the summary, with every place that its text is from."""

    text: str
    sources: tuple[Source, ...] = ()


class Claim(NamedTuple):
    """The clone that works on a story, and until when: meanwhile other clones are not offered the story."""

    story: str
    writer: str | None  # the other clone; None for this one
    since: str  # ISO 8601 in UTC, as an entry's timestamp
    until: str  # ISO 8601 in UTC

    @property
    def by(self) -> str:
        return self.writer or "this clone"

    @property
    def key(self) -> str:
        return self.story.casefold()
