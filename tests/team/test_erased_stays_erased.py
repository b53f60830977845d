"""What is known as erased comes back from no copy, and what still holds it is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.team.clones import Clone, begun, cloned

SECRET = "The gate opens on hush"


@pytest.fixture
def ours(tmp_path: Path) -> Clone:
    """Return a clone of a history that git carries, with an entry that should never have been written."""
    clone = begun(tmp_path, "ours")
    clone.log("Berths are listed")
    return clone


def kept_in_copies(clone: Clone, text: str) -> list[str]:
    """Return the files of the user's data that hold a text."""
    data = clone.home / ".local/share/agent-progress/logs"
    return [str(path) for path in data.rglob("*") if path.is_file() and text in path.read_text("utf-8")]


def test_a_colleague_who_pulls_an_erasure_is_told_what_still_has_it(ours: Clone, tmp_path: Path) -> None:
    name = ours.log(SECRET)
    ours.commit()
    theirs = cloned(ours, tmp_path, "theirs")
    theirs.run("recent")
    told = ours.run("erase", name, "--yes", err=True)
    assert "`agent-progress verify` names it there" in told
    ours.commit()
    theirs.git("pull", "-q")
    told = theirs.run("verify", status=1)
    assert f"({ours.writer()} says so), and in this log still: {name}" in told
    theirs.run("erase", name, "--yes", err=True)
    assert name not in theirs.run("verify")
    assert kept_in_copies(theirs, SECRET) == []


def test_a_branch_from_before_an_erasure_does_not_bring_the_entry(ours: Clone, tmp_path: Path) -> None:
    name = ours.log(SECRET)
    ours.commit()
    ours.run("erase", name, "--yes")
    ours.commit()
    theirs = cloned(ours, tmp_path, "theirs")
    theirs.run("recent")
    theirs.git("checkout", "-q", "HEAD~1")
    theirs.run("recent")
    assert name not in theirs.entries()
