"""Whether the client that started us is busy: what nobody waits for must not take its processor.

A client that waits for its model uses next to none of it; one that still starts uses all there is, or stands
in line for it where others are at work. `/proc` says how much a process has used (proc(5), `/proc/pid/stat`,
fields `utime` and `stime`) and how long its threads were ready and had no processor (`schedstat`, second
field; the kernel's Documentation/scheduler/sched-stats); without such a place nobody is waited for.
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
    """Return when a process wants less than half of one processor, has ended, or after `at_most` seconds."""
    until = time.monotonic() + at_most
    before, at = _used(process), time.monotonic()
    while before is not None and at < until:
        time.sleep(_INTERVAL)
        used, now = _used(process), time.monotonic()
        if used is None or used - before < _BUSY * (now - at):
            return
        before, at = used, now


def _used(process: int) -> float | None:
    """Return the processor time that all threads of a process have used or wanted, in seconds.

    None if nobody says.
    """
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
        return sum(map(int, fields[_USER_TIME : _USER_TIME + 2])) / os.sysconf("SC_CLK_TCK") + _queued(
            process
        )
    except (OSError, ValueError, AttributeError):
        return None


def _queued(process: int) -> float:
    """Return how long the threads of a process have waited for a processor, in seconds; 0 if nobody says."""
    total = 0
    for thread in os.listdir(f"/proc/{process}/task"):
        try:
            with open(f"/proc/{process}/task/{thread}/schedstat", "rb") as file:
                total += int(file.read().split()[1])
        except (OSError, ValueError, IndexError):
            continue  # it has ended, or the kernel does not count
    return total / 1e9
