"""A plan that cannot be read: nobody is told that all is done, and everybody that it is not read."""

from __future__ import annotations

from tests.journeys.project_life import Life

_BROKEN = '{"name": "Harbour", "userStories": [{'


def test_work_in_the_log_is_not_all_of_it_where_the_plan_cannot_be_read(life: Life) -> None:
    life.plan("US-001 Quay", "US-002 Crane", "US-003 Rails")
    life.story("US-001", passes=True)
    session = life.starts()
    session.logs("task_completed", "Crane", task="US-002")
    life.write("prd.json", _BROKEN)
    life.starts()
    stories = next(line for line in life.context.splitlines() if line.startswith("Stories: "))
    assert stories.endswith(" complete in the log, prd.json not read"), stories
    assert "100%" not in life.context
    assert "no plan" not in life.context
    assert "Not read: prd.json: not valid JSON" in life.context
    assert life.user_line.endswith(" done, plan not read"), life.user_line
    assert life.command("statusline").rstrip().endswith(" done plan not read")
    assert life.told_as_json("status")["percent"] is None


def test_a_plan_with_marks_of_a_conflict_and_no_log_has_no_log_preserved(life_alone: Life) -> None:
    life_alone.write("prd.json", f"<<<<<<< HEAD\n{_BROKEN}\n=======\n{_BROKEN}\n>>>>>>> side\n")
    life_alone.starts()
    assert "Stories: no stories, prd.json not read" in life_alone.context
    assert "progress log" not in life_alone.context.splitlines()[-1]
    assert "preserved" not in life_alone.context
    assert life_alone.user_line == "progress: plan not read"


def test_a_plan_beside_a_broken_one_is_not_called_all_there_is(life_alone: Life) -> None:
    life_alone.plan("US-001 Quay", path=".chief/prds/quay/prd.json")
    life_alone.story("US-001", path=".chief/prds/quay/prd.json", passes=True)
    life_alone.write("prd.json", _BROKEN)
    life_alone.starts()
    assert "Stories: 1/1 complete, prd.json not read" in life_alone.context
    assert life_alone.user_line == "progress: 1/1, plan not read"
