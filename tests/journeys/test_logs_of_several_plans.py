"""An agent's log that names no plan, where several plans have the same ids: each entry stays with its own."""

from __future__ import annotations

import json

from tests.journeys.project_life import Life, section

LENDING = """# Progress Log
Started: 2026-03-02

## 2026-03-02 - US-001
- Implemented tables `tool` and `member`
- Files changed: book/schema.sql, book/people.py
---

## 2026-03-03 - US-002
- Implemented `lend` in `book/loans.py`
- Files changed: book/loans.py, tests/test_loans.py
- **Learnings for future iterations:**
  - Dates are ISO text, never timestamps
---

## 2026-03-04 - US-003
- Implemented `give_back` in `book/loans.py`
- Files changed: book/loans.py
---
"""


def lent(life: Life) -> None:
    """Let a first plan be half done, by a log without titles, and a second one begin beside it."""
    life.plan(
        "US-001 Store tools", "US-002 Lend a tool", "US-003 Take it back", "US-004 Late", branch="loans"
    )
    for name in ("US-001", "US-002", "US-003"):
        life.story(name, passes=True)
    life.write("progress.md", LENDING)
    life.git("checkout", "-q", "-b", "loans")
    life.commit("loans")
    life.git("checkout", "-q", "-b", "stats")
    life.plan("US-001 Count by month", "US-002 Ten tools lent most", path="plans/prd.json", branch="stats")
    life.commit("plan of statistics")


def test_work_on_another_plan_is_no_work_on_the_one_that_begins(life: Life) -> None:
    lent(life)
    context = life.context
    assert "Current: US-001 (attempt 1): Count by month, not begun" in context
    assert "Mismatch" not in context + life.status
    assert "### US-001" not in context
    assert "### US-002" not in context
    for false in ("tables `tool`", "US-001: Implemented", "US-002: Implemented"):
        assert false not in context
    assert "Dates are ISO text, never timestamps" in context
    told = [each for each in json.loads(life.report)["entries"] if each["place"].startswith("progress.md")]
    assert {(each["story"], each["plan"], each["title"]) for each in told} == {
        (name, "prd.json", "") for name in ("US-001", "US-002")
    } | {("US-003", "prd.json", "Take it back")}


def test_a_story_finished_for_the_second_plan_has_its_own_words_alone(life: Life) -> None:
    lent(life)
    agent = life.starts()
    agent.marks("US-001", "plans/prd.json", passes=True)
    agent.logs("task_completed", "Loans are counted in book/stats.py", task="US-001")
    life.write(
        "progress.md",
        LENDING + "\n## 2026-03-09 - US-001\n- Months without loans show 0\n"
        "- Files changed: book/stats.py\n---\n",
    )
    context = life.context
    told = section(context, "### US-001: Count by month (✓)")
    assert "Loans are counted in book/stats.py" in told
    assert "Months without loans show 0" in told
    assert "tables `tool`" not in context
    assert "schema.sql" not in told
    assert "Mismatch" not in context + life.status
    life.git("checkout", "-q", "-f", "loans")
    context = life.context
    assert "tables `tool`" in section(context, "### US-001: Store tools")
    assert "Months without loans" not in context


def test_a_story_of_another_plan_is_told_with_its_id_and_that_plan(life: Life) -> None:
    lent(life)
    context = life.context
    assert "### US-003 (prd.json): Take it back (✓)\n" in context
    assert "- Implemented give_back in book/loans.py\n" in context
    assert "2026-03-04 - US-003" not in context


def test_what_was_logged_for_another_plan_is_told_like_what_an_agents_log_says_of_it(
    life_alone: Life,
) -> None:
    life_alone.plan("US-101 Store tools", "US-102 Lend a tool")
    life_alone.plan("US-201 Count by month", path="plans/prd.json")
    life_alone.write("progress.md", LENDING.replace("US-00", "US-10").partition("## 2026-03-04")[0])
    life_alone.command("config", "set", "plan", "plans/prd.json")
    assert "### US-102 (prd.json): Lend a tool" in life_alone.context
    life_alone.starts().logs("task_completed", "Members are never deleted", task="US-101")
    told = section(life_alone.context, "### US-101 (prd.json): Store tools")
    assert "- Members are never deleted" in told
    assert "Current: US-201 (attempt 1): Count by month, not begun" in life_alone.context


def test_the_plan_of_another_branch_at_the_same_path_keeps_its_log(life: Life) -> None:
    life.plan("US-001 Store tools", "US-002 Lend a tool", "US-003 Take it back", branch="loans")
    life.write("progress.md", LENDING.partition("## 2026-03-04")[0])
    agent = life.starts()
    agent.marks("US-001", passes=True)
    agent.marks("US-002", passes=True)
    agent.marks("US-003", passes=True)
    life.plan("US-001 Count by month", "US-002 Ten tools lent most", branch="stats")
    context = life.context
    assert "Mismatch" not in context + life.status
    assert "### US-001: Count" not in context
    assert "### US-002: Ten" not in context


def test_what_the_log_says_of_the_only_plan_that_knows_the_id_still_counts(life: Life) -> None:
    lent(life)
    life.git("checkout", "-q", "-b", "more")
    life.plan("US-003 Mail", "US-009 Print a label", path="tasks/prd.json", branch="more")
    life.write("progress.md", LENDING + "\n## 2026-03-09 - US-009\n- Labels are printed as PDF\n---\n")
    context = life.context
    assert "Mismatch: done in the log, open in the plan: US-009\n" in context
    assert "- Labels are printed as PDF" in section(context, "### US-009: Print a label")


def test_a_plan_that_is_not_read_because_of_its_name_is_said_to_be_so(life_alone: Life) -> None:
    life_alone.plan("US-001 Store tools", branch="loans")
    told = {"branchName": "main", "userStories": [{"id": "US-001", "title": "Count", "passes": False}]}
    life_alone.write("plans/prd-stats.json", json.dumps(told))
    life_alone.write("tasks/tasks-per-host.json", json.dumps({"tasks": [{"command": "make"}]}))
    said = "plans/prd-stats.json: a plan of the branch main that is not read, because of its name"
    assert said in life_alone.status
    assert said in " ".join(life_alone.try_command("doctor").stdout.split())
    assert "tasks-per-host" not in life_alone.status
    for name in ("one", "two"):
        life_alone.write(f"plans/{name}-plan.json", json.dumps({**told, "branchName": name}))
    both = "Problem: plans/one-plan.json, plans/two-plan.json: plans that are not read, because of their names; call one"
    assert both in life_alone.status
    for name in ("one", "two"):
        (life_alone.root / f"plans/{name}-plan.json").unlink()
    life_alone.command("config", "set", "plan", "plans/prd-stats.json")
    assert "not read, because" not in life_alone.status
    assert "US-001  Count" in life_alone.status
