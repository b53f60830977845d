"""Time `mem_compact` in one process: `python benchmarks/memory.py DATABASE ROWS ROUNDS` prints JSON."""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from progress_plugin.memory.database import writing
from progress_plugin.usecases.memory.location import MemoryLocation
from progress_plugin.usecases.memory.mem_compact import Compact

NOW = datetime(2026, 6, 1, tzinfo=UTC)
BATCH = 200
OLDER_THAN_DAYS = 30
PROJECTS = 20  # one row in so many belongs to the project that is compacted
WORDS = ("cache", "index", "queue", "worker", "token", "schema", "retry", "build", "deploy", "parser")


def rows(count: int) -> Iterator[tuple[str, str, str, str, str]]:
    for number in range(count):
        at = (NOW - timedelta(days=40, minutes=number)).strftime("%Y-%m-%d %H:%M:%S")
        project = "shop" if number % PROJECTS == 0 else f"project-{number % 97}"
        words = " ".join(WORDS[(number * step) % len(WORDS)] for step in range(1, 12))
        yield f"Finding {number}", f"{words} number{number}", project, at, at


def build(path: str, count: int) -> None:
    with writing(path) as db:
        db.execute("INSERT INTO sessions (id, project, directory) VALUES ('s', 'shop', '')")
        db.executemany(
            "INSERT INTO observations (session_id, type, title, content, project, created_at, updated_at) "
            "VALUES ('s', 'decision', ?, ?, ?, ?, ?)",
            rows(count),
        )


def main(path: str, count: str, rounds: str) -> None:
    build(path, int(count))
    place = MemoryLocation(database=path, root="/shop", names=("shop",))
    found: list[int] = []

    def identify() -> None:
        stale = Compact(older_than_days=OLDER_THAN_DAYS, limit=BATCH).run(place, NOW)["observations"]
        found[:] = [each["id"] for each in stale]

    def execute() -> None:
        call = Compact(older_than_days=OLDER_THAN_DAYS, compact_ids=found, summary_title="Old")
        done = call.run(place, NOW)
        assert done

    took: dict[str, list[float]] = {}
    for _ in range(int(rounds) + 1):
        for name, call in (("identifying 200", identify), ("compacting 200", execute)):
            took.setdefault(name, []).append(milliseconds(call))
    print(json.dumps({name: statistics.median(times[1:]) for name, times in took.items()}))


def milliseconds(call: Callable[[], Any]) -> float:
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1000


if __name__ == "__main__":
    main(*sys.argv[1:])
