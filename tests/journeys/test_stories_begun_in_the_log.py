"""What an agent's log says of a story that it is at, which the plan only knows to be unfinished."""

from __future__ import annotations

import json

import pytest

from tests.journeys.project_life import Life, section

STEP = "1. link lifetime 2. letters"
HEADING = "## 2026-11-10 - US-004 (in progress)"


def _begins_export(life: Life, *others: str, heading: str = HEADING) -> None:
    life.plan("US-001 Record a delivery", *others, "US-004 Export")
    life.story("US-001", passes=True)
    life.write("progress.md", f"# Progress Log\n\n{heading}\n- The columns are there\n- Next: {STEP}\n")


def test_the_last_open_story_has_the_step_of_its_own_entry(life_alone: Life) -> None:
    _begins_export(life_alone)
    told = section(life_alone.context, "## Completion Status")
    assert f"Next: {STEP}" in told
    assert "Left open earlier" not in told
    status = life_alone.told_as_json("status")
    assert (status["next"], status["next_step"], status["left_open"]) == (STEP, STEP, [])


def test_a_step_on_the_current_story_comes_before_the_next_story(life_alone: Life) -> None:
    _begins_export(life_alone, "US-002 Reserve a tool")
    told = section(life_alone.context, "## Completion Status")
    assert "Current: US-004" in told
    assert f"Next: {STEP}" in told
    assert life_alone.told_as_json("status")["next_story"]["id"] == "US-002"


def test_a_step_of_another_story_is_next_where_no_other_is_left(life_alone: Life) -> None:
    _begins_export(life_alone, heading="## 2026-11-10 - US-001")
    assert f"Next: {STEP}" in life_alone.context
    _begins_export(life_alone, "US-002 Reserve a tool", heading="## 2026-11-10 - US-001")
    context = life_alone.context
    assert "Next: US-004: Export" in context
    assert f"- US-001: {STEP}" in context


def test_a_story_that_its_log_calls_in_progress_is_so_everywhere(life_alone: Life) -> None:
    _begins_export(life_alone)
    assert "| US-004 | Export | → |" in life_alone.context
    assert "→ US-004  Export" in life_alone.status
    for told in (life_alone.told_as_json("status"), json.loads(life_alone.report)):
        assert told["counts"]["active"] == 1
        assert [each["status"] for each in told["stories"]] == ["done", "active"]


@pytest.mark.parametrize(
    ("fields", "heading"),
    [({"status": "pending"}, HEADING), ({}, "## 2026-11-10 - US-004"), ({"dependsOn": ["US-002"]}, HEADING)],
    ids=["the plan says pending", "the log does not say so", "it waits for another story"],
)
def test_a_story_is_not_begun_where(life_alone: Life, fields: dict[str, object], heading: str) -> None:
    _begins_export(life_alone, "US-002 Reserve a tool", heading=heading)
    life_alone.story("US-004", **fields)
    assert life_alone.told_as_json("status")["counts"]["active"] == 0
