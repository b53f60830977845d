"""Entries that come late, put where their time puts them."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Any

from progress_plugin.log.entry import when_of, writer_of


def in_order(items: list[Any], added: list[Any], *, of_former_log: bool = False) -> list[Any]:
    """Put each added entry before the first that is younger; those that are there keep their order.

    Of one moment what is added comes last, but first if it is of a log that was gone when this one began.
    Entries of another clone and one moment stand as that clone wrote them, by their ids, however they came.
    """
    waiting = sorted(added, key=when_of)[::-1]
    merged = []
    for item in items:
        when = when_of(item)
        while waiting and (when_of(waiting[-1]) < when or (of_former_log and when_of(waiting[-1]) == when)):
            merged.append(waiting.pop())
        merged.append(item)
    return _as_written([*merged, *reversed(waiting)], added)


def _as_written(items: list[Any], added: list[Any]) -> list[Any]:
    """Bring those of another clone and moment into the order of their ids, where some were there before.

    What comes together comes in an order that its carrier knows.
    """
    late = Counter(filter(None, map(_writer_and_moment, added)))
    places: dict[tuple[str, datetime], list[int]] = {}
    for number, item in enumerate(items) if late else ():
        place = _writer_and_moment(item)
        if place is not None and place in late:
            places.setdefault(place, []).append(number)
    for place, numbers in places.items():
        if len(numbers) > late[place]:
            ordered = sorted((items[each] for each in numbers), key=_as_its_writer_knows)
            for number, item in zip(numbers, ordered, strict=True):
                items[number] = item
    return items


def _writer_and_moment(item: Any) -> tuple[str, datetime] | None:
    writer = writer_of(item) if isinstance(item, dict) else None
    return None if writer is None else (writer, when_of(item))


def _as_its_writer_knows(entry: dict[str, Any]) -> tuple[int, str]:
    return place_in_session(entry), str(entry.get("id"))


def place_in_session(entry: dict[str, Any]) -> int:
    """Return what orders entries of one second where ids do not: a session begins first, and ends last."""
    return {"session_started": 0, "session_ended": 2}.get(str(entry.get("type")), 1)
