"""Claims: one holder of a story, who frees it by name or by time, seen by everybody."""

from __future__ import annotations

import json
import os
import time
from typing import Any

import pytest

from progress_plugin.core.errors import BadInput
from progress_plugin.usecases.team.claiming import parse_duration
from tests.team.clones import Clone, planned
from tests.team.members import NOWHERE, Member, agreed
from tests.team.postgres import Database

PROCESSES = 6  # of each clone


@pytest.fixture(autouse=True)
def plans(request: pytest.FixtureRequest) -> None:
    """Give each clone of the team a plan of which nobody has begun anything."""
    for name in {"ours", "theirs"} & {*request.fixturenames}:
        planned(request.getfixturevalue(name))


def status(clone: Clone) -> dict[str, Any]:
    """Return the status as data."""
    shown: dict[str, Any] = json.loads(clone.run("status", "--json"))
    return shown


def claims(clone: Clone) -> list[tuple[str, str | None]]:
    """Return which stories a clone knows as claimed, and by whom."""
    return [(each["story"], each["writer"]) for each in status(clone)["claims"]]


def finish(clone: Clone, story: str) -> None:
    """Have an agent set a story done in its plan, and log what it did."""
    plan = json.loads((clone.root / "prd.json").read_text("utf-8"))
    next(each for each in plan["userStories"] if each["id"] == story)["passes"] = True
    (clone.root / "prd.json").write_text(json.dumps(plan), "utf-8")
    clone.log(f"{story} is built", task=story)


@pytest.mark.slow
def test_of_many_processes_that_claim_at_once_one_holds_the_story(
    ours: Member, theirs: Member, database: Database
) -> None:
    processes = [clone.started("claim", "US-001") for clone in (ours, theirs) for _ in range(PROCESSES)]
    ended = [(process.communicate(), process.returncode) for process in processes]
    assert sorted(code for _, code in ended) == [0, *[1] * (2 * PROCESSES - 1)], ended
    assert database.do("select count(*) from agent_progress.claims") == [(1,)]


def test_who_comes_later_is_shown_who_holds_it_and_until_when(ours: Member, theirs: Member) -> None:
    until = json.loads(ours.run("claim", "us-001", "--for", "90m", "--json"))["until"]
    refusal = theirs.run("claim", "US-001", status=1, err=True)
    assert f"{ours.name()} claims US-001 already, since" in refusal
    assert f"until {until}" in refusal
    assert "this clone claims US-001 already, since" in ours.run("claim", "US-001", status=1, err=True)


def test_status_summary_and_next_show_who_holds_what(ours: Member, theirs: Member) -> None:
    ours.run("claim", "US-001")
    theirs.sync()
    assert claims(theirs) == [("US-001", ours.name())]
    assert status(theirs)["current"] == "US-002"
    assert f"US-001: claimed by {ours.name()} since " in theirs.start()[0]
    assert f"Claimed: US-001 by {ours.name()} since " in theirs.run("status")
    assert "Current: US-001" in ours.start()[0]


def test_a_holder_that_died_frees_the_story_by_time(ours: Member, theirs: Member, database: Database) -> None:
    ours.run("claim", "US-001")
    database.do("update agent_progress.claims set until = now() - interval '1 second'")
    assert "is claimed until" in theirs.run("claim", "US-001")
    assert "does not claim US-001" in ours.run("release", "US-001", status=1, err=True)
    ours.sync()
    assert claims(ours) == [("US-001", theirs.name())]


def test_who_holds_a_story_can_release_it_and_nobody_else(ours: Member, theirs: Member) -> None:
    ours.run("claim", "US-001")
    assert "does not claim US-001" in theirs.run("release", "US-001", status=1, err=True)
    assert "US-001 is free." in ours.run("release", "us-001")
    assert claims(ours) == []
    theirs.run("claim", "US-001")


def test_the_same_session_renews_its_claim(
    ours: Member, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = {**ours.environment, "CLAUDE_CODE_SESSION_ID": "session-1"}
    monkeypatch.setattr(Member, "environment", environment)
    first = json.loads(ours.run("claim", "US-001", "--json"))
    again = json.loads(ours.run("claim", "US-001", "--for", "1d", "--json"))
    assert (again["since"], again["until"] > first["until"]) == (first["since"], True)
    assert "session-1" not in str(database.do("select * from agent_progress.claims"))


@pytest.mark.parametrize("span", ["2", "h", "0h", "-1h", "31d", "2 weeks", "99999h"])
def test_a_time_that_is_none_is_refused(span: str) -> None:
    with pytest.raises(BadInput, match="is not a claim duration"):
        parse_duration(span)


def test_a_claim_that_the_server_does_not_answer_is_none(ours: Member) -> None:
    ours.reaches(NOWHERE)
    refusal = ours.run("claim", "US-001", status=3, err=True)
    assert "cannot be reached" in refusal
    assert "cannot be reached" in ours.run("release", "US-001", status=3, err=True)
    assert claims(ours) == []


def test_a_story_that_a_colleague_finished_is_not_offered_and_claimed_only_with_force(
    ours: Member, theirs: Member
) -> None:
    for clone in (ours, theirs):  # of one day the plan counts
        os.utime(clone.root / "prd.json", (0, time.time() - 3 * 86_400))
    theirs.log("US-001 is built", task="US-001")
    agreed(theirs, ours)
    shown = status(ours)
    assert (shown["current"], shown["next_story"]["id"]) == ("US-002", "US-003")
    assert "progress.json finished US-001" in shown["drift"][0]
    assert f"US-001 is finished, by {theirs.name()}" in ours.run("claim", "us-001", status=1, err=True)
    ours.run("claim", "US-001", "--force")


def test_a_claim_ends_when_its_holder_finishes_the_story(
    ours: Member, theirs: Member, database: Database
) -> None:
    ours.run("claim", "US-001")
    theirs.run("claim", "US-002")
    finish(ours, "US-001")
    theirs.log("US-001 would be nearer to the berths", "debug_resolved", task="US-001")
    agreed(ours, theirs)
    assert database.do("select story from agent_progress.claims") == [("US-002",)]
    assert claims(ours) == [("US-002", theirs.name())]
    # A completion by somebody else leaves the holder's claim.
    finish(ours, "US-002")
    agreed(ours, theirs)
    assert database.do("select writer from agent_progress.claims") == [(theirs.name(),)]


def test_a_name_that_no_plan_and_no_log_knows_is_refused_with_those_like_it(ours: Member) -> None:
    refusal = ours.run("claim", "US-01", status=1, err=True)
    assert "no plan or log here has a story US-01; similar names: " in refusal
    assert "US-001" in refusal
    assert "US-01 is claimed until" in ours.run("claim", "US-01", "--force")
    ours.log("Half of it", "milestone_reached", task="X-9")
    assert "X-9 is claimed until" in ours.run("claim", "x-9")
