"""A completion that no plan knows counts once, however often it is logged, and all that was said of it comes back."""

from __future__ import annotations

import pytest

from tests.journeys.project_life import Life

COMMAS = "Parser reads commas"
QUOTES = "Quoted fields are read, too"


@pytest.mark.parametrize("first", [None, "session-1"])
@pytest.mark.parametrize("second", [None, "session-1"])
def test_a_task_logged_again_counts_once_and_both_sentences_come_back(
    life_alone: Life, first: str | None, second: str | None
) -> None:
    life_alone.command("log", "task_completed", "--task", "T-1", "-m", COMMAS, session=first)
    life_alone.command("log", "task_completed", "--task", "t-1", "-m", QUOTES, session=second)
    for told in (life_alone.context, life_alone.recent, life_alone.report, life_alone.readable):
        assert COMMAS in told
        assert QUOTES in told
    assert "1 task completed" in life_alone.recent


def test_a_sentence_without_task_that_is_logged_again_counts_once(life_alone: Life) -> None:
    for notes in ("on port 8080", "behind the proxy"):
        life_alone.command("log", "task_completed", "-m", COMMAS, "--notes", notes)
    assert "1 task completed" in life_alone.recent
    assert "behind the proxy" in life_alone.recent


def test_a_task_that_was_blocked_meanwhile_is_finished_a_second_time(life_alone: Life) -> None:
    life_alone.command("log", "task_completed", "--task", "T-1", "-m", COMMAS)
    life_alone.command("log", "task_blocked", "--task", "T-1", "-m", "Commas within quotes")
    life_alone.command("log", "task_completed", "--task", "T-1", "-m", QUOTES)
    assert "1 task completed in 2 entries" in life_alone.recent


@pytest.mark.parametrize("spec", [None, "import"])
def test_what_another_session_or_another_spec_finishes_is_its_own(life_alone: Life, spec: str | None) -> None:
    more = ["--spec", spec] if spec else []
    life_alone.command("log", "task_completed", "--task", "1", "-m", COMMAS, session="session-1")
    life_alone.command("log", "task_completed", "--task", "1", "-m", QUOTES, *more, session="session-2")
    said = "2 tasks completed," if spec else "1 task completed in 2 entries,"
    assert said in life_alone.recent


def test_recent_counts_once_what_only_has_a_title(life_alone: Life) -> None:
    life_alone.command("init")
    for session in (life_alone.starts(), life_alone.starts()):
        session.finishes_task("Write docs", "1")
        session.finishes_task("Write docs", "2")
    life_alone.command("log", "task_completed", "-m", "Write docs")
    assert "1 task completed in 5 entries" in life_alone.recent
    life_alone.starts().finishes_task("Write tests", "3")
    assert "2 tasks completed in 6 entries" in life_alone.recent


def test_stories_of_two_plans_with_one_id_are_two(life_alone: Life) -> None:
    life_alone.plan("US-1 Cart", "US-2 Pay", name="Shop")
    life_alone.plan("US-1 Crane", "US-2 Quay", path="tasks/prd.json", name="Port")
    for spec in ("Shop", "Port"):
        life_alone.command("log", "task_completed", "--task", "US-1", "--spec", spec)
    assert "2 tasks completed," in life_alone.recent
