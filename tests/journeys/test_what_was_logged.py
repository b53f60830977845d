"""The next session reads what an agent logged: sentence, learning, cause, decision, next step."""

from __future__ import annotations

import pytest

from tests.journeys.project_life import Life, section

SENTENCE = "Form posts to /session; CSRF middleware stays first"
LEARNING = "Redis drops keys at midnight unless they have no expiry"


def test_a_sentence_and_what_was_learned_come_back_everywhere(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    life.starts().logs("task_completed", SENTENCE, task="US-001", learning=LEARNING)
    assert SENTENCE in section(life.context, "### " + life.log[-1]["timestamp"][:10] + " US-001: Login page")
    for shown in (life.context, life.report, life.readable, life.command("recall", "redis expiry")):
        assert LEARNING in shown
    assert SENTENCE in life.recent


def test_the_tool_logs_as_the_command_does(life: Life) -> None:
    life.plan("US-001 Login page")
    life.starts().calls("progress_log", type="task_completed", description=SENTENCE, task_id="US-001")
    assert SENTENCE in life.context
    assert "1/1 complete (100%)" in life.context


def test_the_hook_that_notices_the_story_hides_no_sentence(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    agent.logs("task_completed", SENTENCE, task="US-001")
    agent.marks("US-001", passes=True)
    agent.marks("US-002", passes=True)
    agent.logs("task_completed", "Cart kept in Redis", task="US-002")
    for shown in (life.context, life.recent, life.report):
        assert SENTENCE in shown
        assert "Cart kept in Redis" in shown
    assert "2 tasks completed" in life.recent


def test_a_cause_comes_back_with_its_cure(life: Life) -> None:
    cause = {"root_cause": "The cookie had no path", "resolution": "Set Path=/ in session.py"}
    life.starts().logs("debug_resolved", "Users were logged out on every page", data=cause)
    assert "The cookie had no path" in life.context
    assert "Set Path=/ in session.py" in life.context


def test_a_decision_comes_back_with_its_reason(life: Life) -> None:
    data = {"requested_tasks": ["US-003"], "reason": "The fair begins on Monday"}
    life.plan("US-001 Login page", "US-002 Cart", "US-003 Checkout")
    life.starts().logs("scope_override", "Checkout comes before the cart", data=data)
    assert "Checkout comes before the cart" in life.context
    assert "The fair begins on Monday" in life.context


def test_a_next_step_is_shown_until_an_entry_says_that_it_is_done(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    agent.logs("task_completed", SENTENCE, task="US-001", next="Ask Ada for the key of the mail server")
    for shown in (life.context, life.status, life.report):
        assert "Ask Ada for the key of the mail server" in shown
    agent.logs("milestone_reached", "Lamps are lit")
    assert "Ask Ada for the key" in section(life.context, "## Completion Status")
    agent.logs("milestone_reached", "Asked Ada for the key of the mail server")
    assert "Ask Ada" not in section(life.context, "## Completion Status")
    assert "Ask Ada" not in life.status


def test_a_next_step_ends_with_the_stories_that_it_names(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    agent.logs("milestone_reached", "Sketches agreed", next="Start US-001 with the form")
    assert "Start US-001 with the form" in life.status
    agent.marks("US-001", passes=True)
    assert "Start US-001" not in life.status


def test_a_long_note_comes_back_line_by_line(life: Life) -> None:
    notes = "- CSRF stays first\n- Sessions last a day\n\n## Decisions\n1. Forms post to /session"
    life.plan("US-001 Login page")
    life.starts().logs("task_completed", "Form is done", task="US-001", notes=notes)
    for line in ("CSRF stays first", "Sessions last a day", "Forms post to /session"):
        for shown in (life.context, life.recent, life.readable, life.report):
            assert line in shown


def test_a_muted_learning_is_shown_nowhere_and_the_entry_stays(life: Life) -> None:
    agent = life.starts()
    agent.logs("milestone_reached", "Cart kept in Redis", learning=LEARNING)
    life.command("mute", "drops keys at midnight")
    assert "drops keys" not in life.context
    assert all("drops keys" not in each["text"] for each in life.told_as_json("status")["learnings"])
    assert "Cart kept in Redis" in life.context


def test_a_retracted_entry_is_shown_nowhere_and_its_story_is_open_again(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    agent.logs("task_completed", "Form posts to nowhere", task="US-001")
    assert "1/2 complete" in life.context
    life.command("retract", life.entries("task_completed")[0]["id"])
    assert "0/2 complete" in life.context
    for shown in (life.context, life.recent, life.report):
        assert "nowhere" not in shown
    assert "nowhere" in str(life.log), "the log keeps what was taken back"
    agent.logs("task_completed", SENTENCE, task="US-001")
    assert SENTENCE in life.context
    assert "1/2 complete" in life.context


def test_a_newer_learning_replaces_the_one_that_it_corrects(life: Life) -> None:
    agent = life.starts()
    old, new = "`make dev` starts the server on port 3000", "`make dev` starts the server on port 4000 now"
    agent.logs("milestone_reached", "Server starts", learning=old)
    agent.logs("milestone_reached", "Port moved", learning=new)
    assert "port 4000" in life.context
    assert "port 3000" not in life.context


def test_an_agents_own_markdown_log_is_read_beside_the_plan(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    life.write(
        "progress.txt",
        "# Progress\n\n## 2026-03-01 - US-001\n\n- **What was implemented:** Form posts to /session\n"
        "- Files changed: `src/login.py`\n- **Learnings:**\n  - CSRF middleware must come first\n",
    )
    context = life.context
    assert "US-001: Login page" in context
    assert "Form posts to /session" in context
    assert "CSRF middleware must come first" in context
    assert "progress.txt" in life.status


def test_a_state_document_says_what_is_current_blocked_and_next(life: Life) -> None:
    life.write(
        "HANDOFF.md",
        "# Harbour\n\n## Current focus\nClosed berths in the search\n\n## Blockers\n"
        "- The payment provider has not opened the test account\n\n"
        "## Next steps\n1. Change the ETag when a berth is closed\n",
    )
    context = life.context
    head = section(context, "## Completion Status")
    assert "Current: Closed berths in the search" in head
    assert "The payment provider has not opened the test account" in head
    assert "Change the ETag when a berth is closed" in head
    assert "%" not in head


def test_a_session_that_nobody_wrote_about_leaves_no_trace(life: Life) -> None:
    life.plan("US-001 Login page")
    count = len(life.log)
    agent = life.starts()
    agent.stops()
    agent.ends()
    assert len(life.log) == count


@pytest.mark.parametrize(
    "private", ["The key is <private>swordfish</private>", "<private>swordfish</private>"]
)
def test_private_parts_are_never_written(life: Life, private: str) -> None:
    life.starts().logs("milestone_reached", "Mail goes out", notes=private)
    assert "Mail goes out" in life.context
    for place in life.main.rglob("*"):
        assert not place.is_file() or b"swordfish" not in place.read_bytes(), place


def test_a_secret_is_redacted_wherever_it_is_shown(life: Life) -> None:
    key = "ghp_" + "a1B2" * 9
    life.starts().logs("milestone_reached", f"Mirror pushes with {key}")
    assert "Mirror pushes with" in life.context
    for shown in (life.context, life.recent, life.report, life.status):
        assert key not in shown
