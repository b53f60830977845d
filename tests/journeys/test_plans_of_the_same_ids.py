"""Two plans whose ids both begin with US-001: what is said of one is told of no other."""

from __future__ import annotations

from tests.journeys.project_life import Life, Session, section

AUDIT = "plans/prd.json"
ROWS = "Audit rows are append only"


def shop_and_audit(life: Life) -> Session:
    """Let a first plan have a story finished and told, and a second plan come; return the next session."""
    life.plan("US-001 Login page", "US-002 Cart", "US-003 Mail")
    life.commit("shop")
    agent = life.starts()
    agent.marks("US-001", passes=True)
    agent.logs("task_completed", "Form posts", task="US-001")
    life.plan("US-001 Audit table", "US-002 Audit export", path=AUDIT)
    life.commit("audit")
    return life.starts()


def test_a_story_finished_before_is_not_finished_again_but_that_of_the_plan_that_has_it_open(
    life_alone: Life,
) -> None:
    agent = shop_and_audit(life_alone)
    agent.logs("task_completed", ROWS, task="US-001")
    agent.marks("US-001", AUDIT, passes=True)
    plans = {
        each["data"].get("description"): each["story"]["plan"]
        for each in life_alone.entries("task_completed")
    }
    assert (plans["Form posts"], plans[ROWS]) == ("prd.json", AUDIT)


def test_an_edit_that_finished_a_story_takes_the_words_that_follow_it(life_alone: Life) -> None:
    agent = shop_and_audit(life_alone)
    agent.marks("US-002", passes=True)
    agent.logs("task_completed", "The cart is kept in Redis", task="US-002")
    agent.logs("task_completed", "Carts are dropped after a day", task="US-002")
    assert "0/2 complete" in life_alone.command("status", "--plan", AUDIT)
    told = [each["story"]["plan"] for each in life_alone.entries("task_completed") if each.get("story")]
    assert set(told) == {"prd.json"}


def test_which_plan_was_meant_is_said_once_where_another_has_the_id_open(life_alone: Life) -> None:
    shop_and_audit(life_alone)
    said = []
    for task in ("US-002", "US-001", "US-002"):
        words = ("log", "milestone_reached", "--task", task, "-m", f"Half of {task}")
        said.append(life_alone.try_command(*words, session="new").stderr)
    note = "US-002 is taken for that of prd.json (Cart); plans/prd.json (Audit export) has one, too"
    assert note in said[0]
    assert f"--spec {AUDIT}" in said[0]
    assert said[1:] == ["", ""]
    words = ("log", "milestone_reached", "--task", "US-002", "--spec", AUDIT, "-m", "Half of the export")
    assert "is taken for" not in life_alone.try_command(*words, session="newer").stderr


def test_a_blocker_from_before_there_was_a_plan_is_given_to_none_of_two(life_alone: Life) -> None:
    waits = "Waiting for the rules of the board"
    life_alone.starts().logs("task_blocked", waits, task="US-002")
    life_alone.plan("US-001 Login page", "US-002 Cart")
    assert f"Blocked: US-002: Cart - {waits}" in life_alone.status
    life_alone.plan("US-001 Audit table", "US-002 Audit export", path=AUDIT)
    for path in ("prd.json", AUDIT):
        told = life_alone.command("status", "--plan", path)
        assert "⊘" not in told
        assert "Next:    US-002" in told
    assert f"Blocked: US-002 - {waits}" in life_alone.status
    assert f"- US-002 (since {life_alone.log[-1]['timestamp'][:10]}" in life_alone.context


def test_titles_put_in_other_words_edit_by_edit_leave_the_history_with_its_plan(life_alone: Life) -> None:
    life_alone.plan("US-001 Login page", "US-003 Mail", "US-004 Search", "US-005 Help")
    life_alone.commit("shop")
    agent = life_alone.starts()
    agent.logs("task_completed", "Form posts", task="US-001")
    agent.logs("task_blocked", "SES is in the sandbox", task="US-003")
    agent.marks("US-001", passes=True)
    agent.marks("US-001", title="Sign-in form")
    agent.marks("US-003", title="Outgoing e-mail")
    agent.marks("US-004", title="Full text search")
    assert "Form posts" in section(life_alone.context, "### US-001: Sign-in form (✓)")
    assert "Blocked: US-003: Outgoing e-mail - SES is in the sandbox" in life_alone.status
    assert "an earlier plan" not in life_alone.recent
    for story, title in (("US-001", "Audit table"), ("US-003", "Audit export"), ("US-004", "Audit mail")):
        life_alone.story(story, title=title, passes=False)
    agent.edits("prd.json")
    assert "US-001 (an earlier plan): Form posts" in life_alone.recent


def test_a_statement_on_a_story_that_only_another_plan_has_names_that_plan(life_alone: Life) -> None:
    life_alone.plan("US-101 Store tools", "US-102 Lend a tool", "US-103 Take it back")
    life_alone.plan("US-201 Count by month", "US-202 Ten tools lent most", path=AUDIT)
    days = (
        "US-101\n- Tables tool and member; ids are ULIDs",
        "US-102\n- Lend in book/loans.py",
        "US-201\n- Months",
    )
    told = "".join(f"\n## 2026-11-2{at} - {words}\n---\n" for at, words in enumerate(days))
    life_alone.write("progress.md", f"# Progress Log\n{told}")
    life_alone.command("config", "set", "plan", AUDIT)
    agent = Session(life_alone, "one")
    agent.logs("task_completed", "Ten in one query", task="US-202")
    noted = section(life_alone.context, "### Noted in Earlier Work")
    assert "- US-101 (prd.json): Tables tool and member" in noted


def test_without_a_plan_a_statement_names_the_spec_of_its_task_where_two_have_it(life_alone: Life) -> None:
    agent = Session(life_alone, "one")
    notes = (
        {"notes": text} for text in ("Asks for a name alone", "An audit of gaps is due", "Stones from Elba")
    )
    form = {"task": "T-1", "spec": "auth", "learning": "Cookies last a day", "data": next(notes)}
    agent.logs("task_completed", "Login form", **form)
    numbers = {"task": "T-1", "spec": "billing", "next": "T-2, the rates", "data": next(notes)}
    agent.logs("task_completed", "Numbers have gaps", **numbers)
    agent.logs("task_completed", "Work 3 of the quay", task="T-3", spec="auth", data=next(notes))
    for number in range(4, 7):
        agent.logs("task_completed", f"Work {number} of the quay", task=f"T-{number}", spec="auth")
    assert "- T-2, the rates" in life_alone.context
    noted = section(life_alone.context, "### Noted in Earlier Work")
    assert "- auth T-1: Asks for a name alone" in noted
    assert "- billing T-1: An audit of gaps is due" in noted
    assert "- T-3: Stones from Elba" in noted


def test_status_tells_how_far_the_other_plans_are_and_recent_names_each_once(life_alone: Life) -> None:
    agent = shop_and_audit(life_alone)
    agent.logs("task_completed", ROWS, task="US-001", spec=AUDIT)
    assert "Beside:  another plan, Harbour (prd.json): 1/3 complete" in life_alone.status
    life_alone.command("config", "set", "plan", "prd.json")
    assert f" US-001 ({AUDIT}): {ROWS}" in life_alone.recent
    assert f"{AUDIT} US-001 ({AUDIT})" not in life_alone.recent


def test_a_blocker_of_a_story_that_was_cut_from_its_plan_is_of_no_other_plan(life_alone: Life) -> None:
    life_alone.plan("US-001 Login page", "US-002 Cart", "US-003 Mail")
    agent = life_alone.starts()
    agent.logs("task_blocked", "The bank has no sandbox", task="US-002")
    life_alone.plan("US-001 Login page", "US-003 Mail")
    agent.edits("prd.json")
    assert "Blocked: US-002: Cart - The bank has no sandbox" in life_alone.status
    assert "earlier plan" not in life_alone.context


def test_a_task_that_no_plan_knows_makes_no_other_plan_lead(life_alone: Life) -> None:
    life_alone.plan("US-001 Login page", "US-002 Cart", path=AUDIT)
    life_alone.plan("US-001 Audit table", "US-002 Audit export")
    agent = Session(life_alone, "one")
    for spec, title in ((AUDIT, "Cart"), ("prd.json", "Audit export")):
        agent.logs("milestone_reached", "Half of it", task="US-001", spec=spec)
        agent.logs("task_completed", "Certificates renewed", task="OPS-1")
        assert f"US-002  {title}" in life_alone.status


def test_a_claim_is_on_the_story_of_its_own_plan(life_alone: Life) -> None:
    life_alone.plan("US-001 Login page", "US-002 Cart", branch="shop")
    life_alone.command("claim", "US-002")
    life_alone.plan("US-001 Audit table", "US-002 Audit export", branch="admin")
    assert "Current: US-001, not begun" in life_alone.status
    assert "claimed by" not in life_alone.context
    life_alone.command("log", "task_completed", "--task", "US-002", "-m", "Export done")
    life_alone.plan("US-001 Login page", "US-002 Cart", branch="shop")
    assert "Claimed: US-002 by this clone" in life_alone.status


def test_what_is_said_on_another_branch_is_told_with_it_where_it_may_mean_that_ones_stories(
    life_alone: Life,
) -> None:
    life_alone.git("checkout", "-q", "-b", "shop")
    life_alone.plan("US-001 Login page", "US-002 Cart", "US-003 Mail", branch="shop")
    life_alone.commit("shop")
    life_alone.git("checkout", "-q", "-b", "admin")
    life_alone.plan("US-001 Audit table", "US-002 Audit export", "US-003 Audit purge", branch="admin")
    life_alone.commit("admin")
    agent = Session(life_alone, "one")
    wanted = {"requested_tasks": ["US-001", "US-003"], "reason": "the auditor comes on Monday"}
    agent.logs("scope_override", "Table and purge first", data=wanted)
    agent.logs("milestone_reached", "Prototype shown", next="US-002: use the CSV writer of lib/out.py")
    agent.logs("milestone_reached", "Prototype approved")
    assert "Current: US-001 (attempt 1): Audit table\n" in life_alone.context
    assert "(on branch" not in life_alone.context
    life_alone.git("checkout", "-q", "shop")
    assert "Current: US-001 (attempt 1): Login page, not begun\n" in life_alone.context
    assert "- US-002: use the CSV writer of lib/out.py (on branch admin)\n" in life_alone.context
    assert "reason: the auditor comes on Monday) (on branch admin)\n" in life_alone.context
    assert "- Prototype shown\n" in life_alone.context


def _page(life: Life) -> str:
    life.command("report")
    return " ".join((life.root / ".agent-os/progress/report.html").read_text("utf-8").split())


def test_the_report_says_of_each_entry_which_of_two_plans_it_belongs_to(life_alone: Life) -> None:
    agent = shop_and_audit(life_alone)
    agent.logs("task_completed", ROWS, task="US-001")
    agent.marks("US-001", AUDIT, passes=True)
    entries = [each for each in life_alone.told_as_json("report")["entries"] if each["story"]]
    assert [each["plan"] for each in entries] == [AUDIT, "prd.json"]
    assert f"US-001</b> ({AUDIT})" in _page(life_alone)
    assert "US-001</b> (prd.json)" in _page(life_alone)


def test_the_report_says_of_each_entry_which_of_two_specs_it_belongs_to(life_alone: Life) -> None:
    agent = life_alone.starts()
    agent.logs("task_completed", "Crane oiled", task="T-1", spec="alpha")
    assert [each["spec"] for each in life_alone.told_as_json("report")["entries"] if each["story"]] == [""]
    agent.logs("task_completed", "Hull painted", task="T-1", spec="beta")
    agent.logs("task_completed", "Rope coiled", task="T-1")
    entries = [each for each in life_alone.told_as_json("report")["entries"] if each["story"]]
    assert [each["spec"] for each in entries] == ["", "beta", "alpha"]
    assert "T-1</b> (beta)" in _page(life_alone)


def test_the_report_names_no_plan_where_there_is_one(life_alone: Life) -> None:
    life_alone.plan("US-001 Login page")
    life_alone.starts().logs("task_completed", "Form posts", task="US-001", spec="login")
    assert {(each["plan"], each["spec"]) for each in life_alone.told_as_json("report")["entries"]} == {
        ("", "")
    }
