"""Kills, restarts and partitions in the middle of a sync: every entry everywhere, exactly once."""

from __future__ import annotations

import os
from itertools import takewhile
from pathlib import Path

import pytest

from tests.team.members import STATE, Member, joined, require_tracer, waited_for
from tests.team.postgres import Database, cluster
from tests.team.simulation import ROUNDS, Simulation
from tests.torture.figures import SECONDS, instants


def rows(database: Database) -> list[str]:
    """Return what the entries on the server say, and see that the numbers have no gap."""
    [(last, count)] = database.do("select max(seq), count(*) from agent_progress.log")
    assert last == count or not count
    return database.texts()


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("call", ["sendto", "rename"])
def test_a_sync_that_is_killed_anywhere_leaves_every_entry_once(
    ours: Member, theirs: Member, database: Database, call: str
) -> None:
    require_tracer()
    expected = {"Berths are listed", "Bookings are refused"}
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
    ours: Member, database: Database
) -> None:
    before, texts = rows(database), [f"entry {number}" for number in range(8)]
    ours.log_offline(*texts)
    database.do(
        "create function public.leave() returns trigger language plpgsql security definer as $$ begin "
        "if new.seq = 5 then perform pg_terminate_backend(pg_backend_pid()); end if; return new; end $$; "
        "create trigger z_leave after insert on agent_progress.log for each row execute function public.leave()"
    )
    assert "it cannot be reached, or does not let you in" in ours.run("sync", status=3, err=True)
    assert rows(database) == before
    database.do("drop trigger z_leave on agent_progress.log")
    ours.sync()
    assert rows(database) == sorted(before + texts)


def test_a_write_syncs_by_itself_and_a_start_does_if_the_last_is_long_ago(
    ours: Member, tmp_path: Path, database: Database
) -> None:
    ours.log("Quays are swept")
    waited_for(ours)
    assert "Quays are swept" in rows(database)
    joined(tmp_path, "late", database, "I am new", "US-103")
    ours.start()  # less than a minute ago: nothing is started
    waited_for(ours)
    assert "I am new" not in ours.said()
    os.utime(ours.private(STATE), (0, 0))
    ours.start()
    waited_for(ours)
    assert "I am new" in ours.said()


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_many_agents_on_many_machines_end_with_every_entry_once(tmp_path: Path) -> None:
    machines, agents = (50, 20) if SECONDS else (3, 2)
    with cluster() as own:
        outcome = Simulation(tmp_path, own, machines, agents, seed=7).run()
    assert (outcome.missing, outcome.twice) == (0, 0), outcome
    assert outcome.acknowledged == machines * agents * ROUNDS
    faults = (outcome.kills + outcome.cuts, outcome.offline, outcome.restored)
    assert min(faults) > 0, outcome  # in a short run a connection is seldom open when it would be cut
