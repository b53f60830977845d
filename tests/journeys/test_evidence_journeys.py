"""A task that was called done is shown with the checks of its session."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.journeys.project_life import OURS, Life, Session
from tests.transcripts.claude_transcript import ClaudeTranscript


@pytest.fixture
def project(tmp_path: Path) -> Life:
    life = Life(tmp_path / "harbour")
    life.plan("US-001 Tide table", "US-002 Pier")
    return life


def transcript(life: Life, session: Session) -> ClaudeTranscript:
    """Return the transcript of a session that began two minutes ago: hooks date entries by the clock."""
    begin = datetime.now(UTC) - timedelta(minutes=2)
    return ClaudeTranscript(Path(os.environ["HOME"]), life.root, session.name, begin=begin)


def ends(life: Life, session: Session, told: ClaudeTranscript) -> None:
    life.hook("SessionEnd", session.name, {"reason": "other", "transcript_path": str(told.path)})


def finishes(life: Life, *, code: int | None) -> Session:
    """Have a session finish US-001, with a test that ends in `code`, or without one."""
    agent = life.starts()
    told = transcript(life, agent)
    told.asks("Add a tide table.")
    told.writes("tides.py", new=True)
    if code is not None:
        told.runs("pytest -q", code, "1 failed in 0.02s" if code else "3 passed in 0.02s")
    agent.marks("US-001", passes=True)
    ends(life, agent, told)
    return agent


@pytest.mark.parametrize(
    ("code", "words"),
    [(0, "verified: pytest passed"), (1, "claimed, pytest failed"), (None, "claimed, no check seen")],
)
def test_a_completion_is_shown_with_its_evidence_everywhere(
    project: Life, code: int | None, words: str
) -> None:
    finishes(project, code=code)
    assert f" US-001: Tide table (✓; {words})" in project.starts().context
    assert words in project.command("recent")
    told = [entry["evidence"] for entry in project.told_as_json("report")["entries"]]
    assert words in told
    project.command("report")
    assert words in (project.root / OURS / "report.html").read_text("utf-8")
    (proven,) = project.told_as_json("recent")["evidence"].values()
    assert (proven["words"], proven["files"]) == (words, ["tides.py"])
    assert words in (project.root / OURS / "progress-summary.md").read_text("utf-8")


def test_claims_without_evidence_are_listed_and_end_with_exit_code_1(project: Life) -> None:
    finishes(project, code=1)
    done = project.try_command("verify", "--claims")
    assert done.returncode == 1
    assert "US-001: claimed, pytest failed (entry-" in done.stdout
    told = json.loads(project.try_command("verify", "--claims", "--json").stdout)
    assert [(claim["task"], claim["state"], claim["files"]) for claim in told["claims"]] == [
        ("US-001", "failed", ["tides.py"])
    ]
    assert (told["ok"], told["proven"], told["unknown"]) == (False, 0, 0)


def test_verified_completions_are_no_claims_and_those_of_unread_sessions_are_counted(project: Life) -> None:
    finishes(project, code=0)
    project.starts().marks("US-002", passes=True)
    done = project.try_command("verify", "--claims")
    assert done.returncode == 0
    assert "1 completion verified" in done.stdout
    assert "Not checked: 1 completion of sessions whose transcript was not read." in done.stdout


def test_of_a_running_session_nothing_is_claimed(project: Life) -> None:
    agent = project.starts()
    told = transcript(project, agent)
    told.asks("Add a tide table.")
    told.writes("tides.py", new=True)
    fields = {"trigger": "manual", "transcript_path": str(told.path)}
    project.hook("PreCompact", agent.name, fields)  # read up to here
    agent.marks("US-001", passes=True)
    assert "US-001: Tide table (✓)" in project.starts().context
