"""What a session set out to do, and what was decided of its scope, comes back with every field."""

from __future__ import annotations

import pytest

from tests.journeys.project_life import Life, section

FOCUS, CONTEXT = "The login form", "Continues the work on cookies"
ASKED, REASON = ["Coupons in the cart", "Refunds"], "The customer sells coupons in May"


@pytest.mark.parametrize("sentence", [None, "It goes on"])
@pytest.mark.parametrize("task", [None, "US-002"])
def test_requested_tasks_and_their_reason_come_back(
    life: Life, sentence: str | None, task: str | None
) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    more = {"task": task} if task else {}
    agent.logs("scope_override", sentence, data={"requested_tasks": ASKED, "reason": REASON}, **more)
    for told in (life.context, life.recent, life.report, life.readable):
        assert all(words in told for words in (*ASKED, REASON, sentence or ""))
    assert REASON in section(life.context, "## Recent Context")


@pytest.mark.parametrize("sentence", [None, "It goes on"])
def test_what_a_session_was_to_do_comes_back(life: Life, sentence: str | None) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    agent.logs("session_started", sentence, data={"focus_task": FOCUS, "context": CONTEXT})
    for told in (life.context, life.recent, life.report, life.readable):
        assert all(words in told for words in (FOCUS, CONTEXT, sentence or ""))


def test_of_what_was_requested_no_part_is_told_as_if_it_were_all(life_alone: Life) -> None:
    life_alone.plan("US-001 Login page", "US-002 Cart")
    agent = life_alone.starts()
    agent.logs("scope_override", data={"requested_tasks": ASKED, "reason": "The customer sells coupons"})
    agent.logs("scope_override", "Search is left out")
    assert "Requested tasks: Coupons in the cart, Refunds" in life_alone.context


def test_an_automatic_start_of_a_session_says_nothing(life_alone: Life) -> None:
    life_alone.plan("US-001 Login page")
    agent = life_alone.starts()
    agent.marks("US-001", passes=True)
    agent.ends()
    assert "ession started" not in life_alone.context


THREE, BOARD = "Members may hold three reservations at most", "The board decided it on 25 November"


def test_a_change_of_scope_is_one_statement_where_it_is_said_what_its_story_has_to_fulfil(
    life_alone: Life,
) -> None:
    life_alone.plan("US-005 Remind members", "US-006 Reserve a tool")
    life_alone.story("US-005", passes=True)
    life_alone.story("US-006", acceptanceCriteria=["Served in order", "Lapses after 3 days"])
    agent = life_alone.starts()
    agent.logs("scope_override", THREE, data={"requested_tasks": ["US-006"], "reason": BOARD})
    told = f"changed by the user: {THREE} (reason: {BOARD})"
    assert f"Asked for: Served in order; Lapses after 3 days; {told}" in life_alone.context.splitlines()
    assert "Requested tasks" not in life_alone.context
    assert f"- {THREE} (reason: {BOARD})" in section(life_alone.context, "### US-006")
    assert [entry["task_id"] for entry in life_alone.entries("scope_override")] == ["US-006"]


def test_a_change_of_scope_is_told_with_its_reason_and_its_story_when_it_is_recent_no_more(
    life_alone: Life,
) -> None:
    life_alone.plan(*(f"US-00{number} Story {number}" for number in range(1, 8)))
    agent = life_alone.starts()
    agent.logs("scope_override", THREE, data={"requested_tasks": ["US-006"], "reason": BOARD})
    for number in range(1, 5):
        agent.logs("task_completed", f"Wrote part {number}", task=f"US-00{number}")
    assert f"- US-006: {THREE} (reason: {BOARD})" in life_alone.context.splitlines()


def test_a_change_of_scope_that_requests_several_tasks_names_them_beside_its_words(life_alone: Life) -> None:
    life_alone.plan("US-001 Login page", "US-002 Cart", "US-003 Search")
    agent = life_alone.starts()
    agent.logs("scope_override", THREE, data={"requested_tasks": ["US-002", "US-003"], "reason": BOARD})
    told = f"{THREE} (requested tasks: US-002, US-003; reason: {BOARD})"
    assert f"- {told}" in section(life_alone.context, "### Scope changed").splitlines()
