"""Entries that come late, placed by their time."""

from __future__ import annotations

from typing import Any

from progress_plugin.log.entry import when_of


def in_order(items: list[Any], added: list[Any], *, of_former_log: bool = False) -> list[Any]:
    """Put each added entry before the first that is younger; those that are there keep their order.

    With equal times an added entry comes last, but first if it is of a log that was gone when this one began.
    """
    waiting = sorted(added, key=when_of)[::-1]
    merged = []
    for item in items:
        when = when_of(item)
        while waiting and (when_of(waiting[-1]) < when or (of_former_log and when_of(waiting[-1]) == when)):
            merged.append(waiting.pop())
        merged.append(item)
    return [*merged, *reversed(waiting)]


def place_in_session(entry: dict[str, Any]) -> int:
    """Return what orders entries of one second whose ids do not: a session begins first, and ends last."""
    return {"session_started": 0, "session_ended": 2}.get(str(entry.get("type")), 1)
