"""A session has one end: what the agent says of it, with the figures that its hook has."""

from __future__ import annotations

import pytest

from tests.journeys.project_life import Life, Session


def _says_that_it_ends(session: Session, way: str) -> None:
    if way == "tool":
        session.calls("progress_log", type="session_ended", description="Quay half built")
    else:
        session.logs("session_ended", "Quay half built")


@pytest.mark.parametrize("way", ["command", "tool"])
def test_an_end_that_the_agent_logs_gets_the_figures_of_its_hook(life_alone: Life, way: str) -> None:
    life_alone.plan("US-001 Quay", "US-002 Crane")
    session = life_alone.starts()
    session.marks("US-001", passes=True)
    _says_that_it_ends(session, way)
    session.ends()
    session.ends()
    said, noticed = life_alone.entries("session_ended")
    assert said["data"]["description"] == "Quay half built"
    assert noticed["data"]["supplements"] == said["id"]
    assert noticed["data"]["tasks_completed"] == 1
    assert "duration_minutes" in noticed["data"]
    told = [
        entry for entry in life_alone.told_as_json("recent")["entries"] if entry["type"] == "session_ended"
    ]
    assert len(told) == 1
    assert "Quay half built" in str(told)


def test_a_resumed_session_adds_its_figures_to_the_end_that_was_logged_last(life_alone: Life) -> None:
    life_alone.plan("US-001 Quay", "US-002 Crane")
    session = life_alone.starts()
    session.logs("session_ended", "First half")
    session.ends()
    session.starts("resume")
    session.marks("US-001", passes=True)
    session.logs("session_ended", "Second half")
    session.ends()
    first, _, second, last = life_alone.entries("session_ended")
    assert [first["data"]["description"], second["data"]["description"]] == ["First half", "Second half"]
    assert last["data"]["supplements"] == second["id"]
    assert last["data"]["tasks_completed"] == 1
