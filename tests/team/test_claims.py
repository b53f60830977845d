"""Claims: one holder of a story, who frees it by name or by time, seen by everybody."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest

from progress_plugin.core.errors import BadInput
from progress_plugin.log.entry import in_order
from progress_plugin.team.claim_leases import claim_story
from progress_plugin.team.connection import connected
from progress_plugin.usecases.team.claiming import span_of
from tests.team.clones import OURS, begun, cloned, planned
from tests.team.members import KEY, Member, member
from tests.team.postgres import Database

PROCESSES = 6  # of each clone


@pytest.fixture
def ours(tmp_path: Path, database: Database) -> Member:
    """Return a clone that takes part, with a plan."""
    clone = member(tmp_path, "ours", database)
    planned(clone)
    clone.sync()
    return clone


@pytest.fixture
def theirs(tmp_path: Path, database: Database) -> Member:
    """Return a colleague's clone of it."""
    clone = member(tmp_path, "theirs", database)
    planned(clone)
    clone.sync()
    return clone


def test_of_many_processes_that_claim_at_once_one_holds_the_story(
    ours: Member, theirs: Member, database: Database
) -> None:
    processes = [clone.started("claim", "US-001") for clone in (ours, theirs) for _ in range(PROCESSES)]
    ended = [(process.communicate(), process.returncode) for process in processes]
    assert sorted(code for _, code in ended) == [0, *[1] * (2 * PROCESSES - 1)], ended
    assert database.do("select count(*) from agent_progress.claims") == [(1,)]


def test_who_began_to_claim_first_does_not_take_what_was_claimed_meanwhile(
    ours: Member, database: Database
) -> None:
    hour = timedelta(hours=1)
    with connected(database.url) as slow, connected(database.url) as quick, slow.transaction():
        slow.execute("select now()")
        assert claim_story(quick, KEY, "US-009", "b" * 32, "", hour).is_ours
        assert not claim_story(slow, KEY, "US-009", "a" * 32, "", hour).is_ours


def test_who_comes_later_is_told_who_holds_it_and_until_when(ours: Member, theirs: Member) -> None:
    until = json.loads(ours.run("claim", "us-001", "--for", "90m", "--json"))["until"]
    told = theirs.run("claim", "US-001", status=1, err=True)
    assert f"{ours.name()} claims US-001 since" in told
    assert f"until {until}" in told
    assert "this clone claims US-001 already, since" in ours.run("claim", "US-001", status=1, err=True)


def test_status_summary_and_next_say_who_holds_what(ours: Member, theirs: Member) -> None:
    ours.run("claim", "US-001")
    theirs.sync()
    told = json.loads(theirs.run("status", "--json"))
    assert [(each["story"], each["writer"]) for each in told["claims"]] == [("US-001", ours.name())]
    assert told["current"] == "US-002"
    context, _ = theirs.start()
    assert f"US-001: claimed by {ours.name()} since " in context
    assert f"Claimed: US-001 by {ours.name()} since " in theirs.run("status")
    assert "Current: US-001" in ours.start()[0]
    assert "US-001: claimed by this clone since" in ours.start()[0]


def test_a_holder_that_died_frees_the_story_by_time(ours: Member, theirs: Member, database: Database) -> None:
    ours.run("claim", "US-001")
    database.do("update agent_progress.claims set until = now() - interval '1 second'")
    assert "is claimed until" in theirs.run("claim", "US-001")
    assert "does not claim US-001" in ours.run("release", "US-001", status=1, err=True)
    ours.sync()
    assert json.loads(ours.run("status", "--json"))["claims"][0]["writer"] == theirs.name()


def test_whoever_holds_a_story_can_release_it_and_nobody_else(ours: Member, theirs: Member) -> None:
    ours.run("claim", "US-001")
    assert "does not claim US-001" in theirs.run("release", "US-001", status=1, err=True)
    assert "US-001 is free." in ours.run("release", "us-001")
    assert json.loads(ours.run("status", "--json"))["claims"] == []
    theirs.run("claim", "US-001")


def test_the_same_session_renews_its_claim(
    ours: Member, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = {**ours.environment, "CLAUDE_CODE_SESSION_ID": "session-1"}
    monkeypatch.setattr(Member, "environment", environment)
    first = json.loads(ours.run("claim", "US-001", "--json"))
    again = json.loads(ours.run("claim", "US-001", "--for", "1d", "--json"))
    assert again["since"] == first["since"]
    assert again["until"] > first["until"]
    assert "session-1" not in str(database.do("select * from agent_progress.claims"))


def test_a_time_that_is_none_is_refused() -> None:
    for span in ("2", "h", "0h", "-1h", "31d", "2 weeks", "99999h"):
        with pytest.raises(BadInput, match="allowed is 90m, 2h, up to 30d"):
            span_of(span)


def test_a_claim_that_the_server_does_not_answer_is_none(ours: Member) -> None:
    ours.reaches("postgresql:///team?host=/nonexistent")
    told = ours.run("claim", "US-001", status=3, err=True)
    assert "cannot be reached" in told
    assert "; nothing was claimed" in told
    assert "next sync" not in told
    assert "; nothing was released" in ours.run("release", "US-001", status=3, err=True)
    assert json.loads(ours.run("status", "--json"))["claims"] == []


def test_without_a_server_a_claim_is_an_entry_that_says_so(tmp_path: Path) -> None:
    clone = begun(tmp_path, "ours")
    planned(clone)
    told = clone.run("claim", "us-001", err=True)
    assert "kept as an entry of the log alone: everybody who pulls it sees it" in told
    [entry] = [
        item
        for item in json.loads((clone.root / OURS / "progress.json").read_text("utf-8"))["entries"]
        if "claim" in item["data"]
    ]
    assert entry["task_id"] == "US-001"
    clone.commit()
    other = cloned(clone, tmp_path, "theirs")
    planned(other)
    assert "claims US-001 since" in other.run("claim", "US-001", status=1, err=True)
    assert json.loads(other.run("status", "--json"))["current"] == "US-002"
    clone.run("release", "US-001")
    assert json.loads(clone.run("status", "--json"))["claims"] == []
    clone.commit()
    other.git("pull", "-q")
    other.start()
    other.run("claim", "US-001")


def test_a_release_of_the_same_second_comes_after_its_claim_on_every_machine() -> None:
    second = {"timestamp": "2026-11-29T10:00:00Z", "type": "claim"}
    claim, release = ({"id": f"entry-20261129-100000-00000{last}", **second} for last in "AB")
    assert in_order([claim], [release]) == in_order([release], [claim]) == [claim, release]
