"""The sessions that were read, in `sessions`, `recent`, `report` and `doctor`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.journeys.project_life import OURS, Life
from tests.journeys.worked_sessions import ends, works


@pytest.fixture
def project(tmp_path: Path) -> Life:
    return Life(tmp_path / "harbour")


def test_sessions_are_listed_and_shown_on_request(project: Life) -> None:
    first = project.starts()
    ends(project, first, works(project, first))
    assert "Add a tide table to the harbour project. (1 file changed, failing: pytest" in project.command(
        "sessions"
    )
    assert "Failing: `pytest tests/test_tides.py`" in project.command("sessions", "last")
    (listed,) = project.told_as_json("sessions")["sessions"]
    assert (listed["id"], listed["client"], listed["changed"]) == (first.name, "claude", 1)
    shown = project.told_as_json("sessions", first.name)
    assert [request[0] for request in shown["requests"]] == ["Add a tide table to the harbour project."]
    assert project.try_command("sessions", "none").returncode == 2


def test_recent_shows_sessions_on_request(project: Life) -> None:
    project.plan("US-001 Tide table")
    first = project.starts()
    ends(project, first, works(project, first))
    assert "Sessions:" not in project.command("recent")
    assert f"Sessions:\n  2026-11-11 09:01 {first.name[:13]} Add a tide table" in project.command(
        "recent", "--sessions"
    )
    (listed,) = project.told_as_json("recent", "--sessions")["sessions"]
    assert (listed["id"], listed["failing"]) == (first.name, ["pytest tests/test_tides.py"])
    project.write(".agent-os/progress/config.toml", "transcripts = false\n")
    assert project.try_command("recent", "--sessions").returncode == 2


def test_the_report_has_a_section_of_sessions(project: Life) -> None:
    project.plan("US-001 Tide table")
    first = project.starts()
    told = works(project, first)
    told.asks("Now the <script>alert(1)</script> pier.")
    ends(project, first, told)
    (shown,) = project.told_as_json("report")["sessions"]
    assert shown["requests"][0] == "Add a tide table to the harbour project."
    assert shown["files"] == ["tides.py"]
    assert shown["checks"] == ["pytest tests/test_tides.py failed: E assert 3.3 == 3.5"]
    assert shown["open_tasks"] == ["Document the tide table"]
    project.command("report")
    page = (project.root / OURS / "report.html").read_text("utf-8")
    assert "<h2>Sessions</h2>" in page
    assert "1 failing check" in page
    assert "Open: Document the tide table" in page
    assert "<script" not in page


def test_a_project_that_has_only_sessions_is_not_called_empty(project: Life) -> None:
    printed = project.try_command("sessions", "last")
    assert "no recorded session is" in printed.stderr
    first = project.starts()
    ends(project, first, works(project, first))
    recorded = "1 session recorded, the last: Add a tide table to the harbour project."
    for command in ("status", "recent"):
        assert f"Sessions: {recorded}" in project.command(command)
    assert project.told_as_json("status")["sessions"] == recorded
    assert project.starts().user_line == f"progress: {recorded}"
