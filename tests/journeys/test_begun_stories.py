"""Whether a story has been begun: by the plan, by what was logged, by what a session was asked and did."""

from __future__ import annotations

import pytest

from tests.journeys.project_life import Life, Session
from tests.journeys.worked_sessions import SO_FAR, compacted, ends, transcript
from tests.transcripts.claude_transcript import ClaudeTranscript

NOT_BEGUN = "Current: US-001 (attempt 1): Reserve a tool, not begun\n"
BEGUN = "Current: US-001 (attempt 1): Reserve a tool\n"


@pytest.fixture
def planned(life_alone: Life) -> Life:
    """Return a project with a plan that nobody has worked at."""
    life_alone.plan("US-001 Reserve a tool", "US-002 Export the year")
    life_alone.story("US-001", acceptanceCriteria=["`book/reserve.py` keeps the order"])
    assert NOT_BEGUN in life_alone.context
    assert "Current: US-001, not begun\n" in life_alone.status
    return life_alone


def asked(life: Life, request: str) -> tuple[Session, ClaudeTranscript]:
    session = life.starts()
    told = transcript(life, session)
    told.asks(request)
    return session, told


def test_a_session_that_was_asked_for_it_has_begun_it(planned: Life) -> None:
    session, told = asked(planned, "Please start US-001.")
    told.writes("book/lapse.py", new=True)
    context = compacted(planned, session, told)
    assert SO_FAR in context
    assert BEGUN in context
    ends(planned, session, told)
    assert BEGUN in planned.context
    assert "Current: US-001\n" in planned.status


@pytest.mark.parametrize(
    ("request_", "file"),
    [("Reserve a tool: do that now", "notes/a.txt"), ("Go on", "book/reserve.py")],
    ids=["its title", "its file"],
)
def test_a_session_that_named_it_or_changed_its_file_has_begun_it(
    planned: Life, request_: str, file: str
) -> None:
    session, told = asked(planned, request_)
    told.writes(file, new=True)
    ends(planned, session, told)
    assert BEGUN in planned.context


def test_a_session_at_another_story_has_not_begun_it(planned: Life) -> None:
    session, told = asked(planned, "Please do US-002.")
    told.writes("book/export.py", new=True)
    ends(planned, session, told)
    assert NOT_BEGUN in planned.context


def test_what_somebody_decided_of_it_has_begun_it(planned: Life) -> None:
    planned.starts().logs(
        "scope_override", "Members may hold three at most", data={"requested_tasks": ["US-001"]}
    )
    assert BEGUN in planned.context
    assert "Current: US-001\n" in planned.status


def test_an_attempt_that_the_plan_counts_has_begun_it(planned: Life) -> None:
    planned.story("US-001", attempts=1)
    assert "Current: US-001 (attempt 2): Reserve a tool\n" in planned.context
