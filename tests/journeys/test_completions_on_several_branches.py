"""A story that was finished on another branch is finished here, too, once somebody says so here."""

from __future__ import annotations

import json

import pytest

from tests.journeys.project_life import Life

THERE, HERE = "Quay wall stands", "The wall was poured here as well"


def _on(life: Life, branch: str) -> None:
    life.git("checkout", "-q", branch)


@pytest.fixture
def life(life_alone: Life) -> Life:
    """Return a project whose plan has a story open on both of its branches."""
    life_alone.plan("US-001 Quay", "US-002 Crane")
    life_alone.commit("plan")
    life_alone.git("branch", "feat")
    return life_alone


def _is_told_as_done_here(life: Life) -> None:
    assert "not here" not in life.status
    assert "Mismatch: done in the log, open in the plan: US-001" in life.status
    assert "not here" not in life.context
    page = json.loads(life.report)
    assert page["elsewhere"] == []
    assert "done in the log, open in the plan: US-001" in page["drift"]


@pytest.mark.parametrize(("first", "then"), [("feat", "main"), ("main", "feat")])
@pytest.mark.parametrize("said", [HERE, THERE, None])
def test_what_is_logged_on_a_second_branch_is_done_on_both(
    life: Life, first: str, then: str, said: str | None
) -> None:
    _on(life, first)
    life.starts().logs("task_completed", THERE, task="US-001")
    _on(life, then)
    assert f"Elsewhere: done on branch {first}, not here: US-001" in life.status
    life.starts().logs("task_completed", said, task="US-001")
    assert "1 task completed" in life.recent
    _is_told_as_done_here(life)
    _on(life, first)
    _is_told_as_done_here(life)


def test_what_a_commit_adds_on_another_branch_finishes_nothing_there(life: Life) -> None:
    _on(life, "feat")
    session = life.starts()
    session.logs("task_completed", THERE, task="US-001")
    _on(life, "main")
    life.write("quay.txt", "stones")
    session.commits("US-001: Quay")
    assert "Elsewhere: done on branch feat, not here: US-001" in life.status


def test_a_branch_on_which_the_words_were_retracted_has_nothing_done(life: Life) -> None:
    _on(life, "feat")
    life.starts().logs("task_completed", THERE, task="US-001")
    _on(life, "main")
    life.starts().logs("task_completed", HERE, task="US-001")
    life.command("retract", life.entries("task_completed")[-1]["id"])
    assert "Elsewhere: done on branch feat, not here: US-001" in life.status


def test_it_is_done_here_where_each_branch_has_an_entry_of_its_own(life: Life) -> None:
    _on(life, "feat")
    life.starts().logs("task_completed", THERE, task="US-001")
    life.starts().logs("task_blocked", "The wall cracked", task="US-001")
    _on(life, "main")
    life.starts().logs("task_completed", HERE, task="US-001")
    _is_told_as_done_here(life)
