"""Sessions begin, end, are resumed and compacted; people work between them."""

from __future__ import annotations

import json
import os
import re
from copy import copy

import pytest

from tests.journeys.project_life import OURS, Life, section


def test_a_story_finished_by_hand_and_committed_between_two_sessions_is_recorded(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    life.commit("plan")
    life.starts().stops()
    life.story("US-001", passes=True)
    commit = life.commit("login, by hand")
    agent = life.starts()
    agent.stops()
    (entry,) = life.entries("task_completed")
    assert (entry["task_id"], entry["data"]["commit"]) == ("US-001", commit)


def test_what_a_pull_brings_is_nobodys_work_here(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    life.commit("plan")
    here = life.git("branch", "--show-current")
    life.git("checkout", "-q", "-b", "colleague")
    life.story("US-001", passes=True)
    life.commit("login, by a colleague")
    life.git("checkout", "-q", here)
    life.story("US-001", passes=False)
    life.git("checkout", "-q", "--", "prd.json")
    life.starts().stops()
    life.git("merge", "-q", "--ff-only", "colleague")
    life.starts().stops()
    assert life.entries("task_completed") == []
    assert "Stories: 1/2 complete" in life.context


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


def test_the_end_of_a_session_says_what_was_done_not_why_it_ended(life: Life) -> None:
    life.plan("US-001 Login page")
    agent = life.starts()
    agent.marks("US-001", passes=True)
    agent.ends("other")
    assert "session ended: 1 task completed" in life.recent
    assert " other\n" not in life.recent


def test_a_session_that_did_nothing_leaves_no_trace(life: Life) -> None:
    life.plan("US-001 Login page")
    before = len(life.log)
    agent = life.starts()
    agent.stops()
    agent.ends()
    assert len(life.log) == before


def test_after_a_compaction_the_agent_finds_its_place(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    agent.marks("US-001", passes=True)
    agent.logs("task_completed", "Form posts to /session", task="US-001", next="Cart on Redis")
    context = agent.is_compacted()
    assert "Form posts to /session" in context
    assert "Next: Cart on Redis" in context
    assert "Current: US-002" in context


def test_an_item_of_the_clients_task_list_and_the_plan_are_one_story(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    agent.finishes_task("US-001: Login page")
    agent.marks("US-001", passes=True)
    agent.logs("task_completed", "Form posts to /session", task="US-001")
    assert len([e for e in life.entries("task_completed") if "supplements" not in e["data"]]) == 1
    assert "Form posts to /session" in life.context


def test_without_a_plan_a_task_and_the_sentence_about_it_are_one_entry(life: Life) -> None:
    life.command("init")
    agent = life.starts()
    agent.finishes_task("Mend the lamp")
    agent.logs("task_completed", "Mend the lamp", notes="the wick was wet")
    finished = [e for e in life.entries("task_completed") if "supplements" not in e["data"]]
    assert len(finished) == 1
    assert "the wick was wet" in life.context


def test_a_second_agent_beside_the_first_takes_nothing_from_it(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    first, second = life.starts(), life.starts()
    first.logs("task_completed", "Form posts to /session", task="US-001")
    second.logs("task_completed", "Cart kept in Redis", task="US-002")
    first.ends()
    second.ends()
    context = life.context
    assert "Form posts to /session" in context
    assert "Cart kept in Redis" in context


def test_a_log_begun_a_year_ago_still_tells_what_was_done_last(life: Life) -> None:
    agent = life.session()
    for number in range(8):
        agent.logs("task_completed", f"Stone {number} is laid", task=f"T-{number}")
    context = life.context
    assert all(f"Stone {number} is laid" in context for number in (5, 6, 7))
    assert "Stories: 8/8 complete (100%)" in context


def test_a_story_finished_after_a_person_began_the_log_is_recorded(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    life.command("log", "milestone_reached", "-m", "Sketches agreed")
    agent = life.starts()
    agent.marks("US-001", passes=True)
    [entry] = life.entries("task_completed")
    assert entry["task_id"] == "US-001"


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
    told = section(life.context, "### US-001: Login page")
    assert "- Form posts" in told.splitlines()
    assert "- Files: src/login.py" in told.splitlines()


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
        while not reader.shown_status_line.endswith(f" !{number}"):
            os.sched_yield()
    assert agent.life.status_line.endswith("!2")


def test_the_report_draws_an_entry_at_its_hour(life: Life) -> None:
    directory = life.main / OURS
    directory.mkdir(parents=True, exist_ok=True)
    (directory / ".gitignore").write_text("*\n", "utf-8")
    entries = [
        {"id": f"entry-{number}", "timestamp": f"2026-03-01T{hour}:10:00Z", "type": "milestone_reached",
         "data": {"description": f"Stone {number} is laid"}}
        for number, hour in enumerate(("08", "08", "15"))
    ]  # fmt: skip
    (directory / "progress.json").write_text(json.dumps({"version": "1.0", "entries": entries}), "utf-8")
    life.command("report", "--output", "report.html")
    page = (life.root / "report.html").read_text("utf-8")
    assert ">Entries per hour</title>" in page
    assert ">3 entries, at most 2 per hour.</desc>" in page
    assert re.search(r">Entries per hour</title>.*?(\d\d:\d\d)", page, re.DOTALL)[1] == "08:00"  # type: ignore[index]
