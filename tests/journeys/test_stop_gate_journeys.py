"""With `gate = "checks"` a turn in which a task was called done without proof is answered, once."""

from __future__ import annotations

import json
import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core.clients import as_claude_code
from progress_plugin.core.project import find_project
from progress_plugin.usecases.sessions import stop_gate
from tests.journeys.project_life import OURS, Life, Session
from tests.transcripts.claude_transcript import ClaudeTranscript

LAST = "The tide table is there."
FAILS = ("pytest -q", 1, "E   assert 3.3 == 3.5\n1 failed in 0.02s")
PASSES = ("pytest -q", 0, "3 passed in 0.02s")


@pytest.fixture
def project(tmp_path: Path) -> Life:
    life = Life(tmp_path / "harbour")
    life.plan("US-001 Tide table", "US-002 Pier")
    life.write(".agent-os/progress/config.toml", 'gate = "checks"\n')
    return life


class Turn:
    """A turn of an agent that began two minutes ago: hooks date entries by the clock."""

    def __init__(self, life: Life) -> None:
        self.life = life
        self.agent: Session = life.starts()
        begin = datetime.now(UTC) - timedelta(minutes=2)
        self.told = ClaudeTranscript(Path(os.environ["HOME"]), life.root, self.agent.name, begin=begin)
        self.told.asks("Add a tide table.")

    def stops(self, **fields: Any) -> dict[str, Any]:
        """End the turn with the agent's last words, and return the answer to it."""
        self.told.says(LAST)
        said = {
            "transcript_path": str(self.told.path),
            "stop_hook_active": False,
            "last_assistant_message": LAST,
        }
        return self.life.hook("Stop", self.agent.name, said | fields)


@pytest.fixture
def turn(project: Life) -> Turn:
    return Turn(project)


def test_a_failing_check_is_named_once_and_the_turn_ends_then(turn: Turn) -> None:
    turn.told.writes("tides.py", new=True)
    turn.told.runs(*FAILS)
    turn.agent.marks("US-001", passes=True)
    assert turn.stops() == {
        "decision": "block",
        "reason": "agent-progress: US-001 is marked done, and `pytest` failed after the last edit: "
        "E assert 3.3 == 3.5. This is said once; the setting is `gate`.",
    }
    assert turn.stops(stop_hook_active=True) == {}
    assert turn.stops() == {}  # of a client that says nothing of its stop hook


def test_an_edit_after_the_check_is_named(turn: Turn) -> None:
    turn.told.writes("tides.py", new=True)
    turn.told.runs(*PASSES)
    turn.told.writes("tides.py")
    turn.agent.marks("US-001", passes=True)
    reason = turn.stops()["reason"]
    assert (
        "US-001 is marked done, and no check ran after the last edit of tides.py (`pytest` ran before it)"
        in reason
    )


def test_edits_that_nothing_has_checked_are_named_for_every_task_of_the_turn(turn: Turn) -> None:
    turn.told.writes("tides.py", new=True)
    turn.agent.marks("US-001", passes=True)
    turn.told.writes("pier.py", new=True)
    turn.agent.marks("US-002", passes=True)
    reason = turn.stops()["reason"]
    assert (
        "US-001, US-002 are marked done, and no check ran after the last edit of pier.py, tides.py." in reason
    )


def test_nothing_is_said_where_the_last_check_passed(turn: Turn) -> None:
    turn.told.writes("tides.py", new=True)
    turn.told.runs(*FAILS)
    turn.told.writes("tides.py")
    turn.told.runs(*PASSES)
    turn.agent.marks("US-001", passes=True)
    assert turn.stops() == {}


def test_nothing_is_said_where_only_documents_were_written(turn: Turn) -> None:
    turn.told.writes("docs/tides.md", new=True)
    turn.agent.marks("US-001", passes=True)
    assert turn.stops() == {}


def test_nothing_is_said_of_a_turn_that_finished_no_task(turn: Turn) -> None:
    turn.told.writes("tides.py", new=True)
    turn.told.runs(*FAILS)
    assert turn.stops() == {}
    turn.agent.marks("US-001", passes=True)
    turn.told.now = datetime.now(UTC) + timedelta(minutes=1)
    turn.told.asks("And the pier.")
    turn.told.writes("pier.py", new=True)
    assert turn.stops() == {}


def test_nothing_is_said_unless_the_user_has_switched_it_on(turn: Turn) -> None:
    turn.life.write(".agent-os/progress/config.toml", 'gate = "off"\n')
    turn.told.writes("tides.py", new=True)
    turn.told.runs(*FAILS)
    turn.agent.marks("US-001", passes=True)
    assert turn.stops() == {}
    assert not (turn.life.root / OURS / "sessions.jsonl").exists()
    users = Path(os.environ["HOME"]) / ".config/agent-progress/config.toml"
    users.parent.mkdir(parents=True)
    users.write_text('gate = "checks"\n', "utf-8")
    assert turn.stops() == {}  # the project's own word goes before the user's
    (turn.life.root / OURS / "config.toml").unlink()
    assert turn.stops()["decision"] == "block"


def test_nothing_is_said_where_transcripts_are_switched_off(turn: Turn) -> None:
    turn.life.write(".agent-os/progress/config.toml", 'gate = "checks"\ntranscripts = false\n')
    turn.told.writes("tides.py", new=True)
    turn.told.runs(*FAILS)
    turn.agent.marks("US-001", passes=True)
    assert turn.stops() == {}


def test_nothing_is_said_before_the_end_of_the_turn_is_written(turn: Turn) -> None:
    turn.told.writes("tides.py", new=True)
    turn.told.runs(*FAILS)
    turn.agent.marks("US-001", passes=True)
    assert turn.stops(last_assistant_message="Something that is not written yet.") == {}
    assert turn.stops()["decision"] == "block"


@pytest.mark.parametrize("first", [None, b"", b'{"type":'], ids=["nothing", "empty", "half a line"])
def test_a_transcript_that_the_client_has_not_begun_to_write_is_waited_for(
    turn: Turn, monkeypatch: pytest.MonkeyPatch, first: bytes | None
) -> None:
    turn.told.writes("tides.py", new=True)
    turn.told.runs(*FAILS)
    turn.agent.marks("US-001", passes=True)
    turn.told.says(LAST)
    path, whole = turn.told.path, turn.told.path.read_bytes()
    path.unlink()
    if first is not None:
        path.write_bytes(first)
    said = {"session_id": turn.agent.name, "transcript_path": str(path), "last_assistant_message": LAST}
    assert turn.life.hook("Stop", turn.agent.name, said) == {}  # what was done is in the log now
    for name, value in as_claude_code(str(turn.life.root)).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(time, "sleep", lambda _: path.write_bytes(whole))
    answer = stop_gate.answer(find_project(start=str(turn.life.root)), json.dumps(said).encode())
    assert json.loads(answer)["decision"] == "block"


def test_nothing_is_said_to_a_client_that_takes_no_answer(turn: Turn) -> None:
    turn.told.writes("tides.py", new=True)
    turn.told.runs(*FAILS)
    turn.agent.marks("US-001", passes=True)
    turn.life.environment["CURSOR_VERSION"] = "2.0"
    assert turn.stops() == {}
