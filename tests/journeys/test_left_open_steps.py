"""A next step that somebody logged comes back until later work says that it is done, not just words like it."""

from __future__ import annotations

import json

import pytest

from tests.journeys.project_life import Life

CERTIFY = "Certify the winch"
REFUSE = "Parser must refuse files of version three"
BANNER = "Basket needs the cookie banner translated into Danish"


def test_a_step_outlives_work_that_shares_half_of_its_words(life_alone: Life) -> None:
    session = life_alone.starts()
    session.logs("task_completed", "Rope drum", task="W-1", next=CERTIFY)
    session.logs("task_completed", "Winch cover", task="W-4")
    assert CERTIFY in life_alone.context


def test_a_step_outlives_the_same_completion_logged_again(life_alone: Life) -> None:
    session = life_alone.starts()
    for more in ({"next": REFUSE}, {}):
        session.logs("task_completed", "Parser reads files of version two", task="A1", **more)
    assert REFUSE in life_alone.context


def test_a_step_outlives_a_finished_story_whose_title_is_one_word_of_it(life_alone: Life) -> None:
    life_alone.plan("US-001 Catalogue", "US-002 Basket", "US-003 Checkout")
    session = life_alone.starts()
    session.logs("task_completed", "Catalogue lists berths", task="US-001", next=BANNER)
    session.logs("task_completed", "Basket keeps berths for 20 minutes", task="US-002")
    assert BANNER in life_alone.context


@pytest.mark.parametrize("said", ["Certified the winch: certify papers of the winch are filed", CERTIFY])
def test_a_step_is_over_once_later_work_says_what_it_said(life_alone: Life, said: str) -> None:
    session = life_alone.starts()
    session.logs("task_completed", "Rope drum", task="W-1", next=f"{CERTIFY} before spring")
    session.logs("task_completed", f"{said} before spring", task="W-4")
    assert "Left open earlier" not in life_alone.context


def test_a_step_outlives_what_was_finished_before_it(life_alone: Life) -> None:
    entries = [
        {
            "id": f"entry-20260301-{hour}0000-abcdef",
            "timestamp": f"2026-03-01T{hour}:00:00Z",
            "type": "task_completed",
            "task_id": f"W-{hour}",
            "data": {"description": said, **({"next_steps": step} if step else {})},
        }
        for hour, said, step in (
            ("10", "Rope drum turns", ""),
            ("11", "Winch cover fits", "Oil the bearings of W-10 before spring"),
            ("12", "Mast light burns", ""),
        )
    ]
    document = {"version": "1.0", "project": "Harbour", "entries": entries}
    life_alone.write(".agent-os/progress/progress.json", json.dumps(document))
    assert "W-11: Oil the bearings of W-10 before spring" in life_alone.context
