"""A blocker is told with all by which one knows what it is about: its spec, its task, and the title of its story."""

from __future__ import annotations

import re

from tests.journeys.project_life import Life, section


def _lines(life: Life) -> list[str]:
    """Return what context, status, recent and report say of blockers, in a line for each output."""
    report = life.told_as_json("report")["blockers"]
    return [
        " ".join(
            re.findall("^(?:- .*|Blocked: .*)$", section(life.context, "## Completion Status"), re.MULTILINE)
        ),
        " ".join(re.findall("^Blocked: .*$", life.status, re.MULTILINE)),
        " ".join(life.recent.partition("Open blockers:")[2].split()),
        " ".join(f"{each['label']}: {each['title']} - {each['issue']}" for each in report),
    ]


def test_tasks_of_two_specs_with_one_id_are_told_apart_where_a_plan_has_that_id(life: Life) -> None:
    agent = life.starts()
    agent.logs("task_blocked", "Crane broken", task="T-1", spec="alpha")
    agent.logs("task_blocked", "No paint", task="T-1", spec="beta")
    for told in _lines(life):
        assert "alpha T-1" in told
        assert "beta T-1" in told
    life.plan("T-1 Login page", "T-2 Cart")
    for told in _lines(life):
        assert "alpha: Crane broken" in told
        assert "beta: No paint" in told


def test_a_blocker_without_plan_is_told_with_its_spec(life: Life) -> None:
    life.starts().logs("task_blocked", "No rope", task="T-2", spec="gamma")
    for told in _lines(life):
        assert "gamma T-2" in told


def test_the_spec_that_is_the_plan_itself_is_not_repeated(life_alone: Life) -> None:
    life_alone.plan("T-1 Login page", "T-2 Cart", name="Harbour")
    life_alone.starts().logs("task_blocked", "No rope", task="T-2", spec="harbour")
    assert not any("harbour: " in told for told in _lines(life_alone))


def test_a_blocker_of_an_earlier_plan_keeps_the_title_of_its_story(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    life.starts().logs("task_blocked", "The bank has no sandbox", task="US-002")
    life.plan("US-001 Cranes", "US-002 Berths", "US-003 Ferries")
    for told in _lines(life):
        assert "US-002 (an earlier plan): Cart" in told
        assert "The bank has no sandbox" in told


def test_a_blocker_of_another_plan_is_told_with_the_title_of_its_story(life_alone: Life) -> None:
    life_alone.plan("US-001 Login page", "US-002 Cart", branch="main")
    life_alone.plan("T-1 Cranes", "T-2 Berths", path="tasks/prd.json", name="Port")
    life_alone.starts().logs("task_blocked", "No steel", task="T-2")
    for told in _lines(life_alone):
        assert "T-2 (tasks/prd.json): Berths" in told
        assert "No steel" in told
