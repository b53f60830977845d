"""Which archived entries decide what comes next, so that the index need hold no others.

How they decide it is in `usecases.summarizing.logged_next_step`: the newest that concerns this branch and
plan has the last word. Which that is here is not known to an index, which all branches read, so of each
branch and plan the newest are kept, and besides the newest of all: what another branch finished may have been
merged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any

from progress_plugin.log.entry import data_of, is_signal, text_of, texts_of, when_of
from progress_plugin.log.logged_blockers import TaskKey, task_key
from progress_plugin.log.recent_entries import ENDING, next_steps
from progress_plugin.log.supplements import ALSO_ON
from progress_plugin.text.bounds import shortened

_WHATEVER = 20
"""The newest, which are kept whoever wrote them."""
_MOST_PLACES = 40
"""Branches and plans, those that were worked at last, of which the newest are kept."""
_ENOUGH = 2
"""Tasks that signals finished: after so many any older step may be taken."""
_MOST_TEXTS = 20
_LONGEST_TEXT = 1000

_Place = tuple[str | None, ...]
Pair = tuple[dict[str, Any], dict[str, Any]]
"""An entry as all its parts make it, and one of them (`supplements.parts_of_effective`)."""


def deciding(entry: dict[str, Any], part: dict[str, Any]) -> str | None:
    """Return the next steps that a part of an entry says; "" where it only finishes something, else None.

    A step is as new as the part that says it, and a task was finished with the first part.
    """
    steps = next_steps(entry) if next_steps(part) else None
    if steps:
        return steps
    return "" if entry.get("type") in ENDING and part.get("id") == entry.get("id") else None


def deciding_steps(
    parts: Iterable[Pair],
    small: Callable[[dict[str, Any]], dict[str, Any]],
) -> list[dict[str, Any]]:
    """Return the parts of a month that can decide what comes next, oldest first, each made small."""
    found = []
    for entry, part in parts:
        steps = deciding(entry, part)
        if steps is None:
            continue
        known = small(entry)
        if steps:
            texts = [shortened(text, _LONGEST_TEXT, "…") for text in texts_of(data_of(entry), "next_steps")]
            known["data"]["next_steps"] = texts[:_MOST_TEXTS]
        found.append(known | {"timestamp": part["timestamp"]} if "timestamp" in part else known)
    return newest_deciding([found])[0]


def newest_deciding(months: Sequence[list[dict[str, Any]]]) -> list[list[dict[str, Any]]]:
    """Return of each month, in order of time, those that no newer ones leave without a say."""
    left = _WHATEVER
    finished: dict[_Place, set[TaskKey] | None] = {}
    """By signals, of each branch and plan; None where the last word was found."""
    kept: list[list[dict[str, Any]]] = [[] for _ in months]
    steps = [(number, entry) for number, month in enumerate(months) for entry in month]
    for number, entry in sorted(steps, key=lambda step: when_of(step[1]))[::-1]:
        place = _place(entry)
        before = finished.get(place, set() if len(finished) < _MOST_PLACES else None)
        after = None if before is None else _finished_with(entry, before)
        if left > 0 or after != before:
            kept[number].append(entry)
        left -= 1
        if before is not None:
            finished[place] = after
    return [month[::-1] for month in kept]


def _said(pair: Pair) -> datetime:
    return when_of(pair[1])


def _finished_with(entry: dict[str, Any], before: set[TaskKey]) -> set[TaskKey] | None:
    """Return what signals have finished with this entry; None where nothing older counts."""
    if texts_of(data_of(entry), "next_steps") or not (is_signal(entry) and text_of(entry, "task_id")):
        return None
    after = {*before, task_key(entry)}
    return after if len(after) < _ENOUGH else None


def _place(entry: dict[str, Any]) -> _Place:
    """Return of which branch and plan an entry is."""
    story = entry.get("story")
    named = story if isinstance(story, dict) else {}
    return (
        *(text_of(entry, "branch"), *texts_of(entry, ALSO_ON)),
        text_of(entry, "spec"),
        text_of(data_of(entry), "plan"),
        *(text_of(named, name) for name in ("plan", "plan_id", "branch")),
    )
