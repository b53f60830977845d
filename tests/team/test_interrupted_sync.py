"""Kills, restarts and partitions in the middle of a sync: every entry everywhere, exactly once."""

from __future__ import annotations

import os
from itertools import takewhile
from pathlib import Path

import pytest

from tests.team import postgres
from tests.team.members import STATE, member, require_tracer, waited_for
from tests.team.postgres import Database
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
        inject = f"inject={call}:signal=KILL:when={instant}"
        tracer = ("strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e", inject)
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
    assert "it cannot be reached, or does not let you in" in ours.run("sync", status=3, err=True)
    assert rows(database) == []
    database.do("drop trigger z_leave on agent_progress.log")
    ours.sync()
    assert rows(database) == texts


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
@pytest.mark.timeout(3600)
def test_many_agents_on_many_machines_end_with_every_entry_once(tmp_path: Path) -> None:
    size = Size(machines=50, agents=20) if SECONDS else Size(machines=3, agents=2)
    with postgres.cluster() as own:
        outcome = simulate(tmp_path, own, postgres.database(own), size, seed=7)
    assert (outcome.missing, outcome.twice) == (0, 0), outcome
    assert outcome.acknowledged == size.machines * size.agents * ROUNDS
    assert min(outcome.kills, outcome.cuts, outcome.restored) > 0, outcome
