"""Sessions begin, end, are resumed and compacted; people work between them."""

from __future__ import annotations

from copy import copy

import pytest

from tests.journeys.project_life import Life


def test_the_last_end_of_a_resumed_session_counts(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    agent.marks("US-001", passes=True)
    agent.ends()
    agent.starts("resume")
    agent.marks("US-002", passes=True)
    agent.ends()
    ends = [line for line in life.recent.splitlines() if "🏁" in line]
    assert len(ends) == 1
    assert "2 tasks completed" in ends[0]


def test_after_a_compaction_the_agent_finds_its_place(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    agent.marks("US-001", passes=True)
    agent.logs("task_completed", "Form posts to /session", task="US-001", next="Cart on Redis")
    context = agent.is_compacted()
    assert "Form posts to /session" in context
    assert "Next: Cart on Redis" in context
    assert "Current: US-002" in context


@pytest.mark.parametrize("by_tool", [True, False])
def test_what_was_logged_before_the_plan_edit_gets_the_commit_and_its_files(
    life: Life, by_tool: bool
) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    life.commit("plan")
    agent = life.starts()
    agent.edits("src/login.py", "form = 1\n")
    if by_tool:
        agent.calls("progress_log", type="task_completed", description="Form posts", task_id="US-001")
    else:
        agent.logs("task_completed", "Form posts", task="US-001")
    agent.marks("US-001", passes=True)
    commit = agent.commits("login")
    agent.stops()
    [entry] = [each for each in life.entries("task_completed") if "supplements" not in each["data"]]
    [added] = [each["data"] for each in life.log if each["data"].get("supplements") == entry["id"]]
    assert added["commit"] == commit
    assert "src/login.py" in added["files_modified"]
    assert "- Form posts" in life.context.splitlines()


def test_the_status_line_of_each_worktree_follows_the_log_that_they_share(life_alone: Life) -> None:
    here = life_alone
    here.plan("US-001 Login page", "US-002 Cart")
    here.commit("plan")
    here.git("worktree", "add", "-q", str(here.root.parent / "annexe"), "-b", "side")
    there = copy(here)
    there.root = here.root.parent / "annexe"
    here.starts().logs("milestone_reached", "Sketches agreed")
    assert there.status_line == "US-001 0/2 ░░░░░░░░"
    agent = here.starts()
    for writer, reader, number in ((here, there, 1), (there, here, 2)):
        writer.starts().logs("task_blocked", "No key for the mail server", task=f"US-{number:03}")
        assert any(reader.shown_status_line.endswith(f" !{number}") for _ in range(100))
    assert agent.life.status_line.endswith("!2")
