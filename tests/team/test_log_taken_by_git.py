"""Git takes the log away, or puts another in its place: that is said, and `repair` brings back what only we had."""

from __future__ import annotations

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
