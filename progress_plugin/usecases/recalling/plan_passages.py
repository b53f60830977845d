"""What plans state, as a log with an entry for each item: passages are made of it like of any other log."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence

from progress_plugin.model.status import FINISHED, SHOWN_WORDS, Status
from progress_plugin.model.work import AgentLog, Entry, Item, Source, Statement
from progress_plugin.plans.status_phrases import without_status
from progress_plugin.state.state import ItemState, PlanState
from progress_plugin.summary.shown_text import name_item

MAX_OPEN_ITEMS = 5  # named in the overview


def describe_plans(path: str, states: Sequence[PlanState]) -> AgentLog:
    """Return the plans of one file as a log."""
    items = [each for state in states for each in (*state.groups, *state.items)]
    items.sort(key=lambda each: each.item.source.line)
    entries = tuple(_entry(number, each.item) for number, each in enumerate(items, 1))
    statements = [each for state in states for each in _overview(state)]
    statements += [each for entry, item in zip(entries, items, strict=True) for each in _of_item(entry, item)]
    return AgentLog(path, "state", entries, tuple(statements))


def _entry(number: int, item: Item) -> Entry:
    ids = (item.id,) if item.id else ()
    return Entry(number, item.title, item.source, ids, item.source.date, files=item.files)


def _name(state: ItemState) -> str:
    return f"{name_item(state.item)} ({SHOWN_WORDS[state.status]})"


def _overview(state: PlanState) -> Iterator[Statement]:
    """Yield how far a plan is: what is done, what was done last, what is open."""
    done = [each for each in state.items if each.status is Status.DONE]
    open_ = [each for each in state.items if each.status not in FINISHED]
    first = state.items[0].item.source if state.items else Source(state.plan.path)
    counts = f"{state.done} of {state.total} stories done, {len(open_) or 'none'} open"
    yield Statement(counts, first, "status")
    if done:
        last = max(reversed(done), key=lambda each: each.item.source.date or dt.date.min)
        yield Statement(f"Last finished: {name_item(last.item)}", last.item.source, "status")
    if open_:
        named = [_name(each) for each in open_[:MAX_OPEN_ITEMS]]
        more = [f"{len(open_) - MAX_OPEN_ITEMS} more"] if len(open_) > MAX_OPEN_ITEMS else []
        yield Statement(f"Next and open: {'; '.join([*named, *more])}", open_[0].item.source, "status")


def _of_item(entry: Entry, state: ItemState) -> Iterator[Statement]:
    """Yield what an item asks for; what a finished item asked for is not to be done any more."""
    item, is_over = state.item, state.status in FINISHED
    reasons = [each.text for each in state.reports if each.is_plan and each.status is Status.BLOCKED]
    said = [("task", _name(state))]
    said += [("task" if is_over else "blocked", f"Blocked by: {without_status(text)}") for text in reasons]
    said += [("task" if is_over else "next", item.description), ("notes", item.notes)]
    said += [("notes", f"Asked for: {text}") for text in item.criteria]
    for nth, (section, text) in enumerate(said):
        if text:
            yield Statement(
                text, item.source, section, form="item", entry=entry.number, nth=nth, story=item.id
            )
