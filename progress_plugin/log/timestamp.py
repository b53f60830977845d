"""Points in time as logs write them."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from progress_plugin.text.patterns import LazyPattern

_ZONE_WORD = LazyPattern(r"\s*(?:UTC|GMT|Z)$", re.IGNORECASE)
_SPACED_ZONE = LazyPattern(r"\s+(?=[+-]\d\d:?\d\d$)")
_SLASHES = LazyPattern(r"^(\d{4})/(\d\d)/(\d\d)")
_MAX_CHARS = 100
_MILLISECONDS_FROM = 1e11  # in seconds this is the year 5138


def read_time(value: Any) -> datetime | None:
    """Return the UTC time of a value in a log; None if it is not a time.

    Reads ISO 8601 in its wilder forms (a space for the `T`, `UTC` for the `Z`, slashes, nanoseconds,
    a date alone) and numbers since the epoch, in seconds or milliseconds. A time without a zone is UTC.
    """
    try:
        if isinstance(value, str):
            return _from_text(value) if len(value) <= _MAX_CHARS else None
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value / 1000 if value > _MILLISECONDS_FROM else value, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None


def format_time(when: datetime) -> str:
    """Return a time with its zone in the form that we write: seconds, UTC, `Z`."""
    utc = when if when.tzinfo is UTC else when.astimezone(UTC)
    return f"{utc.date().isoformat()}T{utc.time().isoformat('seconds')}Z"


@lru_cache(maxsize=65_536)  # an append asks several times for the time of each entry
def _from_text(text: str) -> datetime:
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        plain = _SLASHES.sub(r"\1-\2-\3", _ZONE_WORD.sub("", text.strip()))
        when = datetime.fromisoformat(_SPACED_ZONE.sub("", plain))
    if when.tzinfo is UTC:
        return when
    return when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
