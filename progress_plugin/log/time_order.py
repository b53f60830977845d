"""Entries that come late, put where their time puts them (S1.8, S20.1).

`log.repair` and `usecases.recording.shared_history` ask; the order of agents' own logs is decided in
`authored.chronology` (`true_order`).
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from progress_plugin.log.entry import time_of

_BEGINNING = datetime.min.replace(tzinfo=UTC)


def in_order(items: list[Any], added: list[Any], *, of_former_log: bool = False) -> list[Any]:
    """Put each added entry before the first that is younger; those that are there keep their order.

    Of one moment what is added comes last, but first if it is of a log that was gone when this one began.
    """
    waiting = sorted(added, key=when_of)[::-1]
    merged = []
    for item in items:
        when = when_of(item)
        while waiting and (when_of(waiting[-1]) < when or (of_former_log and when_of(waiting[-1]) == when)):
            merged.append(waiting.pop())
        merged.append(item)
    return [*merged, *reversed(waiting)]


def when_of(item: Any) -> datetime:
    """Return the time of an item of a log; one without any was before all others."""
    return (time_of(item) if isinstance(item, dict) else None) or _BEGINNING
