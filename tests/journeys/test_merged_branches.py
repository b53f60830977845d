"""What was logged done on a branch is done here once that branch was merged, though the plan has it open."""

from __future__ import annotations

import pytest

from tests.journeys.project_life import Life

ELSEWHERE = "done on branch feat-b, not here: US-2"
DRIFT = "done in the log, open in the plan: US-2"


@pytest.fixture
def life(life_alone: Life) -> Life:
    """Return a project where a story was logged done on a branch, and main has work of its own."""
    life_alone.plan("US-1 Quay", "US-2 Crane")
    life_alone.commit("plan")
    life_alone.git("checkout", "-q", "-b", "feat-b")
    life_alone.starts().logs("task_completed", "Crane turns", task="US-2")
    life_alone.write("crane.txt", "turns")
    life_alone.commit("crane")
    life_alone.git("checkout", "-q", "main")
    assert ELSEWHERE in life_alone.status
    assert ELSEWHERE in life_alone.context
    return life_alone


def _is_done_here(life: Life) -> None:
    context, status = life.context, life.status
    for told in (context, status):
        assert ELSEWHERE not in told
        assert DRIFT in told


def test_after_a_merge_without_a_commit_of_its_own(life: Life) -> None:
    life.git("merge", "-q", "feat-b")
    _is_done_here(life)


def test_after_a_merge_by_a_commit_whose_branch_is_gone(life: Life) -> None:
    life.write("quay.txt", "stones")
    life.commit("quay")
    life.git("merge", "-q", "feat-b", "-m", "Crane")
    life.git("branch", "-D", "feat-b")
    life.commit("more")
    _is_done_here(life)


def test_after_a_merge_that_was_ended_by_hand(life: Life) -> None:
    life.git("merge", "-q", "--no-ff", "--no-commit", "feat-b")
    life.git("commit", "-q", "--no-edit")
    _is_done_here(life)


def test_after_a_pull_of_it(life: Life) -> None:
    life.git("pull", "-q", "--no-rebase", ".", "feat-b")
    _is_done_here(life)


def test_in_a_linked_worktree(life: Life) -> None:
    life.git("worktree", "add", "-q", str(life.root.parent / "annexe"), "-b", "side")
    life.root = life.root.parent / "annexe"
    assert ELSEWHERE in life.status
    life.git("merge", "-q", "feat-b")
    _is_done_here(life)


def test_not_after_the_merge_was_taken_back(life: Life) -> None:
    life.git("merge", "-q", "feat-b")
    life.git("reset", "-q", "--hard", "HEAD~1")
    assert ELSEWHERE in life.status
    assert ELSEWHERE in life.context


def test_not_on_a_branch_that_did_not_merge_it(life: Life) -> None:
    life.git("branch", "other")
    life.git("merge", "-q", "feat-b")
    life.git("checkout", "-q", "other")
    assert ELSEWHERE in life.status
