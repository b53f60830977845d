"""A blocked story is shown with its reason, the same everywhere, until it is resolved."""

from __future__ import annotations

import json

from tests.journeys.project_life import Life

NO_KEY = "No key for the mail server"


def is_blocked(life: Life, reason: str) -> None:
    agent = life.starts()
    assert reason in agent.context.partition("## Story Status")[0]
    assert "1 blocker" in agent.user_line
    assert life.told_as_json("status")["blocking"] == 1


def is_free(life: Life) -> None:
    agent = life.starts()
    assert "Blocked: None" in agent.context
    assert "blocker" not in agent.user_line
    assert life.told_as_json("status")["blocking"] == 0


def is_blocked_everywhere(life: Life, reason: str) -> None:
    is_blocked(life, reason)
    assert reason in "\n".join(line for line in life.status.splitlines() if line.startswith("Blocked:"))
    assert "1 blocker" in life.recent
    assert reason in life.recent.partition("Open blockers:")[2]
    assert reason in json.dumps(life.told_as_json("report")["blockers"])
    assert "!1" in life.shown_status_line


def is_free_everywhere(life: Life) -> None:
    is_free(life)
    assert "Blocked:" not in life.status
    assert "Open blockers:" not in life.recent
    assert life.told_as_json("report")["blockers"] == []
    assert "!" not in life.shown_status_line


def test_a_logged_blocker_until_it_is_resolved(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    agent.logs("task_blocked", task="US-001", data={"issue": NO_KEY, "suggested_resolution": "Ask Ada"})
    is_blocked_everywhere(life, NO_KEY)
    assert "Ask Ada" in life.context
    assert "Current: US-002" in life.context
    agent.logs("debug_resolved", "The key came", task="us-001")
    is_free_everywhere(life)
    assert "Current: US-001" in life.context


def test_a_logged_blocker_until_its_story_is_finished(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    agent.logs("task_blocked", NO_KEY, task="US-001")
    agent.marks("US-001", notes="begun")
    is_blocked(life, NO_KEY)
    agent.marks("US-001", passes=True)
    is_free(life)


def test_a_blocker_of_no_story_until_an_entry_names_it(life: Life) -> None:
    agent = life.starts()
    blocker = agent.logs("task_blocked", "The licence server is down").split()[0]
    is_blocked(life, "The licence server is down")
    agent.logs("milestone_reached", "Licence renewed", resolves=blocker)
    is_free(life)
    assert "Licence renewed" in life.context


def test_a_blocker_of_the_plan_until_the_plan_ends_it(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    agent.marks("US-001", status="blocked", notes="waiting for the schema from Ada")
    is_blocked(life, "waiting for the schema from Ada")
    agent.marks("US-001", status=None, notes=None)
    is_free(life)


def test_a_blocker_of_an_agents_log_until_the_log_goes_on(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    entry = "# Progress\n\n## 2026-03-01 - US-001: Login page\n- Form built\n- **Blockers:** no account yet\n"
    agent.edits("progress.md", entry)
    is_blocked(life, "no account yet")
    agent.edits(
        "progress.md", f"{entry}\n## 2026-03-02 - US-001: Login page\n- Account is there, mails go out\n"
    )
    is_free(life)


def test_each_reason_on_a_story_until_it_is_resolved(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    password = agent.logs("task_blocked", "No password for Redis", task="US-002").split()[0]
    agent.logs("task_blocked", "The firewall drops 6379", task="US-002")
    agent.logs("task_blocked", "No password for Redis", task="US-002")
    assert "No password for Redis" in life.status
    assert "The firewall drops 6379" in life.status
    agent.logs("debug_resolved", "Ana sent the password", resolves=password)
    assert "The firewall drops 6379" in life.status
    assert "No password" not in life.status
    agent.logs("debug_resolved", "The port is open", task="US-002")
    is_free(life)


def test_a_blocker_on_a_finished_story_is_open_until_it_is_resolved(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    life.story("US-001", passes=True)
    agent = life.starts()
    agent.logs("task_blocked", "Login is broken in Safari", task="US-001")
    is_blocked(life, "Login is broken in Safari")
    agent.logs("task_completed", "The cookie has SameSite now", task="US-001")
    is_free(life)


def test_a_blocker_of_another_branch_is_one_here_until_it_ends(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    life.commit("plan")
    life.git("checkout", "-q", "-b", "feature")
    life.starts().logs("task_blocked", NO_KEY, task="US-002")
    life.commit("begun")
    is_blocked(life, NO_KEY)
    life.git("checkout", "-q", "main")
    is_blocked(life, NO_KEY)
    life.starts().logs("debug_resolved", "The key is there", task="US-002")
    is_free(life)


def test_a_blocker_outlives_the_archive_and_ends_once(life: Life) -> None:
    agent = life.starts()
    agent.logs("task_blocked", "The crane is out of order", task="B-1")
    life.command("archive", "--days", "0", "--at-least", "1")
    is_blocked(life, "The crane is out of order")
    agent.logs("task_blocked", "The crane is out of order", task="B-1")
    is_blocked(life, "The crane is out of order")
    agent.logs("debug_resolved", "The crane turns", task="B-1")
    is_free(life)


def test_a_story_that_waits_for_a_blocked_one_is_neither_blocked_nor_offered(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart", "US-003 Checkout")
    life.story("US-003", dependsOn=["US-002"])
    life.starts().logs("task_blocked", NO_KEY, task="US-002")
    is_blocked(life, NO_KEY)
    assert "Current: US-001" in life.context
    assert "US-003" not in life.context.partition("## Story Status")[0]
