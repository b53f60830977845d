"""What was added to a retracted entry stays one completion: no correction makes more of them."""

from __future__ import annotations

import pytest

from tests.journeys.project_life import Life, Session

KEPT = ("Ropes are tarred", "Winches turn")
WRONG = "Anchors are painted"
LATER = "Lamps are lit"


def _logged(session: Session, *said: str, task: str = "US-001") -> None:
    for sentence in said:
        session.logs("task_completed", sentence, task=task)


def _first(life: Life) -> str:
    return str(life.entries("task_completed")[0]["id"])


@pytest.mark.parametrize("planned", [True, False])
def test_retracting_the_first_of_several_leaves_one_completion(life_alone: Life, planned: bool) -> None:
    if planned:
        life_alone.plan("US-001 Ropes", "US-002 Winches")
    session = life_alone.starts()
    _logged(session, WRONG, *KEPT)
    life_alone.command("retract", _first(life_alone))
    assert "1 task completed" in life_alone.recent
    _logged(session, LATER)
    assert "1 task completed" in life_alone.recent
    for told in (life_alone.recent, life_alone.report, life_alone.context):
        assert all(sentence in told for sentence in (*KEPT, LATER))
        assert WRONG not in told
    assert life_alone.readable.count("Task Completed\n") == 1


def test_what_was_left_can_be_retracted_one_by_one(life_alone: Life) -> None:
    life_alone.plan("US-001 Ropes")
    session = life_alone.starts()
    _logged(session, WRONG, *KEPT)
    life_alone.command("retract", _first(life_alone))
    _logged(session, LATER)
    first, second = (entry["id"] for entry in life_alone.entries("task_completed")[1:3])
    life_alone.command("retract", first)
    assert "1 task completed" in life_alone.recent
    life_alone.command("retract", second)
    assert "1 task completed" in life_alone.recent
    assert LATER in life_alone.recent
    life_alone.command("retract", life_alone.entries("task_completed")[3]["id"])
    assert "0 tasks completed" in life_alone.recent


def test_a_retracted_signal_leaves_what_somebody_said(life_alone: Life) -> None:
    life_alone.plan("US-001 Ropes", "US-002 Winches")
    session = life_alone.starts()
    life_alone.commit("begin")
    session.finishes_task("US-001: Ropes")
    life_alone.write("src/rope.py", "x = 1\n")
    session.marks("US-001", passes=True)
    session.commits("tar the ropes")
    _logged(session, *KEPT)
    completed = life_alone.entries("task_completed")
    assert "commit" in {entry.get("signal") for entry in completed[1:]}
    life_alone.command("retract", completed[0]["id"])
    assert "1 task completed" in life_alone.recent
    assert all(sentence in life_alone.recent for sentence in KEPT)


def test_evidence_alone_makes_no_line(life_alone: Life) -> None:
    life_alone.plan("US-001 Ropes", "US-002 Winches")
    session = life_alone.starts()
    life_alone.commit("begin")
    life_alone.write("src/rope.py", "x = 1\n")
    _logged(session, WRONG)
    session.commits("US-001: tar the ropes")
    assert len(life_alone.entries("task_completed")) == 2
    life_alone.command("retract", _first(life_alone))
    assert "0 tasks completed" in life_alone.recent
    assert "US-001" not in life_alone.recent.partition("Next:")[0].replace("Current: US-001", "")
    _logged(session, LATER)
    assert "1 task completed" in life_alone.recent
