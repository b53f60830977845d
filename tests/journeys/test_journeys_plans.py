"""Plans come, go, and stand beside each other: every entry stays with its own."""

from __future__ import annotations

import json

import pytest

from tests.journeys.project_life import Life, section


def test_a_second_plan_at_the_same_path_is_recorded_anew(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart", branch="ralph/shop")
    first = life.starts()
    first.marks("US-001", passes=True)
    first.logs("task_completed", "Form posts to /session", task="US-001")
    first.ends()
    life.plan("US-001 Newsletter", "US-002 Unsubscribe", branch="ralph/mail")
    second = life.starts()
    assert "Form posts to /session" not in section(second.context, "### US-001")
    second.marks("US-001", passes=True)
    second.logs("task_completed", "Mails are queued in Postgres", task="US-001")
    context = life.context
    assert "Mails are queued in Postgres" in section(context, "### US-001: Newsletter")
    assert "Form posts to /session" not in section(context, "### US-001: Newsletter")
    finished = [entry for entry in life.entries("task_completed") if "supplements" not in entry["data"]]
    assert [entry["story"]["title"] for entry in finished] == ["Login page", "Newsletter"]


def test_a_second_plan_without_a_branch_is_known_by_its_titles(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    first = life.starts()
    first.marks("US-001", passes=True)
    life.plan("US-001 Newsletter", "US-002 Unsubscribe")
    second = life.starts()
    second.marks("US-001", passes=True)
    assert len([e for e in life.entries("task_completed") if "supplements" not in e["data"]]) == 2
    assert "Stories: 1/2 complete" in life.context
    assert "Mismatch" not in life.context


def test_a_commit_after_a_second_plan_is_evidence_of_the_second_plans_story(life: Life) -> None:
    life.plan("US-001 Login page", branch="ralph/shop")
    first = life.starts()
    first.marks("US-001", passes=True)
    first.commits("login")
    life.plan("US-001 Newsletter", branch="ralph/mail")
    second = life.starts()
    second.commits("plan for mail")
    second.marks("US-001", passes=True)
    commit = second.commits("newsletter")
    (entry,) = (e for e in life.entries("task_completed") if e.get("story", {}).get("title") == "Newsletter")
    added = [e["data"]["commit"] for e in life.log if e["data"].get("supplements") == entry["id"]]
    assert added == [commit]


def test_a_story_put_in_other_words_keeps_what_was_said_of_it(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart", "US-003 Checkout")
    agent = life.starts()
    agent.logs("task_completed", "Form posts to /session", task="US-001")
    agent.marks("US-001", title="Sign-in form")
    assert "Form posts to /session" in section(life.context, "### US-001: Sign-in form")


def test_two_plans_with_the_same_ids_do_not_read_each_others_work(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart", name="Shop")
    life.plan("US-001 Newsletter", "US-002 Unsubscribe", path="tasks/prd.json", name="Mail")
    life.command("config", "set", "plan", "prd.json")
    agent = life.starts()
    cause = {"root_cause": "Redis drops keys at midnight", "resolution": "Set no expiry"}
    agent.logs("task_completed", "Cart kept in Redis", task="US-002")
    agent.logs("debug_resolved", "Carts were empty in the morning", task="US-002", data=cause)
    life.command("config", "set", "plan", "tasks/prd.json")
    context = life.context
    assert "Cart kept in Redis" not in context
    assert "Carts were empty" not in context
    assert "Mismatch" not in context
    life.command("config", "set", "plan", "prd.json")
    assert "Cart kept in Redis" in section(life.context, "### US-002: Cart")


def test_work_done_on_another_branch_is_no_drift_on_this_one(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    life.commit("plan")
    here = life.git("branch", "--show-current")
    life.git("checkout", "-q", "-b", "feature")
    agent = life.starts()
    agent.marks("US-002", passes=True)
    agent.commits("cart")
    life.git("checkout", "-q", here)
    context = life.context
    assert "Stories: 0/2 complete" in context
    assert "Mismatch" not in context
    assert "Elsewhere: done on branch feature, not here: US-002" in context


def test_a_completion_that_the_plan_does_not_know_of_is_drift_whatever_its_words(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    life.starts().logs("task_completed", "Form posts to /session", task="US-001")
    assert "done in the log, open in the plan: US-001" in life.context
    assert "US-001" in life.status.partition("Mismatch")[2]


def test_tasks_of_two_specs_with_the_same_number_are_two_tasks(life: Life) -> None:
    agent = life.session()
    agent.logs("task_completed", "Tokens are signed", spec="auth", task="1.2")
    agent.logs("task_completed", "Invoices are numbered", spec="billing", task="1.2")
    context = life.context
    assert "Tokens are signed" in context
    assert "Invoices are numbered" in context
    assert "Stories: 2/2 complete" in context
    assert "auth 1.2" in context


def test_an_id_in_small_letters_is_the_plans_story(life: Life) -> None:
    life.plan("US-003 Checkout")
    agent = life.starts()
    agent.logs("task_completed", "Paid by card", task="us-003")
    assert life.entries("task_completed")[0]["task_id"] == "US-003"
    assert "not in the plan" not in life.context.replace("done in the log, open in the plan: US-003", "")


@pytest.mark.parametrize(("planned", "said"), [("T", "t"), ("t", "T")])
@pytest.mark.parametrize("logged_first", [True, False])
def test_ids_in_other_letters_are_one_story_each_and_one_line_says_that_plan_and_log_differ(
    life: Life, planned: str, said: str, logged_first: bool
) -> None:
    stories = (f"{planned}1 Login page", f"{planned}2 Cart", f"{planned}3 Checkout")
    if not logged_first:
        life.plan(*stories)
    agent = life.starts()
    agent.logs("task_completed", "Form posts to /session", task=f"{said}1")
    agent.logs("task_blocked", "No key for the coupons", task=f"{said}2")
    agent.logs("task_completed", "Coupons deferred", task=f"{said}2")
    if logged_first:
        life.plan(*stories)
    context = life.context
    assert [line for line in context.splitlines() if line.startswith("Mismatch: ")] == [
        f"Mismatch: done in the log, open in the plan: {planned}1, {planned}2"
    ]
    rows = [line.split("|")[1].strip() for line in context.splitlines() if line.startswith("| ")]
    assert [row for row in rows if row.casefold().startswith("t")] == [f"{planned}{n}" for n in (1, 2, 3)]
    assert "- Form posts to /session" in section(context, f"### {planned}1")
    assert "- Coupons deferred" in section(context, f"### {planned}2")
    assert "Blocked: None\n" in context


def test_a_blocker_is_over_when_its_task_is_mended_in_other_letters(life: Life) -> None:
    agent = life.starts()
    agent.logs("task_blocked", "No key for the mail server", task="t2", spec="Mail")
    assert "No key for the mail server" in life.recent.partition("Open blockers:")[2]
    agent.logs("debug_resolved", "The key came", task="T2", spec="mail")
    assert "Open blockers:" not in life.recent
    assert "Blocked: None\n" in life.context


def test_what_a_plan_does_not_know_is_named_once_in_whatever_letters(life: Life) -> None:
    life.plan("US-001 Login page")
    agent = life.starts()
    agent.logs("task_completed", "Made the first half", task="x9")
    agent.logs("task_completed", "Made the second half", task="X9")
    assert "Mismatch: in the log, but no story of the plan: x9\n" in life.context


def test_tasks_that_another_plan_knows_are_no_drift(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart", name="Shop")
    life.plan("MAIL-1 Newsletter", path="tasks/prd.json", name="Mail")
    life.command("config", "set", "plan", "prd.json")
    life.starts().logs("task_completed", "Mails are queued", task="MAIL-1")
    assert "MAIL-1" not in life.status.partition("Mismatch")[2]


def test_the_name_stays_the_leading_plans(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart", name="Shop", branch="shop")
    life.plan("US-001 Newsletter", path="tasks/prd.json", name="Mail", branch="mail")
    life.commit("plans")
    life.git("checkout", "-q", "-b", "mail")
    agent = life.starts()
    agent.logs("task_completed", "Mails are queued", task="US-001")
    assert "# Progress Summary: Mail" in life.context
    life.git("checkout", "-q", "-b", "shop")
    assert "# Progress Summary: Shop" in life.context
    assert "Mails are queued" not in life.context


def test_what_is_next_agrees_with_what_is_current(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart", "US-003 Checkout")
    life.story("US-002", dependsOn=["US-001"])
    context = life.context
    assert "Current: US-001 (attempt 1): Login page, not begun" in context
    assert "Next: US-002: Cart (waits for US-001)\n" in context
    assert life.user_line == "progress: 0/3, US-001 next"
    assert "Current: US-001, not begun" in life.status
    assert "Next:    US-002: Cart (waits for US-001)\n" in life.status
    life.story("US-003", passes=True)
    assert "Next: US-002: Cart (waits for US-001)" in life.context
    life.starts().logs("milestone_reached", "The shop is half done")
    assert "Current: US-001, not begun. Next: US-002: Cart (waits for US-001)." in life.recent


def test_the_last_story_is_not_its_own_next(life: Life) -> None:
    life.plan("US-001 Login page")
    assert "Next:" not in section(life.context, "## Completion Status")
    assert "Next:" not in life.status


def test_one_entry_for_three_stories_is_told_once(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart", "US-003 Checkout", "US-004 Mail")
    life.write(
        "progress.txt",
        "# Progress\n\n## 2026-03-01 - US-004: Mail\n- Queued in Postgres\n\n---\n\n"
        "## 2026-03-02 - US-001, US-002, US-003\n- One page for all three\n",
    )
    context = life.context
    assert context.count("One page for all three") == 1
    assert "### US-001, US-002, US-003 (" in context
    assert "Queued in Postgres" in context


def test_a_next_step_that_names_a_blocked_story_is_none(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart", "US-003 Search")
    agent = life.starts()
    agent.logs("task_completed", "Form posts to /session", task="US-001", next="Start US-002")
    assert "Next: Start US-002" in life.context
    agent.logs("task_blocked", "No payment account", task="US-002")
    assert "Next: Start US-002" not in life.context


def test_where_no_plan_says_so_the_newest_entry_of_an_agents_log_says_what_is_next(life: Life) -> None:
    life.write(
        "progress.md",
        "# Progress\n\n## 2026-03-01 - Lay the keel\n- Laid it\n\n### Next Steps\n- Plank the hull\n\n"
        "## 2026-03-02 - Plank the hull\n- Planked to the waterline\n\n### Next Steps\n- Caulk the seams with oakum\n",
    )
    context = life.context
    assert "Next: Caulk the seams with oakum" in context
    assert "\n- Caulk the seams" not in context
    assert "\n- Plank the hull" not in context


PLAN_WITH_REMARKS = """# Task Plan: Move the berth fees

## Goal
Fees are charged by the provider, without a day of two prices.

## Current Phase
Phase 2

## Phases

### Phase 1: Discovery
- [x] list what charges today
- **Status:** complete

### Phase 2: Change over
- [ ] switch the price page
- **Status:** in_progress

## Key Questions
1. Who may refund a season ticket?

## Decisions Made
| Decision | Rationale |
|----------|-----------|
| The invoice number is the idempotency key | a retried job must not charge twice |

## Errors Encountered
| Error | Attempt | Resolution |
|-------|---------|------------|
| Signature of the webhook was refused | 2 | read the raw body before the middleware |

## Notes
- Re-read this plan before major decisions (attention manipulation)
- Log ALL errors - they help avoid repetition
"""


def test_what_a_plan_says_beside_its_phases_is_told_and_its_form_is_not(life: Life) -> None:
    life.write("task_plan.md", PLAN_WITH_REMARKS)
    life.starts()
    for told in (
        "Fees are charged by the provider, without a day of two prices.",
        "Who may refund a season ticket?",
        "The invoice number is the idempotency key — a retried job must not charge twice",
        "Signature of the webhook was refused — read the raw body before the middleware",
    ):
        assert life.context.count(told) == 1, told
    for form in ("Re-read this plan", "Log ALL errors", "Attempt", "- Phase 2", "list what charges"):
        assert form not in life.context, form
    told_of = {
        line["text"]: [(source["path"], source["line"]) for source in line["sources"]]
        for line in life.told_as_json("context", "--sources", "--json")
    }
    assert told_of["- Who may refund a season ticket?"] == [("task_plan.md", 20)]


def test_two_plans_with_the_same_ids_are_told_apart_wherever_both_stand(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart", name="Shop")
    life.plan("US-001 Newsletter", "US-002 Unsubscribe", path="tasks/prd.json", name="Mail")
    life.command("config", "set", "plan", "prd.json")
    agent = life.starts()
    agent.logs("task_completed", "Cart kept in Redis", task="US-002", learning="Redis drops keys at midnight")
    life.command("config", "set", "plan", "tasks/prd.json")
    agent.logs("task_completed", "A link in each mail", task="US-002", learning="Mails need a header for it")
    assert "✅ US-002 (prd.json): Cart kept in Redis" in life.recent
    assert "✅ US-002: A link in each mail" in life.recent
    taught = {each["text"]: each["plan"] for each in life.told_as_json("status")["learnings"]}
    assert taught == {"Redis drops keys at midnight": "prd.json", "Mails need a header for it": None}
    report = json.loads(life.report)
    told = {each["title"]: each["plan"] for each in report["entries"] if each["story"]}
    assert told == {"Cart": "prd.json", "Unsubscribe": "tasks/prd.json"}
    statements = [each for topic in report["topics"] for each in topic["statements"]]
    assert {each["text"]: each["plan"] for each in statements}["Redis drops keys at midnight"] == "prd.json"
    life.command("report", "--output", "report.html")
    assert "(prd.json)" in (life.root / "report.html").read_text("utf-8")


def test_the_plan_of_another_branch_at_the_same_path_is_named_by_that_branch(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart", branch="shop")
    agent = life.starts()
    agent.logs("task_completed", "Cart kept in Redis", task="US-002", learning="Redis drops keys at midnight")
    life.plan("US-001 Newsletter", "US-002 Unsubscribe", branch="mail")
    agent.logs("task_completed", "A link in each mail", task="US-002")
    assert "✅ US-002 (branch shop): Cart kept in Redis" in life.recent
    assert "✅ US-002: A link in each mail" in life.recent
    [learning] = life.told_as_json("status")["learnings"]
    assert (learning["story"], learning["plan"]) == ("US-002", "branch shop")


def test_the_branch_that_a_plan_names_is_not_taken_for_the_one_checked_out(life: Life) -> None:
    here = life.git("branch", "--show-current")
    life.plan("US-001 Login page", branch="ralph/shop")
    assert f"\nBranch: {here} (plan: ralph/shop)\n" in life.context
    status = life.told_as_json("status")
    assert (status["branch"], status["named_branch"]) == (here, "ralph/shop")
    assert json.loads(life.report)["branch"] == f"{here} (plan: ralph/shop)"
    life.commit("plan")
    life.git("checkout", "-q", "-b", "ralph/shop")
    assert "\nBranch: ralph/shop\n" in life.context


def test_an_open_story_of_which_a_criterion_is_met_is_the_one_in_progress(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    life.story("US-002", status="open", acceptanceCriteria=["[x] Kept in Redis", "[ ] Coupons count"])
    assert "Current: US-002 (attempt 1): Cart\n" in life.context
    assert life.user_line == "progress: 0/2, US-002 in progress"
    life.story("US-002", acceptanceCriteria=["[ ] Kept in Redis", "[ ] Coupons count"])
    life.story("US-001", status="open", subtasks=[{"id": 1, "title": "Form", "status": "done"}])
    assert life.user_line == "progress: 0/2, US-001 in progress"
