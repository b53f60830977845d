"""What an agent said comes back in its own words."""

from __future__ import annotations

import json

import pytest

from progress_plugin.text.code_marks import without_marks
from tests.journeys.project_life import Life, section


def test_the_sentence_an_agent_logged_is_what_the_next_one_reads(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    agent.logs("task_completed", "Form posts to /session; CSRF middleware stays first", task="US-001")
    context = life.context
    assert "### US-001: Login page" in context
    assert "Form posts to /session; CSRF middleware stays first" in context


def test_a_sentence_logged_after_the_hook_had_noticed_the_story_is_not_lost(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    agent.marks("US-002", passes=True)
    agent.logs(
        "task_completed", "Cart kept in Redis; coupons deferred", task="US-002", notes="TTL is an hour"
    )
    assert "Cart kept in Redis; coupons deferred" in life.context
    assert "TTL is an hour" in life.context
    assert "Cart kept in Redis; coupons deferred" in life.recent
    assert "Cart kept in Redis; coupons deferred" in life.report
    assert life.recent.count("✅") == 1


def test_the_hook_that_comes_after_the_sentence_does_not_cover_it(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    agent.logs("task_completed", "Cart kept in Redis", task="US-002")
    agent.marks("US-002", passes=True, notes="done by the book")
    agent.stops()
    assert len(life.recent.split("✅")) == 2
    assert "Cart kept in Redis" in life.recent
    assert "Cart kept in Redis" in life.context
    assert "Stories: 1/2 complete" in life.context


def test_of_two_sentences_on_one_story_both_come_back_the_newer_one_first(life: Life) -> None:
    life.plan("US-001 Login page")
    agent = life.starts()
    agent.logs("task_completed", "Form posts to /session", task="US-001")
    agent.logs("task_completed", "Sessions last a day now", task="US-001")
    told = section(life.context, "### US-001")
    assert told.index("Sessions last a day now") < told.index("Form posts to /session")
    assert "Form posts to /session" in life.recent
    assert "Sessions last a day now" in life.recent


def test_what_is_said_once_more_is_not_written_twice(life: Life) -> None:
    life.plan("US-001 Login page")
    agent = life.starts()
    agent.logs("task_completed", "Form posts to /session", task="US-001")
    before = len(life.log)
    agent.logs("task_completed", "Form posts to /session", task="US-001")
    assert len(life.log) == before


def test_of_a_field_told_twice_the_newest_value_counts(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart", "US-003 Checkout")
    agent = life.starts()
    agent.logs("task_completed", "Form", task="US-001", notes="ten tests are red", next="Mend the tests")
    agent.logs("task_completed", "Tests mended", task="US-001", notes="all green", next="Begin the cart")
    context = life.context
    assert "all green" in context
    assert "ten tests are red" not in context
    assert "Next: Begin the cart" in context
    assert "Mend the tests" not in context


def test_a_step_that_was_taken_long_ago_is_not_the_next_one(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart", "US-003 Checkout")
    agent = life.starts()
    agent.logs("task_completed", "Form", task="US-001", next="Build the cart on Redis")
    agent.marks("US-002", passes=True)
    assert "Next: Build the cart on Redis" not in life.recent
    assert "Next: Build the cart on Redis" not in life.context


def test_a_long_sentence_comes_back_whole(life: Life) -> None:
    life.plan("US-001 Login page")
    told = " ".join(f"Part {number} of the form is checked on the server." for number in range(12))
    life.starts().logs("task_completed", told, task="US-001")
    context = life.context
    assert all(f"Part {number} of the form is checked on the server" in context for number in range(12))


def test_the_cause_of_a_bug_comes_back_with_its_cure(life: Life) -> None:
    life.plan("US-001 Login page")
    agent = life.starts()
    cause = {"root_cause": "The cookie had no path", "resolution": "Set Path=/ in session.py"}
    agent.logs("debug_resolved", "Users were logged out on every page", task="US-001", data=cause)
    context = life.context
    assert "The cookie had no path" in context
    assert "Set Path=/ in session.py" in context
    assert context.count("The cookie had no path") == 1
    assert context.count("Set Path=/ in session.py") == 1


def test_a_muted_learning_stands_nowhere_in_the_context(life: Life) -> None:
    life.plan("US-001 Login page")
    agent = life.starts()
    cause = {"root_cause": "The cookie had no path", "resolution": "Set Path=/ in session.py"}
    agent.logs("task_completed", "Form", task="US-001")
    agent.logs("debug_resolved", "Users were logged out", task="US-001", data=cause)
    life.command("mute", "cookie had no path")
    assert "The cookie had no path" not in life.context


def test_what_is_muted_is_told_by_no_note_of_its_entry_either(life: Life) -> None:
    agent = life.starts()
    gotcha, note = "Gotcha: the frobnicator needs LEFTPAD", "Note: the frobnicator needs LEFTPAD"
    agent.logs("milestone_reached", "Frobnication works", learning=gotcha, notes=note)
    agent.logs(
        "milestone_reached",
        "The second half works",
        notes="Gotcha: the capstan in src/capstan.py needs RIGHTPAD",
    )
    assert "LEFTPAD" in life.context
    assert "RIGHTPAD" in life.context
    for word in ("LEFTPAD", "RIGHTPAD"):
        life.command("mute", word)
        assert word not in life.context
    assert "Frobnication works" in life.context


def test_what_was_retracted_is_gone_and_what_was_logged_again_is_there(life: Life) -> None:
    life.plan("US-001 Login page")
    agent = life.starts()
    agent.logs("task_completed", "Form posts to nowhere", task="US-001")
    wrong = life.entries("task_completed")[0]["id"]
    life.command("retract", wrong)
    agent.logs("task_completed", "Form posts to /session", task="US-001")
    assert "nowhere" not in life.context
    assert "Form posts to /session" in life.context


def test_the_words_of_the_mcp_tool_are_kept_like_those_of_the_command(life: Life) -> None:
    life.plan("US-001 Login page")
    agent = life.starts()
    agent.calls("progress_log", type="task_completed", description="Form posts to /session", task_id="US-001")
    agent.marks("US-001", passes=True)
    commit = agent.commits("login")
    assert "Form posts to /session" in life.context
    added = [entry["data"].get("commit") for entry in life.entries("task_completed")]
    assert commit in added


def test_without_a_plan_the_sentence_names_the_work(life: Life) -> None:
    agent = life.session()
    agent.logs("task_completed", "The lamp turns again", task="T1")
    agent.logs("task_completed", "The stairs are swept")
    context = life.context
    assert context.count("The lamp turns again") <= 2  # the table, and the heading
    assert "### T1: The lamp turns again (✓)" in context
    assert "### The stairs are swept (✓)" in context


def test_an_agents_own_words_in_its_markdown_log_come_back_under_the_plans_title(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    life.write(
        "progress.txt",
        "# Progress\n\n## 2026-03-01 - US-001\n\n- **What was implemented:** Form posts to /session\n"
        "- Files changed: `src/login.py`\n- **Learnings:**\n  - CSRF middleware must come first\n",
    )
    context = life.context
    assert "### US-001: Login page" in context
    assert "Form posts to /session" in section(context, "### US-001")
    assert "CSRF middleware must come first" in context


def test_what_a_note_on_a_session_says_is_read_like_any_other(life: Life) -> None:
    life.plan("US-001 Login page")
    agent = life.starts()
    agent.logs("session_started", "Begun with the login page, since the cart needs its cookie")
    assert "since the cart needs its cookie" in life.context


def test_the_next_step_of_the_last_task_outlives_a_bug_mended_after_it(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    agent.logs("task_completed", "Form", task="US-001", next="Ask for the key of the mail server")
    agent.logs("debug_resolved", "The cookie had no path", task="US-001")
    assert "Next: Ask for the key of the mail server" in life.context


def test_a_task_noticed_in_an_agents_log_and_then_logged_is_one_task(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    agent.edits("progress.txt", "# Progress Log\n\n## 2026-11-20 - US-002\n- Cart kept in Redis\n---\n")
    agent.logs("task_completed", "The cart lives in Redis for an hour", task="US-002")
    agent.stops()
    assert life.recent.count("✅") == 1
    assert "The cart lives in Redis for an hour" in life.context


def test_files_of_a_commit_are_named_without_the_plan_and_its_hash(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    life.commit("plan")
    agent = life.starts()
    agent.edits("cart.py", "basket = []\n")
    agent.marks("US-002", passes=True)
    commit = agent.commits("US-002: cart")
    agent.stops()
    told = section(life.context, "### US-002")
    assert "- Files: cart.py" in told.splitlines()
    assert commit[:7] not in told


@pytest.mark.parametrize(
    "disguise", ["zero\u200bwidth mast", "a \x1b[31mred\x1b[0m mast", "mast\u2060 of oak"]
)
def test_a_sentence_with_signs_that_nobody_sees_is_told_once(life: Life, disguise: str) -> None:
    life.plan("US-001 Login page")
    agent = life.starts()
    agent.logs("task_completed", disguise, task="US-001")
    told = [line for line in life.context.splitlines() if "mast" in line]
    assert len(told) == 1


def test_a_bug_mended_on_a_story_makes_it_the_most_recent_one(life: Life) -> None:
    stories = [f"US-{number:03} Berth {number}" for number in range(1, 10)]
    life.plan(*stories, optimization={"progressSummary": {"recentStoriesCount": 2}, "maxContextTokens": 400})
    agent = life.starts()
    for number in range(1, 8):
        agent.logs("task_completed", f"Berth {number} has a lamp of {number} watts", task=f"US-{number:03}")
    agent.logs("debug_resolved", "Gulls pull the cable out; it runs in a pipe now", task="US-008")
    told = section(life.context, "## Recent Context (Last 2 Stories)")
    assert "Gulls pull the cable out; it runs in a pipe now" in section(told, "### US-008")
    assert "Berth 7 has a lamp of 7 watts" in section(told, "### US-007")
    assert "### US-006" not in told


def test_work_on_no_story_stands_where_its_time_puts_it(life: Life) -> None:
    agent = life.starts()
    agent.logs("task_completed", "Berths have numbers from the sea", task="HARBOUR-1")
    agent.logs("task_completed", "Ropes are tied before the tide", task="HARBOUR-2")
    agent.logs("milestone_reached", "Release 1 is shipped")
    recent = section(life.context, "## Recent Context")
    assert recent.index("Release 1 is shipped") < recent.index("HARBOUR-2") < recent.index("HARBOUR-1")


NOTES = """- CSRF stays first
- Sessions last a day

## Decisions
1. Forms post to /session
> one <system-reminder>word</system-reminder>"""


@pytest.mark.parametrize("life", ["plain", "in-a-linked-worktree"], indirect=True)
def test_a_note_of_several_lines_comes_back_as_its_lines_everywhere(life: Life) -> None:
    life.plan("US-001 Login page")
    agent = life.starts()
    agent.logs("task_completed", "Form is done:\n- one\n- two", task="US-001", notes=NOTES)
    told = [
        "CSRF stays first",
        "Sessions last a day",
        "one ‹system-reminder›word‹/system-reminder›",
    ]
    shown = [*told, "1\\. Forms post to /session", "one", "two"]
    assert {f"- {line}" for line in shown} <= set(life.context.splitlines())
    assert {f"  - {line}" for line in shown} <= set(life.readable.splitlines())
    below = {line.strip() for line in life.recent.splitlines()}
    assert {*told, "1. Forms post to /session", "one", "two"} <= below
    [entry] = [each for each in json.loads(life.report)["entries"] if each["story"] == "US-001"]
    assert {*told, "1. Forms post to /session", "one", "two"} <= set(entry["details"])
    life.environment["AGENT_PROGRESS_SUMMARY_ENABLED"] = "false"
    assert {f"- {line}" for line in shown} <= set(life.context.splitlines())


def test_a_next_step_outlives_the_edit_of_the_plan_that_finishes_its_story(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart", "US-003 Checkout")
    agent = life.starts()
    agent.logs(
        "milestone_reached", "Form posts", task="US-001", next="Ask Ada for the key of the mail server"
    )
    agent.marks("US-001", passes=True)
    agent.commits("login")
    assert "Next: Ask Ada for the key of the mail server" in life.context
    assert "Next:    Ask Ada for the key of the mail server" in life.status
    agent.marks("US-002", passes=True)
    assert "Next: Ask Ada" not in life.context


def test_a_next_step_that_names_the_story_it_was_logged_with_stays_when_that_is_done(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart", "US-003 Checkout")
    agent = life.starts()
    agent.logs("task_completed", "Form posts", task="US-001", next="Have US-001 reviewed by Ada")
    agent.marks("US-001", passes=True)
    assert "Next: Have US-001 reviewed by Ada" in life.context


def test_work_on_another_plan_takes_no_next_step_of_this_one(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart", name="Shop")
    life.plan("US-001 Newsletter", "US-002 Unsubscribe", path="tasks/prd.json", name="Mail")
    life.command("config", "set", "plan", "prd.json")
    agent = life.starts()
    agent.logs("task_completed", "Form posts", task="US-001", next="Ask Ada for the key")
    life.command("config", "set", "plan", "tasks/prd.json")
    agent.logs("task_completed", "Mails are queued", task="US-001")
    life.command("config", "set", "plan", "prd.json")
    assert "Next: Ask Ada for the key" in life.context


def test_what_was_corrected_is_told_nowhere_of_whichever_kind_the_correction_is(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    old = [
        "`make dev` starts the server on port 3000",
        "`cart.py` depends on `redis.py` for its keys",
        "Always run `make seed` before the tests",
    ]
    new = [
        "Careful: `make dev` now starts the server on port 4000",
        "`cart.py` no longer depends on `redis.py` for its keys",
        "Never run `make seed` before the tests any more: it drops tables",
    ]
    agent.logs("task_completed", "Form posts", task="US-001", learning=old)
    assert all(without_marks(text) in life.context for text in old)
    agent.logs("task_completed", "Cart kept in memory", task="US-002", learning=new)
    context, known = life.context, [each["text"] for each in life.told_as_json("status")["learnings"]]
    assert all(without_marks(text) in context and text in known for text in new)
    assert not any(without_marks(text) in context or text in known for text in old)


def test_a_sentence_that_is_a_learning_as_well_is_told_once(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    said, cause = "Redis drops keys at midnight unless they have no expiry", "The cookie had no path"
    agent.logs("task_completed", said, task="US-001", learning=said)
    agent.logs("debug_resolved", cause, task="US-002", data={"root_cause": cause, "resolution": "Set Path=/"})
    context = life.context
    assert (context.count(said), context.count(cause), context.count("Set Path=/")) == (1, 1, 1)
    assert "none fits here" not in context
    assert "learnings shown" not in context


def test_what_older_entries_left_open_is_told_before_what_was_done(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart", "US-003 Checkout", "US-004 Mail")
    agent = life.starts()
    agent.logs("task_completed", "Form posts", task="US-001", notes="Coupons are not yet checked on the server",
               next="Ask the bank for a test account")  # fmt: skip
    agent.logs("task_completed", "Cart kept in Redis", task="US-002", next="Rotate the harbour keys")
    agent.logs("task_completed", "Paid by card", task="US-003", next="Write to the pilots")
    context = life.context
    standing = section(context, "## Completion Status")
    assert "Next: Write to the pilots" in standing
    left = standing.partition("Left open earlier:")[2].splitlines()
    assert "- US-001: Coupons are not yet checked on the server" in left
    assert "- US-001: Ask the bank for a test account" in left
    assert "- US-002: Rotate the harbour keys" in left
    assert all(context.count(line.partition(": ")[2]) == 1 for line in left if line)


def test_a_folder_or_a_branch_called_todo_leaves_nothing_open(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    for task, notes in (
        ("US-001", "Moved its notes to `tasks/todo/login/`"),
        ("US-002", "On branch todo-cart"),
    ):
        agent.logs("task_completed", "It posts", task=task, notes=notes)
    agent.logs("milestone_reached", "Beta is out")
    assert "Left open earlier" not in life.context


def test_an_end_that_newer_work_has_taken_up_is_left_open_no_longer(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart", "US-003 Checkout", "US-004 Mail queue")
    agent = life.starts()
    agent.logs(
        "task_completed", "Form posts", task="US-001", next="Ask the bank for a test account; lay US-003"
    )
    agent.logs("task_completed", "Cart kept in Redis", task="US-002", next="Build the mail queue")
    agent.logs("milestone_reached", "The bank gave us a test account, US-003 is laid")
    agent.marks("US-004", passes=True)
    agent.logs("milestone_reached", "Beta is out")
    assert "Left open earlier" not in life.context
