"""How long the tests that repeat go on: each for a few rounds, or for `TORTURE_SECONDS`."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

SECONDS = float(os.environ.get("TORTURE_SECONDS", "0"))


def rounds(least: int) -> Iterator[int]:
    """Count rounds: at least `least`, and on until `TORTURE_SECONDS` are over."""
    end = time.monotonic() + SECONDS
    number = 0
    while number < least or time.monotonic() < end:
        yield number
        number += 1
