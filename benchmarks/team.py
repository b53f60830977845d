"""A team's server of 10^4, 10^5 and 10^6 entries: push and pull of 1,000, a first pull of 100,000.

Starts a PostgreSQL of its own on a socket, fills it as its owner, and times syncs as a member makes
them, log and summary included. Memory is the largest resident size of a process that pulls. With `--machines`
it lets agents on that many machines work through partitions, kills and restarts instead.

    python benchmarks/team.py [--rows 10000 100000 1000000] [--first 100000]
    python benchmarks/team.py --machines 50 --agents 20
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from tests.team import postgres
from tests.team.members import KEY, Member, member
from tests.team.postgres import Database
from tests.team.simulation import Size, simulate

WRITERS = 50
CHUNK = 1000
FILL = """
insert into agent_progress.entries (project, writer, number, id, body)
select %s, 'host-' || w, n, format('entry-%%s-%%s', w, n), jsonb_build_object(
    'id', format('entry-%%s-%%s', w, n),
    'timestamp', to_char(
        timestamp '2025-12-01' + (n * 50 + w) * interval '20 seconds', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'
    ),
    'type', 'milestone_reached',
    'data', jsonb_build_object(
        'description', format('Berth %%s of quay %%s is painted, and the ladder beside it', n, w),
        'notes', repeat('The paint of last year had come off. ', 6)
    ))
from generate_series(1, %s::int) as w, generate_series(%s::int, %s::int) as n
"""


def fill(database: Database, project: str, first: int, last: int) -> None:
    """Add entries of each writer with these numbers, as somebody who restores a dump."""
    database.do("alter table agent_progress.entries disable trigger all")
    database.do(FILL, project, WRITERS, first, last)
    database.do("alter table agent_progress.entries enable trigger all")
    # Or a server that has just been filled goes on to do it for minutes, beside what is measured.
    database.do("vacuum analyze agent_progress.entries")


class Cost(NamedTuple):
    """What a process took that synced."""

    seconds: float
    busy: float
    """Seconds of processor time, of the process alone; the server has its own."""
    size: int
    """The largest resident size, in MiB."""
    server: float
    """Seconds of processor time of the server's processes."""

    def __str__(self) -> str:
        return f"{self.seconds:.2f} s ({self.busy:.2f}, {self.server:.2f})"


def synced(clone: Member, database: Database) -> tuple[Cost, dict[str, int]]:
    """Return what a process took that syncs, and what it did."""
    before = _busy(database)
    code = (
        "import json, os, resource, sys, time\n"
        "from progress_plugin.core.project import find_project\n"
        "from progress_plugin.usecases.team.sync import sync\n"
        "import psycopg\n"
        "began, busy = time.perf_counter(), time.process_time()\n"
        "done = sync(find_project(os.getcwd()), joins=True)\n"
        "took, busy = time.perf_counter() - began, time.process_time() - busy\n"
        "size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10\n"
        "print(json.dumps([[took, busy, size], {'taken': done.taken, 'sent': done.sent}]))\n"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=clone.root, env=clone.environment, capture_output=True, check=True
    )
    took, what = json.loads(told.stdout)
    return Cost(*took, server=_busy(database) - before), what


def _busy(database: Database) -> float:
    """Return the processor time of all processes of a server that have ended, each a connection's.

    That which has just filled the tables has ended by then, too: its time is none of a sync's.
    """
    asked = (
        "select count(*) from pg_stat_activity "
        "where backend_type = 'client backend' and pid <> pg_backend_pid()"
    )
    while database.do(asked) != [(0,)]:
        pass
    fields = Path(f"/proc/{database.cluster.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")


def log_many(clone: Member, number: int, name: str) -> None:
    """Put entries into the log as an agent would have written them."""
    clone.log_offline(f"begin {name}")
    path = clone.root / ".agent-os/progress/progress.json"
    document = json.loads(path.read_bytes())
    pattern = document["entries"][-1]
    document["entries"] += [{**pattern, "id": f"entry-{name}-{at}"} for at in range(number - 1)]
    path.write_text(json.dumps(document), "utf-8")


def measured(cluster: postgres.Cluster, place: Path, rows: int) -> str:
    """Return a row of the table: a member that knows all but 1,000 pulls those, and pushes 1,000."""
    database = postgres.database(cluster)
    fill(database, "example.org/acme/other", 1, (rows - 2 * CHUNK) // WRITERS)
    fill(database, KEY, 1, CHUNK // WRITERS)
    clone = member(place, f"of-{rows}", database)
    clone.run("init")
    synced(clone, database)
    fill(database, KEY, CHUNK // WRITERS + 1, 2 * CHUNK // WRITERS)
    pull, what = synced(clone, database)
    assert what == {"taken": CHUNK, "sent": 0}, what
    log_many(clone, CHUNK, str(rows))
    push, what = synced(clone, database)
    assert what["sent"] >= CHUNK, what
    nothing, _ = synced(clone, database)
    return f"| {rows:,} | {push} | {pull} | {nothing} |"


def first_pull(cluster: postgres.Cluster, place: Path, rows: int) -> str:
    """Return what the first sync of a new clone takes, in seconds and MiB."""
    database = postgres.database(cluster)
    fill(database, KEY, 1, rows // WRITERS)
    clone = member(place, f"first-{rows}", database)
    clone.run("init")
    took, what = synced(clone, database)
    assert what["taken"] == rows, what
    return f"first pull of {rows:,}: {took}, {took.size} MiB at most"


def simulated(machines: int, agents: int) -> str:
    """Return what came out of a simulation, in a sentence each."""
    with tempfile.TemporaryDirectory() as place, postgres.cluster() as cluster:
        size = Size(machines, agents, entries=1)
        told = simulate(Path(place), cluster, postgres.database(cluster), size, seed=1)
    return "\n".join(f"{name}: {value:,.0f}" for name, value in told._asdict().items())


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--rows", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    given.add_argument("--first", type=int, nargs="+", default=[10_000, 100_000])
    given.add_argument("--machines", type=int, help="simulate instead, with that many machines")
    given.add_argument("--agents", type=int, default=20, help="agents of each machine (default: 20)")
    chosen = given.parse_args()
    if chosen.machines:
        print(simulated(chosen.machines, chosen.agents))
        return
    with tempfile.TemporaryDirectory() as place, postgres.cluster() as cluster:
        print("Seconds, and those of processor time of the process that syncs and of the server.\n")
        print("| entries on the server | push of 1,000 | pull of 1,000 | nothing new |\n|---|---|---|---|")
        for rows in chosen.rows:
            print(measured(cluster, Path(place), rows), flush=True)
        for rows in chosen.first:
            print(first_pull(cluster, Path(place), rows), flush=True)


if __name__ == "__main__":
    main()
