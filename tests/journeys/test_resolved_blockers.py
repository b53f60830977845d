"""A blocker that was resolved: what was wrong stays readable, and how it ended is shown with it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.journeys.project_life import Life, Session

ISSUE, HELP, END = "No key for the mail server", "Ask Ada for the key", "Ada sent the key"


def _blocked(life: Life, **options: Any) -> tuple[Session, str]:
    """Have a session log a blocker, and return it with the id of the entry."""
    session = life.starts()
    session.logs("task_blocked", data={"issue": ISSUE, "suggested_resolution": HELP}, **options)
    return session, str(life.entries("task_blocked")[-1]["id"])


@pytest.mark.parametrize(
    ("task", "kind"),
    [("US-001", "debug_resolved"), ("T-1", "task_completed"), (None, "milestone_reached")],
)
def test_its_issue_and_what_ended_it_are_shown_everywhere(
    life_alone: Life, task: str | None, kind: str
) -> None:
    life_alone.plan("US-001 Login page", "US-002 Cart")
    about = {"task": task} if task else {}
    agent, blocker = _blocked(life_alone, **about)
    assert life_alone.told_as_json("status")["blocking"] == 1
    agent.logs(kind, END, **(about or {"resolves": blocker}))
    assert life_alone.told_as_json("status")["blocking"] == 0
    page = life_alone.told_as_json("report")
    assert page["blockers"] == []
    (entry,) = [each for each in page["entries"] if each["id"] == blocker]
    assert (entry["title"], entry["details"][-1], entry["resolved"]) == (
        ISSUE,
        f"Suggested resolution: {HELP}",
        END,
    )
    by = life_alone.entries(kind)[-1]["id"]
    assert life_alone.told_as_json("recent")["resolved"] == {blocker: {"how": END, "by": by}}
    recent = life_alone.recent
    assert "0 blockers" in recent
    assert "Open blockers" not in recent
    assert f"Resolved: {END}" in recent
    assert "Blocked: None" in life_alone.context


def test_the_page_says_so_beside_the_mark(life_alone: Life) -> None:
    agent, _ = _blocked(life_alone, task="T-1")
    agent.logs("debug_resolved", END, task="T-1")
    life_alone.command("report")
    page = (life_alone.root / ".agent-os/progress/report.html").read_text("utf-8")
    assert 'title="blocked, resolved since"' in page
    assert "task blocked, resolved" in page


def test_a_blocker_that_is_open_again_is_not_called_resolved(life_alone: Life) -> None:
    agent, _ = _blocked(life_alone, task="T-1")
    agent.logs("debug_resolved", END, task="T-1")
    agent.logs("task_blocked", task="T-1", data={"issue": "The mail server is down"})
    shown = [each for each in life_alone.told_as_json("report")["entries"] if each["type"] == "task_blocked"]
    assert [each["resolved"] for each in shown] == ["", END]
