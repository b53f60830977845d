"""Only this user can read session records; they can be erased, and reading can be switched off."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.journeys.project_life import OURS, Life, Session, section
from tests.journeys.worked_sessions import LAST, ends, works
from tests.transcripts.claude_transcript import ClaudeTranscript


@pytest.fixture
def project(tmp_path: Path) -> Life:
    return Life(tmp_path / "harbour")


def test_what_is_kept_of_a_session_is_open_to_its_user_alone(project: Life) -> None:
    before = os.umask(0o022)
    try:
        first = project.starts()
        ends(project, first, works(project, first))
        project.starts()
        outside = _holding(Path(os.environ["HOME"]) / ".local")
        project.plan("US-001 Tide table")
        second = project.starts()
        second.logs("task_completed", "Tide table", task="US-001")
        ends(project, second, works(project, second))
        project.starts().starts("resume")
        project.command("report")
    finally:
        os.umask(before)
    inside = _holding(project.root / OURS)
    assert {f"claude.{first.name}.json", "start.json"} <= outside.keys()
    assert inside.keys() == {"report.html"}
    assert {*inside.values(), *outside.values()} == {0o600}
    ours = Path(os.environ["HOME"]) / ".local/state/agent-progress"
    for folder in (ours, *(path for path in ours.rglob("*") if path.is_dir())):
        assert folder.stat().st_mode & 0o077 == 0, folder


def _holding(folder: Path) -> dict[str, int]:
    """Return the files that hold words of a session's request, with their permissions."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    words = b"Add a tide table to the harbour"
    return {path.name: path.stat().st_mode & 0o777 for path in files if words in path.read_bytes()}


def test_erase_reaches_the_records_of_a_project_that_has_nothing_else_of_ours(project: Life) -> None:
    first = project.starts()
    told = works(project, first)
    told.asks("The keeper of the gate is swordfish-at-dawn, do not tell.")
    ends(project, first, told)
    printed = project.try_command("erase", "swordfish-at-dawn", "--yes")
    assert f"{told.path} holds it: a transcript; delete it in your client" in printed.stdout + printed.stderr
    assert "swordfish-at-dawn" not in project.starts().context
    assert "swordfish-at-dawn" not in project.command("sessions", "last")
    assert not (project.root / ".agent-os").exists()


def test_what_happened_while_reading_was_switched_off_stays_unread(project: Life) -> None:
    project.plan("US-001 Harbour wall")
    project.command("config", "set", "transcripts", "false")
    first = project.starts()
    ends(project, first, works(project, first))
    killed = project.starts()
    works(project, killed)
    project.command("config", "set", "transcripts", "true")
    assert LAST not in project.starts().context
    second = project.starts()
    told = later(project, second)
    told.asks("Build the pier.")
    told.writes("pier.py", new=True)
    ends(project, second, told)
    assert "“Build the pier.”" in section(project.starts().context, LAST)
    assert not any(b"tide table" in path.read_bytes().lower() for path in kept(project))


def later(life: Life, session: Session) -> ClaudeTranscript:
    """Return the transcript of a session that works after now."""
    begin = datetime.now(UTC) + timedelta(hours=1)
    return ClaudeTranscript(Path(os.environ["HOME"]), life.root, session.name, begin=begin)


def kept(life: Life) -> list[Path]:
    """Return all files that hold something of sessions."""
    ours = Path(os.environ["HOME"]) / ".local/state/agent-progress/projects"
    return [path for path in [*ours.rglob("*"), *(life.root / OURS).rglob("*")] if path.is_file()]
