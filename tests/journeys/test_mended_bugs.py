"""A bug that is mended: what was wrong is told as over wherever it is told, be its cure shown or not."""

from __future__ import annotations

from tests.journeys.project_life import Life


def _mends(life: Life) -> None:
    life.plan("US-001 Quay", "US-002 Orders", "US-003 Delivery", "US-004 Invoices")
    session = life.starts()
    session.logs(
        "debug_resolved", "Search was slow", data={"root_cause": "no index", "resolution": "index added"}
    )
    session.logs(
        "debug_resolved",
        "Rounding was wrong",
        task="US-002",
        data={"root_cause": "cents as floats", "resolution": "cents are integers"},
    )


def test_what_was_wrong_is_told_as_fixed_below_its_story_and_as_earlier_work(life_alone: Life) -> None:
    _mends(life_alone)
    assert "- Fixed: Rounding was wrong" in life_alone.context.splitlines()
    session = life_alone.starts()
    for story in ("US-001", "US-003", "US-004"):
        session.logs("task_completed", f"Done with {story}", task=story)
    lines = life_alone.context.splitlines()
    assert "- Fixed: Search was slow" in lines
    assert "- US-002: Fixed: Rounding was wrong" in lines


def test_in_a_small_room_it_is_told_as_fixed_and_what_says_so_itself_is_not_told_so_twice(
    life_alone: Life,
) -> None:
    _mends(life_alone)
    session = life_alone.starts()
    session.logs("task_completed", "Quay of stone", task="US-001")
    session.logs("task_completed", "Delivery by boat", task="US-003")
    session.logs("debug_resolved", "Fixed the total", task="US-003")
    life_alone.command("config", "set", "max_context_tokens", "250")
    lines = life_alone.context.splitlines()
    assert "- Fixed: Rounding was wrong" in lines
    assert "- Fixed the total" in lines
