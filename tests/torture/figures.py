"""What a run of these tests held: each records its figures once everything it promised was so.

With `RELIABILITY_FIGURES=<directory>` they are written there, one file per test; `tests.torture.remake` makes
the table of docs/reliability.md from them. With `TORTURE_SECONDS=<n>` each test goes on for that long.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

FIGURES = "RELIABILITY_FIGURES"
TIME = "seconds"
"""The figure of how long a test took, which is not told."""
SECONDS = float(os.environ.get("TORTURE_SECONDS", "0"))

Kept = Callable[..., None]


def rounds(least: int) -> Iterator[int]:
    """Count rounds: at least so many, and on until the time asked for is over."""
    end = time.monotonic() + SECONDS
    number = 0
    while number < least or time.monotonic() < end:
        yield number
        number += 1


@pytest.fixture
def kept(request: pytest.FixtureRequest) -> Kept:
    """Return what a test calls at its end: the promise in a sentence, its section, and figures by name."""

    def record(promise: str, section: str, **figures: int | str) -> None:
        folder = os.environ.get(FIGURES)
        if folder:
            test, _, variant = request.node.nodeid.rstrip("]").partition("[")
            told = {
                "promise": promise, "section": section, "test": test, "variant": variant, "figures": figures,
                "asked": SECONDS, "day": f"{datetime.now(UTC):%Y-%m-%d}",
            }  # fmt: skip
            name = hashlib.sha256(request.node.nodeid.encode()).hexdigest()
            Path(folder, f"{name}.json").write_text(json.dumps(told), "utf-8")

    return record
