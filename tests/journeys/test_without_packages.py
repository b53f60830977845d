"""A day on which the packages are not there yet: what an agent logs is not lost, and nobody waits for pip."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.journeys.project_life import Life, section


@pytest.fixture
def life(tmp_path: Path) -> Life:
    """Return a project on a machine without our packages, which may install them."""
    life = Life(tmp_path / "harbour", packages=False)
    life.environment = {"AGENT_PROGRESS_NO_INSTALL": ""}
    return life


def test_what_is_logged_before_the_packages_are_there_is_recorded_and_shown_and_nothing_is_built(
    life: Life,
) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    printed = life.session().logs(
        "task_blocked", "No crane", task="US-002", learning=["Cranes rust"], data={"issue": "it is rusty"}
    )
    [entry] = life.entries("task_blocked")
    assert printed == f"{entry['id']} task_blocked\n"
    assert entry["data"]["learnings"] == ["Cranes rust"]
    assert not Path(os.environ["HOME"], ".local/share/agent-progress/env").exists(), (
        "an environment was begun"
    )

    life.environment = {}
    assert "it is rusty" in section(life.context, "## Completion Status")
    assert "Cranes rust" in life.context


def test_a_wrong_line_is_answered_as_ever(life: Life) -> None:
    told = {
        words: life.try_command("log", *words.split())
        for words in ("-h", "", "coffee_break", "task_completed --tsk 3", "task_completed --data []")
    }
    assert {words: done.returncode for words, done in told.items()} == {
        "-h": 0, "": 2, "coffee_break": 2, "task_completed --tsk 3": 2, "task_completed --data []": 2,
    }  # fmt: skip
    assert told["-h"].stdout.startswith("Usage: agent-progress log [OPTIONS] TYPE\n")
    assert "Did you mean" in told["task_completed --tsk 3"].stderr
    assert life.log == []


def test_other_commands_say_what_is_missing(life: Life) -> None:
    life.environment = {"AGENT_PROGRESS_SITE": ""}
    done = life.try_command("status")
    assert (done.returncode, done.stdout) == (3, "")
    assert "agent-progress setup" in done.stderr
