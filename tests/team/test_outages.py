"""Messages about a team's server that refuses logins, has a fault, or cannot be reached for a while."""

from __future__ import annotations

import json

import pytest

from tests.team.members import Member, agreed
from tests.team.postgres import Database


@pytest.mark.parametrize(
    ("login", "quoted"),
    [
        ("barred", "pg_hba.conf rejects connection"),
        ("locked", "no password supplied"),
        ("locked:wrong", 'password authentication failed for user "locked"'),
    ],
)
def test_a_login_that_is_refused_is_quoted_with_what_to_look_at(
    ours: Member, database: Database, login: str, quoted: str
) -> None:
    ours.reaches(database.url_of(login))
    shown = ours.run("sync", status=3, err=True)
    assert "it cannot be reached, or does not let you in (" in shown
    assert quoted in shown
    assert "~/.pgpass or PGPASSFILE has the password" in shown
    assert ":wrong" not in shown
    assert shown.count("\n") == 1


_RAISES = (
    "create or replace function public.refuse() returns trigger language plpgsql as $$ begin "
    "raise exception 'no' using errcode = '{}'; end $$; "
    "create trigger a_refuse before insert on agent_progress.log "
    "for each row execute function public.refuse()"
)
_NO_MORE = "drop trigger a_refuse on agent_progress.log"
TROUBLES = {
    "(25006)": (
        "alter role person in database {db} set default_transaction_read_only = on",
        "alter role person in database {db} reset default_transaction_read_only",
    ),
    "your role may not do that": (
        "revoke all on function agent_progress.append from agent_progress_writer",
        "grant execute on function agent_progress.append to agent_progress_writer",
    ),
    "it refuses a statement (53100)": (_RAISES.format("53100"), _NO_MORE),
}


@pytest.mark.slow
def test_a_server_in_trouble_is_explained_in_one_line_and_the_next_sync_does_the_rest(
    ours: Member, theirs: Member, database: Database
) -> None:
    ours.log_offline("Quays are swept")
    for reason, statements in TROUBLES.items():
        make, undo = (each.replace("{db}", database.name) for each in statements)
        database.do(make)
        shown = ours.run("sync", status=3, err=True)
        assert reason in shown
        assert shown.count("\n") == 1
        database.do(undo)
    agreed(ours, theirs)
    assert "Quays are swept" in theirs.said()


def team_findings(clone: Member) -> list[tuple[str, str]]:
    """Return what `doctor` finds of the team: state and words."""
    findings = json.loads(clone.run("doctor", "--json", status=None))["findings"]
    return [(each["state"], each["what"]) for each in findings if each["area"] == "team"]


@pytest.mark.slow
def test_an_outage_is_shown_while_it_lasts_and_over_with_the_next_sync(
    ours: Member, database: Database
) -> None:
    [(state, what)] = team_findings(ours)
    assert state == "ok"
    assert f"/{database.name}, project example.org/acme/harbour, synced 20" in what
    assert "to be sent" not in what
    ours.log_offline("Bookings are refused", "Closing a berth changes the ETag")
    [line] = [line for line in ours.run("status").splitlines() if line.startswith("Team:")]
    assert "not synced since 20" in line
    assert "; 2 entries to be sent: the team's server: it cannot be reached" in line
    team = json.loads(ours.run("status", "--json"))["team"]
    assert (team["waiting"], team["synced"] is None) == (2, False)
    [(state, what)] = team_findings(ours)
    assert (state, "2 entries to be sent" in what) == ("wrong", True)
    ours.sync()
    assert "Team:" not in ours.run("status")
    assert [state for state, _ in team_findings(ours)] == ["ok"]
    assert not (ours.home / ".cache/agent-progress/swallowed.log").exists()
