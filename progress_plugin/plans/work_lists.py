"""Read the list of the work that a log or state document holds beside its entries."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import replace

from progress_plugin.model.status import Status
from progress_plugin.model.work import Entry, Item, PlanDocument
from progress_plugin.plans.documents import read_plan
from progress_plugin.plans.plan_words import has_role

FORMAT = "log"


def read_work_list(
    path: str, text: str, entries: Sequence[Entry], date: dt.date | None = None
) -> PlanDocument | None:
    """Read a log as a plan, or return None if it does not list all of the work.

    Items inside an entry tell what that entry did, and boxes below `Next steps` what comes next: both are
    left out. The rest lists the work only if some of it is done and some is not, or if it counts phases.
    """
    plan = read_plan(path, text, date)
    if plan is None or plan.format == "counted-phases":
        return plan
    items = tuple(_without_entries(plan.items, entries))
    statuses = {item.reports[0].status for item in _leaves(items)}
    if Status.DONE not in statuses or statuses <= {Status.DONE, Status.SKIPPED}:
        return None
    return replace(plan, format=FORMAT, items=items)


def _without_entries(items: Sequence[Item], entries: Sequence[Entry]) -> Iterator[Item]:
    for item in items:
        if _is_inside(item, entries) or any(
            has_role(part, "sections_of_next_steps") for part in item.key[1:-1]
        ):
            continue
        item.children = list(_without_entries(item.children, entries))
        yield item


def _is_inside(item: Item, entries: Sequence[Entry]) -> bool:
    """Return whether an item is part of an entry, or a dated entry itself. `Task 3: done` is an item."""
    around = [entry for entry in entries if entry.source.line <= item.source.line <= entry.source.last]
    return any(entry.date or entry.source.line < item.source.line for entry in around)


def _leaves(items: Sequence[Item]) -> Iterator[Item]:
    for item in items:
        if item.children:
            yield from _leaves(item.children)
        else:
            yield item
