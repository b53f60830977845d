"""Decide how far the work is: what is done, current, next and blocked, from everything that was read."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from posixpath import dirname

from progress_plugin.model.status import Status
from progress_plugin.model.work import AgentLog, Item, PlanDocument, Report, all_items
from progress_plugin.plans.documents import LOG_FORMAT
from progress_plugin.plans.status_phrases import is_bare_status, without_status
from progress_plugin.state import rules
from progress_plugin.state.matching import is_named, match_reports, shares_words
from progress_plugin.state.state import ItemState, PlanState, Record, State, Work
from progress_plugin.state.statements import Statements, newest_date, read_statements

MAX_REASONS = 3  # of one blocked item
MIN_COMMITS = 3  # since plans and logs changed; one or two may be the commits of plan and log themselves
MIN_NEWER_ENTRIES = 3  # if so many came since the plan changed, and none is about its items, the log leads


def decide(
    plans: Sequence[PlanDocument],
    logs: Sequence[AgentLog],
    records: Sequence[Record],
    today: dt.date,
    later_commits: int = 0,
) -> State:
    """Decide the state of the work. Counts, current and next item are those of the first plan, which leads.

    `later_commits` is how many commits came after plans and logs were changed. If several commits came, and
    neither plan nor log marks an item of the leading plan, it is not kept up to date: nothing is current.
    """
    reports = match_reports(plans, logs, records)
    if plans and _is_of_other_work(plans[0], logs, reports):
        plans = [PlanDocument(logs[0].path, logs[0].path, LOG_FORMAT, ()), *plans]
    statuses = _decide_statuses(plans, reports)
    finished = rules.FinishedNames(statuses)
    newest = newest_date(logs, records)
    recent = _recent_items(reports, logs, newest)
    states = tuple(_plan_state(plan, reports, statuses, recent, today) for plan in plans)
    queue = states[0].queue if states else ()
    statements = read_statements(logs, records, finished, reports, is_planned=bool(queue))
    boxes = tuple(rules.open_boxes(plans[:1], logs, finished))
    current, following = _current_and_next(queue, statements, states, boxes)
    leading = states[0].items if states else ()
    is_kept = not queue or _is_kept(leading, later_commits)
    if not is_kept:
        current, following = None, current
    blocked = _blocked(states, statements, recent)
    done, total = (states[0].done, states[0].total) if states and states[0].total else (None, None)
    left = tuple(each.item for each in leading if rules.is_left_for_later(each.status, each.reports))
    conflicts = (rules.describe_conflict(each.item, each.reports) for each in leading)
    is_more_open = bool(statements.steps or blocked or left or boxes)
    return State(
        done=done,
        total=total,
        is_complete=total is not None and done == total and not is_more_open,
        is_kept=is_kept,
        current=current,
        next=following,
        blocked=blocked,
        steps=statements.steps,
        ended=statements.ended,
        open_boxes=boxes,
        left_for_later=left,
        conflicts=tuple(conflict for conflict in conflicts if conflict),
        unknown=tuple(line for plan in plans[:1] for line in rules.unknown_phrases(plan)),
        problems=tuple(problem for plan in plans for problem in plan.problems)
        + tuple(problem for log in logs for problem in log.problems),
        plans=states,
        entries=sum(len(log.entries) for log in logs)
        + sum(record.path == "progress.json" for record in records),
        newest=newest,
    )


def _is_of_other_work(plan: PlanDocument, logs: Sequence[AgentLog], reports: rules.Reports) -> bool:
    """Return whether a plan is about other work than the leading log; if so, the log leads instead of it.

    Three or more entries have the day of the plan's last change or a later one, and no entry or commit is
    about its items. A plan that is begun must also be older than an entry and in another folder than the log.
    """
    changed = plan.date
    if not changed or not logs:
        return False
    dates = [entry.date for entry in logs[0].entries if entry.date and entry.date >= changed]
    of_items = [report for item in all_items(plan.items) for report in reports[item]]
    if len(dates) < MIN_NEWER_ENTRIES or not all(report.is_plan for report in of_items):
        return False
    is_begun = any(report.status not in {None, Status.PENDING} for report in of_items)
    is_beside = dirname(plan.path) == dirname(logs[0].path)
    return not is_begun or (max(dates) > changed and not is_beside)


def _is_kept(items: Iterable[ItemState], later_commits: int) -> bool:
    """Return whether an item is not pending in the plan or is named in a log, or few commits came."""
    reports = [report for state in items for report in state.reports]
    of_commits = [report for report in reports if report.source.path == rules.GIT]
    has_marks = any(
        report.status not in {None, Status.PENDING} if report.is_plan else report.source.path != rules.GIT
        for report in reports
    )
    return has_marks or later_commits + len(of_commits) < MIN_COMMITS


def _decide_statuses(plans: Iterable[PlanDocument], reports: rules.Reports) -> dict[Item, Status]:
    """Return the status of every item, containers too (rules 1, 2 and 7 to 9)."""
    statuses: dict[Item, Status] = {}

    def add(item: Item, parents: rules.Parents) -> Status:
        if item.children:
            statuses[item] = rules.combine([add(child, (*parents, item)) for child in item.children])
        else:
            statuses[item] = rules.held_status(rules.stated_status(reports[item]), parents, reports)
        return statuses[item]

    for plan in plans:
        for item in plan.items:
            add(item, ())
    return statuses


def _recent_items(
    reports: rules.Reports, logs: Iterable[AgentLog], newest: dt.date | None
) -> frozenset[Item]:
    """Return the items that the last entry of a log, or a record of the newest day, is about."""
    last = {log.entries[-1].source for log in logs if log.entries}

    def is_recent(report: Report) -> bool:
        is_record = not report.is_plan and not report.source.line
        return report.source in last or (is_record and report.source.date == newest)

    return frozenset(
        item for item, of_item in reports.items() if any(is_recent(report) for report in of_item)
    )


def _plan_state(
    plan: PlanDocument,
    reports: rules.Reports,
    statuses: rules.Statuses,
    recent: frozenset[Item],
    today: dt.date,
) -> PlanState:
    def state(leaf: rules.Leaf) -> ItemState:
        item, parents = leaf
        return ItemState(item, statuses[item], parents, tuple(reports[item]))

    items = tuple(state(leaf) for leaf in rules.leaves(plan.items))
    groups = tuple(state((item, ())) for item in all_items(plan.items) if item.children)
    counted = [state for state in items if state.status is not Status.SKIPPED]
    done = sum(state.status is Status.DONE for state in counted)
    return PlanState(plan, items, groups, done, len(counted), _queue(plan, statuses, recent, today))


def _queue(
    plan: PlanDocument, statuses: rules.Statuses, recent: frozenset[Item], today: dt.date
) -> tuple[Work, ...]:
    """Return the first item that can begin, and a second that can begin now or once the first is finished.

    Active items come first, recent ones before the others, and items with a status like `backlog` last. Then
    the priority decides, then the position.
    """
    by_id = rules.items_by_id(plan.items)
    open_leaves = [
        (item, parents)
        for item, parents in rules.leaves(plan.items)
        if statuses[item] in {Status.ACTIVE, Status.PENDING, Status.FAILED}
        and rules.is_offered(item, parents, today)
    ]
    ready = [leaf[0] for leaf in open_leaves if rules.can_begin(leaf, by_id, statuses)]

    def urgency(item: Item) -> tuple[bool, bool, bool, float]:
        is_active = statuses[item] is Status.ACTIVE
        return (
            not is_active,
            not (is_active and item in recent),
            rules.is_queued_last(item),
            0 if item.priority is None else item.priority,
        )

    ordered = sorted(ready, key=urgency)
    if not ordered:
        return ()
    first = ordered[0]
    free = [leaf[0] for leaf in open_leaves if rules.can_begin(leaf, by_id, statuses, first)]
    following = sorted((item for item in free if item is not first), key=urgency)
    chosen = (first, *following[:1])
    return tuple(Work(item.title, item.source, item, statuses[item]) for item in chosen)


def _current_and_next(
    queue: Sequence[Work], statements: Statements, states: Sequence[PlanState], boxes: Sequence[Item]
) -> tuple[Work | None, Work | None]:
    """Return the current work, which is in progress or can begin at once, and the next work.

    Items of the plan come before steps that documents state. If no item can begin, nothing is current. If the
    plan was read from a log and no item is in progress, the focus comes first. Without a plan, the stated
    focus is current and the first step is next. Without a focus the first step is both; without a step the
    first open box counts as the first step.
    """
    first = statements.steps[0] if statements.steps else None
    if queue:
        is_listed = states[0].plan.format != LOG_FORMAT or queue[0].status is Status.ACTIVE
        works = queue if is_listed or not statements.focus else [statements.focus, *queue]
        return works[0], works[1] if len(works) > 1 else first
    if states and states[0].total:
        return None, first
    if first is None:
        first = next((Work(box.title, box.source) for box in boxes if box.is_offered), None)
    return statements.focus or first, first


def _blocked(
    states: Sequence[PlanState], statements: Statements, recent: frozenset[Item]
) -> tuple[Work, ...]:
    """Return the blocked items, and stated blockers that are not about any of them.

    An item of another plan counts only if our log, a commit or one of the newest entries is about it.
    """
    items = [
        Work(
            state.item.title,
            state.item.source,
            state.item,
            state.status,
            blocking_reason(state),
            writer=next((each.source.writer for each in rules.blocking_reports(state.reports)), ""),
        )
        for plan in states
        for state in plan.items
        if state.status is Status.BLOCKED
        and (plan is states[0] or state.item in recent or any(each.record for each in state.reports))
    ]
    stated = [work for work in statements.blockers if not any(_is_about(work, item) for item in items)]
    return (*items, *stated)


def blocking_reason(state: ItemState) -> str:
    """Return why an item is blocked, the newest reason first, without texts that repeat its title."""
    of_parents = [report for parent in state.parents for report in parent.reports]
    reasons: list[str] = []
    for report in (*rules.blocking_reports(state.reports), *reversed(of_parents)):
        text = report.text.removeprefix(f"{state.item.id}: ")
        reason = without_status(text) if report.status is Status.BLOCKED else ""
        known = (state.item.title, *reasons)
        is_new = reason not in {"", *known} and not any(shares_words(reason, text) for text in known)
        if is_new and not is_bare_status(reason):
            reasons.append(reason)
    return "; ".join(reasons[:MAX_REASONS])


def _is_about(work: Work, item: Work) -> bool:
    name = item.item.id if item.item else None
    has_name = name is not None and is_named(name, work.text)
    return has_name or shares_words(work.text, f"{item.text} {item.reason}")
