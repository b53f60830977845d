"""A finished story is shown as finished everywhere, once, however it was noticed."""

from __future__ import annotations

import copy
import os
import time
from itertools import starmap

from tests.journeys.project_life import Life, Session, section


def harbour(life: Life) -> Session:
    """Plan and commit two stories, and start a session."""
    life.plan("US-001 Login page", "US-002 Cart")
    life.write(".gitignore", ".agent-os/\n")
    life.commit("plan")
    return life.starts()


def is_done(life: Life, done: str = "1/2") -> None:
    agent = life.starts()
    assert f"Stories: {done} complete" in agent.context
    assert agent.user_line.startswith(f"progress: {done}")
    assert life.told_as_json("status")["counts"]["done"] == int(done[0])


def is_done_everywhere(life: Life) -> None:
    is_done(life)
    assert "1/2 complete" in life.status
    assert "1/2" in life.shown_status_line
    assert "1/2" in life.told_as_json("report")["summary"]


def finished(life: Life) -> list[str | None]:
    return [
        each.get("task_id") for each in life.entries("task_completed") if "supplements" not in each["data"]
    ]


def test_by_an_edit_of_the_plan(life: Life) -> None:
    agent = harbour(life)
    agent.marks("US-001", passes=True)
    is_done_everywhere(life)
    assert "Current: US-002: Cart" in life.context
    assert finished(life) == ["US-001"]
    agent.marks("US-002", passes=True)
    assert "2/2 complete (100%)" in life.context


def test_by_an_entry_though_the_plan_has_it_open(life: Life) -> None:
    harbour(life).logs("task_completed", "Form posts", task="us-001")
    is_done(life)
    for shown in (life.context, life.status):
        assert "prd.json still has it open: update the plan" in shown
    life.story("US-001", passes=True)
    assert "update the plan" not in life.context


def test_by_an_entry_though_another_story_of_the_plan_is_edited_later(life: Life) -> None:
    harbour(life).logs("task_completed", "Form posts", task="US-001")
    life.story("US-002", title="Cart and till")
    later = time.time() + 5
    os.utime(life.root / "prd.json", (later, later))
    is_done(life)


def test_by_the_commit_that_the_plan_asks_for(life: Life) -> None:
    steps = "### Task {0}: {1}\n- [ ] **Step 1: Build it**\n- [ ] **Step 2: Commit**\n```bash\ngit commit -m 'feat: {1}'\n```\n"
    life.write(
        "docs/plans/harbour.md", "".join(starmap(steps.format, enumerate(["Crane", "Gate", "Gate"], 1)))
    )
    life.commit("plan")
    life.commit("feat: Crane")
    life.commit("feat: Gate")  # of two tasks: it finishes neither
    is_done(life, "1/3")
    assert "Current: Task 2: Gate" in life.context


def test_by_an_agents_log(life: Life) -> None:
    agent = harbour(life)
    tomorrow = time.strftime("%Y-%m-%d", time.localtime(time.time() + 86400))
    agent.edits("progress.txt", f"# Progress\n\n## {tomorrow} - US-001: Login page (done)\n- Form posts\n")
    is_done(life)
    assert finished(life) == ["US-001"]


def test_by_the_clients_task_list(life: Life) -> None:
    agent = harbour(life)
    agent.finishes_task("US-001: Login page with a lantern")
    is_done(life)
    assert "lantern" in life.recent
    agent.finishes_task("US-001: Login page with a lantern")
    assert finished(life) == ["US-001"]


def test_by_an_edit_of_a_story_that_was_planned_and_committed_between_two_sessions(life: Life) -> None:
    harbour(life).stops()
    life.plan("US-001 Login page", "US-002 Cart", "US-003 Checkout")
    life.commit("plan the checkout")
    agent = life.starts()
    agent.marks("US-003", passes=True)
    assert finished(life) == ["US-003"]


def test_by_an_edit_of_the_first_plan_committed_after_the_log_was_made(life: Life) -> None:
    life.write(".gitignore", ".agent-os/\n")
    life.commit("begin")
    life.command("init")
    life.plan("US-001 Login page", "US-002 Cart")
    life.commit("plan")
    agent = life.starts()
    agent.marks("US-001", passes=True)
    assert finished(life) == ["US-001"]


def test_by_hand_between_two_sessions(life: Life) -> None:
    harbour(life).stops()
    life.story("US-001", passes=True)
    commit = life.commit("login, by hand")
    life.starts().stops()
    [entry] = life.entries("task_completed")
    assert (entry["task_id"], entry["data"]["commit"]) == ("US-001", commit)


def test_a_commit_is_work_on_the_story_that_it_names_and_proof_of_one_that_is_done(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Shopping cart")
    agent = life.starts()
    life.commit("US-002 Shopping cart is planned")
    assert "Current: US-001" in life.context
    agent.edits("cart.py", "cart = []\n")
    agent.commits("US-002: shopping cart begun")
    assert "Stories: 0/2 complete" in life.context
    assert "Current: US-002: Shopping cart (in progress)" in life.context
    agent.marks("US-001", passes=True)
    agent.edits("login.py", "form = 1\n")
    commit = agent.commits("login")
    is_done(life)
    [proof] = [entry["data"] for entry in life.entries("task_completed") if "commit" in entry["data"]]
    assert (proof["commit"], "login.py" in proof["files_modified"]) == (commit, True)


def test_all_signals_of_one_story_are_one_completion(life: Life) -> None:
    agent = harbour(life)
    agent.finishes_task("US-001: Login page")
    agent.marks("US-001", passes=True)
    agent.logs("task_completed", "Form posts to /session", task="US-001")
    agent.edits("progress.txt", "# Progress\n\n## 2026-03-01 - US-001\n- Form posts\n")
    agent.commits("US-001: login")
    agent.stops()
    assert finished(life) == ["US-001"]
    assert "1 task completed" in life.recent
    is_done(life)
    assert life.readable.count("Task Completed\n") == 1


def test_the_plan_opens_a_story_again(life: Life) -> None:
    agent = harbour(life)
    agent.marks("US-001", passes=True)
    agent.commits("login")
    is_done(life)
    life.story("US-001", passes=False)
    later = time.time() + 5
    os.utime(life.root / "prd.json", (later, later))
    agent.edits("prd.json")
    is_done(life, "0/2")


def test_an_entry_takes_up_a_finished_story_again(life: Life) -> None:
    agent = harbour(life)
    agent.marks("US-001", passes=True)
    agent.logs("task_blocked", "Login fails in Safari", task="US-001")
    is_done(life, "0/2")
    agent.logs("task_completed", "Cookie has SameSite", task="US-001")
    is_done(life)


def test_without_a_list_of_the_work_there_is_no_percentage(life: Life) -> None:
    agent = life.starts()
    agent.logs("task_completed", "The lamp turns", task="T1")
    agent.logs("task_completed", "The stairs are swept")
    for shown in (life.context, life.status, life.report, life.user_line):
        assert "%" not in shown
        assert "2/2" not in shown
    assert "The lamp turns" in life.context


def test_skipped_stories_are_not_counted_and_deferred_ones_keep_it_open(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart", "US-003 Mail")
    life.story("US-001", passes=True)
    life.story("US-002", status="skipped")
    life.story("US-003", status="skipped")
    assert "1/1 complete (100%)" in life.context
    life.story("US-003", status="deferred")
    assert "100%" not in life.context


def test_a_plan_that_cannot_be_read_is_named_and_nothing_is_called_complete(life: Life) -> None:
    agent = harbour(life)
    agent.logs("task_completed", "Form posts", task="US-001")
    life.write("prd.json", '{"userStories": [{"id": "US-001", ')
    for shown in (life.context, life.status):
        assert "prd.json" in shown
        assert "100%" not in shown
        assert "Form posts" in life.context
    assert "100%" not in life.user_line + life.report


def test_a_story_finished_on_another_branch_is_open_here_until_that_is_merged(life: Life) -> None:
    harbour(life)
    life.git("checkout", "-q", "-b", "feature")
    agent = life.starts()
    agent.logs("task_completed", "Crane turns", task="US-002")
    agent.edits("crane.txt", "turns")
    life.commit("crane")
    is_done(life)
    life.git("checkout", "-q", "main")
    is_done(life, "0/2")
    assert "US-002: Cart (on branch feature, not merged) (→)" in life.context
    life.git("merge", "-q", "--no-ff", "feature", "-m", "merge")
    is_done(life)


def test_what_a_pull_brings_is_not_recorded_as_work_done_here(life: Life) -> None:
    harbour(life).stops()
    life.git("checkout", "-q", "-b", "colleague")
    life.story("US-001", passes=True)
    life.commit("login, by a colleague")
    life.git("checkout", "-q", "main")
    life.starts().stops()
    life.git("merge", "-q", "--ff-only", "colleague")
    life.starts().stops()
    assert life.entries("task_completed") == []
    is_done(life)


def test_worktrees_share_the_log_and_each_has_its_own_plan(life: Life) -> None:
    harbour(life)
    there = copy.copy(life)
    there.root = life.root.parent / "side-tree"
    life.git("worktree", "add", "-q", str(there.root), "-b", "side")
    agent = there.starts()
    agent.logs("task_completed", "Form posts", task="US-001", learning="Cookies need a path")
    agent.marks("US-001", passes=True)
    agent.commits("login")
    is_done(there)
    is_done(life, "0/2")
    assert "Cookies need a path" in life.context
    life.git("merge", "-q", "side")
    is_done(life)
    assert finished(life) == ["US-001"]


def test_a_new_plan_at_the_same_path_begins_anew(life: Life) -> None:
    agent = harbour(life)
    agent.marks("US-001", passes=True)
    agent.logs("task_completed", "Form posts", task="US-001")
    life.plan("US-001 Newsletter", "US-002 Unsubscribe", branch="mail")
    agent = life.starts()
    is_done(life, "0/2")
    agent.marks("US-001", passes=True)
    is_done(life)
    assert len(finished(life)) == 2


def test_two_plans_with_the_same_ids_do_not_read_each_others_work(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart", name="Shop")
    life.plan("US-001 Newsletter", "US-002 Unsubscribe", path="tasks/prd.json", name="Mail")
    life.command("config", "set", "plan", "prd.json")
    agent = life.starts()
    agent.logs("task_completed", "Cart kept in Redis", task="US-002")
    agent.logs("task_completed", "Mails are queued", task="US-001", spec="tasks/prd.json")
    for path, done in (("prd.json", "US-002"), ("tasks/prd.json", "US-001")):
        life.command("config", "set", "plan", path)
        status = life.told_as_json("status")
        assert status["plan"]["path"] == path
        assert [each["id"] for each in status["stories"] if each["status"] == "done"] == [done]
    assert "(prd.json): 1/2 complete" in life.status


def test_the_plan_of_the_branch_leads(life: Life) -> None:
    life.plan("US-001 Login page", name="Shop", branch="shop")
    life.plan("M-1 Newsletter", path="tasks/prd.json", name="Mail", branch="mail")
    life.commit("plans")
    for branch, story in (("mail", "M-1: Newsletter"), ("shop", "US-001: Login page")):
        life.git("checkout", "-q", "-b", branch)
        assert f"Current: {story}" in life.context
        assert "Other plan:" in life.context


def test_the_most_urgent_story_that_can_be_begun_is_current(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart", "US-003 Checkout", "US-004 Mail")
    life.story("US-001", dependsOn=["US-002"], priority=1)
    life.story("US-002", priority=2)
    life.story("US-003", deferredUntil="2099-01-01", priority=1)
    life.story("US-004", priority=3)
    head = section(life.context, "## Completion Status")
    assert "Current: US-002: Cart" in head
    assert "Next: US-001: Login page" in head
    life.story("US-004", status="in_progress")
    assert "Current: US-004: Mail (in progress)" in life.context
