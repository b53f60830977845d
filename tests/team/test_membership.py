"""Joining a team's server under a name for one project, and leaving it again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.team.clones import planned
from tests.team.members import KEY, NOWHERE, STATE, Member, member, waited_for
from tests.team.postgres import Database


@pytest.fixture
def claimer(ours: Member) -> Member:
    """Return a clone that takes part, with a plan and a claim."""
    planned(ours)
    ours.run("claim", "US-002")
    return ours


def entries_of_projects(database: Database) -> dict[str, int]:
    """Return how many entries each project has on the server."""
    return dict(database.do("select project, count(*) from agent_progress.log group by project"))


def test_a_clone_takes_part_only_once_somebody_has_asked_for_it(tmp_path: Path, database: Database) -> None:
    clone = member(tmp_path, "private", database)
    clone.log("Nobody's business")
    clone.start()
    assert not clone.private("team").exists()
    assert database.texts() == []


def test_a_name_for_one_project_leaves_the_others_alone(tmp_path: Path, database: Database) -> None:
    one, other = (member(tmp_path, name, database) for name in ("harbour", "warehouse"))
    other.home = one.home  # two projects of one user
    for clone in (one, other):
        clone.git("remote", "remove", "origin")
        clone.log("Something is listed")
    one.run("team", "join", "--key", "harbour")
    assert "agent-progress team join --key NAME" in other.run("sync", status=2, err=True)
    other.run("team", "join", "--key", "warehouse")
    one.sync()
    other.sync()
    assert entries_of_projects(database) == {"harbour": 1, "warehouse": 1}


def test_a_remote_that_changed_is_followed_only_by_joining_again(ours: Member, database: Database) -> None:
    ours.git("remote", "set-url", "origin", "git@example.org:mallory/other.git")
    ours.log("Not for them")
    waited_for(ours)
    assert entries_of_projects(database) == {KEY: 2}
    ours.run("team", "join")
    assert entries_of_projects(database) == {KEY: 2, "example.org/mallory/other": 2}


def test_who_leaves_frees_its_claims_and_claims_nothing_more(claimer: Member, database: Database) -> None:
    assert "Free again: US-002." in claimer.run("team", "leave")
    assert database.do("select count(*) from agent_progress.claims") == [(0,)]
    assert json.loads(claimer.run("status", "--json"))["claims"] == []
    assert "takes part in none" in claimer.run("claim", "US-002", status=2, err=True)
    claimer.log("Bookings are refused")
    waited_for(claimer)
    assert not claimer.private(STATE).exists()
    assert database.texts() == ["Berths are listed"]
    assert "Bookings are refused" in claimer.said()


@pytest.mark.parametrize("server", [NOWHERE, None])
def test_a_team_is_left_also_if_its_server_cannot_be_reached(claimer: Member, server: str | None) -> None:
    if server is None:
        claimer.run("config", "unset", "--user", "team.url")
        refusal = claimer.run("claim", "US-003", status=2, err=True)
        assert "to go on without a team: agent-progress team leave" in refusal
    else:
        claimer.reaches(server)
    shown = claimer.run("team", "leave", err=True)
    assert "could not be released and expire" in shown
    assert "nothing is lost" not in shown


def test_a_watching_sync_does_not_join_again_after_leave(ours: Member) -> None:
    with ours.started("sync", "--watch", "--every", "1") as watching:
        assert watching.stdout is not None
        assert "this clone is " in watching.stdout.readline()
        ours.run("team", "leave")
        _, errors = watching.communicate(timeout=60)
    assert (watching.returncode, errors) == (0, "This clone has left the team's server meanwhile.\n")
    assert "nothing to leave" in ours.run("team", "leave", status=1, err=True)
