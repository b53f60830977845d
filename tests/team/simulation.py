"""Many agents on many machines, and everything that goes wrong between them and the team's server.

Machines are clones with a home and a writer of their own, each behind a line that can be cut. Agents are
processes that log; the model of what must come out is a set of ids.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import psycopg

from tests.team.clones import OURS
from tests.team.members import BACKGROUND_SYNC, STATE, Member, member, waited_for
from tests.team.postgres import Cluster, Database
from tests.team.proxy import CUT, OPEN, SILENT, SLOW, Line, Network, network

ROUNDS = 3
_PATIENCE = 5
_STATES = (OPEN, OPEN, CUT, SILENT, SLOW, CUT)


class Size(NamedTuple):
    """How many machines, and how many agents each has; every agent is a process in each round."""

    machines: int
    agents: int


class Outcome(NamedTuple):
    """What came out, and what it went through."""

    acknowledged: int  # entries
    missing: int  # that some machine, or the server, does not have in the end, over all of them
    twice: int
    kills: int
    cuts: int
    restored: int


class Simulation:
    """One course of it; `seed` chooses every fault."""

    def __init__(self, place: Path, database: Database, lines: Network, size: Size, seed: int) -> None:
        self._place, self._database, self._lines = place, database, lines
        self._size = size
        self._random = random.Random(seed)
        self._acknowledged: set[str] = set()
        self._machines: list[tuple[Member, Line]] = []
        self._backups: dict[int, Path] = {}
        self._kills = self._cuts = self._restored = 0
        self._is_over = threading.Event()

    def run(self, workers: int = 6) -> Outcome:
        """Go through all of it, and compare every machine and the server with the set."""
        with ThreadPoolExecutor(workers) as pool:
            self._machines = list(pool.map(self._machine, range(self._size.machines)))
            killer = threading.Thread(target=self._kill_syncs)
            killer.start()
            try:
                for number in range(ROUNDS):
                    self._round(number, pool)
            finally:
                self._is_over.set()
                killer.join()
            for clone, line in self._machines:
                self._lines.set(line, OPEN)
                waited_for(clone)
            for _ in range(2):
                list(pool.map(self._healed, self._machines))
        return Outcome(len(self._acknowledged), *self._compared(), self._kills, self._cuts, self._restored)

    def _machine(self, number: int) -> tuple[Member, Line]:
        line = self._lines.line(self._place / f"line{number}")
        url = f"postgresql://person@/{self._database.name}?host={line.place}"
        clone = member(self._place, f"m{number}", url)
        clone.run("config", "set", "--user", "auto_generate", "false")  # no summaries: nobody reads them here
        clone.sync()
        return clone, line

    def _healed(self, each: tuple[Member, Line]) -> None:
        """Sync as a person does who is told to try again later."""
        for turn in range(_PATIENCE):
            try:
                each[0].sync()
            except AssertionError:
                if turn == _PATIENCE - 1:
                    raise
            else:
                return

    def _round(self, number: int, pool: ThreadPoolExecutor) -> None:
        self._back_up_or_restore(number)
        for _, line in self._machines:
            state = self._random.choice(_STATES)
            after = self._random.randrange(200, 60_000) if self._random.random() < 0.5 else None
            self._cuts += state == CUT or after is not None
            self._lines.set(line, state, after)
        order = [(at, agent) for at in range(self._size.machines) for agent in range(self._size.agents)]
        self._random.shuffle(order)
        half = len(order) // 2
        self._acknowledged.update(*pool.map(lambda who: self._agent(number, *who), order[:half]))
        self._trouble(number)
        self._acknowledged.update(*pool.map(lambda who: self._agent(number, *who), order[half:]))
        self._recover(number)

    def _agent(self, number: int, machine: int, agent: int) -> list[str]:
        clone, _ = self._machines[machine]
        text = f"agent {agent} of machine {machine} in round {number}"
        return [clone.log(text, "milestone_reached")]

    def _trouble(self, number: int) -> None:
        """Have the server restart at once, or take no writes for a while."""
        if number == 0:
            self._database.cluster.stop()
            self._database.cluster.start()
        elif number == 1:
            self._as_owner("set default_transaction_read_only = on")

    def _recover(self, number: int) -> None:
        if number == 1:
            self._as_owner("reset default_transaction_read_only")

    def _as_owner(self, what: str) -> None:
        """Alter the database from another one, since none can be that takes no writes."""
        with psycopg.connect(self._database.cluster.url("postgres"), autocommit=True) as connection:
            connection.execute(f"alter database {self._database.name} {what}")  # type: ignore[call-overload]

    def _back_up_or_restore(self, number: int) -> None:
        """Copy some machines whose work is on the server, and restore those copies a round later.

        Before that the server is restored from a backup that has half of its rows.
        """
        if number == 1:
            half = "(select max(seq) / 2 from agent_progress.log)"
            self._database.do(f"delete from agent_progress.log where seq > {half}")
        for at in range(0, self._size.machines, 5):
            clone, line = self._machines[at]
            self._lines.set(line, OPEN)
            waited_for(clone)
            with suppress(AssertionError):  # the server may be slow; then this machine is left as it is
                clone.sync()
                copy = self._place / f"backup{at}"
                if number == 1:
                    shutil.copytree(clone.root / OURS, copy, symlinks=True)
                    (copy / STATE).parent.mkdir()
                    shutil.copy2(clone.private(STATE), copy / STATE)
                elif number == 2 and copy.exists():
                    self._restore(clone, copy)

    def _restore(self, clone: Member, copy: Path) -> None:
        for name in ("progress.json", "archive", STATE):
            place = clone.private(STATE) if name == STATE else clone.root / OURS / name
            shutil.rmtree(place, ignore_errors=True) if place.is_dir() else place.unlink(missing_ok=True)
            if (copy / name).is_dir():
                shutil.copytree(copy / name, place)
            elif (copy / name).exists():
                shutil.copy2(copy / name, place)
        shutil.rmtree(clone.home / ".local/share/agent-progress/logs", ignore_errors=True)
        self._restored += 1

    def _kill_syncs(self) -> None:
        """End a process that syncs, now and then, wherever it is."""
        chance = random.Random(self._random.random())
        mark = os.fsencode(self._place)
        while not self._is_over.wait(0.05):
            found = [
                pid for pid in os.listdir("/proc")
                if pid.isdecimal() and BACKGROUND_SYNC in (words := _words(pid)) and mark in words
            ]  # fmt: skip
            if found and chance.random() < 0.3:
                with suppress(ProcessLookupError):
                    os.kill(int(chance.choice(found)), signal.SIGKILL)
                    self._kills += 1

    def _compared(self) -> tuple[int, int]:
        """Return how many entries are missing, and how many stand somewhere twice."""
        missing = twice = 0
        rows = [row[0] for row in self._database.do("select id from agent_progress.log where kind = 'entry'")]
        for ids in (rows, *(_ids(clone) for clone, _ in self._machines)):
            missing += len(self._acknowledged - set(ids))
            twice += len(ids) - len(set(ids))
        return missing, twice


def simulate(place: Path, cluster: Cluster, database: Database, size: Size, seed: int) -> Outcome:
    """Let `size` machines of so many agents work through all faults."""
    with network(cluster.place / ".s.PGSQL.5432") as lines:
        return Simulation(place, database, lines, size, seed).run()


def _words(pid: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _ids(clone: Member) -> list[str]:
    ours = clone.root / OURS
    paths = [ours / "progress.json", *sorted((ours / "archive").glob("[0-9]*.json"))]
    return [
        entry["id"] for path in paths if path.exists() for entry in json.loads(path.read_bytes())["entries"]
    ]
