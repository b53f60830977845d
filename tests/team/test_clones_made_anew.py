"""A clone that was restored or cloned anew at its place is the same writer, and goes on with its claims."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.team.members import REMOTE, Member, member
from tests.team.postgres import Database


def restored(clone: Member) -> None:
    """Put a copy of a clone in its place, as a backup of files would be."""
    kept = clone.root.with_name("backup")
    shutil.copytree(clone.root, kept, symlinks=True)
    shutil.rmtree(clone.root)
    kept.rename(clone.root)


def cloned_anew(clone: Member) -> None:
    """Remove a clone, and make another one at its place."""
    shutil.rmtree(clone.root)
    clone.root.mkdir()
    clone.git("init", "-q", "-b", "main")
    clone.git("remote", "add", "origin", REMOTE)


@pytest.mark.parametrize("made", [restored, cloned_anew])
def test_it_goes_on_with_its_name_its_entries_and_its_claims(
    made: Callable[[Member], None], ours: Member, tmp_path: Path, database: Database
) -> None:
    before = ours.name()
    ours.run("claim", "US-002")
    made(ours)
    ours.log("Logged before a sync")
    ours.sync()
    assert ours.name() == before
    assert set(ours.said().values()) == {None}
    assert {"Berths are listed", "Logged before a sync"} <= set(ours.said())
    assert "US-002 is free." in ours.run("release", "US-002")
    theirs = member(tmp_path, "theirs", database)
    theirs.sync()
    assert set(theirs.said().values()) == {before}
