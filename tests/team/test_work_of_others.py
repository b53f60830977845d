"""What a colleague has finished is offered to nobody, before their edit of the plan is here."""

from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path
from typing import Any

import pytest

from tests.team.clones import Clone, begun, cloned, planned
from tests.team.members import Member, member, waited_for
from tests.team.postgres import Database


@pytest.fixture
def team(tmp_path: Path, database: Database) -> tuple[Member, Member]:
    """Return two clones that take part, each with the plan as it was before anybody began."""
    made = member(tmp_path, "ours", database), member(tmp_path, "theirs", database)
    for clone in made:
        planned(clone)
        clone.sync()
    return made


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
    assert f"US-001 is done in progress.json, by {theirs.name()}" in ours.run(
        "claim", "us-001", status=1, err=True
    )
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


def test_a_name_that_no_story_has_is_claimed_with_a_word_on_those_that_are_called_alike(
    tmp_path: Path,
) -> None:
    clone = begun(tmp_path, "ours")
    planned(clone)
    told = clone.run("claim", "US-01", err=True)
    assert "US-01 is claimed until" in told
    assert "no plan has a story US-01; called alike: US-001" in told
    assert "no plan has" not in clone.run("claim", "US-002", err=True)


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
