"""Tasks of a client's list that are called alike, and what a task's subject says beside a story's id."""

from __future__ import annotations

import pytest

from tests.journeys.project_life import Life

_ALIKE = ("US-001 Fix bugs", "US-002 Fix bugs", "US-003 Ship")


def _finished(life: Life) -> list[str | None]:
    return [
        entry.get("task_id") for entry in life.entries("task_completed") if "supplements" not in entry["data"]
    ]


def test_a_second_task_of_the_same_title_is_the_next_open_story(life: Life) -> None:
    life.plan(*_ALIKE)
    life.commit("plan")
    session = life.starts()
    session.finishes_task("Fix bugs", "1")
    session.finishes_task("Fix bugs", "2")
    assert _finished(life) == ["US-001", "US-002"]
    assert "2 tasks completed" in life.recent


@pytest.mark.parametrize("again", ["1", "2"])
def test_a_task_that_is_reported_again_finishes_no_other_story(life_alone: Life, again: str) -> None:
    life_alone.plan("US-001 Fix bugs", "US-002 Fix bugs", "US-003 Fix bugs")
    session = life_alone.starts()
    for number in ("1", "2", again):
        session.finishes_task("Fix bugs", number)
    assert _finished(life_alone) == ["US-001", "US-002"]


def test_a_third_task_finishes_nothing_where_no_story_of_its_title_is_open(life_alone: Life) -> None:
    life_alone.plan(*_ALIKE)
    session = life_alone.starts()
    for number in ("1", "2", "3"):
        session.finishes_task("Fix bugs", number)
    assert _finished(life_alone) == ["US-001", "US-002"]


def test_each_task_is_the_story_that_the_plan_has_just_called_done(life_alone: Life) -> None:
    life_alone.plan(*_ALIKE)
    session = life_alone.starts()
    for number, story in (("1", "US-001"), ("2", "US-002")):
        session.marks(story, passes=True)
        session.finishes_task("Fix bugs", number)
        assert _finished(life_alone)[-1] == story
    assert _finished(life_alone) == ["US-001", "US-002"]


def test_a_task_before_its_story_is_done_in_the_plan_is_told_once(life_alone: Life) -> None:
    life_alone.plan(*_ALIKE)
    session = life_alone.starts()
    for number, story in (("1", "US-001"), ("2", "US-002")):
        session.finishes_task("Fix bugs", number)
        session.marks(story, passes=True)
    assert _finished(life_alone) == ["US-001", "US-002"]


def test_what_an_earlier_session_finished_is_not_finished_by_a_later_task(life_alone: Life) -> None:
    life_alone.plan(*_ALIKE)
    life_alone.starts().finishes_task("Fix bugs", "1")
    life_alone.starts().finishes_task("Fix bugs", "1")
    assert _finished(life_alone) == ["US-001", "US-002"]


def test_the_words_behind_a_storys_id_are_kept(life: Life) -> None:
    life.plan(*_ALIKE)
    life.starts().finishes_task("US-003: Ship with rum and lemons")
    (entry,) = life.entries("task_completed")
    assert entry["task_id"] == "US-003"
    assert entry["story"]["title"] == "Ship"
    assert entry["data"]["description"] == "Ship with rum and lemons"
    assert "rum and lemons" in life.command("recall", "lemons")
    assert "rum and lemons" in life.recent
    assert "rum and lemons" in life.context


def test_the_words_behind_the_id_of_a_finished_story_are_added_to_it(life_alone: Life) -> None:
    life_alone.plan(*_ALIKE)
    session = life_alone.starts()
    session.marks("US-003", passes=True)
    session.finishes_task("US-003: Ship with rum and lemons")
    assert _finished(life_alone) == ["US-003"]
    assert "rum and lemons" in life_alone.recent


@pytest.mark.parametrize("subject", ["US-003", "US-003: Ship", "[US-003] ship.", "Ship"])
def test_a_title_is_no_word_of_anybody(life_alone: Life, subject: str) -> None:
    life_alone.plan(*_ALIKE)
    life_alone.starts().finishes_task(subject)
    (entry,) = life_alone.entries("task_completed")
    assert entry["data"]["description"] == "Ship"
    assert entry["signal"] == "task list"


def test_words_that_are_private_leave_the_title(life_alone: Life) -> None:
    life_alone.plan(*_ALIKE)
    session = life_alone.starts()
    session.finishes_task("US-003: <private>rum and lemons</private>")
    session.finishes_task("US-003: <private>rum and lemons</private>")
    (entry,) = life_alone.entries("task_completed")
    assert entry["data"]["description"] == "Ship"
