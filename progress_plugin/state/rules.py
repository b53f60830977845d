"""Nine of the ten rules of `docs/how-status-is-decided.md`, in order; the readers in `plans` apply rule 5."""

from __future__ import annotations

import datetime as dt
import itertools
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from progress_plugin.model.status import FINISHED, Status
from progress_plugin.model.work import AgentLog, Item, PlanDocument, Report, all_items
from progress_plugin.plans.status_phrases import comes_last, is_postponed
from progress_plugin.state.matching import NameIndex, fold_id
from progress_plugin.text.bounds import counted

MAX_NAMED_PHRASES = 3  # of a plan
GIT = "git"  # the path in the source of a commit

Reports: TypeAlias = Mapping[Item, Sequence[Report]]
Statuses: TypeAlias = Mapping[Item, Status]
Parents: TypeAlias = tuple[Item, ...]
Leaf: TypeAlias = tuple[Item, Parents]
ItemsById: TypeAlias = Mapping[str, Sequence[Item]]


# Rule 1. Only leaves count. An item with children takes its status from them.


def leaves(items: Iterable[Item], parents: Parents = ()) -> list[Leaf]:
    """Return the items without children in plan order, each with its parents, outermost first."""
    found = []
    for item in items:
        found += leaves(item.children, (*parents, item)) if item.children else [(item, parents)]
    return found


def combine(statuses: Sequence[Status]) -> Status:
    """Return the status of an item from those of its children."""
    if all(status is Status.SKIPPED for status in statuses):
        return Status.SKIPPED
    if all(status in FINISHED for status in statuses):
        return Status.DONE
    if all(status in FINISHED or status is Status.BLOCKED for status in statuses):
        return Status.BLOCKED
    is_begun = any(status in {Status.DONE, Status.ACTIVE} for status in statuses)
    return Status.ACTIVE if is_begun else Status.PENDING


# Rule 2. Done needs a statement. An entry without a status is work on the item, not its completion.


def stated_status(reports: Sequence[Report]) -> Status:
    """Return the status of a leaf. Reported work makes a pending item active, blocked or failed."""
    deciding = deciding_report(reports)
    status = deciding.status if deciding and deciding.status else Status.PENDING
    work = [report for report in reports if not report.is_plan and report.status is not Status.PENDING]
    if status is Status.PENDING and work:
        deciding = next((report for report in reversed(work) if report.status), None)
        has_stopped = deciding is not None and deciding.status in {Status.BLOCKED, Status.FAILED}
        status = deciding.status if deciding and deciding.status and has_stopped else Status.ACTIVE
    if status not in FINISHED and any(each.record and each.status is Status.BLOCKED for each in reports):
        return Status.BLOCKED  # a blocker of our log has this status only until it is resolved
    if status is Status.BLOCKED and deciding and work_goes_on(deciding, reports):
        return Status.ACTIVE
    return status


# Rule 3. An item whose status word is unknown counts as open, and the summary names the word.


def unknown_phrases(plan: PlanDocument) -> list[str]:
    """Describe the status phrases of a plan that no table knows, the most frequent ones by name."""
    phrases = sorted(plan.unknown_statuses, key=lambda pair: -pair[1])
    named = [(f"the status `{phrase}`", count) for phrase, count in phrases[:MAX_NAMED_PHRASES]]
    if others := sum(count for _, count in phrases[MAX_NAMED_PHRASES:]):
        named.append(("another unknown status", others))
    verbs = ("has" if count == 1 else "have" for _, count in named)
    return [
        f"{plan.path}: {counted(count, 'item')} {verb} {status}; counted as open"
        for (status, count), verb in zip(named, verbs, strict=True)
    ]


# Rule 4. Nothing that looks like an item disappears: while any box is open, the work is not complete.


def open_boxes(
    plans: Iterable[PlanDocument], logs: Iterable[AgentLog], finished: FinishedNames
) -> list[Item]:
    """Return the open boxes that are not items of a plan: its success criteria, and boxes in logs.

    Boxes below the heading of a finished item are closed, and so are boxes that name finished items.
    """
    boxes = [box for plan in plans for box in plan.other_boxes]
    boxes += [box for log in logs for box in log.items if box.reports[0].status is not Status.BLOCKED]
    return [
        box
        for box in boxes
        if not any(report.status in FINISHED for report in box.reports)
        and not any(finished.has_all_named_in(name) for name in (*box.key[1:-1], box.id or "", box.title))
    ]


def is_left_for_later(status: Status, reports: Sequence[Report]) -> bool:
    """Return whether an item is skipped because it is deferred: then the work is not complete."""
    return status is Status.SKIPPED and any(is_postponed(report.text) for report in reports)


# Rule 6. An item is identified by its whole path: if several share an id, a dependency means the nearest.


def items_by_id(items: Iterable[Item]) -> dict[str, list[Item]]:
    """Return the items with each id, containers too."""
    by_id: dict[str, list[Item]] = defaultdict(list)
    for item in all_items(items):
        if item.id:
            by_id[fold_id(item.id)].append(item)
    return by_id


def find_dependencies(item: Item, by_id: ItemsById) -> list[Item]:
    """Return the items that an item depends on; if several have that id, the one in the nearest section."""
    found = []
    for name in item.depends_on:
        task = fold_id(name.partition(".")[0])  # `2.1` may be a step of task 2
        if same := [other for other in by_id.get(fold_id(name)) or by_id.get(task, []) if other is not item]:
            found.append(max(same, key=lambda other: _common_path(item, other)))
    return found


def _common_path(one: Item, other: Item) -> int:
    common = 0
    for left, right in zip(one.key, other.key, strict=False):
        if left != right:
            break
        common += 1
    return common


# Rule 7. Queue fields are obeyed. A parent's deferral or block holds for its children.


def held_status(status: Status, parents: Parents, reports: Reports) -> Status:
    """Return the status of a leaf; if it is open and a parent is deferred or blocked, that of the parent."""
    if status in FINISHED:
        return status
    for parent in parents:
        report = deciding_report(reports[parent])
        if report and report.status in {Status.SKIPPED, Status.BLOCKED}:
            return report.status
    return status


def is_offered(item: Item, parents: Parents, today: dt.date) -> bool:
    """Return whether an item can be offered as next work by its queue fields and those of its parents."""
    return all(
        each.is_offered and not (each.deferred_until and each.deferred_until > today)
        for each in (*parents, item)
    )


def is_queued_last(item: Item) -> bool:
    """Return whether the plan gives an item a status such as `backlog`: all other open items come first."""
    return any(report.is_plan and comes_last(report.text) for report in item.reports)


# Rule 8. The newer statement wins, and its age is shown. If dates are equal, the plan wins over prose.


def deciding_report(reports: Sequence[Report]) -> Report | None:
    """Return the report that decides a status, or None if none states one."""
    stated = [(position, report) for position, report in enumerate(reports) if report.status is not None]
    plan = next((report for _, report in stated if report.is_plan), None)
    plan_date = plan.source.date if plan else None

    def weight(pair: tuple[int, Report]) -> tuple[bool, dt.date, int]:
        position, report = pair
        date = report.source.date or dt.date.min
        is_newer = plan_date is not None and (date > plan_date or report.is_after_plan)
        return (report.is_plan or is_newer, date, position)

    return max(stated, key=weight, default=(0, None))[1]


def describe_conflict(item: Item, reports: Sequence[Report]) -> str | None:
    """Describe that a plan and a log or commit disagree whether an item is done, and what to do.

    None if they agree, if the plan states no status, or if the plan is newer and has the item as done.
    """
    plan = next((report for report in reports if report.is_plan), None)
    if plan is None or plan.status is None or not (item.states_status or item.criteria):
        return None
    stated = [report for report in reports if report.source.path != plan.source.path and report.status]
    name, path = item.id or item.title, plan.source.path
    if not stated:
        is_committed = plan.status is Status.PENDING and reports[-1].source.path == GIT
        about = f"{name} is open, but a commit of {reports[-1].source.date} is about it"
        return f"{about}: check whether it is done" if is_committed else None
    newest = stated[-1]
    is_done = newest.status is Status.DONE
    date, plan_date = newest.source.date, plan.source.date
    is_newer = newest.is_after_plan or bool(date and plan_date and date > plan_date)
    if is_done == (plan.status in FINISHED) or (not is_done and not is_newer):
        return None
    on = f" on {date}" if date else ""
    log = newest.source.path
    if is_done:
        return f"{log} finished {name}{on}; {path} still has it open: update the plan"
    return f"{log} says that {name} is {newest.status}{on}; {path} has it as {plan.status}: check it"


# Rule 9. A blocker is stated; it lasts until an entry or the plan ends it.


def work_goes_on(blocking: Report, reports: Sequence[Report]) -> bool:
    """Return whether a newer entry or commit about the item ends a blocker that an agent's log states."""
    if blocking.is_plan:
        return False
    later = reports[len(reports) - list(reversed(reports)).index(blocking) :]
    return any(report.status is None and not report.is_plan for report in later)


def blocking_reports(reports: Sequence[Report]) -> list[Report]:
    """Return the reports that say that an item is blocked: the newest first, the plan's last."""
    stated = [report for report in reversed(reports) if report.status and not report.is_plan]
    of_plan = [report for report in reports if report.is_plan and report.status is Status.BLOCKED]
    newest = itertools.takewhile(lambda report: report.status is Status.BLOCKED, stated)
    return [*newest, *of_plan]


class FinishedNames:
    """The ids of all items, to tell whether a text names finished items only."""

    def __init__(self, statuses: Statuses) -> None:
        self._is_finished: dict[str, bool] = {}
        for item, status in statuses.items():
            if item.id:
                is_finished = status in FINISHED
                self._is_finished[item.id] = self._is_finished.get(item.id, True) and is_finished
        self._names = NameIndex(self._is_finished)

    def has_all_named_in(self, text: str, own_id: str = "") -> bool:
        """Return whether a text names items by id, apart from `own_id`, and all of them are finished."""
        named = self._names.find(text) - {own_id}
        return bool(named) and all(self._is_finished[name] for name in named)


# Rule 10. Current and next are open leaves whose dependencies are done.


def can_begin(leaf: Leaf, by_id: ItemsById, statuses: Statuses, finished: Item | None = None) -> bool:
    """Return whether all that a leaf and its parents depend on is done; `finished` counts as done, too."""

    def is_finished(item: Item) -> bool:
        children = bool(item.children) and all(map(is_finished, item.children))
        return statuses[item] in FINISHED or item is finished or children

    needed = (other for item in (leaf[0], *leaf[1]) for other in find_dependencies(item, by_id))
    return all(map(is_finished, needed))
