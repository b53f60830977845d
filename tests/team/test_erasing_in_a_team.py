"""What is erased in a team: who is told, what the server keeps and how it is blanked."""

from __future__ import annotations

import json
from pathlib import Path

import psycopg
import pytest

from progress_plugin.log.foreign_entry import digest_of
from progress_plugin.log.shared_entries import put as put_file
from tests.team.clones import OURS
from tests.team.members import Member, waited_for
from tests.team.memory_machines import Machine, agreed
from tests.team.postgres import ADD_ENTRY, Database


@pytest.fixture
def ours(pair: tuple[Machine, Machine]) -> Machine:
    """Return the machine on which something is erased."""
    return pair[0]


@pytest.fixture
def theirs(pair: tuple[Machine, Machine]) -> Machine:
    """Return a colleague's."""
    return pair[1]


def blanked(database: Database, text: str) -> None:
    """Blank the rows that hold a text, as docs/many-machines.md says."""
    database.do("drop role if exists eraser")
    database.do("create role eraser login in role agent_progress_eraser")
    with psycopg.connect(database.cluster.url(database.name, "eraser"), autocommit=True) as connection:
        connection.execute("update agent_progress.log set body = null where body like %s", [f"%{text}%"])


def on_the_server(database: Database, text: str) -> list[str]:
    """Return the kinds of the rows in which a text still is."""
    found = database.do(
        "select distinct kind from agent_progress.log where body like %s order by 1", f"%{text}%"
    )
    return [row[0] for row in found]


def erased(clone: Member, named: str, *options: str) -> str:
    """Erase something, and return what is said; others may have it still, which is no success."""
    told = clone.run("erase", named, "--yes", *options, err=True)
    waited_for(clone)
    clone.sync()
    return told


def test_the_others_are_told_of_an_erased_entry_until_it_is_gone_there(
    ours: Machine, theirs: Machine
) -> None:
    name = ours.log("The password is hush")
    agreed(ours, theirs)
    assert "The password is hush" in theirs.said()
    erased(ours, name)
    told = theirs.run("sync", err=True)
    assert f"erased by the team ({ours.name()} says so), and in this log still: {name}" in told
    assert f"`agent-progress erase {name} --yes`" in told
    assert f"in this log still: {name}" in theirs.run("verify", status=1)
    assert "erased by the team" in theirs.run("doctor", status=1, err=True)
    erased(theirs, name)
    assert "The password is hush" not in theirs.said()
    assert name not in theirs.run("sync", err=True)
    assert name not in theirs.run("verify", err=True)
    assert name not in ours.run("verify", err=True)


def test_a_dry_run_names_the_server_and_the_others(ours: Machine, theirs: Machine) -> None:
    name = ours.log("The password is hush")
    agreed(ours, theirs)
    for words in (("erase", name), ("erase", "The password is hush")):
        shown = ours.run(*words, status=1, err=True)
        assert "Nothing was changed" in shown
        assert "the team's server has what was sent of it, and so have clones that took it in" in shown


def test_a_text_in_the_memory_is_gone_everywhere_once_its_rows_are_blanked(
    ours: Machine, theirs: Machine, database: Database
) -> None:
    ours.keep("Access", "The password is hush")
    ours.write(goal="Ask for hush at the door", next_steps=["Go on"])
    ours.log("Somebody said hush")
    agreed(ours, theirs)
    assert on_the_server(database, "hush") == ["document", "entry", "observation"]
    assert "repeat this in each of them" in erased(ours, "hush")
    blanked(database, "hush")
    assert on_the_server(database, "hush") == []
    agreed(ours, theirs)
    assert theirs.document()["goal"] == "Ask for [erased] at the door"
    assert theirs.document() == ours.document()


def test_what_the_team_has_erased_comes_by_git_no_more_either(ours: Machine, theirs: Machine) -> None:
    name = ours.log("The password is hush")
    agreed(ours, theirs)
    erased(ours, name)
    theirs.sync()
    body = next(
        item
        for item in json.loads((theirs.root / OURS / "progress.json").read_text("utf-8"))["entries"]
        if item["id"] == name
    )
    erased(theirs, name)
    (theirs.root / OURS / "config.toml").write_text("share = true\n", "utf-8")
    put(theirs.root, body)
    theirs.run("recent")
    assert "The password is hush" not in theirs.said()


def put(root: Path, body: dict[str, object]) -> None:
    """Put an entry where a pull would have brought it."""
    entry = {key: value for key, value in body.items() if key != "writer"}
    assert put_file(str(root / OURS), "somebody-else", [entry]) == []


def test_an_id_that_is_a_command_is_quoted(ours: Machine, database: Database) -> None:
    name = "x; touch /tmp/owned'"
    entry = {"id": name, "timestamp": "2026-11-23T10:00:00Z", "type": "milestone_reached", "data": {}}
    [(key,)] = database.do("select distinct project from agent_progress.log")
    database.do(ADD_ENTRY, key, "mallory", name, json.dumps(entry))
    ours.sync()
    assert name in ours.entries()
    database.do(
        "select agent_progress.append(%s, 'mallory', array['erased'], array[%s], array[null])",
        key,
        digest_of(name),
    )
    assert "`agent-progress erase 'x; touch /tmp/owned'\"'\"'' --yes`" in ours.run("sync", err=True)
