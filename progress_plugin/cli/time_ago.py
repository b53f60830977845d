"""How long ago something was, in the words people use; the clock is passed in."""

from __future__ import annotations

from datetime import UTC, datetime

from progress_plugin.text.bounds import counted

_UNITS = ((86_400 * 365, "year"), (86_400 * 30, "month"), (86_400, "day"), (3600, "hour"), (60, "minute"))
"""Seconds each lasts, roughly: nobody asks for the leap days of an open blocker."""


def time_ago(since: str | None, now: datetime) -> str:
    """Return `3 days`, `1 hour`, `just now`; empty for no time, or for text that is none.

    `since` is ISO 8601, a bare day means its beginning; `now` carries its zone.
    """
    try:
        then = datetime.fromisoformat(since or "")
    except ValueError:
        return ""
    then = then.replace(tzinfo=UTC) if then.tzinfo is None else then
    seconds = (now - then).total_seconds()
    for length, name in _UNITS:
        number = int(seconds // length)
        if number >= 1:
            return counted(number, name)
    return "just now"
