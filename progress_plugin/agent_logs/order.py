"""Put the entries of a log into the order in which they were written."""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Sequence

from progress_plugin.agent_logs.entries import FoundEntry

MAX_JUMP_DAYS = 200


def oldest_first(entries: Sequence[FoundEntry]) -> list[FoundEntry]:
    """Return the entries in the order of writing.

    The file is flipped if its dates or numbers mostly fall, then sorted by day; an entry without a credible
    date keeps its place behind the one before it.
    """
    ordered = list(entries)
    steps = sum(_step(before, after) for before, after in itertools.pairwise(ordered))
    if steps < 0:
        ordered.reverse()
    days = _credible_days([entry.heading.date for entry in ordered])
    places = sorted(range(len(ordered)), key=lambda place: (days[place], place))
    return [ordered[place] for place in places]


def _step(before: FoundEntry, after: FoundEntry) -> int:
    """Return 1 if the second entry is later by its date, else by its number; -1 if it is earlier."""
    one, other = before.heading, after.heading
    if one.date and other.date and one.date != other.date:
        return 1 if other.date > one.date else -1
    first, second = _number(before), _number(after)
    if first is None or second is None or first == second:
        return 0
    return 1 if second > first else -1


def _number(entry: FoundEntry) -> int | None:
    heading = entry.heading
    if heading.ids:
        digits = heading.ids[0][len(heading.ids[0].rstrip("0123456789")) :]
        return int(digits[:9]) if digits else None
    return heading.number


def _credible_days(dates: Sequence[dt.date | None]) -> list[int]:
    """Return a day for each entry; without a date, or far from both neighbours, it has the day before it."""
    known = [(place, date.toordinal()) for place, date in enumerate(dates) if date]
    days = dict(known)
    for (_, before), (place, day), (_, after) in zip(known, known[1:], known[2:], strict=False):
        if min(abs(day - before), abs(day - after)) > MAX_JUMP_DAYS:
            del days[place]
    found: list[int] = []
    first = next((days[place] for place in range(len(dates)) if place in days), 0)
    for place in range(len(dates)):
        found.append(days.get(place, found[-1] if found else first))
    return found
