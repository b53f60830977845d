"""What a session said last of a story that is blocked or current outlives the session after it."""

from __future__ import annotations

from tests.journeys.project_life import Life, Session, section
from tests.journeys.worked_sessions import LAST, ends, transcript

MAILS = "The grouping by member is in loanbook/remind.py, not committed."


def _writes(life: Life, session: Session, path: str, says: str) -> None:
    told = transcript(life, session)
    told.asks("Go on with the next stories.")
    told.writes(path, new=True)
    told.says(says)
    ends(life, session, told)


def _blocked(life: Life) -> None:
    life.plan("US-004 List overdue loans", "US-005 Remind members", "US-006 Reserve a tool")
    first = life.starts()
    first.logs("task_completed", "Overdue loans are listed", task="US-004")
    first.logs("task_blocked", "Mails cannot be sent", task="US-005", data={"issue": "The provider refuses"})
    _writes(
        life,
        first,
        "loanbook/remind.py",
        f"US-004 is committed. US-005 is blocked. {MAILS} US-006 can be next.",
    )


def test_what_was_said_of_a_blocked_story_is_told_beside_a_later_session(life_alone: Life) -> None:
    _blocked(life_alone)
    second = life_alone.starts()
    assert "On US-005" not in second.context  # it stands in what is told of that session
    _writes(life_alone, second, "loanbook/reserve.py", "The table is there; lapsing is missing.")
    told = section(life_alone.context, LAST)
    assert "On US-005, an earlier session's last words (2026-11-11 09:0" in told
    assert f"`agent-progress sessions session-1`): “US-005 is blocked. {MAILS}”" in told
    assert life_alone.command("context", "--sources")


def test_it_is_told_no_more_once_the_story_is_finished(life_alone: Life) -> None:
    _blocked(life_alone)
    second = life_alone.starts()
    second.logs("task_completed", "Mails are sent", task="US-005")
    second.marks("US-005", passes=True)
    _writes(life_alone, second, "loanbook/reserve.py", "The table is there; lapsing is missing.")
    assert MAILS not in life_alone.context


def test_a_session_that_changed_nothing_takes_the_place_of_no_other_words(life_alone: Life) -> None:
    _blocked(life_alone)
    asked = life_alone.starts()
    told = transcript(life_alone, asked)
    told.asks("What is the state?")
    told.says("US-005 is blocked, US-006 is next.")
    ends(life_alone, asked, told)
    third = life_alone.starts()
    _writes(life_alone, third, "loanbook/reserve.py", "The table is there; lapsing is missing.")
    assert MAILS in section(life_alone.context, LAST)


def test_what_blocked_a_story_is_told_no_more_once_it_was_resolved(life_alone: Life) -> None:
    _blocked(life_alone)
    second = life_alone.starts()
    second.logs("debug_resolved", "The provider takes our mails now", task="US-005")
    second.marks("US-004", passes=True)
    _writes(life_alone, second, "loanbook/reserve.py", "The table is there; lapsing is missing.")
    told = section(life_alone.context, LAST)
    assert f"`agent-progress sessions session-1`): “{MAILS}”" in told
    assert "is blocked" not in told


def test_words_on_another_plans_story_are_not_told_of_one_that_nobody_has_touched(life_alone: Life) -> None:
    life_alone.plan("US-001 Login page", "US-002 Cart", branch="shop")
    first = life_alone.starts()
    first.logs("task_completed", "Form posts", task="US-001")
    _writes(life_alone, first, "login.py", "US-001 is finished. US-002 is half done.")
    second = life_alone.starts()
    _writes(life_alone, second, "README.md", "The readme is tidy.")
    life_alone.plan("US-001 Audit table", "US-002 Audit export", branch="admin")
    assert "Current: US-001 (attempt 1): Audit table, not begun" in life_alone.context
    assert "On US-001" not in life_alone.context
