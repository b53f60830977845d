"""The next session is shown what the last one did, although nobody logged it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.journeys.project_life import OURS, Life, section
from tests.journeys.worked_sessions import LAST, SO_FAR, compacted, ends, transcript, works


@pytest.fixture
def project(tmp_path: Path) -> Life:
    return Life(tmp_path / "harbour")


def test_in_an_empty_project_the_second_session_knows_what_the_first_did(project: Life) -> None:
    first = project.starts()
    assert first.context == ""
    ends(project, first, works(project, first))
    told = section(project.starts().context, LAST)
    assert "“Add a tide table to the harbour project.”" in told
    assert "tides.py (new)" in told
    assert "Failing: `pytest tests/test_tides.py`: E assert 3.3 == 3.5" in told
    assert "Open tasks: Document the tide table (in progress)" in told
    assert project.command("context") == project.starts().context
    assert not (project.root / ".agent-os").exists()


def test_a_session_that_changed_nothing_is_not_told_of_where_there_is_nothing_else(project: Life) -> None:
    first = project.starts()
    told = transcript(project, first)
    told.asks("What does this project do?")
    told.says("Nothing yet.")
    ends(project, first, told)
    assert project.starts().context == ""


def test_a_session_whose_work_is_in_the_log_is_not_called_unlogged(project: Life) -> None:
    project.plan("US-001 Tide table", "US-002 Pier")
    first = project.starts()
    first.marks("US-001", passes=True)
    ends(project, first, works(project, first))
    assert "nothing of it is in the log" not in section(project.starts().context, LAST)
    second = project.starts()
    ends(project, second, works(project, second))
    assert "nothing of it is in the log" in section(project.starts().context, LAST)


def test_after_a_compaction_the_agent_is_told_of_its_own_session(project: Life) -> None:
    project.plan("US-001 Tide table", "US-002 Pier")
    first = project.starts()
    ends(project, first, works(project, first))
    second = project.starts()
    told = transcript(project, second)
    told.asks("Build the pier.")
    told.writes("pier.py", new=True)
    told.runs("npm test", 1, "1 failing\nError: pier too short")
    context = compacted(project, second, told)
    assert LAST not in context
    running = section(context, SO_FAR)
    assert "Being worked on: “Build the pier.”" in running
    assert "pier.py (new)" in running
    assert "Failing: `npm test`" in running
    # Another session that starts meanwhile is not told that this was its own.
    assert SO_FAR not in project.starts().context


def asks_for_the_tests(life: Life, branch: str = "main", code: int = 0) -> None:
    session = life.starts()
    told = transcript(life, session)
    told.branch = branch
    told.asks("Do the tests pass now?")
    told.runs("pytest -q", code, "1 failed in 0.1s" if code else "12 passed in 0.1s")
    told.says("They do.")
    ends(life, session, told)


def test_a_check_that_passed_in_a_later_session_is_no_longer_told_as_failing(project: Life) -> None:
    project.plan("US-001 Tide table")
    first = project.starts()
    ends(project, first, works(project, first))
    assert "Failing: `pytest tests/test_tides.py`" in section(project.starts().context, LAST)
    asks_for_the_tests(project)
    said = section(project.starts().context, LAST)
    assert "tides.py (new)" in said
    assert "Failing" not in said
    assert "Checks: `pytest tests/test_tides.py` failed, and passed in a later session" in said
    assert "failing" not in project.command("sessions")
    project.command("report")
    report = (project.root / OURS / "report.html").read_text("utf-8")
    assert "pytest tests/test_tides.py failed, and passed in a later session" in report
    asks_for_the_tests(project, code=1)
    assert "Failing: `pytest`" in section(project.starts().context, LAST)
