"""What is refused, what is cut, and that neither ever claims something that is not so."""

from __future__ import annotations

import re

import pytest

from tests.journeys.project_life import Life


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["task_completed"], "names a task or says something"),
        (["task_completed", "--description", "\u200b\u2800\u3164\u00a0"], "names a task or says something"),
        (["task_completed", "--task", "T1", "--data", '{"description": 5}'], "description must be text"),
        (
            ["task_completed", "--task", "T1", "--resolves", "entry-nope"],
            "entry-nope is no entry of this log",
        ),
        (
            ["task_completed", "-m", "Form posts", "--data", '{"supplements": ["entry-nope"]}'],
            "entry-nope is no entry of this log",
        ),
        (["task_completed", "--task", "."], "task '.' has no letter or digit, so it names no task"),
    ],
)
def test_an_entry_that_says_nothing_is_refused_in_one_line(life: Life, words: list[str], said: str) -> None:
    before = life.log
    done = life.try_command("log", *words)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert said in done.stderr
    assert life.log == before


def test_what_was_taken_back_can_be_neither_resolved_nor_taken_back_again(life: Life) -> None:
    agent = life.starts()
    agent.logs("task_blocked", task="US-001", data={"issue": "No key for the mail server"})
    blocker = life.log[-1]["id"]
    life.command("retract", blocker)
    before = life.log
    for kind, name in (("debug_resolved", "resolves"), ("scope_override", "retracts")):
        told = agent.calls("progress_log", type=kind, description="The key is there", data={name: blocker})
        assert f"{blocker} is retracted already" in told
    assert life.log == before


def test_a_cut_section_does_not_claim_that_there_is_nothing(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    agent.logs("task_blocked", task="US-001", data={"issue": "No key for the mail server"})
    agent.logs(
        "milestone_reached", "Half way", learning="Redis drops keys at midnight unless they have no expiry"
    )
    life.environment["AGENT_PROGRESS_MAX_CONTEXT_TOKENS"] = "100"
    context = life.context
    assert "Blocked: None" not in context
    assert "No reusable patterns identified yet" not in context
    assert "`agent-progress recent`" not in context.partition("---")[2]


@pytest.mark.parametrize("life", ["plain", "in-a-linked-worktree"], indirect=True)
def test_the_full_log_holds_everything_that_was_said(life: Life) -> None:
    life.plan("US-001 Login page", optimization={"progressSummary": {"enabled": False}})
    life.write(
        "progress.txt",
        "# Progress\n\n## 2026-03-01 - US-001\n\n- **What was implemented:** Form posts to /session\n"
        "- **Learnings:**\n  - CSRF middleware must come first\n",
    )
    life.session().logs(
        "task_completed", "Sessions last a day", task="US-001", learning="Cookies need a path"
    )
    context = life.context
    for told in ("Sessions last a day", "Cookies need a path", "Form posts to /session", "CSRF middleware"):
        assert told in context
    assert "\\-" not in context


def test_a_hundred_and_fifty_plans_leave_room_for_what_they_say(life: Life) -> None:
    for number in range(150):
        life.write(
            f".agent-os/specs/2026-01-01-a-feature-with-a-name-{number}/tasks.md",
            f"# Tasks\n\n- [ ] 1. Mend sluice {number}\n",
        )
    life.starts()
    assert "Current: 1: Mend sluice" in life.context
    assert "Plans with open items" in life.context
    assert len(life.status) < 40_000


@pytest.mark.parametrize("life", ["plain", "in-a-linked-worktree"], indirect=True)
def test_what_a_full_log_has_no_room_for_is_printed_by_the_command_that_it_names(life: Life) -> None:
    life.plan("US-001 Login page", optimization={"progressSummary": {"enabled": False}})
    entries = (
        f"## 2026-01-{day:02} - US-{day:03}: Basin\n\n- Dredged {'deep ' * 90}{day}\n\n"
        for day in range(1, 29)
    )
    life.write("progress.txt", "# Progress\n\n" + "".join(entries))
    life.session().logs("task_completed", "Sessions last a day", task="US-001")
    context = life.context
    assert f"deep {1}\n" not in context
    [command] = re.findall(r"\[cut here: `(?:\S*/)?agent-progress (.*)` prints all of it\]", context)
    whole = life.command(*command.split())
    assert "Sessions last a day" in whole
    assert all(f"deep {day}\n" in whole for day in range(1, 29))


def test_finished_stories_share_a_row_and_are_counted(life: Life) -> None:
    life.plan(*(f"US-{number:03} Berth {number} is dredged" for number in range(1, 61)))
    for story in range(1, 61):
        life.story(f"US-{story:03}", passes=True)
    assert "| US-001 to US-060 | 60 stories | ✓ |" in life.context
    assert life.status.count("is dredged") == 60


def test_that_no_learnings_are_wanted_does_not_say_that_there_are_none(life: Life) -> None:
    life.plan("US-001 Login page", optimization={"progressSummary": {"maxLearnings": 0}})
    agent = life.starts()
    data = {"files_modified": ["login.py"]}
    agent.logs(
        "task_completed", "Form posts", task="US-001", learning="Redis drops keys at midnight", data=data
    )
    context = life.context
    assert "Redis drops keys" not in context
    assert "1 known, none shown: `agent-progress recall WORDS`" in context
    assert "No reusable patterns" not in context
    assert life.told_as_json("status")["learnings"][0]["text"] == "Redis drops keys at midnight"
