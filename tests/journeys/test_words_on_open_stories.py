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


def test_last_words_on_a_blocked_story_are_shown_until_it_is_finished(life_alone: Life) -> None:
    _blocked(life_alone)
    second = life_alone.starts()
    assert "On US-005" not in second.context  # it stands in what is told of that session
    _writes(life_alone, second, "loanbook/reserve.py", "The table is there; lapsing is missing.")
    told = section(life_alone.context, LAST)
    assert "On US-005, an earlier session's last words (2026-11-11 09:0" in told
    assert f"`agent-progress sessions session-1`): “US-005 is blocked. {MAILS}”" in told
    second.logs("task_completed", "Mails are sent", task="US-005")
    second.marks("US-005", passes=True)
    assert MAILS not in life_alone.context
