"""`context` prints what the next session start shows, byte for byte, whatever state the project is in."""

from __future__ import annotations

import json

import pytest

from tests.journeys.project_life import OURS, Life


def the_same(life: Life) -> str:
    """Return what a start shows, after `context` and its JSON have said the same, before and after it."""
    before = life.try_command("context").stdout
    shown = life.starts().context
    assert before == shown
    assert life.try_command("context").stdout == shown
    assert json.loads(life.try_command("context", "--json").stdout)["context"] == shown
    assert bool(life.try_command("context").returncode) is not bool(shown)
    traced = json.loads(life.try_command("context", "--sources", "--json").stdout)
    assert "".join(f"{line['text']}\n" for line in traced) == shown
    return shown


def test_context_and_start_say_the_same_from_init_to_the_last_story(life: Life) -> None:
    the_same(life)
    life.command("init")
    the_same(life)
    life.starts().logs("task_completed", "Marked the berths", task="US-001")
    assert "US-001" in the_same(life)
    life.plan("US-001 Berths", "US-002 Moorings")
    assert "Stories: 0/2 complete" in the_same(life)
    life.story("US-002", passes=True)
    assert "Stories: 1/2 complete" in the_same(life)
    life.starts().marks("US-001", passes=True)
    the_same(life)
    life.command("config", "set", "inject", "false")
    assert not the_same(life)


def test_after_a_bare_init_an_agent_gets_nothing_as_there_is_nothing_to_tell(life_alone: Life) -> None:
    life_alone.command("init")
    assert not the_same(life_alone)
    told = life_alone.try_command("context")
    assert (
        told.stderr
        == "An agent gets nothing here: no plan and no entry yet, or it is switched off (`inject`).\n"
    )
    checked = " ".join(life_alone.try_command("doctor").stdout.split())
    assert "nothing is shown: no plan, and nothing is recorded yet" in checked


@pytest.mark.parametrize("plan", ['{"a": 1}', "{"], ids=["no plan", "a broken one"])
@pytest.mark.parametrize("begun", [False, True], ids=["before init", "after init"])
def test_what_only_looks_like_a_plan_is_no_reason_for_an_empty_summary(
    life_alone: Life, plan: str, begun: bool
) -> None:
    life_alone.write("prd.json", plan)
    if begun:
        life_alone.command("init")
    shown = the_same(life_alone)
    assert ("Not read: prd.json" in shown) is (plan == "{")


def test_a_log_in_conflict_is_told_in_the_same_words_by_start_and_context(life_alone: Life) -> None:
    life_alone.starts().logs("milestone_reached", "The quay is open")
    path = life_alone.root / OURS / "progress.json"
    path.write_text(f"<<<<<<< a\n{path.read_text('utf-8')}=======\n{{}}\n>>>>>>> b\n", "utf-8")
    assert "progress.json holds git conflict markers" in the_same(life_alone)
