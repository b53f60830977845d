"""What a command makes of the plan before a session starts costs no story of that session: it is seen open."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.journeys.project_life import Life


def _erase_the_only_entry(life: Life) -> None:
    life.command("log", "milestone_reached", "--description", "Harbour opened")
    life.plan("US-001 Quay", "US-002 Crane")
    life.command("erase", "Harbour opened", "--yes")


def _archive(life: Life) -> None:
    for number in range(3):
        life.command("log", "milestone_reached", "--description", f"Basin {number} dug")
    life.plan("US-001 Quay", "US-002 Crane")
    life.command("archive", "--days", "0")


def _commands(*words: str) -> Callable[[Life], None]:
    def run(life: Life) -> None:
        life.plan("US-001 Quay", "US-002 Crane")
        life.command(*words)

    return run


_CHANGES = {
    "a-setting": _commands("config", "set", "max_learnings", "10"),
    "a-setting-of-the-user": _commands("config", "set", "--user", "max_learnings", "10"),
    "a-setting-taken-out": _commands("config", "unset", "max_learnings"),
    "a-claim": _commands("claim", "US-002"),
    "a-summary-asked-for": _commands("status", "summarize"),
    "an-erased-entry": _erase_the_only_entry,
    "archived-entries": _archive,
}


@pytest.mark.parametrize("change", _CHANGES.values(), ids=_CHANGES)
def test_the_first_story_finished_after_a_command_is_logged(
    life_alone: Life, change: Callable[[Life], None]
) -> None:
    life_alone.commit("begin")
    life_alone.command("init")
    change(life_alone)
    session = life_alone.starts()
    session.marks("US-001", passes=True)
    session.stops()
    assert [entry["task_id"] for entry in life_alone.entries("task_completed")] == ["US-001"]


def test_the_first_story_of_a_plan_that_was_set_is_logged(life: Life) -> None:
    path = "docs/plan/harbour.json"
    life.commit("begin")
    life.plan("US-001 Quay", "US-002 Crane", path=path)
    life.command("init")
    life.command("config", "set", "plan", path)
    session = life.starts()
    session.marks("US-001", path, passes=True)
    session.stops()
    assert [entry["task_id"] for entry in life.entries("task_completed")] == ["US-001"]


@pytest.mark.parametrize(
    "command",
    [
        ("config", "set", "max_learnings", "10"),
        ("log", "milestone_reached", "--description", "Feature begun"),
    ],
)
def test_a_story_finished_on_a_branch_that_a_command_has_seen_is_logged(
    life_alone: Life, command: tuple[str, ...]
) -> None:
    life_alone.plan("US-001 Quay", "US-002 Crane")
    life_alone.commit("plan")
    life_alone.git("checkout", "-q", "-b", "feat")
    life_alone.commit("feat begins")
    life_alone.git("checkout", "-q", "main")
    life_alone.command("init")
    life_alone.starts().stops()
    life_alone.git("checkout", "-q", "feat")
    life_alone.command(*command)
    session = life_alone.starts()
    session.marks("US-001", passes=True)
    session.stops()
    assert [entry["task_id"] for entry in life_alone.entries("task_completed")] == ["US-001"]


def test_what_was_done_before_the_command_is_nobodys_work(life_alone: Life) -> None:
    life_alone.command("init")
    life_alone.plan("US-001 Quay", "US-002 Crane")
    life_alone.story("US-001", passes=True)
    life_alone.command("config", "set", "max_learnings", "10")
    session = life_alone.starts()
    session.stops()
    assert life_alone.entries("task_completed") == []
