"""What is refused or cut, and that no message about it is false."""

from __future__ import annotations

import re

import pytest

from tests.journeys.project_life import Life


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
