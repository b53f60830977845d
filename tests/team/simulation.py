"""Many agents on many machines, and everything that goes wrong between them and the team's server.

Machines are clones with a home and a writer of their own. Agents are processes that log; the expected result is a
set of ids. In each round some machines are offline. All the time syncs are killed, connections are cut on the
server, and the server is slow because somebody holds a lock.
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

from tests.background import find_processes
from tests.team.clones import OURS
from tests.team.members import NOWHERE, STATE, Member, member, waited_for
from tests.team.postgres import Cluster, database

ROUNDS = 3
_PATIENCE, _PATIENCE_IN_TROUBLE = 5, 60  # attempts to sync
_CUT = "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'person' order by random() limit 1"
_LOCK = "select pg_advisory_xact_lock(hashtextextended('agent_progress example.org/acme/harbour', 0)), pg_sleep(0.5)"


class Outcome(NamedTuple):
    """The result of a simulation, and the faults that it had."""

    acknowledged: int  # entries
    missing: int  # that some machine, or the server, does not have in the end, over all of them
    twice: int
    kills: int
    cuts: int  # of connections
    offline: int  # machines, over all rounds
    restored: int


class Simulation:
    """One run of the simulation; `seed` chooses the faults."""

    def __init__(self, place: Path, cluster: Cluster, machines: int, agents: int, seed: int) -> None:
        self._place, self._agents = place, agents
        self._database = database(cluster)
        self._random = random.Random(seed)
        self._acknowledged: set[str] = set()
        self._machines = [self._machine(number) for number in range(machines)]
        self._kills = self._cuts = self._offline = self._restored = 0
        self._is_over = threading.Event()

    def run(self) -> Outcome:
        """Run all rounds, and compare every machine and the server with the expected set."""
        with ThreadPoolExecutor(6) as pool:
            list(pool.map(_healed, self._machines))
            trouble = threading.Thread(target=self._make_trouble)
            trouble.start()
            try:
                for number in range(ROUNDS):
                    self._round(number, pool)
            finally:
                self._is_over.set()
                trouble.join()
            for _ in range(2):
                list(pool.map(_healed, self._machines))
        numbers = self._kills, self._cuts, self._offline, self._restored
        return Outcome(len(self._acknowledged), *self._compared(), *numbers)

    def _machine(self, number: int) -> Member:
        clone = member(self._place, f"m{number}", self._database)
        clone.run("config", "set", "auto_generate", "false")  # no summaries: nobody reads them here
        return clone

    def _round(self, number: int, pool: ThreadPoolExecutor) -> None:
        if number == 1:  # the server is restored from a backup that has half of its rows
            half = "(select max(seq) / 2 from agent_progress.log)"
            self._database.do(f"delete from agent_progress.log where seq > {half}")
        for clone in self._machines[::5]:
            self._back_up_or_restore(number, clone)
        for clone in self._machines:
            is_offline = self._random.random() < 0.4
            self._offline += is_offline
            clone.reaches(NOWHERE if is_offline else clone.url)
        order = [(clone, agent) for clone in self._machines for agent in range(self._agents)]
        self._random.shuffle(order)
        half_way = len(order) // 2
        self._work(number, order[:half_way], pool)
        if number == 0:
            self._database.cluster.stop()
            self._database.cluster.start()
        elif number == 1:
            self._as_owner("set default_transaction_read_only = on")
        self._work(number, order[half_way:], pool)
        if number == 1:
            self._as_owner("reset default_transaction_read_only")

    def _work(self, number: int, agents: list[tuple[Member, int]], pool: ThreadPoolExecutor) -> None:
        def log(who: tuple[Member, int]) -> str:
            return who[0].log(f"agent {who[1]} in round {number}", "milestone_reached")

        self._acknowledged.update(pool.map(log, agents))

    def _as_owner(self, what: str) -> None:
        """Alter the database through another database, because a read-only one cannot alter itself."""
        with psycopg.connect(self._database.cluster.url("postgres"), autocommit=True) as connection:
            connection.execute(f"alter database {self._database.name} {what}")  # type: ignore[call-overload]

    def _back_up_or_restore(self, number: int, clone: Member) -> None:
        """Copy a machine whose work is on the server, and restore that copy a round later."""
        copy = self._place / f"backup of {clone.root.name}"
        _healed(clone, _PATIENCE_IN_TROUBLE)
        if number == 1:
            shutil.copytree(clone.root / OURS, copy / "ours")
            shutil.copy2(clone.private(STATE), copy / "state")
        elif number == 2:
            shutil.rmtree(clone.root / OURS)
            shutil.copytree(copy / "ours", clone.root / OURS)
            shutil.copy2(copy / "state", clone.private(STATE))
            shutil.rmtree(clone.home / ".local/share/agent-progress/logs", ignore_errors=True)
            self._restored += 1

    def _make_trouble(self) -> None:
        """At random kill a process that syncs, cut a connection, or hold a lock for which all wait."""
        chance = random.Random(self._random.random())
        while not self._is_over.wait(0.05):
            fault = chance.random()
            if fault < 0.3 and (found := find_processes(self._place, "sync")):
                with suppress(ProcessLookupError):
                    os.kill(chance.choice(found), signal.SIGKILL)
                    self._kills += 1
            else:
                with suppress(psycopg.OperationalError):  # the server is being restarted
                    self._cuts += len(self._database.do(_CUT))
                    if fault > 0.9:
                        self._database.do(_LOCK)

    def _compared(self) -> tuple[int, int]:
        """Return how many entries are missing, and how many are somewhere twice."""
        missing = twice = 0
        rows = [row[0] for row in self._database.do("select id from agent_progress.log where kind = 'entry'")]
        for ids in (rows, *map(_ids, self._machines)):
            missing += len(self._acknowledged - set(ids))
            twice += len(ids) - len(set(ids))
        return missing, twice


def _healed(clone: Member, attempts: int = _PATIENCE) -> None:
    """Sync again and again, as a person does who reads `try again later`."""
    clone.reaches(clone.url)
    waited_for(clone)
    for turn in range(attempts):
        try:
            clone.sync()
        except AssertionError:
            if turn == attempts - 1:
                raise
        else:
            return


def _ids(clone: Member) -> list[str]:
    ours = clone.root / OURS
    paths = [ours / "progress.json", *(ours / "archive").glob("[0-9]*.json")]
    return [
        entry["id"] for path in paths if path.exists() for entry in json.loads(path.read_bytes())["entries"]
    ]
