"""How often tests repeat: in a few variants, or in all variants and as long as `TORTURE_SECONDS` says."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from itertools import count
from typing import TypeVar

SECONDS = float(os.environ.get("TORTURE_SECONDS", "0"))
Value = TypeVar("Value")


def rounds(least: int) -> Iterator[int]:
    """Count rounds: at least `least`, and on until `TORTURE_SECONDS` are over."""
    end = time.monotonic() + SECONDS
    number = 0
    while number < least or time.monotonic() < end:
        yield number
        number += 1


def some(values: Iterable[Value], every: int) -> list[Value]:
    """Return each `every`-th value, and all with `TORTURE_SECONDS`."""
    return [*values][:: 1 if SECONDS else every]


def instants(every: int) -> Iterator[int]:
    """Yield the instants to kill at, from 1: each `every`-th, and all with `TORTURE_SECONDS`."""
    return count(1, 1 if SECONDS else every)
