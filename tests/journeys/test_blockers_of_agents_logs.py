"""Blockers that an agent writes into its own log: recorded, told once, and over when anybody says so."""

from __future__ import annotations

import pytest

from tests.journeys.project_life import Life, section

LOGIN = "# Progress Log\n\n## 2026-03-01 - US-001: Login page\n- Form posts\n"
CART = "\n## 2026-03-02 - US-002: Cart\n- Cart table in web/cart.sql\n"


def begun(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart", "US-003 Mail")
    life.story("US-001", passes=True)
    life.write("progress.txt", LOGIN)


@pytest.mark.parametrize(
    "words",
    ["- Blocked: the password is missing\n", "### Blockers\n- the password is missing\n", "**Status:** Blocked\n- the password is missing\n"],
)  # fmt: skip
def test_a_blocker_in_an_agents_log_is_no_completion(life: Life, words: str) -> None:
    begun(life)
    agent = life.starts()
    agent.edits("progress.txt", LOGIN + CART + words)
    assert not life.entries("task_completed")
    assert [each["data"]["issue"] for each in life.entries("task_blocked")] == ["the password is missing"]
    context = life.context
    assert "Mismatch" not in context
    assert section(context, "## Completion Status").count("the password is missing") == 1
    assert "1 blocker." in life.recent
    assert "US-002: Cart - the password is missing" in life.status
    assert life.user_line == "progress: 1/3, US-003 next, 1 blocker"


def test_an_open_box_in_an_agents_log_is_no_completion(life: Life) -> None:
    begun(life)
    agent = life.starts()
    agent.edits("progress.txt", f"{LOGIN}{CART}- [x] table\n- [ ] form\n")
    assert not life.entries("task_completed")
    assert "Mismatch" not in life.context


def test_what_a_plan_calls_finished_is_not_blocked_by_a_remark(life: Life) -> None:
    begun(life)
    life.story("US-002", passes=True)
    agent = life.starts()
    agent.edits("progress.txt", f"{LOGIN}{CART}- Blocked: the password is missing\n")
    assert not life.entries("task_blocked")
    assert "Mismatch" not in life.context
    assert life.user_line == "progress: 2/3, US-003 next"


def test_a_blocker_taken_from_an_agents_log_is_over_when_the_log_goes_on(life: Life) -> None:
    begun(life)
    agent = life.starts()
    blocked = f"{LOGIN}{CART}- Blocked: the password is missing\n"
    agent.edits("progress.txt", blocked)
    agent.edits(
        "progress.txt", f"{blocked}\n## 2026-03-03 - US-002: Cart\nStatus: in progress\n- Form built\n"
    )
    assert "Blocked: None" in life.context
    assert "0 blockers" in life.recent


def test_a_blocker_that_our_log_resolves_is_over_in_an_agents_log_too(life: Life) -> None:
    begun(life)
    life.write("progress.txt", f"{LOGIN}{CART}**Status:** Blocked\n- Blocked: the password is missing\n")
    agent = life.starts()
    assert "- US-002: Cart - the password is missing" in section(life.context, "## Completion Status")
    agent.logs("debug_resolved", "Ana sent it", task="US-002")
    assert "Blocked: None" in life.context
    assert "0 blockers" in life.recent
    assert life.user_line == "progress: 1/3, US-002 next"


def test_a_resolved_blocker_in_the_words_of_an_agents_log_is_over_there(life: Life) -> None:
    begun(life)
    life.write(
        "progress.txt",
        f"{LOGIN}\n## 2026-03-02 - US-002: Cart\n- Cart built\n\n# Blockers\n- No mail account\n",
    )
    agent = life.starts()
    assert "No mail account" in section(life.context, "## Completion Status")
    blocker = agent.logs("task_blocked", "No mail account").split()[0]
    agent.logs("milestone_reached", "Account is here", resolves=blocker)
    assert "Blocked: None" in life.context


def test_a_blocker_that_an_agent_states_after_it_was_resolved_is_another(life: Life) -> None:
    begun(life)
    life.write("progress.txt", f"{LOGIN}{CART}- Blocked: the password is missing\n")
    agent = life.starts()
    agent.logs("debug_resolved", "Ana sent it", task="US-002")
    later = "\n## 2099-03-02 - US-002: Cart\n- Blocked: the password has run out\n"
    life.write("progress.txt", f"{LOGIN}{CART}- Blocked: the password is missing\n{later}")
    assert "- US-002: Cart - the password has run out" in section(life.context, "## Completion Status")


def test_without_a_plan_a_story_that_our_log_unblocks_goes_on(life: Life) -> None:
    life.write("progress.txt", f"{LOGIN}{CART}- Blocked: the password is missing\n")
    agent = life.starts()
    assert [each["id"] for each in life.told_as_json("status")["blocked"]] == ["US-002"]
    agent.logs("debug_resolved", "Ana sent it", task="US-002")
    told = life.told_as_json("status")
    assert (told["blocked"], told["counts"]["active"]) == ([], 1)


def test_a_story_that_an_agents_log_calls_blocked_is_so_before_any_hook_has_seen_it(life: Life) -> None:
    begun(life)
    life.write("progress.txt", f"{LOGIN}{CART}**Status:** Blocked\n- the password is missing\n")
    assert "- US-002: Cart - the password is missing" in section(life.context, "## Completion Status")
    assert "US-002: Cart - the password is missing" in life.status
    life.write(
        "progress.txt", f"{LOGIN}{CART}**Status:** Blocked\n\n## 2026-03-03 - US-002: Cart\n- Works now\n"
    )
    assert "Blocked: None" in life.context


MAIL = "\n## 2026-03-03 - US-003: Mail\n- Mails go out\n"


@pytest.mark.parametrize(
    "newer",
    ['- Still blocked: US-002, the bank answered "next week"\n', "- Blocked: the letterhead is missing\n"],
)
def test_a_story_stays_blocked_whatever_the_entry_of_another_says_of_blockers(
    life_alone: Life, newer: str
) -> None:
    life_alone.plan("US-001 Login page", "US-002 Cart", "US-003 Mail", "US-004 Help")
    life_alone.story("US-001", passes=True)
    life_alone.story("US-003", passes=True)
    cart = "\n## 2026-03-02 - US-002: Cart (BLOCKED)\n- Blocked: the bank has not opened the account\n"
    life_alone.write("progress.txt", LOGIN + cart + MAIL + newer)
    assert "US-002: Cart - the bank has not opened the account" in life_alone.status
    assert "Current: US-004" in life_alone.status
    assert ("next week" in life_alone.status) is ("next week" in newer)
    life_alone.write("progress.txt", LOGIN + cart + MAIL + newer + CART.replace("02 -", "04 -"))
    assert "account" not in life_alone.status


@pytest.mark.parametrize("state", ["half done", "draft", "teilweise", "作業中", "未完了", "in corso"])
def test_a_story_whose_heading_calls_it_unfinished_is_no_completion(life_alone: Life, state: str) -> None:
    begun(life_alone)
    agent = life_alone.starts()
    agent.edits("progress.txt", LOGIN + CART.replace("Cart\n", f"Cart ({state})\n", 1))
    assert not life_alone.entries("task_completed")
    assert "Mismatch" not in life_alone.context


@pytest.mark.parametrize("is_done", [True, False])
def test_a_blocker_on_a_story_of_another_plan_is_told_with_its_story_and_until_that_is_done(
    life_alone: Life, is_done: bool
) -> None:
    life_alone.plan("US-001 Login page", "US-002 Cart")
    life_alone.story("US-002", passes=is_done)
    life_alone.plan("AU-1 Gavel", path="plans/prd.json", name="Auction")
    cart = "\n## 2026-03-02 - US-002: Cart (in progress)\n- Blocked: the bank has not opened the account\n"
    life_alone.write("progress.txt", LOGIN + cart)
    life_alone.command("config", "set", "plan", "plans/prd.json")
    told = [line for line in life_alone.status.splitlines() if line.startswith("Blocked")]
    assert told == ([] if is_done else ["Blocked: US-002 - the bank has not opened the account"])
