"""Find the date in a heading, however it is written."""

from __future__ import annotations

import re
from typing import NamedTuple

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_MONTH = r"(?P<%s>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_CLOCK = (
    r"(?:(?:[T,]\s*|\s+(?:at\s+|-\s+|–\s+|~\s*|≈\s*)?)(?P<clock>\d{1,2}:\d{2})(?::\d{2}(?:\.\d+)?)?(?!\d)"
    r"(?:\s*(?:am|pm)\b)?(?:\s*(?:Z|UTC|GMT|[ECMPNA][SD]T|CES?T|EES?T|WES?T|BST|IST|JST|KST|SGT|HKT|AE[SD]T|"
    r"MSK|[+-]\d{2}:?\d{2})(?![\w-]))?)?"
)
_DATE = re.compile(
    r"[\[(（]?(?:"
    r"(?P<y1>20\d{2})[-/.](?P<m1>\d{1,2})[-/.](?P<d1>\d{1,2})(?!\d)"
    r"|(?P<y2>20\d{2})\s?[年년]\s?(?P<m2>\d{1,2})\s?[月월]\s?(?P<d2>\d{1,2})\s?[日일]"
    r"|(?P<d5>\d{1,2})\.(?P<m5>\d{1,2})\.(?P<y5>20\d{2})"
    r"|\b" + _MONTH % "m3" + r"\s+(?P<d3>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<y3>20\d{2})"
    r"|\b(?P<d4>\d{1,2})(?:st|nd|rd|th)?\s+" + _MONTH % "m4" + r"\s+(?P<y4>20\d{2})"
    r")" + _CLOCK + r"[\])）]?",
    re.IGNORECASE,
)


class Date(NamedTuple):
    """A date with the place it was found at."""

    day: str
    """YYYY-MM-DD, a day of the calendar."""
    clock: str
    """HH:MM as written, or empty; zones are not looked at, one log is written in one place."""
    start: int
    end: int


def find_date(text: str) -> Date | None:
    """Return the first possible date of a text: 2026-13-45 is none, 31 February is the last of it."""
    if "20" not in text:
        return None
    for found in _DATE.finditer(text):
        parts = found.groupdict()
        year, month, day = (next(v for k, v in parts.items() if v and k[0] == part) for part in "ymd")
        number = int(month) if month.isdigit() else _MONTHS.index(month[:3].lower()) + 1
        if 1 <= number <= 12 and 1 <= int(day) <= 31:  # noqa: PLR2004 - months and days
            clock = (found["clock"] or "").zfill(5) if found["clock"] else ""
            last = min(int(day), _last_day(int(year), number))
            return Date(f"{year}-{number:02}-{last:02}", clock, found.start(), found.end())
    return None


def _last_day(year: int, month: int) -> int:
    """Return the last day of a month of this century, whose every fourth year is a leap year."""
    return 29 if month == 2 and year % 4 == 0 else _DAYS[month - 1]  # noqa: PLR2004 - February
