"""The result of `decide`, and the records that `decide` takes besides plans and agents' logs."""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple

from progress_plugin.model.status import Status
from progress_plugin.model.work import Item, PlanDocument, Report, Source


class Record(NamedTuple):
    """An entry of our own log, or a commit whose message names a story."""

    id: str  # of the entry, or the hash of the commit
    story: str  # id of the story, else its title
    text: str
    date: dt.date | None = None
    status: Status | None = None  # None: work on the story that does not finish it
    plan: str = ""  # path or name of the plan, if the record names one
    path: str = "progress.json"
    is_repeated: bool = False  # a copy of a blocker in a plan or agent's log: the plan or log decides
    is_stated: bool = False  # by a person or agent, or in another clone: our plan may never have said it
    time_s: int = 0  # of the entry, in seconds since 1970; 0 if unknown
    writer: str = ""  # the other clone that wrote the entry; empty for this one
    title: str = ""  # of the story when this was written: a later plan may use its id for another story


class Work(NamedTuple):
    """Something to do that the head shows: an item of a plan, or a step or blocker that a document states."""

    text: str
    source: Source
    item: Item | None = None
    status: Status = Status.PENDING
    reason: str = ""  # why it is blocked
    is_outdated: bool = False  # true if the statement is older than the newest entry
    record: str = ""  # id of the entry of our log that states it
    writer: str = ""  # the other clone that states why the item is blocked


class ItemState(NamedTuple):
    """One item of a plan with its decided status."""

    item: Item
    status: Status
    parents: tuple[Item, ...] = ()
    reports: tuple[Report, ...] = ()


class PlanState(NamedTuple):
    """A plan with its leaves. Skipped items are not in `total`."""

    plan: PlanDocument
    items: tuple[ItemState, ...]
    groups: tuple[ItemState, ...]  # items with children; the children decide the status
    done: int
    total: int
    queue: tuple[Work, ...] = ()  # its current and its next item

    @property
    def next(self) -> Work | None:
        """The item of the queue to work on first."""
        return self.queue[0] if self.queue else None


class State(NamedTuple):
    """The state of the work. `done` and `total` are None if no source lists the work."""

    done: int | None = None
    total: int | None = None
    is_complete: bool = False  # the leading plan is done, and no step, blocker, box or deferred item is open
    is_kept: bool = True  # false if several commits came, but neither plan nor log marks an item as begun
    current: Work | None = None
    next: Work | None = None
    blocked: tuple[Work, ...] = ()
    steps: tuple[Work, ...] = ()  # next steps that documents state and nothing has ended
    ended: frozenset[tuple[str, int]] = frozenset()  # file and line of each statement that no longer holds
    conflicts: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    plans: tuple[PlanState, ...] = ()  # the leading plan first
    entries: int = 0
    newest: dt.date | None = None  # date of the newest entry or record
    left_for_later: tuple[Item, ...] = ()  # deferred items of the leading plan: they keep it incomplete
    open_boxes: tuple[Item, ...] = ()  # not items of a plan: criteria of the leading plan, boxes in logs

    @property
    def items(self) -> tuple[ItemState, ...]:
        return self.plans[0].items if self.plans else ()

    def has_ended(self, source: Source) -> bool:
        """Return whether the focus, step or blocker at this file and line no longer holds."""
        return (source.path, source.line) in self.ended
