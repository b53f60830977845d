"""A next step that was logged on a branch: once the branch is merged it is told, and not before."""

from __future__ import annotations

from tests.journeys.project_life import Life


def test_the_step_is_told_where_the_plan_has_what_the_branch_finished(life_alone: Life) -> None:
    life = life_alone
    life.plan("US-001 Quay", "US-002 Invoices")
    life.commit("plan")
    life.git("checkout", "-q", "-b", "feature/invoices")
    session = life.starts()
    session.logs("task_completed", "Invoices as PDF", task="US-002", next="Send invoices by mail")
    life.story("US-002", passes=True)
    life.commit("invoices")
    life.git("checkout", "-q", "main")
    life.starts()
    assert "Send invoices by mail" not in life.context
    life.git("merge", "-q", "feature/invoices")
    life.starts()
    assert "Next: Send invoices by mail" in life.context
