"""What is known as erased comes back from no copy, and what still holds it is named."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from progress_plugin.log.foreign_entry import digest_of
from tests.team.clones import OURS, SHARED, Clone, begun, cloned

SECRET = "The password is hush"


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


def test_a_text_that_was_erased_in_an_entry_is_told_as_that(ours: Clone, tmp_path: Path) -> None:
    ours.log("Somebody said hush")
    ours.commit()
    theirs = cloned(ours, tmp_path, "theirs")
    theirs.run("recent")
    told = ours.run("erase", "hush", "--yes", err=True)
    assert "in each of their clones" in told
    ours.commit()
    theirs.git("pull", "-q")
    told = theirs.run("verify", status=1)
    assert "what its writer has erased something in" in told
    assert "ask the writer" not in told
    theirs.run("erase", "hush", "--yes")
    theirs.run("verify")


def test_what_somebody_else_calls_erased_keeps_nothing_of_ours_from_coming_back(
    ours: Clone, tmp_path: Path
) -> None:
    name = ours.log("The crane holds ten tonnes")
    ours.commit()
    theirs = cloned(ours, tmp_path, "theirs")
    said = digest_of(name)
    for writer in ("stranger-0a0a0a", ours.writer()):
        path = theirs.root / SHARED / writer / "erased" / said
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (theirs.root / OURS / "erased.json").write_text(json.dumps([said]))
    theirs.git("add", "-f", ".")
    theirs.git("commit", "-qm", "x")
    ours.git("pull", "-q", str(theirs.root), "HEAD")
    ours.run("recent")
    assert "erased by the team" not in ours.run("verify")
    (ours.root / OURS / "progress.json").unlink()
    assert "gone from here" in ours.run("recent", err=True)
    ours.run("repair")
    assert "The crane holds ten tonnes" in ours.said()


def test_what_was_erased_here_stays_away_without_copies_outside_the_project(
    ours: Clone, tmp_path: Path
) -> None:
    ours.commit()
    theirs = cloned(ours, tmp_path, "theirs")
    theirs.run("recent")
    [name] = theirs.entries()
    assert "another writer's" in theirs.run("erase", name, "--yes", status=1)
    shutil.rmtree(theirs.home / ".local/share/agent-progress/logs")
    theirs.private("shared.json").unlink()
    theirs.log("Goes on")
    theirs.run("recent")
    assert name not in theirs.entries()


def test_a_copy_kept_for_another_path_is_named(ours: Clone) -> None:
    name = ours.log(SECRET)
    moved = Clone(ours.root.with_name("moved"), ours.home)
    ours.root.rename(moved.root)
    moved.log("Moved")
    told = moved.run("erase", name, "--yes", status=1, err=True)
    [left] = kept_in_copies(moved, SECRET)
    assert f"{left} holds it: a copy kept for another path" in told
