"""Axes: where the marks of a scale are and what is written at them."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from math import ceil, floor
from typing import NamedTuple

_HOUR = 3600
_DAY = 24 * _HOUR
_STEPS = tuple(hours * _HOUR for hours in (1, 2, 3, 6, 12)) + tuple(days * _DAY for days in (1, 2, 4, 7, 14))
SHORT = timedelta(days=2)
"""The time of which the hours are shown."""
_MONTHS = (1, 2, 3, 6, 12, 24, 60, 120, 240, 600)
_A_MONDAY = datetime(2024, 1, 1, tzinfo=UTC)
"""Steps are counted from here, so that those of a week fall on Mondays."""


class Tick(NamedTuple):
    """A mark on an axis."""

    value: float
    label: str


def counts(highest: int, steps: int = 5) -> list[Tick]:
    """Return round whole numbers from 0 to at least `highest`, at most `steps` + 1 of them."""
    step = next(step for step in _round_numbers() if highest <= step * steps)
    top = -(-max(highest, 1) // step) * step
    return [Tick(number, f"{number:,}") for number in range(0, top + 1, step)]


def dates(first: datetime, last: datetime, most: int, *, hours: bool = True) -> list[Tick]:
    """Return at most `most` marks between two times in UTC, at full hours, days, Mondays or months.

    Values are seconds since the epoch. Without `hours` no mark falls inside a day, however short the time.
    """
    span = (last - first).total_seconds()
    for step in _STEPS:
        if span // step < most and (step >= _DAY or (hours and last - first <= SHORT)):
            return list(_at_steps(first, last, step))
    found = (list(_at_months(first, last, months)) for months in _MONTHS)
    return next((ticks for ticks in found if len(ticks) <= most), [])


def _round_numbers() -> Iterator[int]:
    power = 1
    while True:
        yield from (power, 2 * power, 5 * power)
        power *= 10


def _at_steps(first: datetime, last: datetime, step: int) -> Iterator[Tick]:
    begin, end = ((when - _A_MONDAY).total_seconds() for when in (first, last))
    for seconds in range(ceil(begin / step) * step, floor(end) + 1, step):
        when = _A_MONDAY + timedelta(seconds=seconds)
        hour = step < _DAY and when.hour
        yield Tick(when.timestamp(), f"{when:%H:%M}" if hour else f"{when.day} {when:%b}")


def _at_months(first: datetime, last: datetime, months: int) -> Iterator[Tick]:
    begin, end = (when.year * 12 + when.month - 1 for when in (first, last))
    for number in range(begin - begin % months, end + 1, months):
        year, month = divmod(number, 12)
        if (when := datetime(year, month + 1, 1, tzinfo=UTC)) >= first:
            yield Tick(when.timestamp(), str(year) if month == 0 else f"{when:%b}")
