"""Whether work grows as its input does: lines of our code that run are counted, on an input doubled three times.

A count is the same on every machine and under every load. Each round of a loop counts, also of one inside a
line. What Python's own functions and patterns do inside is not seen: `slow` tests hold the processor's time
to wide bounds as well.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

PACKAGE = "progress_plugin"
Tracer = Callable[[FrameType, str, Any], Any]
DOUBLINGS = 3
SLACK = 3000
"""Lines that a step may cost more than the first one foretells: tables that fill up, a sort's last levels."""
_TOLD_FROM_NOISE = 0.3
_FAR_FROM_LINEAR = 4
_STEEPER = 2
"""Times as much as linear growth; a square is at four times after three doublings."""


def lines_run(of: Callable[[], object]) -> int:
    """Return how many lines of the package run, a line once for each round of a loop in it."""
    count = 0

    def inside(_frame: FrameType, event: str, _argument: Any) -> Tracer | None:
        nonlocal count
        count += event == "line"
        return inside

    def entered(frame: FrameType, _event: str, _argument: Any) -> Tracer | None:
        return inside if PACKAGE in frame.f_code.co_filename else None

    before = sys.gettrace()
    sys.settrace(entered)
    try:
        of()
    finally:
        sys.settrace(before)
    return count


def processor_time(of: Callable[[], object]) -> float:
    """Return the seconds of processor time that a call takes."""
    start = time.process_time()
    of()
    return time.process_time() - start


def grows_with_its_input(journey: Callable[[Any], object], made: Callable[[int], Any], first: int) -> str:
    """Return nothing where the work is linear, else what it was; `made` gives an input of so many parts."""
    sizes = [first * 2**step for step in range(DOUBLINGS + 1)]
    inputs = [made(size) for size in sizes]
    journey(inputs[0])  # what is made once is made here
    counted = [lines_run(lambda given=given: journey(given)) for given in inputs]
    # Half of the second, where a table that only short inputs need makes the first as dear.
    beginning, end = max(counted[1] - counted[0], counted[1] // 2), counted[-1] - counted[-2]
    steep = end > _STEEPER * beginning * 2 ** (DOUBLINGS - 1) + SLACK
    return f"{sizes} parts take {counted} lines" if steep else ""


def takes_time_with_its_input(
    journey: Callable[[Any], object], made: Callable[[int], Any], first: int
) -> str:
    """Return nothing where the processor's time is not far from linear; only what can be told from noise.

    A table that remembers the last so many answers makes it three times as dear where it overflows.
    """
    short, whole = made(first), made(first * 2**DOUBLINGS)
    few, many = (
        min(processor_time(lambda given=given: journey(given)) for _ in range(2)) for given in (short, whole)
    )
    steep = many > _TOLD_FROM_NOISE and many > _FAR_FROM_LINEAR * 2**DOUBLINGS * few
    return f"{few:.3f} s, then {many:.2f} s" if steep else ""
