"""Sessions of OpenCode as its plugin file tells of them: sub-agents' have ids and ends of their own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from progress_plugin.core.paths import state_file
from tests.journeys.project_life import Life, section
from tests.journeys.worked_sessions import LAST, SO_FAR, hook
from tests.transcripts.opencode_database import OpenCodeDatabase

MAIN, PART = "ses_dfddbbb99ffeaALBSCd7LDAN2i", "ses_dfddbb1e0ffe5hzSwbO1O5cHF8"
"""A session and its sub-agent's, as the client numbers them: by the time, the newest first."""


class OpenCode:
    """The client at work in a project."""

    def __init__(self, life: Life) -> None:
        self.life = life
        self.rows = OpenCodeDatabase(
            Path(os.environ["HOME"]) / ".local/share/opencode/opencode.db", life.root
        )

    def begins(self, session: str, parent: str | None = None) -> None:
        hook(self.life, "opencode", "SessionStart", session, source="startup")
        self.rows.begins(session, parent, "Look around (@general subagent)" if parent else "a title")

    def ends_its_turn(self, session: str) -> None:
        hook(self.life, "opencode", "Stop", session)


def in_use(tmp_path: Path) -> OpenCode:
    life = Life(tmp_path / "harbour")
    life.starts().logs("milestone_reached", "The harbour is open.")
    return OpenCode(life)


@pytest.fixture
def client(tmp_path: Path) -> OpenCode:
    return in_use(tmp_path)


def notes(life: Life) -> list[str]:
    """Return which sessions a start has to look for."""
    return [each.name for each in Path(state_file(str(life.root), "begun")).glob("*")]


@pytest.mark.parametrize("first", [MAIN, PART])
def test_a_sub_agent_is_told_with_its_session_and_not_as_another_one(client: OpenCode, first: str) -> None:
    """Its session was told once more beside the one that it worked for."""
    client.begins(MAIN)
    client.rows.asks(MAIN, "Build the pier")
    client.begins(PART, MAIN)
    client.rows.asks(PART, "List the files please")
    client.rows.writes(PART, "src/sub.py", new=True)
    client.rows.says(MAIN, "All done.")
    for session in (first, PART, MAIN):
        client.ends_its_turn(session)
    told = section(client.life.starts().context, LAST)
    assert "src/sub.py (new, by general)" in told
    assert "Beside it" not in told
    assert "List the files please" not in told
    listed = client.life.told_as_json("sessions")["sessions"]
    assert [each["id"] for each in listed] == [MAIN]
    assert notes(client.life) == []


@pytest.mark.parametrize("has_log", [True, False])
def test_a_compaction_in_the_first_turn_leaves_a_session_told_what_it_was_at(
    tmp_path: Path, *, has_log: bool
) -> None:
    """Only the end of a turn has read a session of OpenCode's."""
    client = OpenCode(Life(tmp_path / "quay")) if not has_log else in_use(tmp_path)
    client.begins(MAIN)
    client.rows.asks(MAIN, "Build the pier")
    client.rows.writes(MAIN, "pier.py", new=True)
    client.rows.runs(MAIN, "pytest -q", 1, "E   assert 3.3 == 3.5\n1 failed")
    told = section(hook(client.life, "opencode", "SessionStart", MAIN, source="compact"), SO_FAR)
    assert "Being worked on: “Build the pier”" in told
    assert "pier.py (new)" in told
    assert "Failing: `pytest`" in told
    client.rows.writes(MAIN, "quay.py", new=True)
    told = section(hook(client.life, "opencode", "SessionStart", MAIN, source="compact"), SO_FAR)
    assert "quay.py (new)" in told
    client.ends_its_turn(MAIN)
    (listed,) = client.life.told_as_json("sessions")["sessions"]
    assert (listed["id"], listed["changed"]) == (MAIN, 2)
