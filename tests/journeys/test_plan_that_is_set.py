"""If the plan that the settings name is missing, every output says so."""

from __future__ import annotations

from tests.journeys.project_life import Life

_GONE = "nope.json: the file that is set (`plan`) is not there"


def test_a_plan_that_is_set_and_not_there_is_named_wherever_another_one_leads(life_alone: Life) -> None:
    life_alone.plan("US-001 Quay")
    done = life_alone.try_command("config", "set", "plan", "nope.json")
    assert _GONE in done.stdout + done.stderr
    life_alone.starts()
    assert f"Not read: {_GONE}" in life_alone.context
    assert life_alone.status.count(_GONE) == 1
    doctor = " ".join(life_alone.try_command("doctor").stdout.split())  # it is wrapped
    assert _GONE in doctor
    life_alone.write("nope.json", '{"userStories": [{"id": "A-1", "title": "Mast"}]}')
    done = life_alone.try_command("config", "set", "plan", "nope.json")
    assert "not there" not in done.stdout + done.stderr
    life_alone.starts()
    assert "not there" not in life_alone.context
    assert "Current: A-1" in life_alone.context
