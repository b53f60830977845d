"""What is blocked, since when, and no longer than that: the same answer everywhere."""

from __future__ import annotations

from tests.journeys.project_life import Life, section


def test_a_blocker_is_one_blocker_wherever_it_is_counted(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart", "US-003 Checkout")
    life.story("US-003", dependsOn=["US-002"])
    agent = life.starts()
    agent.logs("task_blocked", task="US-002", data={"issue": "Redis is not to be had"})
    assert life.user_line == "progress: 0/3, US-001 next, 1 blocker"
    assert life.status_line.endswith("!1")
    assert "1 blocker." in life.recent
    assert life.told_as_json("status")["blocking"] == 1
    assert "US-002: Cart" in life.status
    assert "Redis is not to be had" in life.status
    assert "Redis is not to be had" in life.context


def test_a_later_blocker_on_the_same_story_is_shown_again(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    agent.logs("task_blocked", task="US-001", data={"issue": "No key for the mail server"})
    agent.logs("debug_resolved", "The key came", task="US-001")
    assert "Blocked: None" in life.context
    agent.logs("task_blocked", task="US-001", data={"issue": "The mail server is down"})
    blocked = section(life.context, "## Completion Status")
    assert "The mail server is down" in blocked
    assert "No key" not in blocked
    assert "The mail server is down" in life.recent


def test_a_story_that_the_plan_unblocks_is_blocked_no_longer(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    agent.marks("US-001", status="blocked")
    assert "US-001: Login page" in section(life.context, "## Completion Status")
    agent.marks("US-001", status=None)
    assert "Blocked: None" in life.context
    assert "Open blockers" not in life.recent
    assert life.user_line == "progress: 0/2, US-001 next"


def test_a_blocker_that_somebody_logged_outlives_an_edit_of_the_plan(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    agent.logs("task_blocked", task="US-001", data={"issue": "No key for the mail server"})
    agent.marks("US-001", notes="begun")
    assert "No key for the mail server" in life.context


def test_without_a_plan_a_resolved_blocker_is_gone_everywhere(life: Life) -> None:
    agent = life.session()
    agent.logs("task_blocked", "Mail cannot be sent", task="T1")
    assert "- T1" in section(life.context, "## Completion Status")
    assert life.context.count("Mail cannot be sent") <= 3
    agent.logs("debug_resolved", "The port was closed", task="T1")
    assert "Blocked: None" in life.context
    assert "Blocked" not in life.status
    assert "!" not in life.status_line
    assert "blocker" not in life.user_line
    assert "0 blockers" in life.recent


def test_a_blocker_is_named_once_in_its_line(life: Life) -> None:
    life.session().logs("task_blocked", "b1", task="T1")
    lines = [line for line in life.context.splitlines() if line.startswith("- T1")]
    assert [line.count("b1") for line in lines] == [1]


def test_a_blocker_that_an_agents_own_log_states_too_is_one(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    life.write("progress.md", (
        "# Progress\n\n## 2026-03-01 - US-001: Login page\n- Form built\n- **Blockers:** no account yet\n\n"
        "## 2026-03-02 - US-002: Cart\n- Kept in Redis\n"
    ))  # fmt: skip
    assert "- US-001: Login page - no account yet" in section(life.context, "## Completion Status")
    life.session().logs("task_blocked", task="US-001", data={"issue": "no account yet"})
    assert section(life.context, "## Completion Status").count("no account yet") == 1


def test_a_blocker_without_a_task_ends_when_an_entry_names_it(life: Life) -> None:
    agent = life.session()
    agent.logs("task_blocked", "The licence server is down")
    blocker = life.entries("task_blocked")[0]["id"]
    assert "The licence server is down" in section(life.context, "## Completion Status")
    agent.logs("milestone_reached", "Licence renewed", resolves=blocker)
    assert "Blocked: None" in life.context


def test_a_finished_story_shows_what_once_blocked_it_as_over(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    trouble = {"issue": "No key for the mail server", "suggested_resolution": "Ask Ada for the key"}
    agent.logs("task_blocked", task="US-001", data=trouble)
    assert "Ask Ada for the key" in life.context
    agent.logs("task_completed", "Mail goes out", task="US-001")
    context = life.context
    assert "Mail goes out" in context
    assert "Ask Ada" not in context
    assert "No key" not in section(context, "## Completion Status")
    assert "Was blocked, no longer: No key for the mail server\n" in context


def test_the_blockers_of_an_older_document_do_not_contradict_the_line_above_them(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    agent.calls("mem_progress", project="Harbour", content='{"goal": "Ship it", "blockers": ["No key yet"]}')
    assert "No key yet" in life.context
    agent.marks("US-001", passes=True, completedAt="2099-01-01T00:00:00Z")
    assert "No key yet" not in life.context


def test_what_somebody_says_is_wrong_goes_before_what_the_plan_gave_for_a_reason(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    agent.marks("US-001", status="blocked", notes="waiting")
    agent.logs("task_blocked", "The mail server has no key for us", task="US-001")
    assert "The mail server has no key for us" in section(life.context, "## Completion Status")
    assert "The mail server has no key for us" in life.recent


def test_another_reason_than_the_plans_stands_beside_it(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    agent.marks("US-001", status="blocked", notes="waiting for the schema from Jörg")
    agent.logs("task_blocked", "Umlauts are wrong, too", task="US-001", data={"issue": "Latin 1 in the file"})
    reasons = "Latin 1 in the file; waiting for the schema from Jörg"
    assert reasons in section(life.context, "## Completion Status")
    assert reasons in life.status


def test_the_plans_reason_in_somebodys_own_words_stands_once(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    agent.marks("US-001", status="blocked", notes="no key for the mail server")
    agent.logs("task_blocked", "The mail server has no key for us", task="US-001")
    assert "no key for the mail server" not in life.context


def test_a_reason_that_the_plan_took_back_does_not_come_back_with_another(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    agent.marks("US-001", status="blocked", notes="No key for the mail server")
    agent.marks("US-001", status=None, notes="")
    agent.marks("US-001", status="blocked", notes="The mail server is down")
    told = section(life.context, "## Completion Status")
    assert "The mail server is down" in told
    assert "No key" not in told


def test_the_status_line_follows_an_edit_of_the_plan_that_makes_no_entry(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    agent.logs("milestone_reached", "The harbour has a name")
    agent.marks("US-001", status="in_progress")
    assert "US-001" in life.status_line
    agent.marks("US-001", status=None)
    agent.marks("US-002", status="in_progress")
    assert "US-002" in life.status_line


def test_a_story_that_is_blocked_on_another_branch_blocks_nothing_here(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart", branch="shop")
    life.git("checkout", "-q", "-b", "shop")
    life.starts()
    life.commit("Plan the shop")
    life.git("checkout", "-q", "-b", "bank")
    life.plan("US-001 Accounts", "US-002 Transfers", name="Bank", branch="bank")
    life.commit("Plan the bank")
    agent = life.starts()
    agent.logs("task_blocked", task="US-002", data={"issue": "No bank answers"})
    assert "No bank answers" in life.context
    life.git("checkout", "-q", "shop")
    assert "Blocked: None" in life.context
    assert "!" not in life.status_line
    assert "No bank" not in life.recent.partition("Open blockers")[2]
    life.git("checkout", "-q", "bank")
    assert "No bank answers" in section(life.context, "## Completion Status")


def test_a_blocker_that_was_resolved_is_no_mismatch_with_a_plan_that_is_done(life: Life) -> None:
    life.plan("US-001 Berths")
    session = life.starts()
    session.logs("task_blocked", "No key", task="US-001")
    session.logs("debug_resolved", "Got it", task="US-001")
    life.story("US-001", passes=True)
    assert "Mismatch" not in life.status
    assert "Mismatch" not in life.context


def test_a_blocker_without_a_task_makes_no_story_and_leaves_none_behind(life: Life) -> None:
    agent = life.session()
    agent.logs("task_completed", "The lamp turns again", task="T1")
    agent.logs("task_blocked", "The licence server is down")
    assert "The licence server is down" in section(life.context, "## Completion Status")
    assert life.status_line.endswith("1/1 ▓▓▓▓▓▓▓▓ !1")
    [blocker] = life.entries("task_blocked")
    agent.logs("milestone_reached", "Licence renewed", resolves=blocker["id"])
    context = life.context
    assert "Was blocked, no longer: The licence server is down" in context
    assert context.count("licence server") == 1
    assert "Stories: 1/1 complete (100%)" in context
    assert "Current:" not in context
    assert life.user_line == "progress: 1/1"


def test_a_story_that_the_plan_finishes_shows_the_trouble_of_before_as_over_everywhere(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    trouble = {"issue": "No key for the mail server", "suggested_resolution": "Ask Ada for the key"}
    agent.logs("task_blocked", "Mail does not go out", task="US-001", data=trouble)
    assert "Ask Ada for the key" in life.report
    agent.marks("US-001", passes=True)
    life.environment["AGENT_PROGRESS_SUMMARY_ENABLED"] = "false"
    full = life.context
    life.environment.clear()
    assert "No key" not in life.status
    context = life.context
    assert "No key" not in section(context, "## Completion Status")
    assert "Was blocked, no longer: No key for the mail server\n" in context
    assert "Ask Ada" not in context
    for told in (life.recent, life.report, full):
        assert "Issue: No key for the mail server" in told
        assert "Resolved: US-001: task completed" in told


def test_a_plan_that_still_says_blocked_after_the_log_resolved_it_is_a_mismatch(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    life.story("US-002", status="blocked", notes="The harbour office is closed")
    assert "Mismatch" not in life.context
    agent.logs("task_blocked", task="US-002", data={"issue": "The harbour office is closed"})
    agent.logs("debug_resolved", "The office opened", task="US-002")
    told = "blocked in the plan, resolved in the log: US-002"
    assert f"Mismatch: {told}" in life.context
    assert life.told_as_json("status")["drift"] == [told]
    life.story("US-002", status=None, notes=None)
    assert "Mismatch" not in life.context


def test_a_blocker_ends_by_the_id_that_was_printed_when_its_reason_was_logged(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    agent.marks("US-001", status="blocked")
    printed = agent.logs("task_blocked", "The mail server has no key for us", task="US-001").split()[0]
    agent.marks("US-001", status=None)
    assert "no key" in section(life.context, "## Completion Status")
    agent.logs("debug_resolved", "The key came", resolves=printed)
    assert "Blocked: None" in life.context
    assert "0 blockers" in life.recent


def test_each_reason_on_a_story_is_a_blocker_until_it_is_resolved(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    password = agent.logs("task_blocked", "No password for Redis", task="US-002").split()[0]
    agent.logs("task_blocked", "The firewall drops 6379", task="US-002")
    blocked = section(life.context, "## Completion Status")
    assert "No password for Redis" in blocked
    assert "The firewall drops 6379" in blocked
    agent.logs("debug_resolved", "Ana sent the password", resolves=password)
    context = life.context
    assert "The firewall drops 6379" in section(context, "## Completion Status")
    assert "Was blocked, no longer: No password for Redis" in context
    assert "no longer: The firewall" not in context
    agent.logs("debug_resolved", "The port is open", task="US-002")
    assert "Blocked: None" in life.context


def test_the_same_reason_said_again_is_the_same_blocker(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    agent.logs("task_blocked", "No password for Redis", task="US-002")
    agent.logs(
        "task_blocked", "No password for Redis.", task="US-002", data={"suggested_resolution": "Ask Ana"}
    )
    agent.logs("task_blocked", task="US-002", data={"issue": "no password for Redis"})
    assert len(life.told_as_json("recent")["unresolved_blockers"]) == 1
    assert "suggested: Ask Ana" in section(life.context, "## Completion Status")


def test_what_blocks_a_story_is_told_once(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    agent.logs(
        "task_blocked", "No password for Redis. Ana has it", task="US-002", data={"notes": "Asked on Monday"}
    )
    context = life.context
    assert context.count("No password for Redis") == 1
    assert "### US-002: Cart (⊘)" in context
    agent.logs("debug_resolved", "Ana sent it", task="US-002")
    assert "Was blocked, no longer: No password for Redis" in life.context


def test_a_story_that_waits_for_a_blocked_one_is_no_blocker_in_the_report(life_alone: Life) -> None:
    life = life_alone
    life.plan("US-001 Login page", "US-002 Cart", "US-003 Checkout")
    life.story("US-003", dependsOn=["US-002"])
    life.starts().logs("task_blocked", task="US-002", data={"issue": "Redis is not to be had"})
    page, status = life.told_as_json("report"), life.told_as_json("status")
    assert [each["label"] for each in page["blockers"]] == ["US-002"]
    assert len(page["blockers"]) == status["blocking"]
    (waiting,) = page["waiting"]
    assert (waiting["label"], waiting["issue"]) == ("US-003", "waits for US-002")
    life.command("report")
    html = (life.root / ".agent-os/progress/report.html").read_text("utf-8")
    assert '<dt>Blocked</dt><dd><strong class="blocked">1</strong>' in html
    assert "waits for US-002" in html


def test_a_blocker_on_a_story_that_is_finished_already_is_open_until_somebody_ends_it(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    life.story("US-001", passes=True)
    agent = life.starts()
    agent.logs("task_blocked", "Login is broken in Safari", task="US-001", data={"issue": "cookie rejected"})
    assert "cookie rejected" in section(life.context, "## Completion Status")
    assert "cookie rejected" in life.status
    assert "no longer" not in life.context
    assert len(life.told_as_json("recent")["unresolved_blockers"]) == 1
    assert "cookie rejected" in agent.starts()
    agent.logs("debug_resolved", "The cookie has SameSite now", task="US-001")
    assert "Blocked: None" in life.context
    assert life.told_as_json("recent")["unresolved_blockers"] == []


def test_a_blocker_on_a_finished_story_is_over_once_it_is_finished_again(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    life.story("US-001", passes=True)
    agent = life.starts()
    agent.logs("task_blocked", "Login is broken in Safari", task="US-001")
    agent.marks("US-001", passes=False)
    assert "Login is broken in Safari" in section(life.context, "## Completion Status")
    agent.marks("US-001", passes=True)
    assert "Blocked: None" in life.context
