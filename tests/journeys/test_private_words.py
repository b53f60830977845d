"""What is private is taken out before an entry is judged: one that says nothing else is not written."""

from __future__ import annotations

import pytest

from tests.journeys.project_life import Life

PRIVATE = "<private>the key lies below the mat</private>"


@pytest.mark.parametrize(
    "words",
    [
        ["milestone_reached", "-m", PRIVATE],
        ["task_blocked", "--data", f'{{"issue": "{PRIVATE}"}}'],
        ["milestone_reached", "-m", f" {PRIVATE} ", "--notes", PRIVATE],
        ["task_completed", "--task", PRIVATE],
        ["task_completed", "--task", PRIVATE, "-m", "Parser reads commas"],
    ],
)
def test_what_is_private_as_a_whole_is_not_logged(life_alone: Life, words: list[str]) -> None:
    done = life_alone.try_command("log", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert "mat" not in done.stderr
    assert life_alone.log == []


def test_a_tool_refuses_what_is_private_as_a_whole(life_alone: Life) -> None:
    said = life_alone.session().calls("progress_log", type="milestone_reached", description=PRIVATE)
    assert "nothing was logged" in said
    assert life_alone.log == []


def test_a_private_description_of_a_task_leaves_no_empty_one(life_alone: Life) -> None:
    life_alone.command("log", "task_completed", "--task", "T-1", "-m", PRIVATE, "--notes", "Commas")
    entry = life_alone.entries("task_completed")[0]
    assert "description" not in entry["data"]
    assert entry["data"]["notes"] == "Commas"


def test_a_private_title_in_the_list_of_tasks_makes_no_entry(life_alone: Life) -> None:
    life_alone.command("log", "milestone_reached", "-m", "Begun")
    life_alone.session().finishes_task("Oil the crane", number="1")
    life_alone.session().finishes_task(PRIVATE, number="2")
    assert [entry["data"]["description"] for entry in life_alone.entries("task_completed")] == [
        "Oil the crane"
    ]
