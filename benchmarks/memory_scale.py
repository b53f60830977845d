"""B7: compaction in a memory database of a million rows, one project of which has 50,000.

Builds the database, then times identify, execute (200 ids) and search in process, opening included.

    python benchmarks/memory_scale.py [--rows 1000000] [--database FILE] [--foreign]
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from progress_plugin.memory.database import writing
from progress_plugin.usecases.memory.location import MemoryLocation
from progress_plugin.usecases.memory.mem_compact import mem_compact
from progress_plugin.usecases.memory.mem_progress import mem_progress
from progress_plugin.usecases.memory.mem_search import mem_search

NOW = datetime(2026, 6, 1, tzinfo=UTC)
SHARE = 20
"""One row in this many belongs to the project that is compacted."""
WORDS = (
    "cache",
    "index",
    "queue",
    "worker",
    "token",
    "schema",
    "retry",
    "build",
    "deploy",
    "parser",
    "config",
)
ROUNDS = 9
BOUND_MS = 50.0


def rows(count: int) -> Iterator[tuple[str, str, str, str, str, str]]:
    for number in range(count):
        at = (NOW - timedelta(minutes=number % 1_000_000)).strftime("%Y-%m-%d %H:%M:%S")
        project = "shop" if number % SHARE == 0 else f"project-{number % 97}"
        words = " ".join(WORDS[(number * step) % len(WORDS)] for step in range(1, 12))
        rare = " umbrella" if number % 1000 == 0 else ""
        yield ("decision", f"Finding {number}", f"{words} number{number}{rare}", project, at, at)


def build(path: str, count: int) -> None:
    with writing(path) as store:
        store.connection.execute("INSERT INTO sessions (id, project, directory) VALUES ('s', 'shop', '')")
        store.connection.executemany(
            "INSERT INTO observations (session_id, type, title, content, project, created_at, updated_at) "
            "VALUES ('s', ?, ?, ?, ?, ?, ?)",
            rows(count),
        )


def make_foreign(path: str) -> None:
    """Give the database the indexes that Hoofy and engram have, instead of ours."""
    with writing(path) as store:
        run = store.connection.execute
        for (name,) in run("SELECT name FROM sqlite_master WHERE name LIKE 'own_%'").fetchall():
            run(f"DROP INDEX {name}")
        run("CREATE INDEX idx_obs_project ON observations(project)")
        run("CREATE INDEX idx_obs_type ON observations(type)")
        run("CREATE INDEX idx_obs_created ON observations(created_at DESC)")
        run("CREATE INDEX idx_obs_topic ON observations(topic_key, project, scope, updated_at DESC)")
        run("CREATE INDEX idx_obs_deleted ON observations(deleted_at)")
        run("CREATE INDEX idx_obs_dedupe ON observations(normalized_hash, project, scope, type, title)")
        run("PRAGMA application_id = 0")


def timed(call: Callable[[], Any], rounds: int = ROUNDS) -> tuple[float, float]:
    """Return median and worst time of a call in milliseconds."""
    took = []
    for _ in range(rounds):
        begun = time.perf_counter()
        call()
        took.append((time.perf_counter() - begun) * 1000)
    return statistics.median(took), max(took)


def measure(place: MemoryLocation) -> dict[str, tuple[float, float]]:
    def execute() -> None:
        mem_compact(
            place, 30, compact_ids=batches.pop(), summary_title="Old", summary_content="Many", now=NOW
        )

    listed = []
    for _ in range(ROUNDS):
        listed += [one["id"] for one in mem_compact(place, 30, limit=200, now=NOW)["observations"]]
        mem_compact(place, 30, compact_ids=listed[-200:], summary_title="t", now=NOW)
    with writing(place.database) as store:
        store.connection.executemany(
            "UPDATE observations SET deleted_at = NULL WHERE id = ?", [(one,) for one in listed]
        )
    batches = [listed[start : start + 200] for start in range(0, len(listed), 200)]
    return {
        "identify": timed(lambda: mem_compact(place, 30, limit=200, now=NOW)),
        "execute 200": timed(execute),
        "search, a rare word": timed(lambda: mem_search(place, "umbrella")),
        "search, a word of every row": timed(lambda: mem_search(place, "cache")),
        "progress, write": timed(lambda: mem_progress(place, "shop", {"goal": "g"}, now=NOW)),
        "progress, read": timed(lambda: mem_progress(place, "shop", now=NOW)),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--database", help="keep the database there, and use it if it exists")
    parser.add_argument(
        "--foreign", action="store_true", help="with the indexes of Hoofy: reported, no bound"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HOME"] = folder
        path = options.database or os.path.join(folder, "memory.db")
        if not os.path.exists(path):
            begun = time.perf_counter()
            build(path, options.rows)
            took, size = time.perf_counter() - begun, os.path.getsize(path) >> 20
            print(f"built {options.rows:,} rows in {took:.0f} s, {size} MiB")
        if options.foreign:
            make_foreign(path)
        results = measure(MemoryLocation(database=path, root="/shop", name="shop"))
    for name, (median, worst) in results.items():
        print(f"{name:28} median {median:7.1f} ms   worst {worst:7.1f} ms")
    if options.foreign:
        return 0
    kept = all(results[name][0] <= BOUND_MS for name in ("identify", "execute 200"))
    print(f"B7: at most {BOUND_MS:g} ms for identify and for execute: {'kept' if kept else 'BROKEN'}")
    return 0 if kept else 1


if __name__ == "__main__":
    raise SystemExit(main())
