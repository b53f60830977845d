"""Which variants of a test a usual run takes, so that a build server ends in time: a sample, the same each time.

The long form takes all of them: `TORTURE_SECONDS=1 python3 tests/run.py`, which is `make thorough`. In the usual one
a test that is marked `sampled(n)` runs in each n-th of its variants, one that is marked `long_form` not at all, a
journey in its plain setting and, every other one, in a second; kills are made at some of the instants.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import count
from zlib import crc32

import pytest

from tests.torture.figures import SECONDS

_OTHER_LIVES = ("in-a-linked-worktree", "after-600-entries")


def left_out(items: list[pytest.Item]) -> list[pytest.Item]:
    """Return which of the collected tests a usual run leaves out; none in the long form."""
    seen: Counter[str] = Counter()
    return [] if SECONDS else [item for item in items if not _is_taken(item, seen)]


def instants(every: int, of: str) -> Iterator[int]:
    """Yield the instants to kill at, from 1: the first and each `every`-th after it, others for another `of`."""
    yield 1
    yield from count(2, 1) if SECONDS else count(2 + crc32(of.encode()) % every, every)


def _is_taken(item: pytest.Item, seen: Counter[str]) -> bool:
    if item.get_closest_marker("long_form"):
        return False
    family = item.nodeid.partition("[")[0]
    marker = item.get_closest_marker("sampled")
    place, seen[family] = seen[family], seen[family] + 1
    if marker and place % marker.args[0]:
        return False
    parameters = (
        item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    )
    life = parameters.get("life", "plain")
    if life not in _OTHER_LIVES:
        return True
    others = str(sorted((name, str(value)) for name, value in parameters.items() if name != "life"))
    return _OTHER_LIVES.index(life) == crc32((family + others).encode()) % (2 * len(_OTHER_LIVES))
