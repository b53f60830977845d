"""A next step is as new as whoever said it, and a list of them is told once."""

from __future__ import annotations

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
