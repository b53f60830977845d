"""The errors that hooks survived: one of the last day is a fault, an older one is only told.

They are noted by `core.error_log` (`note`), which hook that is, in `core.fast.hook_process` (`attempt`).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from progress_plugin.core import error_log
from progress_plugin.core.files import read_range
from progress_plugin.usecases.doctor.finding import Finding, note, ok, wrong

_LARGEST = 1024 * 1024
_LATELY = timedelta(days=1)


def look_at_hook_errors(now: datetime) -> Iterator[Finding]:
    """Report what hooks survived: an error of the last day is one that happens still."""
    lines = read_range(None, error_log.place(), 0, _LARGEST).decode("utf-8", "replace").splitlines()
    if not lines:
        yield ok("errors", "no hook failed")
        return
    what = f"{len(lines)} in hooks, which end quietly all the same; the last: {lines[-1]}"
    remedy = f"{error_log.place()} has them all; remove it when they are dealt with"
    if _when(lines[-1]) > now - _LATELY:
        yield wrong("errors", what, remedy)
    else:
        yield note("errors", what, remedy)


def _when(line: str) -> datetime:
    try:
        return datetime.fromisoformat(line.partition(" ")[0]).astimezone(UTC)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
