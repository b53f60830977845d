"""After a linked worktree is merged and removed, the main worktree knows what its sessions did."""

from __future__ import annotations

import copy
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.background import wait_for_processes
from tests.journeys.project_life import Life, Session, section
from tests.journeys.worked_sessions import LAST, ends, hook
from tests.transcripts.claude_transcript import ClaudeTranscript
from tests.transcripts.opencode_database import OpenCodeDatabase

NAME = "0f0e0d0c-0000-4000-8000-000000000001"


@pytest.fixture(params=["with a log", "with nothing of ours"])
def main(tmp_path: Path, request: pytest.FixtureRequest) -> Life:
    life = Life(tmp_path / "harbour")
    life.write(".gitignore", ".agent-os/\n")
    life.commit("init")
    if request.param == "with a log":
        life.starts().logs("milestone_reached", "The harbour is open.")
        life.starts()
    return life


def branch(main: Life) -> Life:
    """Return the linked worktree of a new branch."""
    place = main.root.parent / "wt"
    main.git("worktree", "add", "-q", "-b", "feat", str(place))
    there = copy.deepcopy(main)
    there.root = place
    return there


def works(there: Life, client: str) -> None:
    """Have a session of a client build the pier, and end."""
    if client == "claude":
        session = Session(there, NAME)
        session.starts()
        begin = datetime(2026, 11, 20, 9, tzinfo=UTC)
        told = ClaudeTranscript(Path(os.environ["HOME"]), there.root, NAME, begin=begin)
        told.asks("Build the pier")
        told.writes("pier.py", new=True)
        told.says("The pier is there.")
        ends(there, session, told)
    else:
        hook(there, client, "SessionStart", NAME, source="startup")
        rows = OpenCodeDatabase(Path(os.environ["HOME"]) / ".local/share/opencode/opencode.db", there.root)
        rows.begins(NAME)
        rows.asks(NAME, "Build the pier")
        rows.writes(NAME, "pier.py", new=True)
        rows.says(NAME, "The pier is there.")
        hook(there, client, "Stop", NAME)
    there.write("pier.py", "pier = 1\n")
    there.commit("feat: pier")


def remove(main: Life, there: Life) -> None:
    """Remove a linked worktree when no background process writes there any more."""
    wait_for_processes(there.root)
    main.git("worktree", "remove", "--force", str(there.root))


@pytest.mark.parametrize("client", ["claude", "opencode"])
def test_a_session_of_a_worktree_that_was_merged_and_removed_is_told(main: Life, client: str) -> None:
    """Its record was in the worktree, and went with it."""
    there = branch(main)
    works(there, client)
    assert "Build the pier" in section(Session(there, "next").starts(), LAST)
    assert LAST not in main.starts().context  # what was done there is not here yet
    main.git("merge", "-q", "feat")
    main.starts()
    remove(main, there)
    told = section(main.starts().context, LAST)
    assert "pier.py (new)" in told
    assert "in the worktree wt" in told
    assert "pier.py (new)" in main.command("sessions", "last")


def test_sessions_and_recall_find_those_of_worktrees_that_are_there_and_that_are_not(main: Life) -> None:
    there = branch(main)
    works(there, "claude")
    for _ in range(2):
        (listed,) = main.told_as_json("sessions")["sessions"]
        assert (listed["id"], listed["worktree"]) == (NAME, "wt")
        assert "Build the pier (1 file changed, in the worktree wt)" in main.command("sessions")
        assert "Build the pier" in main.command("recall", "pier", "--kind", "session")
        if there.root.exists():
            assert there.told_as_json("sessions")["sessions"][0]["worktree"] == ""
            remove(main, there)
    assert (
        "a transcript; delete it in your client"
        in main.try_command("erase", "Build the pier", "--yes").stdout
    )
    assert "Build the pier" not in main.command("sessions")
