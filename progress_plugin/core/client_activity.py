"""Whether the client that started us is busy: what nobody waits for must not take its processor.

A client that waits for its model uses next to none of it; one that still starts uses all there is. `/proc`
says how much a process has used (proc(5), `/proc/pid/stat`, fields `utime` and `stime`); where there is no
such place, nothing is known and nobody is waited for.
"""

import os
import time

_INTERVAL = 0.25
"""Seconds between two looks."""
_BUSY = 0.5
"""The share of one processor from which on a client is busy: drawing a spinner takes less."""
_USER_TIME = 11
"""The place of `utime` among the fields after the name, which may have spaces and brackets; then `stime`."""


def wait_until_idle(process: int, at_most: float) -> None:
    """Return when a process uses less than half of one processor, has ended, or after `at_most` seconds."""
    until = time.monotonic() + at_most
    before, at = _used(process), time.monotonic()
    while before is not None and at < until:
        time.sleep(_INTERVAL)
        used, now = _used(process), time.monotonic()
        if used is None or used - before < _BUSY * (now - at):
            return
        before, at = used, now


def _used(process: int) -> float | None:
    """Return the processor time that all threads of a process have used, in seconds; None if nobody says."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
        return sum(map(int, fields[_USER_TIME : _USER_TIME + 2])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, AttributeError):
        return None
