"""Sessions of a client that worked in a project: their transcripts, and how they end."""

from __future__ import annotations

import json
import os
import time
from datetime import UTC, datetime
from pathlib import Path

from progress_plugin.core.clients import END_OF_CONTEXT
from progress_plugin.core.snapshot import load_fresh_cache
from tests.journeys.project_life import Life, Session
from tests.transcripts.claude_transcript import ClaudeTranscript

LAST, SO_FAR = "## Last Session", "## This Session So Far"

STILL_RUNNING = "no end recorded: it may still be running"


def transcript(life: Life, session: Session) -> ClaudeTranscript:
    day = 10 + int(session.name.rpartition("-")[2])
    begin = datetime(2026, 11, day, 9, tzinfo=UTC)
    return ClaudeTranscript(Path(os.environ["HOME"]), life.root, session.name, begin=begin)


def works(life: Life, session: Session) -> ClaudeTranscript:
    """Have a session ask for a tide table, write it, and leave its test failing."""
    told = transcript(life, session)
    told.asks("Add a tide table to the harbour project.")
    told.plans("1", "Write the tide table", "completed")
    told.plans("2", "Document the tide table", "in_progress")
    told.writes("tides.py", new=True)
    told.runs("pytest -q tests/test_tides.py", 1, "E   assert 3.3 == 3.5\n1 failed in 0.02s")
    told.says("One test still fails: the span is off by 0.2.")
    return told


def ends(life: Life, session: Session, told: ClaudeTranscript) -> None:
    life.hook("SessionEnd", session.name, {"reason": "other", "transcript_path": str(told.path)})


def compacted(life: Life, session: Session, told: ClaudeTranscript) -> str:
    fields = {"trigger": "manual", "transcript_path": str(told.path)}
    life.hook("PreCompact", session.name, fields)
    return session.starts("compact")


def hook(life: Life, client: str, event: str, session: str, **fields: str) -> str:
    """Send a hook event as a client does; return the context that it answers with."""
    told = {"session_id": session, "cwd": str(life.root), "hook_event_name": event, **fields}
    printed = life._run(["hook", event, client], json.dumps(told).encode())
    answer = json.loads(printed) if printed else {}
    found: str = answer.get("hookSpecificOutput", answer).get("additionalContext", "")
    return found.removesuffix(f"{END_OF_CONTEXT}\n")


def becomes_fresh(life: Life) -> bool:
    """Wait until a background process has made the text that the next start prints."""
    until = time.monotonic() + 60
    while time.monotonic() < until and load_fresh_cache(str(life.root)) is None:
        time.sleep(0.1)
    return load_fresh_cache(str(life.root)) is not None
