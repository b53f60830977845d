"""A session that ended without a word is read at a later start."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from progress_plugin.core.paths import state_file
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


def kept_sessions(life: Life) -> set[str]:
    """Return the sessions whose records stand in the file of a project."""
    path = Path(state_file(str(life.root), "sessions.jsonl"))
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return {json.loads(line)["session"] for line in lines}


def test_a_transcript_that_tells_nothing_is_looked_into_once(project: Life) -> None:
    project.plan("US-001 Tide table")
    told = builds(project, "pier")
    empty = told.path.with_name("00000000-0000-4000-8000-000000000000.jsonl")
    empty.write_bytes(b'{"type":"mode","mode":"normal"}\n')
    project.starts()
    noted = Path(state_file(str(project.root), "passed_over"))
    assert noted.read_text("utf-8") == f"{empty.stat().st_size} {empty.stem}\n"
    with empty.open("ab") as file:
        file.write(told.path.read_bytes().replace(b"pier", b"quay").replace(b'"uuid": "', b'"uuid": "0'))
    project.starts()
    assert kept_sessions(project) == {told.session, empty.stem}


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


def test_a_session_whose_requests_are_not_kept_is_listed_where_a_start_tells_of_it(project: Life) -> None:
    told = transcript(project, project.session())
    told.asks("<private>for Meier</private>")
    told.writes("pier.py", new=True)
    assert "pier.py (new)" in section(project.starts().context, LAST)
    assert "1 file changed" in project.command("sessions")
    assert "pier.py (new)" in project.command("sessions", "last")
    assert [shown["files"] for shown in project.told_as_json("report")["sessions"]] == [["pier.py"]]
