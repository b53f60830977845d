"""A log that holds git's conflict markers is read from both sides."""

from __future__ import annotations

from tests.journeys.project_life import OURS, Life


def test_our_log_in_conflict_is_named_and_the_next_entry_mends_it(life_alone: Life) -> None:
    life_alone.starts().logs("task_completed", "Marked the berths", task="US-001")
    path = life_alone.root / OURS / "progress.json"
    whole = path.read_text("utf-8").splitlines(keepends=True)
    at = next(number for number, line in enumerate(whole) if "Marked the berths" in line)
    other = whole[at].replace("Marked the berths", "Painted the quay").replace("entry-2", "entry-3")
    middle = ["<<<<<<< HEAD\n", whole[at], "=======\n", other, ">>>>>>> feature\n"]
    path.write_text("".join([*whole[:at], *middle, *whole[at + 1 :]]), "utf-8")

    for told in (life_alone.context, life_alone.status, life_alone.try_command("verify").stdout):
        assert "it holds git conflict markers" in told
    life_alone.command("log", "milestone_reached", "--description", "Open")
    assert "Log and archive are in order." in life_alone.command("verify")
    assert [entry["data"]["description"] for entry in life_alone.entries("task_completed")][-2:] == [
        "Marked the berths",
        "Painted the quay",
    ]
