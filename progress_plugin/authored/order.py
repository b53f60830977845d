"""Find the true order of entries: dates where they are to be believed, else how the file grew (S6.4).

Agents append, or prepend, or both in one file. Dates may be equal, missing or mistyped, and ids do not
order. So the file's own order stands until dates, or ids that fall steadily, say otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date as Day  # noqa: N812 - `date` is what everything else here is called
from itertools import pairwise
from typing import NamedTuple

_FAR = 200
"""Days from both neighbours at which a date is taken for a slip of the pen."""
_NUMBER = re.compile(r"(\d+)(?!.*\d)")


class Stamp(NamedTuple):
    """What orders one entry: its day and time of day as far as given, and its first id."""

    day: str
    clock: str
    id: str
    block: int = 0
    """0 above the head section of the file, 1 below it."""


def true_order(stamps: Sequence[Stamp]) -> list[int]:
    """Return the indices of the entries, oldest first."""
    days = _credible_days(stamps)
    upper = [at for at in range(len(stamps)) if stamps[at].block == 0]
    lower = [at for at in range(len(stamps)) if stamps[at].block == 1]
    upper, lower = _oldest_first(upper, stamps, days), _oldest_first(lower, stamps, days)
    base = lower + upper if lower and upper and _is_newer(upper, lower, stamps, days) else upper + lower
    if not any(days):
        return base
    filled = _filled(base, days)
    base.sort(key=lambda at: filled[at])
    return _by_clock(base, stamps, days)


def _credible_days(stamps: Sequence[Stamp]) -> list[str]:
    """Return the days, without those that lie far from the ones before and after."""
    ordinals = [Day.fromisoformat(stamp.day).toordinal() if stamp.day else None for stamp in stamps]
    given = [at for at, ordinal in enumerate(ordinals) if ordinal is not None]
    days = [stamp.day for stamp in stamps]
    for place, at in enumerate(given):
        own = ordinals[at] or 0
        beside = [given[near] for near in (place - 1, place + 1) if 0 <= near < len(given)]
        far = [abs(own - (ordinals[near] or 0)) > _FAR for near in beside]
        near_each_other = len({(ordinals[near] or 0) // _FAR for near in beside}) == 1
        if beside and all(far) and near_each_other and len(given) > 2:  # noqa: PLR2004 - two dates: who is right?
            days[at] = ""
    return days


def _oldest_first(indices: list[int], stamps: Sequence[Stamp], days: list[str]) -> list[int]:
    """Turn a part of the file that was written newest first."""
    rising = falling = 0
    for at, after in pairwise(indices):
        step = _compare(stamps[at], stamps[after], days[at], days[after])
        rising += step > 0
        falling += step < 0
    return indices[::-1] if falling > rising else indices


def _compare(first: Stamp, second: Stamp, day: str, other: str) -> int:
    """Return 1 if the second is newer, -1 if it is older, 0 if nothing tells."""
    if day and other and day != other:
        return 1 if other > day else -1
    if first.clock and second.clock and day and first.clock != second.clock:
        return 1 if second.clock > first.clock else -1
    one, two = _series(first.id), _series(second.id)
    if one and two and one[0] == two[0] and one[1] != two[1]:
        return 1 if two[1] > one[1] else -1
    return 0


def _series(id_: str) -> tuple[str, int] | None:
    found = _NUMBER.search(id_)
    return (id_[: found.start()], int(found[1])) if found and len(found[1]) < 8 else None  # noqa: PLR2004 - no hash


def _is_newer(upper: list[int], lower: list[int], stamps: Sequence[Stamp], days: list[str]) -> bool:
    """Tell whether the entries above the head section were put there after those below it."""
    newest_up, newest_low = max(days[at] for at in upper), max(days[at] for at in lower)
    if newest_up != newest_low:
        return newest_up > newest_low
    ups = [series[1] for at in upper if (series := _series(stamps[at].id))]
    lows = [series[1] for at in lower if (series := _series(stamps[at].id))]
    return bool(ups and lows) and sum(ups) / len(ups) > sum(lows) / len(lows)


def _filled(base: list[int], days: list[str]) -> list[str]:
    """Return the days, each missing one replaced by the one before it in the order so far."""
    filled = list(days)
    last = next(days[at] for at in base if days[at])
    for at in base:
        last = filled[at] = days[at] or last
    return filled


def _by_clock(base: list[int], stamps: Sequence[Stamp], days: list[str]) -> list[int]:
    """Order the entries of one day by their times, where all of them have one."""
    order: list[int] = []
    start = 0
    while start < len(base):
        end = start
        while end < len(base) and days[base[end]] == days[base[start]]:
            end += 1
        part = base[start:end]
        if days[part[0]] and all(stamps[at].clock for at in part):
            part = sorted(part, key=lambda at: stamps[at].clock)
        order += part
        start = end
    return order
