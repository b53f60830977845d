"""`watch` sees what a pull brings, and takes it in once."""

from __future__ import annotations

from pathlib import Path

from progress_plugin.usecases.watch import first_look, refresh
from progress_plugin.watch import folders_of
from tests.team.clones import SHARED, begun, cloned


def test_what_a_pull_brings_is_taken_in_and_after_that_nothing_has_changed(tmp_path: Path) -> None:
    ours = begun(tmp_path, "ours")
    ours.log("Berths are listed", task="US-001")
    ours.commit()
    theirs = cloned(ours, tmp_path, "theirs")
    theirs.log("Bookings are refused", task="US-002")
    theirs.commit()
    theirs.git("push", "-q", "origin", "HEAD:theirs")
    root = str(ours.root)
    first = first_look(root)
    ours.git("merge", "-q", "--no-ff", "--no-edit", "theirs")
    second = refresh(root, first.inputs)
    assert second is not None
    assert sorted(ours.said()) == ["Berths are listed", "Bookings are refused"]
    assert "progress.json changed" in second.line
    assert refresh(root, second.inputs) is None
    months = {str(path) for path in (ours.root / SHARED).glob("*/*")}
    assert months
    assert months <= folders_of(second.inputs)
