"""A plan that cannot be read: the work is not called complete, and the file is named."""

from __future__ import annotations

from tests.journeys.project_life import Life

_BROKEN = '{"name": "Harbour", "userStories": [{'


def test_work_in_the_log_is_not_all_of_it_if_the_plan_cannot_be_read(life: Life) -> None:
    life.plan("US-001 Quay", "US-002 Crane", "US-003 Rails")
    life.story("US-001", passes=True)
    session = life.starts()
    session.logs("task_completed", "Crane", task="US-002")
    life.write("prd.json", _BROKEN)
    life.starts()
    assert "100%" not in life.context
    assert "Not read: prd.json: not valid JSON" in life.context
    assert life.user_line.endswith("plan not read"), life.user_line
    assert life.command("statusline").rstrip().endswith("plan not read")
    assert life.told_as_json("status")["percent"] is None


def test_a_plan_beside_a_broken_one_has_no_bar(life_alone: Life) -> None:
    life_alone.plan("US-001 Quay", path=".chief/prds/quay/prd.json")
    life_alone.story("US-001", path=".chief/prds/quay/prd.json", passes=True)
    life_alone.write("prd.json", f"<<<<<<< HEAD\n{_BROKEN}\n=======\n{_BROKEN}\n>>>>>>> side\n")
    life_alone.starts()
    assert "100%" not in life_alone.context
    assert life_alone.user_line == "progress: 1/1, plan not read"
    assert life_alone.command("statusline").rstrip() == "1/1 plan not read"
