"""Kills, restarts and partitions in the middle of a sync: every entry everywhere, exactly once."""

from __future__ import annotations

import json
import os
import shutil
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from progress_plugin.core.project import find_project
from progress_plugin.team.connection import TeamServerFault
from progress_plugin.usecases.recording.log_entry import log_entry
from progress_plugin.usecases.team.sync import sync
from tests.team import postgres
from tests.team.clones import OURS
from tests.team.members import NOWHERE, STATE, here, member, require_tracer, waited_for
from tests.team.postgres import Cluster, Database
from tests.team.simulation import ROUNDS, Size, simulate
from tests.torture.figures import SECONDS, instants


def rows(database: Database) -> list[str]:
    """Return what the entries on the server say, and see that the numbers have no gap."""
    assert database.do(
        "select max(seq) is distinct from count(*) and count(*) > 0 from agent_progress.log"
    ) == [(False,)]
    return database.texts()


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("call", ["sendto", "rename"])
def test_a_sync_that_is_killed_anywhere_leaves_every_entry_once(
    tmp_path: Path, database: Database, call: str
) -> None:
    require_tracer()
    ours, theirs = member(tmp_path, "ours", database), member(tmp_path, "theirs", database)
    ours.log("first of ours")
    theirs.log("first of theirs")
    theirs.sync()
    expected = {"first of ours", "first of theirs"}
    killed = 0
    for instant in takewhile(lambda number: number < 200, instants(4)):
        texts = [f"{instant} of ours", f"{instant} more of ours"]
        ours.log_offline(*texts)
        theirs.log_offline(f"{instant} of theirs")
        expected |= {*texts, f"{instant} of theirs"}
        theirs.sync()
        tracer = (
            "strace",
            "-f",
            "-qq",
            "-o",
            "/dev/null",
            "-e",
            f"trace={call}",
            "-e",
            f"inject={call}:signal=KILL:when={instant}",
        )
        process = ours.started("sync", before=tracer)
        process.communicate()
        if process.returncode == 0:
            break
        killed += 1
        ours.sync()
        assert rows(database) == sorted(expected)
        assert set(ours.said()) == expected
        assert len(ours.entries()) == len(expected)
    else:
        pytest.fail("the sync never came to its end")
    assert killed >= 3
    theirs.sync()
    assert set(theirs.said()) == expected == set(rows(database))


def test_a_server_that_goes_away_in_the_middle_of_a_push_has_all_or_nothing_of_a_batch(
    tmp_path: Path, database: Database
) -> None:
    ours = member(tmp_path, "ours", database)
    texts = [f"entry {number}" for number in range(8)]
    for text in texts:
        ours.log(text)
    database.do(
        "create function public.leave() returns trigger language plpgsql security definer as $$ begin "
        "if new.seq = 5 then perform pg_terminate_backend(pg_backend_pid()); end if; return new; end $$; "
        "create trigger z_leave after insert on agent_progress.log for each row execute function public.leave()"
    )
    assert "it cannot be reached, or has gone" in ours.run("sync", status=3, err=True)
    assert rows(database) == []
    database.do("drop trigger z_leave on agent_progress.log")
    ours.sync()
    assert rows(database) == texts


def test_a_server_that_is_restarted_keeps_what_it_acknowledged(tmp_path: Path) -> None:
    with postgres.cluster() as own:
        database = postgres.database(own)
        ours, theirs = member(tmp_path, "ours", database), member(tmp_path, "theirs", database)
        ours.log("before")
        ours.sync()
        own.stop()
        ours.log("while it was away")
        assert "cannot be reached" in ours.run("sync", status=3, err=True)
        own.start()
        ours.sync()
        theirs.sync()
        assert list(theirs.said()) == ["before", "while it was away"]
        assert rows(database) == ["before", "while it was away"]


def test_a_write_syncs_by_itself_and_a_start_does_where_the_last_is_long_ago(
    tmp_path: Path, database: Database
) -> None:
    ours = member(tmp_path, "ours", database)
    ours.sync()
    ours.log("Berths are listed")
    waited_for(ours)
    assert rows(database) == ["Berths are listed"]
    theirs = member(tmp_path, "theirs", database)
    theirs.log("Bookings are refused")
    theirs.sync()
    ours.start()
    before = ours.private(STATE).stat().st_mtime_ns
    ours.start()  # less than a minute ago: nothing is started
    assert ours.private(STATE).stat().st_mtime_ns == before
    os.utime(ours.private(STATE), (0, 0))
    ours.start()
    waited_for(ours)
    assert set(ours.said()) == {"Berths are listed", "Bookings are refused"}


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_many_agents_on_many_machines_end_with_every_entry_once(tmp_path: Path) -> None:
    with postgres.cluster() as own:
        outcome = simulate(
            tmp_path,
            own,
            postgres.database(own),
            Size(machines=6 if SECONDS else 3, agents=4 if SECONDS else 2, entries=1),
            seed=7,
        )
    assert (outcome.missing, outcome.twice) == (0, 0), outcome
    assert outcome.acknowledged == outcome.agents * ROUNDS
    assert min(outcome.kills, outcome.cuts, outcome.restored) > 0, outcome


class _Model(RuleBasedStateMachine):
    """Machines that log, sync, are cut off, and are restored from backups, against a set of texts."""

    def __init__(self, cluster: Cluster, place: Path) -> None:
        super().__init__()
        self._cluster, self._place = cluster, place
        self._count = 0

    @initialize()
    def begin(self) -> None:
        """Make three machines and an empty server."""
        self._database = postgres.database(self._cluster)
        home = self._place / self._database.name
        self._machines = [member(home, f"m{number}", self._database) for number in range(3)]
        self._expected: list[set[str]] = [set() for _ in self._machines]
        """By machine, what it must know."""
        self._server: set[str] = set()
        self._backups: dict[int, tuple[dict[str, bytes], set[str]]] = {}
        for at in range(3):
            self.sync(at)

    @rule(at=st.integers(0, 2), number=st.integers(1, 4))
    def log(self, at: int, number: int) -> None:
        """Log some entries on a machine."""
        clone = self._machines[at]
        clone.reaches(NOWHERE)
        with here(clone):
            for _ in range(number):
                self._count += 1
                text = f"entry {self._count}"
                log_entry(
                    find_project(str(clone.root)),
                    "milestone_reached",
                    now=datetime.now(UTC),
                    description=text,
                )
                self._expected[at].add(text)
        waited_for(clone)

    @rule(at=st.integers(0, 2))
    def sync(self, at: int) -> None:
        """Sync a machine: it knows what the server knows then, and the server what it does."""
        clone = self._machines[at]
        clone.reaches(self._database.url)
        with here(clone):
            sync(find_project(str(clone.root)), joins=True)
        self._server |= self._expected[at]
        self._expected[at] |= self._server

    @rule(at=st.integers(0, 2))
    def try_to_sync_while_cut_off(self, at: int) -> None:
        """Sync while the server cannot be reached."""
        clone = self._machines[at]
        clone.reaches(NOWHERE)
        with here(clone), pytest.raises(TeamServerFault):
            sync(find_project(str(clone.root)), joins=True)

    @rule(at=st.integers(0, 2))
    def lose_what_was_noted_of_the_server(self, at: int) -> None:
        """Remove the folder that says what is known."""
        shutil.rmtree(self._machines[at].private("team"), ignore_errors=True)

    def _files(self, at: int) -> list[Path]:
        clone = self._machines[at]
        return [clone.root / OURS / "progress.json", clone.private(STATE)]

    @rule(at=st.integers(0, 2))
    def back_up(self, at: int) -> None:
        """Keep a machine's files."""
        paths = [path for path in self._files(at) if path.exists()]
        self._backups[at] = ({path: path.read_bytes() for path in paths}, set(self._expected[at]))

    @rule(at=st.integers(0, 2))
    def restore(self, at: int) -> None:
        """Restore what was kept: what only this machine knew since is gone."""
        if at not in self._backups:
            return
        files, known = self._backups[at]
        for path in self._files(at):
            path.unlink(missing_ok=True)
        for path, data in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        shutil.rmtree(self._machines[at].home / ".local/share/agent-progress/logs", ignore_errors=True)
        shutil.rmtree(self._machines[at].root / OURS / "recovery", ignore_errors=True)
        self._expected[at] = set(known)

    @invariant()
    def every_machine_knows_what_it_must_and_nothing_twice(self) -> None:
        """Compare all logs and the server with the sets."""
        if not hasattr(self, "_machines"):
            return
        for clone, expected in zip(self._machines, self._expected, strict=True):
            path = clone.root / OURS / "progress.json"
            items = json.loads(path.read_bytes())["entries"] if path.exists() else []
            assert sorted(item["data"]["description"] for item in items) == sorted(expected)
        assert rows(self._database) == sorted(self._server)

    def teardown(self) -> None:
        """Sync all machines twice: all of them know all."""
        if hasattr(self, "_machines"):
            for _ in range(2):
                for at in range(3):
                    self.sync(at)
            for expected in self._expected:
                assert expected == self._server
            self.every_machine_knows_what_it_must_and_nothing_twice()


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_any_course_of_logging_syncing_and_restoring_ends_in_the_union(
    cluster: Cluster, tmp_path: Path
) -> None:
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        lambda: _Model(cluster, tmp_path),
        settings=settings(
            max_examples=25 if SECONDS else 5,
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
