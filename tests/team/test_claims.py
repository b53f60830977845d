"""Claims: one holder of a story, who frees it by name or by time, seen by everybody."""

from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core.errors import BadInput
from progress_plugin.usecases.team.claiming import span_of
from tests.team.clones import OURS, Clone, begun, cloned, planned
from tests.team.members import Member, member, waited_for
from tests.team.postgres import Database

PROCESSES = 6  # of each clone


@pytest.fixture
def team(tmp_path: Path, database: Database) -> tuple[Member, Member]:
    """Return two clones that take part, each with the plan as it was before anybody began."""
    made = member(tmp_path, "ours", database), member(tmp_path, "theirs", database)
    for clone in made:
        planned(clone)
        clone.sync()
    return made


@pytest.fixture
def ours(team: tuple[Member, Member]) -> Member:
    """Return the first of the team."""
    return team[0]


@pytest.fixture
def theirs(team: tuple[Member, Member]) -> Member:
    """Return the second of the team."""
    return team[1]


@pytest.mark.slow
def test_of_many_processes_that_claim_at_once_one_holds_the_story(
    ours: Member, theirs: Member, database: Database
) -> None:
    processes = [clone.started("claim", "US-001") for clone in (ours, theirs) for _ in range(PROCESSES)]
    ended = [(process.communicate(), process.returncode) for process in processes]
    assert sorted(code for _, code in ended) == [0, *[1] * (2 * PROCESSES - 1)], ended
    assert database.do("select count(*) from agent_progress.claims") == [(1,)]


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


def finish(clone: Clone, story: str) -> None:
    """Have an agent set a story done in its plan, and log what it did."""
    mark(clone, story, passes=True)
    clone.log(f"{story} is built", task=story)


def mark(clone: Clone, story: str, *, passes: bool) -> None:
    """Have the plan of a clone call a story done, or open again."""
    plan = json.loads((clone.root / "prd.json").read_text("utf-8"))
    next(each for each in plan["userStories"] if each["id"] == story)["passes"] = passes
    (clone.root / "prd.json").write_text(json.dumps(plan), "utf-8")


def standing(clone: Clone) -> dict[str, Any]:
    """Return the status as data."""
    told: dict[str, Any] = json.loads(clone.run("status", "--json"))
    return told


def handed_over(giver: Member, *takers: Member) -> None:
    """Let everything one clone has done reach the others through the server."""
    waited_for(giver)
    for each in (giver, *takers):
        each.sync()


def test_a_story_that_a_colleague_finished_is_not_offered_and_claimed_only_with_force(
    team: tuple[Member, Member],
) -> None:
    ours, theirs = team
    for clone in team:  # of one day the plan counts
        os.utime(clone.root / "prd.json", (0, time.time() - 3 * 86_400))
    theirs.log("US-001 is built", task="US-001")
    handed_over(theirs, ours)
    told = standing(ours)
    assert (told["current"], told["next_story"]["id"]) == ("US-002", "US-003")
    assert "progress.json finished US-001" in told["drift"][0]
    assert f"US-001 is finished, by {theirs.name()}" in ours.run("claim", "us-001", status=1, err=True)
    ours.run("claim", "US-001", "--force")


def test_a_story_that_is_finished_is_held_by_nobody_any_more(
    team: tuple[Member, Member], database: Database
) -> None:
    ours, theirs = team
    ours.run("claim", "US-001")
    theirs.run("claim", "US-002")
    finish(ours, "US-001")
    theirs.log("US-001 would be nearer to the berths", "debug_resolved", task="US-001")
    handed_over(ours, theirs)
    assert database.do("select story from agent_progress.claims") == [("US-002",)]
    assert [each["story"] for each in standing(ours)["claims"]] == ["US-002"]
    # A completion by somebody else leaves the holder's claim.
    finish(ours, "US-002")
    handed_over(ours, theirs)
    assert database.do("select writer from agent_progress.claims") == [(theirs.name(),)]


def test_a_name_that_no_plan_and_no_log_knows_is_refused_with_those_like_it(tmp_path: Path) -> None:
    clone = begun(tmp_path, "ours")
    planned(clone)
    told = clone.run("claim", "US-01", status=1, err=True)
    assert "no plan or log here has a story US-01; called alike: US-001" in told
    assert "US-01 is claimed until" in clone.run("claim", "US-01", "--force")
    clone.log("Half of it", "milestone_reached", task="X-9")
    assert "X-9 is claimed until" in clone.run("claim", "x-9")


@pytest.fixture
def pulled(tmp_path: Path) -> tuple[Clone, Clone]:
    """Return two clones of one history by git: the second one's entries come with `handed_by_git`."""
    ours = begun(tmp_path, "ours")
    planned(ours).commit()
    return ours, cloned(ours, tmp_path, "theirs")


def handed_by_git(giver: Clone, taker: Clone) -> str:
    """Let what a clone has logged reach another one with a pull, and return the giver's name."""
    giver.commit()
    taker.git("pull", "-q", "--no-rebase", "--no-edit", str(giver.root), "HEAD")
    return giver.writer()


def test_what_blocks_a_colleague_is_told_with_their_name(pulled: tuple[Clone, Clone]) -> None:
    ours, theirs = pulled
    theirs.log("Waiting for the harbour office", "task_blocked", task="US-002")
    ours.log("No chart", "task_blocked", task="US-003")
    name = handed_by_git(theirs, ours)
    context, _ = ours.start()
    assert f"- US-002: Story 2 - Waiting for the harbour office (by {name})\n" in context
    assert "- US-003: Story 3 - No chart\n" in context
    assert f"US-002: Story 2 (⊘ by {name})\n" in context
    line = rf"US-002: Story 2 - Waiting for the harbour office \(by {name}, since .*\)$"
    assert re.search(f"^Blocked: {line}", ours.run("status"), re.MULTILINE)
    assert re.search(line, ours.run("recent"), re.MULTILINE)
    assert [(each["id"], each["by"]) for each in standing(ours)["blocked"]] == [
        ("US-002", name),
        ("US-003", ""),
    ]
