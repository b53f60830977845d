"""A session that continues, or runs at the same time, is shown as not ended."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.journeys.project_life import Life, section
from tests.journeys.worked_sessions import LAST, STILL_RUNNING, ends, transcript, works


@pytest.fixture
def project(tmp_path: Path) -> Life:
    return Life(tmp_path / "harbour")


@pytest.mark.parametrize(("begun", "still"), [("with a plan", True), ("not at all", False)])
def test_what_a_session_did_after_it_was_resumed_is_told_though_it_ended_once(
    project: Life, begun: str, *, still: bool
) -> None:
    if begun == "with a plan":
        project.plan("US-001 Tide table")
    first = project.starts()
    told = works(project, first)
    ends(project, first, told)
    os.utime(told.path, (0, 0))
    first.starts("resume")
    told.asks("Now rewrite the parser.")
    told.writes("parser.py", new=True)
    if not still:
        os.utime(told.path, (0, 0))
    for _ in range(2):
        said = section(project.starts().context, LAST)
        assert "Asked last: “Now rewrite the parser.”" in said
        assert "parser.py (new)" in said
        assert STILL_RUNNING in said
    ends(project, first, told)
    assert STILL_RUNNING not in section(project.starts().context, LAST)


@pytest.mark.parametrize("begun", ["with an empty log", "not at all"])
def test_a_resumed_session_is_told_of_the_one_that_ended_beside_it(project: Life, begun: str) -> None:
    if begun == "with an empty log":
        project.command("init")
    beside, agent = project.starts(), project.starts()
    ends(project, beside, works(project, beside))
    told = transcript(project, agent)
    told.asks("Build the pier.")
    told.writes("pier.py", new=True)
    ends(project, agent, told)
    context = agent.starts("resume")
    assert context.startswith("agent-progress: ")
    said = section(context, LAST)
    assert "“Add a tide table to the harbour project.”" in said
    assert "pier" not in said
