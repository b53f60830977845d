"""Two agents finish the same story, each in a worktree of its own: both were at it, and it counts once."""

from __future__ import annotations

import copy

import pytest

from tests.journeys.project_life import Life, Session


@pytest.fixture
def life(life_alone: Life) -> Life:
    """Return a project whose plan is committed; `_worktree` adds agents to it."""
    life_alone.plan("US-001 Quay", "US-002 Crane")
    life_alone.write(".gitignore", ".agent-os/\n")
    life_alone.commit("plan")
    return life_alone


def _worktree(life: Life, branch: str) -> Life:
    place = life.main.parent / branch
    life.git("worktree", "add", "-q", str(place), "-b", branch)
    there = copy.deepcopy(life)
    there.root = place
    return there


def _agent(there: Life, name: str) -> Session:
    agent = Session(there, name)
    agent.starts()
    return agent


def _finishes_and_commits(agent: Session, file: str) -> str:
    agent.marks("US-001", passes=True)
    agent.stops()
    agent.life.write(file, "done\n")
    return agent.commits("Build the quay")


def test_both_agents_leave_session_completion_and_commit(life: Life) -> None:
    first = _agent(_worktree(life, "fa"), "agent-a")
    second = _agent(_worktree(life, "fb"), "agent-b")
    commits = {
        "agent-a": _finishes_and_commits(first, "a.txt"),
        "agent-b": _finishes_and_commits(second, "b.txt"),
    }
    second.ends()
    assert [entry["data"]["session_id"] for entry in life.entries("session_started")] == list(commits)
    main, *others = life.entries("task_completed")
    assert all(entry["data"]["supplements"] == main["id"] for entry in others)
    for session, branch, file in (("agent-a", "fa", "a.txt"), ("agent-b", "fb", "b.txt")):
        own = [entry for entry in (main, *others) if entry["data"]["session_id"] == session]
        assert {entry["branch"] for entry in own} == {branch}
        assert [entry["data"]["commit"] for entry in own if "commit" in entry["data"]] == [commits[session]]
        assert any(file in entry["data"].get("files_modified", ()) for entry in own)
    assert any(entry["data"].get("session_id") == "agent-b" for entry in life.entries("session_ended"))


def test_it_counts_once_and_every_branch_is_named(life: Life) -> None:
    first = _agent(_worktree(life, "fa"), "agent-a")
    second = _agent(_worktree(life, "fb"), "agent-b")
    _finishes_and_commits(first, "a.txt")
    _finishes_and_commits(second, "b.txt")
    assert "1 task completed" in life.recent
    assert "Elsewhere: done on branch fa, not here: US-001" in life.status
    assert "done on branch fb, not here: US-001" in life.status
    assert "not here" not in first.life.status
    assert "not here" not in second.life.status


def test_what_an_agent_logs_of_it_in_the_second_worktree_has_its_commit(life: Life) -> None:
    first = _agent(_worktree(life, "fa"), "agent-a")
    second = _agent(_worktree(life, "fb"), "agent-b")
    _finishes_and_commits(first, "a.txt")
    second.logs("task_completed", "The quay stands here, too", task="US-001")
    second.life.write("b.txt", "done\n")
    commit = second.commits("Build the quay")
    own = [entry["data"] for entry in life.entries("task_completed") if entry["branch"] == "fb"]
    assert [data["commit"] for data in own if "commit" in data] == [commit]


def test_looking_again_adds_nothing(life: Life) -> None:
    first = _agent(_worktree(life, "fa"), "agent-a")
    second = _agent(_worktree(life, "fb"), "agent-b")
    _finishes_and_commits(first, "a.txt")
    _finishes_and_commits(second, "b.txt")
    before = len(life.log)
    for agent in (first, second):
        agent.stops()
        agent.edits("prd.json")
        agent.finishes_task("Quay")
    assert len(life.log) == before


def test_where_the_first_completion_is_taken_back_the_second_one_stays(life: Life) -> None:
    first = _agent(_worktree(life, "fa"), "agent-a")
    second = _agent(_worktree(life, "fb"), "agent-b")
    _finishes_and_commits(first, "a.txt")
    _finishes_and_commits(second, "b.txt")
    life.command("retract", life.entries("task_completed")[0]["id"])
    assert "1 task completed" in life.recent
    assert "done on branch fb, not here: US-001" in life.status
    assert "branch fa" not in life.status


def test_a_client_that_ticks_its_task_on_a_new_branch_tells_nothing_new(life: Life) -> None:
    agent = _agent(life, "agent-a")
    agent.marks("US-001", passes=True)
    life.git("checkout", "-q", "-b", "later")
    agent.finishes_task("Quay")
    assert len(life.entries("task_completed")) == 1


def test_merging_the_branch_of_another_agent_finishes_nothing(life: Life) -> None:
    first = _agent(_worktree(life, "fa"), "agent-a")
    _finishes_and_commits(first, "a.txt")
    before = len(life.log)
    agent = _agent(life, "agent-m")
    life.git("merge", "-q", "--no-ff", "-m", "merge fa", "fa")
    agent.stops()
    assert len(life.log) == before
