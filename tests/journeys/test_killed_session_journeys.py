"""A session that ended without a word is read at a later start."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from progress_plugin.core.paths import state_file
from tests.journeys.project_life import Life, section
from tests.journeys.worked_sessions import LAST, transcript
from tests.transcripts.claude_transcript import ClaudeTranscript


@pytest.fixture
def project(tmp_path: Path) -> Life:
    return Life(tmp_path / "harbour")


def builds(life: Life, what: str) -> ClaudeTranscript:
    """Have a session write something, and end without a word."""
    told = transcript(life, life.session())
    told.asks(f"Build the {what}.")
    told.writes(f"{what}.py", new=True)
    return told


def listed(life: Life) -> set[str]:
    """Return the ids of the sessions that are kept."""
    return {each["id"] for each in life.told_as_json("sessions", "-n", "100")["sessions"]}


@pytest.mark.parametrize("begun", ["with a plan", "not at all"])
def test_of_eight_sessions_that_were_killed_every_one_is_read(project: Life, begun: str) -> None:
    if begun == "with a plan":
        project.plan("US-001 Tide table")
    killed = [builds(project, f"pier{number}") for number in range(8)]
    assert "pier7.py (new)" in section(project.starts().context, LAST)
    deadline = time.monotonic() + 60
    while len(kept_sessions(project)) < len(killed) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert kept_sessions(project) == {told.session for told in killed}
    for told in killed:
        told.path.unlink()  # the client's clean-up
    assert listed(project) == {told.session for told in killed}


def test_a_large_transcript_keeps_no_small_one_from_being_read_at_once(project: Life) -> None:
    builds(project, "pier")
    large = builds(project, "quay")
    large.says("x" * 3_000_000)
    assert "pier.py (new)" in section(project.starts().context, LAST)


def kept_sessions(life: Life) -> set[str]:
    """Return the sessions that a project has records of."""
    folder = Path(state_file(str(life.root), "sessions"))
    return {json.loads(path.read_text("utf-8"))["session"] for path in folder.glob("*.json")}


@pytest.mark.parametrize("begun", ["with a plan", "not at all"])
def test_whoever_asks_for_the_sessions_is_told_of_one_that_was_killed_as_a_start_is(
    project: Life, begun: str
) -> None:
    if begun == "with a plan":
        project.plan("US-001 Tide table")
        project.starts()
    told = builds(project, "pier")
    assert listed(project) == {told.session}
    assert "pier.py (new)" in section(project.starts().context, LAST)
