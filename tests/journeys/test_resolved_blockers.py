"""A blocker that was resolved: what was wrong stays readable, and how it ended is said with it."""

from __future__ import annotations

from typing import Any

from tests.journeys.project_life import Life, Session, section

ISSUE, HELP, END = "No key for the mail server", "Ask Ada for the key", "Ada sent the key"
TROUBLE = {"issue": ISSUE, "suggested_resolution": HELP}


def _blocked(life: Life, **options: Any) -> tuple[Session, str]:
    """Have a session log a blocker, and return it with the id of the entry."""
    session = life.starts()
    session.logs("task_blocked", data=TROUBLE, **options)
    return session, str(life.entries("task_blocked")[-1]["id"])


def _entry(life: Life, name: str) -> dict[str, Any]:
    """Return the entry of the report that this one of the log is told as."""
    kind = next(each["type"] for each in life.log if each["id"] == name)
    (found,) = [each for each in life.told_as_json("report")["entries"] if each["type"] == kind]
    return dict(found)


def _is_told_as_over(life: Life, blocker: str) -> None:
    assert life.told_as_json("status")["blocking"] == 0
    page = life.told_as_json("report")
    assert page["blockers"] == []
    told = _entry(life, blocker)
    assert told["resolved"] is True
    assert told["details"][-3:] == [f"Issue: {ISSUE}", f"Suggested resolution: {HELP}", f"Resolved: {END}"]
    recent = life.recent
    assert "0 blockers" in recent
    assert "Open blockers" not in recent
    assert ISSUE in recent
    assert f"Resolved: {END}" in recent
    context = life.context
    assert "Blocked: None" in context
    assert f"Was blocked, no longer: {ISSUE}" in context
    assert END in context


def test_its_issue_and_what_ended_it_are_told_everywhere(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent, blocker = _blocked(life, task="US-001")
    assert _entry(life, blocker)["resolved"] is False
    agent.logs("debug_resolved", END, task="US-001")
    _is_told_as_over(life, blocker)
    assert _entry(life, blocker)["resolved_by"] == life.entries("debug_resolved")[0]["id"]


def test_without_a_plan_too(life_alone: Life) -> None:
    agent, blocker = _blocked(life_alone, task="T-1")
    agent.logs("task_completed", END, task="T-1")
    _is_told_as_over(life_alone, blocker)


def test_an_entry_on_something_else_that_ended_it_is_told_with_it(life_alone: Life) -> None:
    life_alone.plan("US-001 Login page", "US-002 Cart")
    agent, blocker = _blocked(life_alone, task="US-001")
    agent.logs("milestone_reached", END, resolves=blocker)
    _is_told_as_over(life_alone, blocker)
    told = section(life_alone.context, "### US-001: Login page")
    assert f"Was blocked, no longer: {ISSUE} ({END})" in told


def test_a_blocker_of_no_task_is_told_with_what_ended_it(life_alone: Life) -> None:
    agent, blocker = _blocked(life_alone)
    agent.logs("milestone_reached", END, resolves=blocker)
    _is_told_as_over(life_alone, blocker)


def test_a_description_alone_is_told_with_what_ended_it_elsewhere(life_alone: Life) -> None:
    life_alone.plan("US-001 Login page", "US-002 Cart")
    agent = life_alone.starts()
    agent.logs("task_blocked", ISSUE, task="US-001")
    agent.logs("milestone_reached", END, resolves=life_alone.entries("task_blocked")[0]["id"])
    assert f"Was blocked, no longer: {ISSUE} ({END})" in section(life_alone.context, "### US-001: Login page")


def test_the_page_says_so_beside_the_mark(life_alone: Life) -> None:
    agent, _ = _blocked(life_alone, task="T-1")
    agent.logs("debug_resolved", END, task="T-1")
    life_alone.command("report")
    page = (life_alone.root / ".agent-os/progress/report.html").read_text("utf-8")
    assert 'title="blocked, resolved since"' in page
    assert "task blocked, resolved" in page


def test_recent_as_json_says_which_entry_ended_it(life_alone: Life) -> None:
    agent, blocker = _blocked(life_alone, task="T-1")
    assert "resolved" not in life_alone.told_as_json("recent")
    agent.logs("debug_resolved", END, task="T-1")
    by = life_alone.entries("debug_resolved")[0]["id"]
    assert life_alone.told_as_json("recent")["resolved"] == {blocker: {"how": END, "by": by}}


def test_a_blocker_that_is_open_again_is_not_called_resolved(life_alone: Life) -> None:
    agent, _ = _blocked(life_alone, task="T-1")
    agent.logs("debug_resolved", END, task="T-1")
    agent.logs("task_blocked", task="T-1", data={"issue": "The mail server is down"})
    told = [each for each in life_alone.told_as_json("report")["entries"] if each["type"] == "task_blocked"]
    assert [each["resolved"] for each in told] == [False, True]
    assert "no longer: The mail server" not in life_alone.context


def test_what_was_in_the_way_is_no_name_of_the_story(life_alone: Life) -> None:
    agent, _ = _blocked(life_alone, task="T-1", description="Mail cannot be sent")
    agent.logs("debug_resolved", END, task="T-1")
    context = life_alone.context
    assert "### T-1 (→)" in context
    assert "Was blocked, no longer: Mail cannot be sent" in context
    assert "Mail cannot be sent" not in section(context, "## Completion Status")
    assert "Mail cannot be sent" not in life_alone.status
    assert [each["title"] for each in life_alone.told_as_json("report")["stories"]] == [""]


def test_a_story_keeps_its_name_while_it_is_blocked(life_alone: Life) -> None:
    agent = life_alone.starts()
    agent.logs("task_completed", "Login form", task="T-1")
    agent.logs("task_blocked", "Mail cannot be sent", task="T-1")
    blocked = section(life_alone.context, "## Completion Status")
    assert "- T-1: Login form (since" in blocked
    assert "- Mail cannot be sent" in blocked
