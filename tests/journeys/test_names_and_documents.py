"""A project has one name, and a progress document of its own."""

from __future__ import annotations

from tests.journeys.project_life import Life

_GOAL = {"goal": "Ship the login", "next_steps": ["rate limits"]}


def test_a_project_has_one_name_for_people_and_one_for_its_document(life: Life) -> None:
    life.plan("US-001 Login page", name="The Quay")
    session = life.starts()
    session.calls("mem_progress", project="harbour", content=_GOAL)
    assert "# Progress Summary: The Quay" in life.context
    assert life.told_as_json("status")["project"] == life.told_as_json("report")["project"] == "The Quay"
    assert "Goal: Ship the login" in life.context
    assert "rate limits" in life.status
    assert "Ship the login" in life.command("memory", "progress")
    session.calls("mem_progress", project="The Quay", content={"goal": "Paint"}, base_revision=1)
    assert "Goal: Paint" in life.context
    assert "Ship the login" not in life.context
    life.command("config", "set", "project", "Marina")
    assert "# Progress Summary: Marina" in life.context
    assert "Goal: Paint" in life.context
