"""One name for a project, and one progress document that belongs to it alone."""

from __future__ import annotations

from pathlib import Path

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


def test_two_projects_of_one_name_keep_a_document_each(life: Life, tmp_path: Path) -> None:
    life.plan("US-001 Login page", name="app")
    life.command("config", "set", "project", "app")
    life.starts().calls("mem_progress", project="app", content=_GOAL)
    other = Life(tmp_path / "elsewhere" / "app")
    other.plan("US-001 Grind corn", name="app")
    miller = other.starts()
    assert "Ship the login" not in miller.context
    refused = miller.calls("mem_progress", project="app", content={"goal": "Grind"}, base_revision=1)
    assert refused == "base_revision 1 does not exist, there is no document yet; read it first"
    said = miller.calls("mem_progress", project="app", content={"goal": "Grind corn"})
    assert said == "Saved progress of app-2: revision 1, id 2."
    assert "Goal: Grind corn" in other.context
    assert "Goal: Ship the login" in life.context
    assert "Grind corn" in other.command("memory", "progress")
    assert "Ship the login" in life.command("memory", "progress")
    refused = miller.calls("mem_progress", project="app", content={"goal": "Bake"}, base_revision=7)
    assert "base_revision 7 does not exist, the newest is revision 1" in refused
    assert "revision 2" in miller.calls(
        "mem_progress", project="app", content={"goal": "Bake"}, base_revision=1
    )
    life.starts().calls("mem_progress", project="app", content={"goal": "Ship it all"}, base_revision=1)
    assert "Goal: Bake" in other.context
    assert "Goal: Ship it all" in life.context


def test_a_project_that_moved_takes_its_document_along(tmp_path: Path) -> None:
    life = Life(tmp_path / "old" / "app")
    life.plan("US-001 Login page", name="app")
    life.starts().calls("mem_progress", project="app", content=_GOAL)
    (tmp_path / "new").mkdir()
    life.root = life.main = life.root.rename(tmp_path / "new" / "app")
    said = life.starts().calls("mem_progress", project="app", content={"goal": "Go on"}, base_revision=1)
    assert "revision 2" in said
    assert "Goal: Go on" in life.context
