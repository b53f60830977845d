"""A plan that says no more than what is to be done, and files that only look like plans."""

from __future__ import annotations

import json

from tests.journeys.project_life import Life


def test_stories_of_id_and_title_alone_are_a_plan_with_all_to_do(life: Life) -> None:
    life.write(
        "prd.json",
        json.dumps(
            {
                "project": "Harbour",
                "userStories": [
                    {"id": "US-001", "title": "Login page"},
                    {"id": "US-002", "title": "Cart"},
                ],
            }
        ),
    )
    session = life.starts()
    assert "Stories: 0/2 complete (0%)" in session.context
    assert "Current: US-001" in session.context
    session.logs("task_completed", "Form posts to /session", task="US-001")
    assert "US-001: Login page" in life.context
    assert life.told_as_json("status")["problems"] == []


def test_a_file_with_a_plans_name_and_no_stories_is_named_where_a_person_asks_and_nowhere_else(
    life: Life,
) -> None:
    life.write("prd.json", json.dumps({"name": "Requirements", "sections": ["goals", "scope"]}))
    session = life.starts()
    session.logs("milestone_reached", "Begun")
    named = "prd.json: no stories recognised in it; docs/formats-plans.md says what a plan holds"
    assert life.status.count(named) == 1
    assert life.command("status").count("no stories recognised") == 1
    assert named in " ".join(life.try_command("doctor").stdout.split())  # it is wrapped
    assert "no stories recognised" not in life.context
    assert "no stories recognised" not in life.user_line
