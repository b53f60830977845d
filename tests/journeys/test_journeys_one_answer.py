"""Blockers, next step and percent: whoever asks, wherever, gets the same answer."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

import pytest

from tests.journeys.project_life import OURS, Life, section

KEPT_BY_AN_AGENT = """# Harbour app

## Blockers
- The payment provider has not opened the test account

## Session 2026-03-30
- Closed berths are left out of the search

## Next steps
1. Change the ETag when a berth is closed
"""


def next_everywhere(life: Life) -> dict[str, str]:
    """Return what each way out says comes next, empty where it says nothing."""
    found = {
        "summary": re.search(r"^Next: (.*)$", life.context, re.MULTILINE),
        "status": re.search(r"^Next: +(.*)$", life.status, re.MULTILINE),
        "recent": re.search(r" Next: (.*?)\.?$", life.recent.split("\n")[0]),
    }
    told = {name: match[1] if match else "" for name, match in found.items()}
    told["status --json"] = life.told_as_json("status")["next"] or ""
    summed_up = re.search(r" Next: (.*?)\.?$", life.told_as_json("recent")["summary"])
    told["recent --json"] = summed_up[1] if summed_up else ""
    told["report"] = json.loads(life.report)["next"]
    return told


def blockers_everywhere(life: Life, words: str) -> dict[str, bool]:
    """Return which ways out name a blocker by these words."""
    blocked = "\n".join(line for line in life.status.split("\n") if line.startswith("Blocked:"))
    status = life.told_as_json("status")
    return {
        "summary": words in section(life.context, "## Completion Status"),
        "status": words in blocked,
        "status --json": words in json.dumps(status["blocked"]),
        "recent": words in life.recent.partition("Open blockers:")[2],
        "report": words in json.dumps(json.loads(life.report)["blockers"]),
    }


def number_everywhere(life: Life) -> dict[str, int]:
    """Return how many blockers each way out counts."""
    found = {
        "user line": re.search(r"(\d+) blocker", life.user_line),
        "status line": re.search(r"!(\d+)", life.status_line),
        "recent": re.search(r"(\d+) blockers?[.,]", life.recent),
    }
    counted = {name: int(match[1]) if match else 0 for name, match in found.items()}
    return counted | {"status --json": life.told_as_json("status")["blocking"]}


def all_say(told: Mapping[str, object], expected: object) -> None:
    assert told == dict.fromkeys(told, expected)


def test_the_story_after_the_current_one_comes_next_everywhere(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart", "US-003 Checkout")
    life.starts().logs("milestone_reached", "Sketches agreed", next="Call the harbour master")
    all_say(next_everywhere(life), "US-002: Cart")
    life.story("US-001", passes=True)
    all_say(next_everywhere(life), "US-003: Checkout")


def test_without_open_stories_the_step_that_a_document_states_comes_next(life: Life) -> None:
    life.plan("US-001 Login page")
    life.write("progress.md", KEPT_BY_AN_AGENT)
    life.story("US-001", passes=True)
    life.starts()
    all_say(next_everywhere(life), "Change the ETag when a berth is closed (progress.md)")


def test_an_open_blocker_of_the_log_is_named_and_counted_whatever_an_open_plan_says(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    agent.logs("task_blocked", task="US-001", data={"issue": "No key for the mail server"})
    for status in ("in_progress", "failed"):
        life.story("US-001", status=status)
        all_say(blockers_everywhere(life, "No key for the mail server"), True)
    all_say(number_everywhere(life), 1)
    agent.logs("debug_resolved", "The key came", task="US-001")
    all_say(blockers_everywhere(life, "No key for the mail server"), False)
    all_say(number_everywhere(life), 0)


def test_what_only_the_plan_blocks_is_named_and_counted_everywhere(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart", "US-003 Checkout")
    life.story("US-003", dependsOn=["US-002"])
    life.story("US-002", status="blocked", notes="The harbour office is closed")
    life.starts().logs("milestone_reached", "Sketches agreed")
    all_say(blockers_everywhere(life, "The harbour office is closed"), True)
    all_say(number_everywhere(life), 1)


def test_a_blocker_that_an_agent_states_in_its_own_log_is_named_and_counted_everywhere(life: Life) -> None:
    life.write("progress.md", KEPT_BY_AN_AGENT)
    life.starts().logs("milestone_reached", "Sketches agreed")
    all_say(blockers_everywhere(life, "The payment provider has not opened"), True)
    all_say(number_everywhere(life), 1)


def test_a_blocker_that_an_older_version_took_from_the_plan_is_over_when_the_plan_says_so(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    entry = {
        "id": "entry-20260101-000000-aaaaaa",
        "timestamp": "2026-01-01T00:00:00Z",
        "type": "task_blocked",
        "task_id": "US-001",
        "data": {"description": "Login page", "issue": "No key yet", "plan": "prd.json"},
    }
    life.starts().logs("milestone_reached", "Sketches agreed")
    document = {"version": "1.0", "entries": [*life.log, entry]}
    (life.main / OURS / "progress.json").write_text(json.dumps(document), "utf-8")
    all_say(blockers_everywhere(life, "No key yet"), False)
    all_say(number_everywhere(life), 0)


def test_a_plan_of_skipped_stories_has_no_percentage_anywhere(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    life.story("US-001", status="skipped")
    life.story("US-002", status="skipped")
    life.starts()
    assert "Stories: nothing to do: 2 skipped\n" in life.context
    assert ": nothing to do: 2 skipped\n" in life.status
    assert life.told_as_json("status")["percent"] is None
    assert json.loads(life.report)["summary"] == "nothing to do: 2 skipped"


@pytest.mark.parametrize("life", ["plain", "in-a-linked-worktree"], indirect=True)
def test_recent_names_the_record_where_only_an_agents_own_log_holds_one(life: Life) -> None:
    life.write("progress.md", KEPT_BY_AN_AGENT)
    told = life.recent
    assert "No previous progress recorded" not in told
    assert told.startswith(
        "No entries in the progress log; the record is progress.md (`agent-progress status` sums it up). "
        "Open blockers: 1. Next: Change the ETag when a berth is closed (progress.md).\n"
    )


@pytest.mark.parametrize("life", ["after-600-entries"], indirect=True)
def test_recent_tells_entries_and_what_an_agents_own_log_says_beside_them(life: Life) -> None:
    life.write("progress.md", KEPT_BY_AN_AGENT)
    told = life.recent
    assert told.startswith("Last 20 entries: 0 tasks completed, 1 blocker. ")
    assert "Next: Change the ETag when a berth is closed (progress.md).\n" in told.partition("\n")[0] + "\n"
    assert "The payment provider has not opened the test account" in told.partition("Open blockers:")[2]
    assert told.count("Earlier milestone ") == 21  # the newest is named in the first line, too
    life.starts().logs("task_completed", "Closed berths are left out", task="US-001")
    told = life.recent
    assert "Most recent: Closed berths are left out." in told.partition("\n")[0]
    assert told.count("Earlier milestone ") == 18
