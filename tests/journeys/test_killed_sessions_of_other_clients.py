"""A session of Codex, Copilot, Gemini or OpenCode that ended without a word is read at the next start."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest

from progress_plugin.core.snapshot import load_fresh_cache
from tests.journeys.project_life import Life, section
from tests.journeys.worked_sessions import LAST, STILL_RUNNING, becomes_fresh, hook
from tests.transcripts import client_sessions
from tests.transcripts.opencode_database import OpenCodeDatabase

SHUTDOWN = b'{"type": "session.shutdown", "timestamp": "2026-11-20T09:01:00.000Z", "data": {}}\n'


@pytest.fixture
def project(tmp_path: Path) -> Life:
    return Life(tmp_path / "harbour")


def begins(life: Life, client: str, session: str = "any") -> dict[str, str]:
    """Start a session of a client, and return what its hooks say about its transcript."""
    home = Path(os.environ["HOME"])
    told = {"codex": str(home / "codex/session.jsonl"), "gemini": str(home / "gemini/chats/session.jsonl")}
    fields = {"transcript_path": told[client]} if client in told else {}
    hook(life, client, "SessionStart", session, source="startup", **fields)
    return fields


def works(life: Life, client: str, session: str = "any") -> None:
    """Have a session build the pier, as its client writes it down, and leave its test failing."""
    path = client_sessions.write(client, Path(os.environ["HOME"]), life.root)
    places = {
        "copilot": f".copilot/session-state/{session}/events.jsonl",
        "opencode": ".local/share/opencode/opencode.db",
    }
    if client in places:
        place = Path(os.environ["HOME"]) / places[client]
        place.parent.mkdir(parents=True)
        shutil.move(path, place)


def has_log(life: Life) -> None:
    life.starts().logs("milestone_reached", "The harbour is open.")
    life.starts()


def is_fresh(life: Life) -> bool:
    return load_fresh_cache(str(life.root)) is not None


@pytest.mark.parametrize(
    ("client", "begun"),
    [
        ("codex", "with a log"),
        ("copilot", "not at all"),
        ("gemini", "with a log"),
        ("opencode", "not at all"),
    ],
)
def test_a_session_that_was_killed_is_told_at_the_next_start(project: Life, client: str, begun: str) -> None:
    if begun == "with a log":
        has_log(project)
    begins(project, client)
    works(project, client)
    for _ in range(2):
        told = section(project.starts().context, LAST)
        assert "pier.py (new)" in told
        assert STILL_RUNNING in told
    (listed,) = project.told_as_json("sessions")["sessions"]
    assert listed["client"] == client
    assert (project.root / ".agent-os").exists() == (begun == "with a log")


def test_a_session_between_two_turns_costs_no_start_beside_it_anything(project: Life) -> None:
    """OpenCode tells of no end, so all of its sessions would be looked at by the starts of an hour."""
    has_log(project)
    begins(project, "opencode")
    database = Path(os.environ["HOME"]) / ".local/share/opencode/opencode.db"
    rows = OpenCodeDatabase(database, project.root)
    rows.begins("any")
    rows.asks("any", "Build the pier")
    rows.writes("any", "pier.py", new=True)
    assert not is_fresh(project)
    hook(project, "opencode", "Stop", "any")
    assert becomes_fresh(project)
    assert "pier.py (new)" in section(project.starts().context, LAST)
    assert is_fresh(project)


@pytest.mark.parametrize("written", [0, 4])
def test_what_copilot_writes_after_it_has_told_of_the_end_is_told_at_once(
    project: Life, written: int
) -> None:
    has_log(project)
    begins(project, "copilot")
    works(project, "copilot")
    path = Path(os.environ["HOME"]) / ".copilot/session-state/any/events.jsonl"
    lines = [*path.read_bytes().splitlines(keepends=True), SHUTDOWN]
    path.unlink()
    if written:
        path.write_bytes(b"".join(lines[:written]))
        os.utime(path, (time.time() - 60, time.time() - 60))
    hook(project, "copilot", "SessionEnd", "any")
    path.write_bytes(b"".join(lines))
    assert "pier.py (new)" in section(project.starts().context, LAST)
    assert becomes_fresh(project)
    assert "pier.py (new)" in section(project.starts().context, LAST)
