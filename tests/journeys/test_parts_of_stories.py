"""Parts of a story (subtasks): what is logged of them is told at their story, and says no status of it."""

from __future__ import annotations

import json

from tests.journeys.project_life import Life, Session, section

TASKS = ".taskmaster/tasks/tasks.json"
PARTS = ("Lexer", "Grammar", "Errors")
LEXER = "Keywords are case sensitive"


def marked(agent: Session, *parts: str, story: str = "pending") -> None:
    """Give the parts of task 2 these statuses, in an edit of the agent's."""
    subtasks = [
        {"id": at, "title": title, "status": status}
        for at, (title, status) in enumerate(zip(PARTS, parts, strict=True), 1)
    ]
    tasks = [
        {"id": 1, "title": "Setup", "status": "done"},
        {"id": 2, "title": "Parser", "status": story, "subtasks": subtasks},
        {"id": 3, "title": "Commands", "status": "pending", "priority": "high"},
    ]
    agent.edits(TASKS, json.dumps({"master": {"tasks": tasks}}))


def test_words_on_a_part_are_told_at_its_story_and_have_begun_it(life_alone: Life) -> None:
    agent = Session(life_alone, "one")
    marked(agent, "pending", "pending", "pending")
    assert "Current: 3 (attempt 1): Commands, not begun" in life_alone.context
    agent.logs("task_completed", LEXER, task="2.1")
    context = life_alone.context
    assert "Current: 2 (attempt 1): Parser\n" in context
    assert "Next: Lexer; Grammar; Errors\n" in context
    assert LEXER in section(context, "### 2: Parser (○)")
    assert "Mismatch" not in context
    assert "1/3 complete" in life_alone.status
    assert LEXER in life_alone.command("recall", "--story", "2", "keywords")
    assert LEXER not in life_alone.try_command("recall", "--story", "3", "keywords").stdout
    marked(agent, "done", "done", "done", story="done")
    context = life_alone.context
    assert LEXER in section(context, "### 2: Parser (✓)")
    assert "Current: 3 (attempt 1): Commands, not begun" in context


def test_a_step_that_names_a_part_is_over_with_that_part(life_alone: Life) -> None:
    agent = Session(life_alone, "one")
    marked(agent, "done", "pending", "pending")
    agent.logs("task_completed", LEXER, task="2.1", next="2.2: precedence climbing in parse/rules.py")
    assert "Next: 2.2: precedence climbing" in life_alone.context
    marked(agent, "done", "done", "pending")
    assert "Next: Errors\n" in life_alone.context
    agent.logs("milestone_reached", "The parser is fast")
    assert "precedence climbing" not in life_alone.context


def test_words_on_a_part_that_another_plan_has_too_are_told_at_no_story(life_alone: Life) -> None:
    for name, title in (("auth", "Login form"), ("billing", "Invoice numbers")):
        life_alone.write(
            f".agent-os/specs/2026-11-01-{name}/tasks.md", f"# Tasks\n\n- [ ] 1. {title}\n  - [ ] 1.1 Table\n"
        )
    agent = life_alone.starts()
    agent.logs("task_completed", "Numbers come from a sequence", task="1.1", spec="billing")
    assert "Numbers come from a sequence" in section(life_alone.context, "### 1: Invoice numbers (○)")
    agent.logs("task_completed", "Which of them is this", task="1.1")
    assert "Which of them is this" not in section(life_alone.context, "### 1: Invoice numbers (○)")
