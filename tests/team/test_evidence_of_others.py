"""What a session here proves says nothing of what another clone calls done."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.team.clones import Clone, begun, cloned
from tests.transcripts.claude_transcript import ClaudeTranscript


@pytest.fixture
def ours(tmp_path: Path) -> Clone:
    """Return a clone with the work of a colleague, done while the only session here ran its tests."""
    clone = begun(tmp_path, "ours")
    theirs = cloned(clone, tmp_path, "theirs")
    told = ClaudeTranscript(clone.home, clone.root, "s", begin=datetime.now(UTC) - timedelta(minutes=2))
    told.asks("List the berths.")
    told.writes("berths.py", new=True)
    told.runs("pytest -q", 0, "3 passed in 0.02s")
    clone.log("Berths are listed", task="US-001")
    theirs.log("Bookings are refused", task="US-002")
    told.now = datetime.now(UTC) + timedelta(seconds=1)
    told.says("The berths are listed.")
    clone.hook("SessionEnd", reason="other", transcript_path=str(told.path))
    theirs.commit()
    theirs.git("push", "-q", "origin", "HEAD:theirs")
    clone.commit()
    clone.git("merge", "-q", "--no-ff", "--no-edit", "theirs")
    return clone


def test_a_check_that_passed_here_is_no_evidence_of_what_others_did(ours: Clone) -> None:
    context, _ = ours.start()
    assert "US-001 (✓; verified: pytest passed)" in context
    [writer] = filter(None, ours.entries().values())
    assert f"US-002 (✓ by {writer})\n" in context
