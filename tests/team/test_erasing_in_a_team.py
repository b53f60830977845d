"""What is erased in a team: who is told, what the server keeps and how it is blanked."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from tests.team.clones import Clone, begun, cloned
from tests.team.members import Member, waited_for
from tests.team.memory_machines import Machine, agreed
from tests.team.postgres import Database


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
    name = ours.log("The gate opens on hush")
    agreed(ours, theirs)
    assert "The gate opens on hush" in theirs.said()
    erased(ours, name)
    told = theirs.run("sync", err=True)
    assert f"erased by the team ({ours.name()} says so), and in this log still: {name}" in told
    assert f"`agent-progress erase {name} --yes`" in told
    assert f"in this log still: {name}" in theirs.run("verify", status=1)
    assert "erased by the team" in theirs.run("doctor", status=1, err=True)
    erased(theirs, name)
    assert "The gate opens on hush" not in theirs.said()
    assert name not in theirs.run("sync", err=True)
    assert name not in theirs.run("verify", err=True)
    assert name not in ours.run("verify", err=True)


def test_a_text_in_the_memory_is_gone_everywhere_once_its_rows_are_blanked(
    ours: Machine, theirs: Machine, database: Database
) -> None:
    ours.keep("Access", "The gate opens on hush")
    ours.write(goal="Ask for hush at the door", next_steps=["Go on"])
    ours.log("Somebody said hush")
    agreed(ours, theirs)
    assert on_the_server(database, "hush") == ["document", "entry", "observation"]
    assert "repeat this in each of them" in erased(ours, "hush")
    blanked(database, "hush")
    assert on_the_server(database, "hush") == []
    erased(theirs, "hush")
    agreed(ours, theirs)
    assert theirs.document()["goal"] == "Ask for [erased] at the door"
    assert theirs.document() == ours.document()
    assert on_the_server(database, "hush") == []


SECRET = "The gate opens on hush"


@pytest.fixture
def shared(tmp_path: Path) -> Clone:
    """Return a clone of a history that git carries, with an entry that should never have been written."""
    clone = begun(tmp_path, "ours")
    clone.log("Berths are listed")
    return clone


def kept_in_copies(clone: Clone, text: str) -> list[str]:
    """Return the files of the user's data that hold a text."""
    data = clone.home / ".local/share/agent-progress/logs"
    return [str(path) for path in data.rglob("*") if path.is_file() and text in path.read_text("utf-8")]


def test_a_colleague_who_pulls_an_erasure_is_told_what_still_has_it(shared: Clone, tmp_path: Path) -> None:
    name = shared.log(SECRET)
    shared.commit()
    theirs = cloned(shared, tmp_path, "theirs")
    theirs.run("recent")
    told = shared.run("erase", name, "--yes", err=True)
    assert "`agent-progress verify` names it there" in told
    shared.commit()
    theirs.git("pull", "-q")
    told = theirs.run("verify", status=1)
    assert f"({shared.writer()} says so), and in this log still: {name}" in told
    theirs.run("erase", name, "--yes", err=True)
    assert name not in theirs.run("verify")
    assert kept_in_copies(theirs, SECRET) == []


def test_a_branch_from_before_an_erasure_does_not_bring_the_entry(shared: Clone, tmp_path: Path) -> None:
    name = shared.log(SECRET)
    shared.commit()
    shared.run("erase", name, "--yes")
    shared.commit()
    theirs = cloned(shared, tmp_path, "theirs")
    theirs.run("recent")
    theirs.git("checkout", "-q", "HEAD~1")
    theirs.run("recent")
    assert name not in theirs.entries()
