"""A log that holds git's conflict markers is spoken of in one text, whoever speaks, an agent's too."""

from __future__ import annotations

from progress_plugin.log.document import describe_conflict
from tests.journeys.project_life import OURS, Life

TEXT = describe_conflict("progress.json")


def test_everybody_says_the_same_of_a_log_in_conflict_and_what_to_do(life_alone: Life) -> None:
    life_alone.starts().logs("task_completed", "Marked the berths", task="US-001")
    path = life_alone.root / OURS / "progress.json"
    whole = path.read_text("utf-8").splitlines(keepends=True)
    at = next(number for number, line in enumerate(whole) if "Marked the berths" in line)
    other = whole[at].replace("Marked the berths", "Painted the quay").replace("entry-2", "entry-3")
    middle = ["<<<<<<< HEAD\n", whole[at], "=======\n", other, ">>>>>>> feature\n"]
    path.write_text("".join([*whole[:at], *middle, *whole[at + 1 :]]), "utf-8")

    told = {
        "start": life_alone.context,
        "status": life_alone.status,
        "log": life_alone.try_command("log", "milestone_reached", "--description", "Open").stderr,
        "repair": life_alone.try_command("repair").stderr,
        "verify": life_alone.try_command("verify").stdout,
        "retract": life_alone.try_command("retract", "entry-x").stderr,
        "erase": life_alone.try_command("erase", "quay", "--yes").stderr,
    }
    heads = {who: said for who, said in told.items() if "conflict markers" in said}
    assert set(heads) == set(told) - {"retract"}
    for who, said in heads.items():
        assert TEXT in said.replace("\\<", "<").replace("\\|", "|"), who
        assert said.count("conflict markers") == 1, who
    checked = " ".join(life_alone.try_command("doctor").stdout.split())
    assert " ".join(TEXT.replace("; ", " → ").split()) in checked
    assert checked.count("conflict markers") == 1

    path.write_text("".join([*whole[:at], whole[at].rstrip("\n") + ",\n", other, *whole[at + 1 :]]), "utf-8")
    life_alone.command("repair")
    assert "Log and archive are in order." in life_alone.command("verify")
    assert [entry["data"]["description"] for entry in life_alone.entries("task_completed")][-2:] == [
        "Marked the berths",
        "Painted the quay",
    ]
