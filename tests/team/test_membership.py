"""Joining a team's server under a name for one project, and leaving it again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.team.clones import planned
from tests.team.members import NOWHERE, STATE, Member, member, waited_for
from tests.team.postgres import Database


@pytest.fixture
def ours(tmp_path: Path, database: Database) -> Member:
    """Return a clone that takes part, with a plan and a claim."""
    clone = member(tmp_path, "ours", database)
    planned(clone)
    clone.sync()
    clone.run("claim", "US-001")
    return clone


def names(database: Database) -> dict[str, int]:
    """Return how many entries each project has on the server."""
    return dict(database.do("select project, count(*) from agent_progress.log group by project"))


def unnamed(place: Path, name: str, database: Database) -> Member:
    """Return a clone whose remote names no project."""
    clone = member(place, name, database)
    clone.git("remote", "remove", "origin")
    return clone


def test_a_name_for_one_project_leaves_the_others_alone(tmp_path: Path, database: Database) -> None:
    one, other = (unnamed(tmp_path, name, database) for name in ("harbour", "warehouse"))
    other.home = one.home  # two projects of one user
    one.log("Berths are listed")
    other.log("Shelves are listed")
    one.run("team", "join", "--key", "harbour")
    assert "agent-progress team join --key NAME" in other.run("sync", status=2, err=True)
    other.run("team", "join", "--key", "warehouse")
    one.sync()
    other.sync()
    assert names(database) == {"harbour": 1, "warehouse": 1}


def test_who_leaves_frees_its_claims_and_goes_on_by_the_log(ours: Member, database: Database) -> None:
    ours.log("Berths are listed")
    waited_for(ours)
    assert "Free again: US-001." in ours.run("team", "leave")
    assert database.do("select count(*) from agent_progress.claims") == [(0,)]
    assert "US-001" not in json.dumps(json.loads(ours.run("status", "--json")).get("claims", []))
    assert '"lease": false' in ours.run("claim", "US-002", "--json")
    ours.run("release", "US-002")
    ours.log("Bookings are refused")
    waited_for(ours)
    assert not ours.private(STATE).exists()
    assert sum(names(database).values()) == 1
    assert "Bookings are refused" in ours.said()


@pytest.mark.parametrize("reached", [NOWHERE, None])
def test_a_team_is_left_also_where_its_server_cannot_be_reached(ours: Member, reached: str | None) -> None:
    if reached is None:
        ours.run("config", "unset", "--user", "team.url")
        for words in (("claim", "US-002"), ("release", "US-001")):
            assert "after: agent-progress team leave" in ours.run(*words, status=2, err=True)
    else:
        ours.reaches(reached)
    told = ours.run("team", "leave", err=True)
    assert "ends by its time" in told
    assert "nothing is lost" not in told
    assert '"lease": false' in ours.run("claim", "US-002", "--json")


def test_a_watching_sync_does_not_join_again_after_leave(ours: Member) -> None:
    with ours.started("sync", "--watch", "--every", "1") as watching:
        assert watching.stdout is not None
        assert "as " in watching.stdout.readline()
        ours.run("team", "leave")
        _, errors = watching.communicate(timeout=60)
    assert (watching.returncode, errors) == (0, "This clone has left the team's server meanwhile.\n")
    assert "nothing to leave" in ours.run("team", "leave", status=1, err=True)
