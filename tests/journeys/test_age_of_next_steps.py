"""A next step is as new as whoever said it, and a list of them is told once."""

from __future__ import annotations

import pytest

from tests.journeys.project_life import Life

OLD = "Grease the capstan bearings"
NEW = "Paint the harbour gate"


def _next(life: Life) -> list[str]:
    told = (life.recent, life.status, life.context)
    return [line for text in told for line in text.splitlines() if "Next" in line]


def test_a_supplement_without_a_step_brings_no_older_one_back(life_alone: Life) -> None:
    life_alone.plan("US-001 Ropes", "US-002 Winches", "US-003 Lamps")
    session = life_alone.starts()
    session.logs("task_completed", "Ropes are tarred", task="US-001", next=OLD)
    session.logs("task_completed", "Winches turn", task="US-002", next=NEW)
    session.logs("milestone_reached", "Half of the harbour works")
    assert NEW in "".join(_next(life_alone))
    session.logs("task_completed", "Ropes were measured, too", task="US-001")
    assert f"Next: {NEW}" in life_alone.recent
    assert f"Next:    {NEW}" in life_alone.status
    assert not any(OLD in line for line in _next(life_alone))


def test_a_supplement_with_a_step_brings_it_to_the_front(life_alone: Life) -> None:
    life_alone.plan("US-001 Ropes", "US-002 Winches", "US-003 Lamps")
    session = life_alone.starts()
    session.logs("task_completed", "Ropes are tarred", task="US-001")
    session.logs("task_completed", "Winches turn", task="US-002", next=OLD)
    session.logs("task_completed", "Ropes were measured, too", task="US-001", next=NEW)
    assert f"Next:    {NEW}" in life_alone.status


def test_a_list_of_next_steps_is_told_once(life_alone: Life) -> None:
    life_alone.plan("US-001 Ropes", "US-002 Winches")
    session = life_alone.starts()
    session.logs("task_completed", "Ropes are tarred", task="US-001", data={"next_steps": [OLD, NEW]})
    session.logs("milestone_reached", "Half of the harbour works")
    for told in (life_alone.context, life_alone.status):
        assert [told.count(step) for step in (OLD, NEW)] == [1, 1]
        assert "Left open" not in told


@pytest.mark.parametrize("kind", ["task_completed", "milestone_reached", "debug_resolved"])
def test_a_step_is_no_longer_next_once_an_entry_says_that_it_is_done(life_alone: Life, kind: str) -> None:
    session = life_alone.starts()
    session.logs("task_completed", "Winches turn", next=OLD)
    session.logs(kind, "Greased the capstan bearings")
    assert not any(OLD in line for line in _next(life_alone))


@pytest.mark.parametrize("did", ["Capstan bearings squeak", "Greased the gate", "Grease for the gate came"])
def test_a_step_stays_next_where_an_entry_says_something_else(life_alone: Life, did: str) -> None:
    session = life_alone.starts()
    session.logs("task_completed", "Winches turn", next=OLD)
    session.logs("milestone_reached", did)
    assert f"Next: {OLD}" in life_alone.context


def test_a_step_of_an_agents_log_is_not_told_below_its_story_once_it_is_done(life_alone: Life) -> None:
    begun = (
        "# Log\n\n## 2026-03-01 - US-001: Winches\n- Winches turn\n- Next step: add grease to the capstan\n"
    )
    life_alone.write("progress.md", begun)
    assert "add grease to the capstan" in life_alone.context
    life_alone.write(
        "progress.md", f"{begun}\n## 2026-03-02 - US-002: Capstan\n- grease added to the capstan\n"
    )
    assert "Winches turn" in life_alone.context
    assert "add grease to the capstan" not in life_alone.context
