"""Find the true order of entries: dates where they are to be believed, else how the file grew.

Agents append, or prepend, or both in one file. Dates may be equal, missing or mistyped, and ids do not
order. So the file's own order holds until dates, or numbers that fall steadily, say otherwise.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date as Day  # noqa: N812 - `date` is what everything else here is called
from itertools import groupby, pairwise
from operator import itemgetter
from typing import NamedTuple

from progress_plugin.authored.dates import find_date
from progress_plugin.text.patterns import LazyPattern

_FAR = 200
"""Days from both neighbours at which a date is taken for a slip of the pen."""
_NEAR = 31
"""Days from its neighbours that one is at which only its year or month was mistyped."""
_SHORTEST = 28
"""Days that every month has."""
_SLIPS = 4
"""Of so many entries one may have a wrong date, where ids that only rise speak for the file's order."""
_SEVERAL = 3
"""Ids of one day that must fall before its times are not believed: one or two are done out of turn."""
_AHEAD = 2
"""Entries below one that were written earlier by their times, from which that one's is not believed."""
_MINUTES = 24 * 60
_VERSION = LazyPattern(r"\bv?(\d{1,4}(?:\.\d{1,4}){1,3})\b")
_NUMBER = LazyPattern(r"(\d+)(?!.*\d)")


class Stamp(NamedTuple):
    """What orders one entry: its day and time of day as far as given, its first id, its session."""

    day: str
    clock: str
    id: str
    block: int = 0
    """0 above the head section of the file, 1 below it."""
    number: int | None = None
    """Of the session, iteration or sprint that it is about, or that it is in."""
    offset: int | None = None
    """Minutes east of UTC that its time is meant in, None where nothing says so."""


def true_order(stamps: Sequence[Stamp], *, newest_first: Callable[[], bool] = lambda: False) -> list[int]:
    """Return the indices of the entries, oldest first.

    `newest_first` finds what the log says of itself: only asked where dates and numbers say nothing.
    """
    stamps = _in_one_zone(stamps)
    days = _credible_days(stamps)
    base = _by_number(stamps, days) or _as_it_grew(stamps, days)
    if not any(_steps(base, stamps, days)) and newest_first():
        base.reverse()
    if not any(days):
        return base
    filled = _filled(base, days)
    order = _by_clock(sorted(base, key=lambda at: filled[at]), stamps, days)
    return base if _slipped(base, order, stamps) else order


def _in_one_zone(stamps: Sequence[Stamp]) -> Sequence[Stamp]:
    """Return the stamps in one zone if they name several and fewer are out of turn then.

    Agents write UTC beside a local time as often as they convert it.
    """
    offsets = [stamp.offset for stamp in stamps if stamp.day and stamp.clock]
    usual = offsets[0] if offsets else None
    if usual is None or offsets.count(usual) == len(offsets) or None in offsets:
        return stamps
    converted = [stamp if stamp.offset in {usual, None} else _moved_to(usual, stamp) for stamp in stamps]
    return converted if _disorder(converted) < _disorder(stamps) else stamps


def _moved_to(offset: int, stamp: Stamp) -> Stamp:
    """Return a stamp with a zone as a clock that is `offset` minutes east of UTC would show it."""
    if not (stamp.day and stamp.clock):
        return stamp
    hour, _, minute = stamp.clock.partition(":")
    minutes = int(hour) * 60 + int(minute) - (stamp.offset or 0) + offset
    day = Day.fromordinal(Day.fromisoformat(stamp.day).toordinal() + minutes // _MINUTES)
    clock = f"{minutes % _MINUTES // 60:02}:{minutes % 60:02}"
    return stamp._replace(day=day.isoformat(), clock=clock, offset=offset)


def _disorder(stamps: Sequence[Stamp]) -> int:
    """Return how many of the timed entries are out of turn, whichever way the file grew."""
    times = [stamp.day + stamp.clock for stamp in stamps if stamp.day and stamp.clock]
    return min(_strays(times), _strays(times[::-1]))


def _credible_days(stamps: Sequence[Stamp]) -> list[str]:
    """Return the days, without those that lie far from the ones before and after."""
    days = [stamp.day for stamp in stamps]
    ordinals = [Day.fromisoformat(day).toordinal() if day else None for day in days]
    for at in list(_mistyped_in_a_row(ordinals)):
        days[at] = ""
    given = [at for at, day in enumerate(days) if day]
    for place, at in enumerate(given):
        own = ordinals[at] or 0
        beside = [given[near] for near in (place - 1, place + 1) if 0 <= near < len(given)]
        far = [abs(own - (ordinals[near] or 0)) > _FAR for near in beside]
        near_each_other = len({(ordinals[near] or 0) // _FAR for near in beside}) == 1
        if beside and all(far) and near_each_other and len(given) > 2:  # noqa: PLR2004 - two dates: who is right?
            days[at] = ""
    return days


def _mistyped_in_a_row(ordinals: Sequence[int | None]) -> Iterator[int]:
    """Yield the places of days with a wrong year or month that several entries one after the other have.

    That is where the days on both sides of them are near each other, and theirs would be with that year or
    month. Agents copy the date of the entry before.
    """
    run: list[int] = []
    last: int | None = None
    for at, day in enumerate(ordinals):
        if day is None:
            continue
        if last is not None and not -_FAR <= day - last <= _FAR:
            run.append(at)
            continue
        if run:
            yield from _mistyped(run, ordinals, day, len(ordinals))
            run = []
        last = day


def _mistyped(run: Sequence[int], ordinals: Sequence[int | None], right: int, entries: int) -> Iterator[int]:
    """Yield which of the places have a day that only lacks the year or the month of the right one."""
    for at in run if 2 * len(run) < entries else ():
        if _lacks_year_or_month(Day.fromordinal(ordinals[at] or right), Day.fromordinal(right)):
            yield at


def _lacks_year_or_month(wrong: Day, right: Day) -> bool:
    day = min(wrong.day, _SHORTEST)
    meant = (wrong.replace(year=right.year, day=day), wrong.replace(month=right.month, day=day))
    return any(abs(each.toordinal() - right.toordinal()) <= _NEAR for each in meant)


def _as_it_grew(stamps: Sequence[Stamp], days: list[str]) -> list[int]:
    """Return the order of the file, each of its parts turned if it was written newest first."""
    upper = [at for at in range(len(stamps)) if stamps[at].block == 0]
    lower = [at for at in range(len(stamps)) if stamps[at].block == 1]
    upper, lower = _oldest_first(upper, stamps, days), _oldest_first(lower, stamps, days)
    newer = lower and upper and _is_newer(upper, lower, stamps, days)
    return lower + upper if newer else upper + lower


def _by_number(stamps: Sequence[Stamp], days: list[str]) -> list[int]:
    """Return the order of the sessions by number, where all are there once and no day contradicts; else none.

    Several entries may be in one session. Numbers that begin anew with each run order nothing.
    """
    runs = [
        (number, list(part)) for number, part in groupby(range(len(stamps)), key=lambda at: stamps[at].number)
    ]
    numbers = [number for number, _ in runs if number is not None]
    if len(numbers) < max(2, len(runs)) or max(numbers) - min(numbers) + 1 != len(numbers):
        return []
    if len(set(numbers)) < len(numbers):
        return []
    runs.sort(key=lambda run: run[0] or 0)
    order = [at for _, part in runs for at in _oldest_first(part, stamps, days)]
    dated = [days[at] for at in order if days[at]]
    return order if dated == sorted(dated) else []


def _oldest_first(indices: list[int], stamps: Sequence[Stamp], days: list[str]) -> list[int]:
    """Turn a part of the file that was written newest first."""
    return indices[::-1] if sum(_steps(indices, stamps, days)) < 0 else indices


def _steps(indices: list[int], stamps: Sequence[Stamp], days: list[str]) -> Iterator[int]:
    """Yield for each entry but the first whether it is newer (1) or older (-1) than the one before it."""
    return (_compare(stamps[at], stamps[after], days[at], days[after]) for at, after in pairwise(indices))


def _compare(first: Stamp, second: Stamp, day: str, other: str) -> int:
    """Return 1 if the second is newer, -1 if it is older, 0 if that is unknown."""
    if day and other and day != other:
        return 1 if other > day else -1
    if first.clock and second.clock and day and first.clock != second.clock:
        return 1 if second.clock > first.clock else -1
    if first.number is not None and second.number is not None and first.number != second.number:
        return 1 if second.number > first.number else -1
    one, two = _series(first.id), _series(second.id)
    if one and two and one[0] == two[0] and one[1] != two[1]:
        return 1 if two[1] > one[1] else -1
    return 0


def _series(id_: str) -> tuple[str, int] | None:
    found = _NUMBER.search(id_)
    return (id_[: found.start()], int(found[1])) if found and len(found[1]) < 8 else None  # noqa: PLR2004 - no hash


def _is_newer(upper: list[int], lower: list[int], stamps: Sequence[Stamp], days: list[str]) -> bool:
    """Return whether the entries above the head section were put there after those below it."""
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
    """Order the entries of one day by their times, where all of them have one that is to be believed."""
    order: list[int] = []
    start = 0
    while start < len(base):
        end = start
        while end < len(base) and days[base[end]] == days[base[start]]:
            end += 1
        part = base[start:end]
        if days[part[0]] and all(stamps[at].clock for at in part):
            clocks = _credible_clocks([stamps[at].clock for at in part])
            timed = [at for _, at in sorted(zip(clocks, part, strict=True), key=itemgetter(0))]
            part = part if _contradicts_ids(timed, part, stamps) else timed
        order += part
        start = end
    return order


def _contradicts_ids(timed: list[int], grown: list[int], stamps: Sequence[Stamp]) -> bool:
    """Return whether several ids fall by the times that rise as the file grew.

    Agents make times up: where position and ids agree, it is two against one.
    """
    return _falls(timed, stamps) - _falls(grown, stamps) >= _SEVERAL


def _credible_clocks(clocks: Sequence[str]) -> list[str]:
    """Return the times of a day as the file grew, in place of those typed ahead the ones before them.

    Nobody writes in the middle of a file: what is later there than several entries below it, where most times
    rise and one before it is right, was not written then.
    """
    rising = _longest_rising(clocks)
    if len(rising) == len(clocks) or len(clocks) >= 2 * len(rising):
        return list(clocks)
    right, found = set(rising), list(clocks)
    later: list[str] = []
    for at in range(len(clocks) - 1, rising[0], -1):
        if at not in right and len(later) == _AHEAD and clocks[at] > later[-1]:
            found[at] = ""
        later = sorted([*later, clocks[at]])[:_AHEAD]
    for at in range(1, len(found)):
        found[at] = found[at] or found[at - 1]
    return found


def _falls(order: list[int], stamps: Sequence[Stamp]) -> int:
    """Return how many ids are out of turn in their series, as far as entries have one."""
    series = [found for at in order if (found := _series(stamps[at].id))]
    names = {name for name, _ in series}
    return sum(_strays([number for name, number in series if name == each]) for each in names)


def _slipped(base: list[int], order: list[int], stamps: Sequence[Stamp]) -> bool:
    """Return whether the few entries that dates would move are dated wrongly: without that, ids only rise."""
    if base == order or not _rises(base, stamps):
        return False
    place = {at: number for number, at in enumerate(order)}
    return _strays([place[at] for at in base]) * _SLIPS <= len(base)


def _rises(base: list[int], stamps: Sequence[Stamp]) -> bool:
    """Return whether all entries have ids of one series, and none falls below the one before it."""
    series = [_series(stamps[at].id) for at in base]
    return all(one and two and one[0] == two[0] and one[1] <= two[1] for one, two in pairwise(series))


def _strays(places: Sequence[int] | Sequence[str]) -> int:
    """Return how many are outside of the longest rising sequence."""
    return len(places) - len(_longest_rising(places))


def _longest_rising(places: Sequence[int] | Sequence[str]) -> list[int]:
    """Return where the longest sequence that never falls is."""
    ends: list[int | str] = []
    lasts: list[int] = []
    before: list[int] = []
    for index in range(len(places)):
        at = bisect_right(ends, places[index])
        ends[at : at + 1] = [places[index]]
        lasts[at : at + 1] = [index]
        before.append(lasts[at - 1] if at else -1)
    found: list[int] = []
    index = lasts[-1] if lasts else -1
    while index >= 0:
        found.append(index)
        index = before[index]
    return found[::-1]


def headings_fall(headings: Iterable[str]) -> bool:
    """Return whether the versions or days that headings name mostly fall: the newest is at the top."""
    named = [found for text in headings if (found := _ordered(text))]
    steps = [(upper > lower) - (upper < lower) for upper, lower in pairwise(named)]
    return sum(steps) > 0 and len(steps) > 1


def _ordered(text: str) -> tuple[int, ...]:
    """Return the day or the version that a heading names, else nothing."""
    date, version = find_date(text), _VERSION.search(text)
    if date and date.day:
        return tuple(map(int, date.day.split("-")))
    return tuple(map(int, version[1].split("."))) if version else ()
