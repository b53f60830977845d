"""Find the date in a heading or field: ISO, English months, Chinese, Japanese and Korean, `D.M.YYYY`."""

from __future__ import annotations

import datetime as dt
import re
from typing import NamedTuple

from progress_plugin.text.patterns import LazyPattern

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_WEEKDAY = r"\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}"
_CLOCK = (
    r"(?:(?:T|,?\s{1,2}(?:at\s|[-–@~]\s)?)\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?"
    r"(?:\s?[ap]m\b)?(?:\s?(?:Z|UTC|GMT|[A-Z]{1,3}[SD]?T|[+-]\d{2}:?\d{2})(?![\w-]))?)?"
)


class FoundDate(NamedTuple):
    """A day, and where a text has it: from `start` to `end` with its time of day and brackets."""

    day: dt.date
    start: int
    end: int


_DATE = LazyPattern(
    rf"[\[(（]?(?:{_WEEKDAY},?\s)?(?:"
    r"(?P<y1>20\d\d)[-/.](?P<m1>\d{1,2})[-/.](?P<d1>\d{1,2})(?!\d)"
    r"|(?P<y2>20\d\d)\s?[年년]\s?(?P<m2>\d{1,2})\s?[月월]\s?(?P<d2>\d{1,2})\s?[日일]"
    r"|(?<![\d.])(?P<d3>\d{1,2})\.\s?(?P<m3>\d{1,2})\.\s?(?P<y3>20\d\d)"
    rf"|\b(?P<m4>{_MONTH})\s(?P<d4>\d{{1,2}})(?:st|nd|rd|th)?,?\s(?:\d\d:\d\d:\d\d\s(?:[A-Z]{{2,5}}\s)?)?(?P<y4>20\d\d)"
    rf"|\b(?P<d5>\d{{1,2}})(?:st|nd|rd|th)?\s(?P<m5>{_MONTH})\s(?P<y5>20\d\d)"
    rf"){_CLOCK}[\])）]?(?:\s?[(（]{_WEEKDAY}[)）])?",
    re.IGNORECASE,
)


def find_date(text: str) -> FoundDate | None:
    """Return the first date in a text, ignoring impossible ones and those far in the future."""
    if "20" not in text:
        return None
    for found in _DATE.finditer(text):
        parts = {name[0]: value for name, value in found.groupdict().items() if value}
        month = parts["m"][:3].casefold()
        try:
            number = int(month) if month.isdigit() else _MONTHS.index(month) + 1
            day = dt.date(int(parts["y"]), number, int(parts["d"]))
        except ValueError:
            continue
        if day.year <= dt.datetime.now(tz=dt.UTC).year + 1:
            return FoundDate(day, found.start(), found.end())
    return None
