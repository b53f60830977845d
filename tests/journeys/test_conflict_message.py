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


def test_an_agents_log_in_conflict_is_named_and_both_sides_are_told_without_the_markers(
    life_alone: Life,
) -> None:
    life_alone.plan("US-001 Marks on the berths", "US-002 Statements", "US-003 Lots")
    life_alone.write(
        "progress.md",
        "# Log\n## 2026-11-01 - US-001\n- Berths are numbered from the mouth\n<<<<<<< HEAD\n"
        "## 2026-11-10 - US-002 (in progress)\n- Template begun\n=======\n"
        "## 2026-11-10 - US-003 (in progress)\n- Lots listed\n>>>>>>> feat/auction\n",
    )
    named = "progress.md: holds git conflict markers"
    context = life_alone.context
    assert f"Not read: {named}" in context
    assert named in life_alone.status
    assert named in " ".join(life_alone.try_command("doctor").stdout.split())
    assert "- Template begun" in context
    assert "- Lots listed" in context
    found = [
        life_alone.command(*words) for words in (("extract", "progress.md"), ("recall", "auction", "lots"))
    ]
    for told in (context, life_alone.report, *found):
        assert "feat/auction" not in told
        assert "\n- <<<<" not in told.replace("\\<", "<")
