"""The log and the report as a person reads them."""

from __future__ import annotations

import json

from tests.journeys.project_life import Life


def _told(life: Life, words: str) -> int:
    return life.readable.count(words)


def test_a_completion_that_several_signals_told_stands_once_in_the_readable_log(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    session = life.starts()
    session.logs("task_completed", "Form posts to /session", task="US-001", notes="CSRF stays first")
    session.marks("US-001", passes=True)
    session.logs("task_completed", task="US-001", data={"files_modified": ["login.py"], "retries": 0})
    session.commits("login page")
    assert _told(life, "✅ Task Completed") == 1
    assert _told(life, "- **Task**: US-001") == 1
    assert "- **Details**: Form posts to /session" in life.readable
    assert "- **Notes**: CSRF stays first" in life.readable
    assert "- **Retries**: 0" in life.readable
    assert "login.py" in life.readable
    for machine in ("Key", "Supplements", "Session id", "Recorded by", "Plan", "Plan id", "Client task"):
        assert f"- **{machine}**:" not in life.readable


def test_what_was_taken_back_is_marked_and_still_there(life: Life) -> None:
    session = life.starts()
    entry = session.logs("milestone_reached", "Beta is out").split()[0]
    session.logs("milestone_reached", "Docs are out")
    life.command("retract", entry)
    assert _told(life, "🎯 Milestone Reached (retracted)") == 1
    assert "- **Details**: Beta is out" in life.readable
    assert _told(life, "- **Details**: Docs are out") == 1


def test_an_entry_that_tells_of_no_story_has_a_neutral_mark_in_the_report(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    session = life.starts()
    session.logs("scope_override", "The cart waits for a decision", data={"reason": "legal"})
    session.logs("task_completed", "Form posts to /session", task="US-001")
    session.ends()
    entries = {each["type"]: each for each in json.loads(life.report)["entries"]}
    assert (entries["task_completed"]["status"], entries["task_completed"]["mark"]) == ("done", "✓")
    for kind in ("session_started", "scope_override", "session_ended"):
        assert (entries[kind]["status"], entries[kind]["mark"]) == (None, "•")
