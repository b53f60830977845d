"""Notes on finished work: what the client's task list says, and what somebody adds later, stand beside each other."""

from __future__ import annotations

import pytest

from tests.journeys.project_life import Life

DETAILS = "Bollards stand three metres apart, as the harbour master wants them"
FIRST, SECOND = "Paint comes in April", "The ladder was moved as well"


def _are_told(life: Life, *notes: str) -> None:
    for told in (life.recent, life.report, life.readable):
        for note in notes:
            assert told.count(note) == 1, (note, told)


def test_what_the_task_list_says_of_a_task_is_kept(life: Life) -> None:
    life.plan("US-001 Quay", "US-002 Crane")
    session = life.starts()
    session.finishes_task("US-001: Quay", "1", DETAILS)
    session.finishes_task("Sweep the yard", "2", "Behind the shed, too")
    _are_told(life, DETAILS, "Behind the shed, too")


def test_a_list_that_only_repeats_its_subject_adds_nothing(life_alone: Life) -> None:
    life_alone.plan("US-001 Quay")
    life_alone.starts().finishes_task("Sweep the yard", "1", "Sweep the yard")
    assert "notes" not in life_alone.entries("task_completed")[0]["data"]


def test_private_parts_secrets_and_length_are_bounded(life_alone: Life) -> None:
    life_alone.plan("US-001 Quay")
    long = "Walls are white. " * 200
    said = f"The key is AKIAIOSFODNN7EXAMPLQ. {long}<private>Ada is ill</private>"
    life_alone.starts().finishes_task("Sweep the yard", "1", said)
    notes = life_alone.entries("task_completed")[0]["data"]["notes"]
    assert "Walls are white" in notes
    assert "AKIAIOSFODNN7EXAMPLQ" not in notes
    assert "Ada" not in notes
    assert len(notes) <= 1000
    life_alone.starts().finishes_task("Paint the yard", "2", "<private>Ada is ill</private>")
    assert "notes" not in life_alone.entries("task_completed")[1]["data"]


@pytest.mark.parametrize("planned", [True, False])
def test_later_notes_stand_beside_older_ones(life_alone: Life, planned: bool) -> None:
    if planned:
        life_alone.plan("US-001 Quay", "US-002 Crane")
    session = life_alone.starts()
    session.logs("task_completed", "Quay stands", task="US-001", notes=FIRST)
    session.logs("task_completed", "Quay stands", task="US-001", notes=SECOND)
    assert "1 task completed" in life_alone.recent
    _are_told(life_alone, FIRST, SECOND)


def test_notes_of_the_task_list_stand_beside_those_that_were_logged(life_alone: Life) -> None:
    life_alone.plan("US-001 Quay", "US-002 Crane")
    session = life_alone.starts()
    session.logs("task_completed", "Quay stands", task="US-001", notes=FIRST)
    session.finishes_task("US-001: Quay", "1", DETAILS)
    session.logs("task_completed", "Quay stands", task="US-001", notes=SECOND)
    _are_told(life_alone, FIRST, DETAILS, SECOND)


def test_the_same_notes_again_are_one(life_alone: Life) -> None:
    session = life_alone.starts()
    session.logs("task_completed", "Quay stands", task="US-001", notes=FIRST)
    session.logs("task_completed", "Quay stands", task="US-001", notes=SECOND)
    session.logs("task_completed", "Quay stands", task="US-001", notes=FIRST)
    assert len(life_alone.entries("task_completed")) == 2
    _are_told(life_alone, FIRST, SECOND)
