"""`watch` sees what a pull brings, and takes it in once."""

from __future__ import annotations

from pathlib import Path

from progress_plugin.usecases.watch import has_changed, renew
from tests.team.clones import begun, cloned


def test_what_a_pull_brings_is_taken_in_and_after_that_nothing_has_changed(tmp_path: Path) -> None:
    ours = begun(tmp_path, "ours")
    ours.log("Berths are listed", task="US-001")
    ours.commit()
    theirs = cloned(ours, tmp_path, "theirs")
    theirs.log("Bookings are refused", task="US-002")
    theirs.commit()
    theirs.git("push", "-q", "origin", "HEAD:theirs")
    root = str(ours.root)
    before, _ = renew(root)
    assert not has_changed(before)
    ours.git("merge", "-q", "--no-ff", "--no-edit", "theirs")
    assert has_changed(before)
    after, line = renew(root, before)
    assert sorted(ours.said()) == ["Berths are listed", "Bookings are refused"]
    assert "progress.json changed" in line
    assert not has_changed(after)
