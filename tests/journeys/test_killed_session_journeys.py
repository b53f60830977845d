"""A session that ended without a word is read at a later start (S19.1)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.journeys.project_life import Life, Session, section
from tests.journeys.worked_sessions import LAST, ends, transcript, works
from tests.transcripts.claude_transcript import ClaudeTranscript


@pytest.fixture
def project(tmp_path: Path) -> Life:
    return Life(tmp_path / "harbour")


def test_a_session_that_was_killed_is_read_at_the_next_start(project: Life) -> None:
    project.plan("US-001 Tide table")
    project.starts().stops()
    killed = project.starts()
    works(project, killed)
    assert "tides.py (new)" in section(project.starts().context, LAST)


@pytest.mark.parametrize("began", ["in the root", "below it"])
def test_a_session_that_was_killed_is_told_where_no_client_had_been_before(project: Life, began: str) -> None:
    project.plan("US-001 Tide table")
    agent = project.starts()
    project.starts()
    assert not (Path(os.environ["HOME"]) / ".claude").exists()
    _works_at(project, agent, project.root if began == "in the root" else project.root / "api")
    for _ in range(2):
        assert "tides.py (new)" in section(project.starts().context, LAST)


@pytest.mark.parametrize("begun", ["with a plan", "not at all"])
def test_a_session_that_was_killed_below_the_root_is_told(project: Life, begun: str) -> None:
    if begun == "with a plan":
        project.plan("US-001 Tide table")
    first = project.starts()
    told = transcript(project, first)
    told.asks("Look around.")
    ends(project, first, told)
    _works_at(project, project.starts(), project.root / "api")
    beside = ClaudeTranscript(told.path.parents[3], project.root.parent / "harbour-2", "beside")
    beside.root.mkdir()
    beside.asks("Send the keys away.")
    beside.writes("keys.py")
    os.utime(beside.path)
    for _ in range(2):
        said = section(project.starts().context, LAST)
        assert "tides.py (new)" in said
        assert "keys" not in said


def _works_at(life: Life, session: Session, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    told = ClaudeTranscript(Path(os.environ["HOME"]), folder, session.name)
    told.asks("Add a tide table.")
    told.writes("tides.py", new=True)


def test_a_first_session_that_was_killed_is_told_at_the_next_start(project: Life) -> None:
    works(project, project.starts())
    assert "tides.py (new)" in section(project.starts().context, LAST)
    assert not (project.root / ".agent-os").exists()
