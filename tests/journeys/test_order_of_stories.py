"""The stories worked on last come in their true order, whichever log tells of them."""

from __future__ import annotations

import json

from tests.journeys.project_life import Life

DATED = "# Progress Log\n\n## {day} - US-003\n- Took it back\n---\n\n## {day} - US-001\n- Stored it\n---\n"


def at(hour: int, name: str, title: str) -> dict[str, object]:
    """Return an entry as a signal or `log` has written it."""
    return {
        "id": f"entry-20260302-{hour:02}0000-aaaaa{hour % 10}",
        "timestamp": f"2026-03-02T{hour:02}:00:00Z",
        "type": "task_completed",
        "task_id": name,
        "data": {"description": title, "notes": f"Noted at {hour}"},
    }


def test_an_entry_dated_by_the_day_has_the_time_that_our_log_knows(life_alone: Life) -> None:
    life_alone.plan("US-001 Store", "US-002 Lend", "US-003 Return", "US-004 Late", "US-005 Mail")
    for name in ("US-001", "US-002", "US-003", "US-004"):
        life_alone.story(name, passes=True)
    life_alone.write("progress.md", DATED.format(day="2026-03-02"))
    told = [
        at(8, "US-003", "Return"),
        at(9, "US-002", "Lend"),
        at(10, "US-001", "Store"),
        at(11, "US-004", "Late"),
    ]
    document = {"version": "1.0", "project": "Harbour", "entries": told}
    life_alone.write(".agent-os/progress/progress.json", json.dumps(document))
    context = life_alone.context
    headings = [line for line in context.splitlines() if line.startswith("### US-")]
    assert headings == ["### US-004: Late (✓)", "### US-001: Store (✓)", "### US-002: Lend (✓)"]
    entries = json.loads(life_alone.report)["entries"]
    assert [(each["when"][11:13], each["story"]) for each in entries] == [
        ("11", "US-004"),
        ("10", "US-001"),
        ("09", "US-002"),
        ("08", "US-003"),
    ]
    returned = entries[-1]
    assert "Took it back" in returned["details"]
    assert any("Noted at 8" in each for each in returned["details"])
    assert returned["place"].startswith("progress.md:")


def test_an_entry_of_another_day_keeps_its_own(life_alone: Life) -> None:
    life_alone.write("progress.md", DATED.format(day="2026-03-01"))
    document = {"version": "1.0", "project": "Harbour", "entries": [at(8, "US-003", "Return")]}
    life_alone.write(".agent-os/progress/progress.json", json.dumps(document))
    entries = json.loads(life_alone.report)["entries"]
    assert [(each["when"], each["story"]) for each in entries] == [
        ("2026-03-02T08:00:00Z", "US-003"),
        ("2026-03-01", "US-003"),
        ("2026-03-01", "US-001"),
    ]


def urgent(life: Life) -> None:
    """Plan five stories of which the fourth is more urgent than its neighbours, and waits for the last."""
    life.plan("US-001 Store", "US-002 Lend", "US-003 Return", "US-004 Late", "US-005 Mail")
    for name, priority in (("US-001", 1), ("US-002", 4), ("US-003", 3), ("US-004", 2), ("US-005", 9)):
        life.story(name, priority=priority)
    life.story("US-004", dependsOn=["US-005"])
    life.save_plan()


def test_the_most_urgent_story_that_can_be_begun_is_the_current_one_in_every_way_out(life: Life) -> None:
    urgent(life)
    life.starts().marks("US-001", passes=True)
    assert "Current: US-003 (attempt 1): Return, not begun\nBlocked: None\nNext: US-002: Lend" in life.context
    assert "Current: US-003, not begun\nNext:    US-002: Lend" in life.status
    assert "US-003 next" in life.user_line
    life.starts().marks("US-005", passes=True)
    assert "Current: US-004 (attempt 1): Late, not begun\nBlocked: None\nNext: US-003: Return" in life.context
    assert "Current: US-004, not begun\nNext:    US-003: Return" in life.status
    rows = [line.split("|")[1].strip() for line in life.context.splitlines() if line.startswith("| US-")]
    assert rows == sorted(rows)  # the table keeps the plan's order


def test_a_story_in_progress_comes_before_a_more_urgent_one(life_alone: Life) -> None:
    urgent(life_alone)
    life_alone.story("US-002", status="in_progress")
    life_alone.save_plan()
    assert "Current: US-002" in life_alone.context
    assert "Next: US-001: Store" in life_alone.context
