"""What is erased in a team: who is told, what the server keeps and how it is blanked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.team.clones import begun, cloned
from tests.team.members import Member, agreed, waited_for
from tests.team.postgres import Database

SECRET = "The gate opens on hush"


def kinds_with(database: Database, text: str) -> list[str]:
    """Return the kinds of the rows in which a text still is."""
    statement = "select distinct kind from agent_progress.log where body like %s order by 1"
    return [row[0] for row in database.do(statement, f"%{text}%")]


def erased(clone: Member, named: str) -> str:
    """Erase something, and return what is printed."""
    shown = clone.run("erase", named, "--yes", err=True)
    waited_for(clone)
    clone.sync()
    return shown


def test_the_others_are_told_of_an_erased_entry_until_it_is_gone_there(ours: Member, theirs: Member) -> None:
    name = ours.log(SECRET)
    agreed(ours, theirs)
    assert SECRET in theirs.said()
    erased(ours, name)
    shown = theirs.run("sync", err=True)
    assert f"erased by another clone ({ours.name()}), but still in this log: {name}" in shown
    assert f"`agent-progress erase {name} --yes`" in shown
    assert f"still in this log: {name}" in theirs.run("verify", status=1)
    assert "erased by another clone" in theirs.run("doctor", status=1, err=True)
    erased(theirs, name)
    assert SECRET not in theirs.said()
    assert name not in theirs.run("sync", err=True)
    assert name not in theirs.run("verify", err=True)
    assert name not in ours.run("verify", err=True)


@pytest.mark.slow
def test_a_text_in_the_memory_is_gone_everywhere_once_its_rows_are_blanked(
    ours: Member, theirs: Member, database: Database
) -> None:
    ours.keep("Access", SECRET)
    ours.write(goal="Ask for hush at the door", next_steps=["Go on"])
    ours.log("Somebody said hush")
    agreed(ours, theirs)
    assert kinds_with(database, "hush") == ["document", "entry", "observation"]
    assert "Run the same command in each of them" in erased(ours, "hush")
    blank = (
        "update agent_progress.log set body = null where body like '%hush%'"  # as docs/many-machines.md says
    )
    database.do(blank, login="eraser")
    erased(theirs, "hush")
    agreed(ours, theirs)
    assert theirs.document()["goal"] == "Ask for [erased] at the door"
    assert theirs.document() == ours.document()
    assert kinds_with(database, "hush") == []


def test_an_erasure_that_git_brings_is_obeyed_and_told(tmp_path: Path) -> None:
    ours = begun(tmp_path, "ours")
    ours.log("Berths are listed")
    name = ours.log(SECRET)
    ours.commit()
    theirs = cloned(ours, tmp_path, "theirs")
    theirs.run("recent")
    assert "`agent-progress verify` lists the entries that others erased" in ours.run(
        "erase", name, "--yes", err=True
    )
    ours.commit()
    theirs.git("pull", "-q")
    shown = theirs.run("verify", status=1)
    assert f"({ours.name()}), but still in this log: {name}" in shown
    theirs.run("erase", name, "--yes", err=True)
    assert name not in theirs.run("verify")
    copies = (theirs.home / ".local/share/agent-progress/logs").rglob("*")
    assert [path for path in copies if path.is_file() and SECRET in path.read_text("utf-8")] == []
    # A clone that knows of the erasure does not take the entry from a branch that still has it.
    late = cloned(ours, tmp_path, "late")
    late.run("recent")
    late.git("checkout", "-q", "HEAD~1")
    late.run("recent")
    assert name not in late.entries()
