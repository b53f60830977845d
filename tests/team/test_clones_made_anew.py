"""A clone that was restored, cloned anew or cleaned says that it takes part no more, and goes on."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.team.members import REMOTE, Member, member
from tests.team.postgres import Database

LOST = "this clone takes no part in its team's server any more"


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
def test_it_says_so_and_goes_on_with_what_it_claims(
    made: Callable[[Member], None], ours: Member, tmp_path: Path, database: Database
) -> None:
    before = ours.name()
    ours.run("claim", "US-002")
    made(ours)
    told = ours.run("release", "US-002", status=1, err=True)
    assert f"nothing was released: {LOST}" in told
    assert f"nothing was claimed: {LOST}" in ours.run("claim", "US-003", status=1, err=True)
    ours.log("Logged before anybody noticed")
    assert LOST in ours.run("status")
    assert LOST in ours.start()[0]
    told = ours.run("sync", err=True)
    assert (
        f"this clone was {before}; restored or made anew, it is {ours.name()}, and claims what that did: US-002"
        in told
    )
    assert before != ours.name()
    assert LOST not in ours.run("status")
    assert LOST not in ours.start()[0]
    assert database.do("select writer from agent_progress.claims") == [(ours.name(),)]
    assert "this clone was" not in ours.run("sync", err=True)
    assert "US-002 is free." in ours.run("release", "US-002")
    theirs = member(tmp_path, "theirs", database)
    assert "is claimed until" in theirs.run("claim", "US-002")


def test_who_leaves_instead_goes_on_by_the_log(ours: Member) -> None:
    ours.run("claim", "US-002")
    cloned_anew(ours)
    assert "ends by its time" in ours.run("team", "leave", err=True)
    assert LOST not in ours.run("status")
    assert json.loads(ours.run("claim", "US-003", "--json"))["lease"] is False
    ours.run("team", "leave", status=1)
