"""An entry is erased to which others had added: what they say stays, as one entry, and its story counts once."""

from __future__ import annotations

from tests.journeys.project_life import Life, Session, section

FIRST, SECOND, THIRD = "Cart works, key abc-1", "Cart keeps its items", "Cart has a total"


def _three_times(life: Life) -> Session:
    """Have one completion logged three times, and the first of these entries erased."""
    agent = life.starts()
    for words in (FIRST, SECOND, THIRD):
        agent.logs("task_completed", words, task="US-1")
    first, *others = life.entries("task_completed")
    assert [each["data"]["supplements"] for each in others] == [first["id"]] * 2
    life.command("erase", first["id"], "--yes")
    return agent


def _is_one_entry(life: Life) -> None:
    assert "1 task completed" in life.recent
    [told] = [each for each in life.told_as_json("report")["entries"] if each["type"] == "task_completed"]
    assert all(words in str(told) for words in (SECOND, THIRD))
    assert FIRST not in str(told)


def test_the_plan_that_turns_adds_no_second_completion(life: Life) -> None:
    life.plan("US-1 Cart", "US-2 Pay")
    _three_times(life)
    _is_one_entry(life)
    agent = life.starts()
    life.story("US-1", passes=True)
    agent.stops()
    assert len(life.entries("task_completed")) == 2
    _is_one_entry(life)


def test_the_clients_task_list_adds_none_either(life_alone: Life) -> None:
    life_alone.plan("US-1 Cart", "US-2 Pay")
    _three_times(life_alone)
    life_alone.starts().finishes_task("Cart")
    _is_one_entry(life_alone)


def test_what_is_logged_of_it_later_adds_to_what_is_left(life_alone: Life) -> None:
    life_alone.plan("US-1 Cart", "US-2 Pay")
    _three_times(life_alone)
    life_alone.starts().logs("task_completed", "Cart is sold", task="US-1")
    _is_one_entry(life_alone)


def test_a_story_that_is_finished_once_more_has_an_entry_of_its_own(life_alone: Life) -> None:
    life_alone.plan("US-1 Cart", "US-2 Pay")
    agent = _three_times(life_alone)
    for passes in (True, False, True):
        agent.marks("US-1", passes=passes)
    assert "1 task completed in 2 entries" in life_alone.recent


def test_without_a_plan_it_is_one_as_well(life_alone: Life) -> None:
    _three_times(life_alone).logs("task_completed", "Cart is sold", task="US-1")
    _is_one_entry(life_alone)
    assert "1/1 complete" in life_alone.status


def test_a_blocker_that_was_resolved_by_its_id_stays_resolved(life_alone: Life) -> None:
    agent = life_alone.starts()
    agent.logs("task_blocked", "Stuck", data={"issue": "No rope, key abc-1"})
    [blocker] = life_alone.entries("task_blocked")
    told = {"issue": "No rope", "supplements": blocker["id"]}
    agent.logs("task_blocked", data=told)
    agent.logs("milestone_reached", "Rope came", resolves=blocker["id"])
    life_alone.command("erase", blocker["id"], "--yes")
    assert life_alone.told_as_json("status")["blocking"] == 0
    assert "Blocked: None" in section(life_alone.context, "## Completion Status")
