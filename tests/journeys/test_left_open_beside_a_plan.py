"""What an agent's own log leaves open is told beside a plan that does not know of it."""

from __future__ import annotations

from tests.journeys.project_life import Life, section

FEE = "Still open: `lend` does not yet check that the member has paid this year's fee (waits for US-008)"
REFUSE = "let `lend` refuse a tool that is reserved for somebody else"
LOG = """# Progress Log

## 2026-11-24 - US-002
- Implemented `lend` in `loanbook/loans.py`
- **Learnings for future iterations:**
  - The partial unique index `one_open_loan` is what stops double lending
  - {fee}
---

## 2026-11-26 - US-006
- Implemented `reserve` and `lapse` in `loanbook/reserve.py`
- Next: {step}
---
"""
STORIES = ("US-002 Lend a tool", "US-006 Reserve a tool", "US-007 Export as CSV", "US-008 Fees")


def _project(life: Life, step: str = REFUSE) -> None:
    life.plan(*STORIES)
    for story in ("US-002", "US-006"):
        life.story(story, passes=True)
    life.write("progress.md", LOG.format(fee=FEE, step=step))


def _left_open(context: str) -> list[str]:
    lines = section(context, "## Completion Status").splitlines()
    return lines[lines.index("Left open earlier:") + 1 :] if "Left open earlier:" in lines else []


def test_a_step_of_the_newest_entry_that_no_story_plans_is_left_open(life_alone: Life) -> None:
    _project(life_alone)
    context = life_alone.context
    assert "Next: US-008: Fees" in context  # that is the plan's to say
    assert f"- US-006: {REFUSE}" in _left_open(context)


def test_a_step_that_is_a_story_of_the_plan_is_told_as_that_alone(life_alone: Life) -> None:
    _project(life_alone, "US-007, the export")
    assert "US-007, the export" not in " ".join(_left_open(life_alone.context))


def test_what_a_learning_calls_still_open_is_no_dependency_but_left_open(life_alone: Life) -> None:
    _project(life_alone)
    context = life_alone.context
    assert f"- US-002: {FEE}" in _left_open(context)
    assert context.count("this year's fee") == 1


def test_a_step_that_names_its_story_itself_has_one_id(life_alone: Life) -> None:
    life_alone.plan("US-004 Overdue", "US-005 Remind", "US-006 Reserve")
    session = life_alone.starts()
    session.logs("task_completed", "Overdue loans", task="US-004", next="US-005: mails grouped by member")
    session.marks("US-004", passes=True)
    session.logs("task_completed", "Reservations", task="US-006")
    session.marks("US-006", passes=True)
    assert "- US-005: mails grouped by member" in _left_open(life_alone.context)


def test_what_an_older_entry_called_next_is_told_until_it_is_done(life_alone: Life) -> None:
    _project(life_alone)
    older = "The reservation of US-006 is the next logical step, as `reserve` in the loan book"
    text = LOG.format(fee=FEE, step=REFUSE).replace("\n---", f"\n\n### Next steps\n{older}\n\n---", 1)
    life_alone.write("progress.md", text.replace("US-006\n", "US-009\n"))
    life_alone.story("US-006", passes=False)
    assert older in life_alone.context
    life_alone.write("progress.md", text)
    life_alone.story("US-006", passes=True)
    assert older not in life_alone.context


def test_what_work_was_good_for_and_what_is_to_be_done_if_it_is_blocked_is_left_open_by_nobody(
    life_alone: Life,
) -> None:
    said = "No harm was done to members, since `lend` is not yet in the shop"
    told = "US-006: run `lend` against the shop, and call the owner if blocked by the lease"
    _project(life_alone)
    for label, ends in (("Impact", []), ("Work", [said])):
        text = LOG.format(fee=told, step=REFUSE).replace("\n---", f"\n- **{label}:**\n  - {said}\n---", 1)
        life_alone.write("progress.md", text)
        assert [each for each in _left_open(life_alone.context) if REFUSE not in each] == [
            f"- US-002: {end}" for end in ends
        ]


def test_what_blocked_work_is_over_once_what_has_that_name_is_finished(life_alone: Life) -> None:
    stuck = "The whole test run is blocked by two definitions of `lend_tool` in the shop of the harbour"
    entry = "## 2026-11-25 - US-005\n- {0} `lend_tool` with the fees\n---\n\n## 2026-11-26"
    _project(life_alone)
    for did, ends in (("Completed", []), ("Looked at", [f"- US-002: {stuck}"])):
        text = LOG.format(fee=FEE.replace("Still open: ", ""), step=REFUSE)
        text = text.replace("\n---", f"\n- {stuck}\n---", 1).replace("## 2026-11-26", entry.format(did))
        life_alone.write("progress.md", text)
        assert [each for each in _left_open(life_alone.context) if "blocked by" in each] == ends
