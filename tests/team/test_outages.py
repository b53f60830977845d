"""What is said of a team's server that does not let anybody in, or is away for a while."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.team.members import Member, member
from tests.team.postgres import Database, ensure_role


def as_role(database: Database, login: str) -> str:
    """Return the URL of the database for a user, `name` or `name:password`."""
    return database.url.replace("person@", f"{login}@")


@pytest.mark.parametrize(
    ("login", "quoted"),
    [
        ("barred", "pg_hba.conf rejects connection"),
        ("locked", "no password supplied"),
        ("locked:wrong", 'password authentication failed for user "locked"'),
    ],
)
def test_a_login_that_is_refused_is_quoted_with_what_to_look_at(
    tmp_path: Path, database: Database, login: str, quoted: str
) -> None:
    ensure_role(database, "barred", "login")
    ensure_role(database, "locked", "login password 'right'")
    clone = member(tmp_path, "ours", as_role(database, login))
    shown = clone.run("sync", status=3, err=True)
    assert "it cannot be reached, or does not let you in (" in shown
    assert quoted in shown
    assert "~/.pgpass or PGPASSFILE has the password" in shown
    assert ":wrong" not in shown
    assert shown.count("\n") == 1


def team_findings(clone: Member) -> list[tuple[str, str]]:
    """Return what `doctor` finds of the team: state and words."""
    told = json.loads(clone.doctor())
    return [(each["state"], each["what"]) for each in told["findings"] if each["area"] == "team"]


def test_an_outage_is_told_while_it_lasts_and_over_with_the_next_sync(
    ours: Member, database: Database
) -> None:
    [(state, said)] = team_findings(ours)
    assert state == "ok"
    assert f"/{database.name}, project example.org/acme/harbour, synced 20" in said
    assert "to be sent" not in said
    ours.log_offline("Bookings are refused", "Closing a berth changes the ETag")
    told = ours.run("status")
    [line] = [line for line in told.splitlines() if line.startswith("Team:")]
    assert "not synced since 20" in line
    assert "; 2 entries to be sent: the team's server: it cannot be reached" in line
    team = json.loads(ours.run("status", "--json"))["team"]
    assert (team["waiting"], team["synced"] is None) == (2, False)
    [(state, said)] = team_findings(ours)
    assert (state, "2 entries to be sent" in said) == ("wrong", True)
    ours.sync()
    assert "Team:" not in ours.run("status")
    assert [state for state, _ in team_findings(ours)] == ["ok"]
    assert not (ours.home / ".cache/agent-progress/swallowed.log").exists()
