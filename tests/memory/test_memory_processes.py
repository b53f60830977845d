"""Many processes on one database, and kills at any instant.

The short form runs in the suite; `AGENT_PROGRESS_STRESS_SECONDS` makes it longer.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.usecases.memory.location import MemoryLocation
from progress_plugin.usecases.memory.mem_compact import mem_compact
from progress_plugin.usecases.memory.mem_save import mem_save
from progress_plugin.usecases.memory.restore_compaction import restore_compaction

REPOSITORY = Path(__file__).resolve().parents[2]
SECONDS = float(os.environ.get("AGENT_PROGRESS_STRESS_SECONDS", "3"))
PROCESSES = 8

WORKER = """
import json, sys, time
from datetime import UTC, datetime
from progress_plugin.core.errors import Refused
from progress_plugin.usecases.memory.mem_compact import mem_compact
from progress_plugin.usecases.memory.location import MemoryLocation
from progress_plugin.usecases.memory.mem_progress import mem_progress
from progress_plugin.usecases.memory.mem_save import mem_save

place = MemoryLocation(database=sys.argv[1], root="/shop", name="shop")
worker, end = sys.argv[2], time.monotonic() + float(sys.argv[3])
number = 0
while time.monotonic() < end:
    number += 1
    item = f"{worker}-{number}"
    now = datetime.now(UTC)
    revision = mem_progress(place, "shop", {"completed": [item]}, base_revision=0, now=now)["revision"]
    print("revision", revision, item, flush=True)
    saved = mem_save(place, item, item, "decision", now=datetime(2020, 1, 1, tzinfo=UTC))["id"]
    print("saved", saved, item, flush=True)
    if number % 3 == 0:
        old = [one["id"] for one in mem_compact(place, 30, limit=5, now=now)["observations"]]
        try:
            taken = mem_compact(place, 30, compact_ids=old, summary_title=item, now=now) if old else None
        except Refused:
            taken = None  # another process took one of them first
        if taken:
            print("compacted", taken["deleted"], json.dumps(old).replace(" ", ""), flush=True)
"""


def start(place: MemoryLocation, worker: int, seconds: float) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WORKER, place.database, f"w{worker}", str(seconds)],
        cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def acknowledged(output: str, kind: str) -> list[tuple[int, str]]:
    lines = [line.split() for line in output.splitlines() if line.startswith(kind + " ")]
    return [(int(line[1]), line[2]) for line in lines if len(line) == 3]


def check(place: MemoryLocation, output: str) -> None:
    """Hold the database against everything that a process was told."""
    connection = sqlite3.connect(place.database)
    query = connection.execute
    assert query("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert query("PRAGMA foreign_key_check").fetchall() == []
    query("INSERT INTO observations_fts(observations_fts) VALUES ('integrity-check')")
    revisions = [
        row[0] for row in query("SELECT revision_count FROM observations WHERE type = 'progress' ORDER BY id")
    ]
    assert revisions == list(range(1, len(revisions) + 1))
    [(live,)] = query(
        "SELECT content FROM observations WHERE type = 'progress' AND deleted_at IS NULL"
    ).fetchall()
    told = acknowledged(output, "revision")
    assert len({revision for revision, _ in told}) == len(told)
    assert {item for _, item in told} <= set(json.loads(live)["completed"])
    saved = dict(query("SELECT id, title FROM observations WHERE type = 'decision'").fetchall())
    assert all(saved[number] == item for number, item in acknowledged(output, "saved"))
    taken = Counter(number for _, ids in acknowledged(output, "compacted") for number in json.loads(ids))
    gone = {
        row[0]
        for row in query("SELECT id FROM observations WHERE type = 'decision' AND deleted_at IS NOT NULL")
    }
    assert set(taken) <= gone
    assert not taken or max(taken.values()) == 1
    connection.close()


@pytest.mark.slow
def test_eight_processes_lose_no_revision_and_never_find_it_locked(place: MemoryLocation) -> None:
    processes = [start(place, number, SECONDS) for number in range(PROCESSES)]
    outputs = [process.communicate() for process in processes]

    assert [error for _, error in outputs] == [""] * PROCESSES
    output = "".join(text for text, _ in outputs)
    assert len(acknowledged(output, "revision")) > PROCESSES
    assert acknowledged(output, "compacted")
    check(place, output)


@pytest.mark.slow
def test_kills_at_any_instant_lose_nothing_that_was_acknowledged(place: MemoryLocation) -> None:
    chance = random.Random(4)
    output = ""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        processes = [start(place, number + len(output), 60) for number in range(3)]
        for process in processes:
            assert process.stdout is not None
            # The first line tells that it works; the kill comes somewhere in what follows.
            output += process.stdout.readline()
            for _ in range(chance.randrange(12)):
                output += process.stdout.readline()
            process.send_signal(signal.SIGKILL)
        for process in processes:
            text, errors = process.communicate()
            assert errors == ""
            output += text

    check(place, output)


def test_a_kill_between_the_record_and_the_commit_leaves_rows_and_restoring_right(
    place: MemoryLocation, home: Path, rows: Callable[..., list[tuple[Any, ...]]]
) -> None:
    now, long_ago = datetime.now(UTC), datetime(2020, 1, 1, tzinfo=UTC)
    ids = [mem_save(place, f"t{number}", f"c{number}", "decision", now=long_ago)["id"] for number in range(2)]
    script = (
        "import os, sys, signal\n"
        "from datetime import UTC, datetime\n"
        "from progress_plugin.memory.compaction import Order, execute\n"
        "from progress_plugin.memory.database import writing\n"
        "from progress_plugin.memory.compaction_log import ledger_for\n"
        "from progress_plugin.memory.compaction_candidates import Filter\n"
        "rows = Filter(project='shop', scope=None, namespace=None)\n"
        "order = Order(ids=(1, 2), rows=rows, older_than_days=30, summary_title='t', summary_content=None)\n"
        "with writing(sys.argv[1]) as store:\n"
        "    execute(store, order, ledger_for(store.path), datetime.now(UTC))\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    killed = subprocess.run(
        [sys.executable, "-c", script, place.database], cwd=REPOSITORY, check=False, env={"HOME": str(home)}
    )

    assert killed.returncode == -signal.SIGKILL
    assert rows("SELECT count(*) FROM observations WHERE deleted_at IS NULL") == [(2,)]
    mem_compact(place, 30, compact_ids=ids, now=now)
    assert restore_compaction(place, now=now)["restored"] == ids
