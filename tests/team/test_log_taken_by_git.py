"""Git takes the log away, or puts another in its place: that is said, and `repair` brings back what only we had."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.team.clones import OURS, Clone, begun, cloned

LOG = str(OURS / "progress.json")


@pytest.fixture
def ours(tmp_path: Path) -> Clone:
    """Return a clone that shares nothing, with an entry in a log that git ignores."""
    clone = begun(tmp_path, "ours")
    (clone.root / OURS / "config.toml").write_text("", "utf-8")
    clone.commit()
    clone.log("Ours")
    return clone


def _tracked_by_others(ours: Clone, tmp_path: Path) -> None:
    """Have a colleague commit a log of their own."""
    theirs = cloned(ours, tmp_path, "theirs")
    theirs.log("Theirs")
    theirs.git("add", "-f", LOG)
    theirs.commit()
    theirs.git("push", "-q", "origin", "HEAD:theirs")


def test_a_pull_that_overwrites_our_log_is_said_until_it_is_repaired(ours: Clone, tmp_path: Path) -> None:
    _tracked_by_others(ours, tmp_path)
    ours.git("merge", "-q", "--no-edit", "theirs")
    assert list(ours.said()) == ["Theirs"]
    context, line = ours.start()
    assert "a history of 1 entry is gone from here" in context
    assert "a history of 1 entry is gone from here" in line
    ours.run("repair")
    assert sorted(ours.said()) == ["Ours", "Theirs"]
    context, line = ours.start()
    assert "Ours" in context
    assert "gone" not in line + context


def test_what_another_branch_holds_neither_comes_back_nor_raises_an_alarm(ours: Clone) -> None:
    ours.git("add", "-f", LOG)
    ours.commit()
    ours.git("checkout", "-q", "-b", "side")
    ours.log("On the side")
    ours.git("commit", "-q", "-a", "-m", "side")
    ours.git("checkout", "-q", "main")
    for _ in range(2):
        context, line = ours.start()
        assert "gone" not in line + context
    assert list(ours.said()) == ["Ours"]
    assert ours.git("status", "--porcelain") == ""


def test_a_pull_that_takes_the_tracked_log_away_is_said_until_it_is_repaired(
    ours: Clone, tmp_path: Path
) -> None:
    ours.git("add", "-f", LOG)
    ours.commit()
    theirs = cloned(ours, tmp_path, "theirs")
    theirs.log("Theirs, in no commit")
    theirs.git("checkout", "-q", "--", LOG)
    theirs.log("Theirs again")
    theirs.git("stash", "-q")
    ours.run("config", "set", "share", "true")
    ours.git("rm", "-r", "-q", "--cached", LOG)
    ours.commit()
    theirs.git("pull", "-q", "--no-rebase", "--no-edit")
    assert not (theirs.root / LOG).exists()
    assert "is gone from here" in theirs.start()[1]
    theirs.run("repair")
    assert {"Ours", "Theirs again"} <= set(theirs.said())
    assert "is gone from here" not in theirs.start()[1]


def test_an_entry_that_a_person_took_out_by_hand_stays_out_and_its_copies_stay(ours: Clone) -> None:
    ours.log("Ours, too")
    path = ours.root / LOG
    document = json.loads(path.read_text("utf-8"))
    document["entries"] = document["entries"][:1]
    path.write_text(json.dumps(document), "utf-8")
    copies = {copy.name for copy in (ours.root / OURS / "recovery").glob("progress-*.json")}
    for _ in range(2):
        assert "gone" not in ours.start()[1]
    assert list(ours.said()) == ["Ours"]
    assert {copy.name for copy in (ours.root / OURS / "recovery").glob("progress-*.json")} == copies
