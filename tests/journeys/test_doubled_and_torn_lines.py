"""What stands in the table is not told again below it, and a heading is told by its title alone."""

from __future__ import annotations

from tests.journeys.project_life import Life, section

_NOTED = "### Noted in Earlier Work"
_AUCTION = "plans/prd.json"


def test_titles_of_the_table_are_not_told_again_as_earlier_work(life_alone: Life) -> None:
    agent = life_alone.starts()
    for name in ("Alpha", "Bravo", "Charlie", "Delta", "Echo", "Foxtrot"):
        agent.logs("task_completed", f"{name} gauge is read")
    agent.logs("milestone_reached", "Gauges are read at noon, never at ebb")
    for name in ("Golf", "Hotel"):
        agent.logs("task_completed", f"{name} gauge is read")
    context = life_alone.context
    assert "|  | Alpha gauge is read | ✓ |" in context
    assert "gauge is read" not in section(context, _NOTED)
    assert "- Gauges are read at noon, never at ebb" in context


def test_titles_of_a_plan_are_not_told_again_below_its_table(life_alone: Life) -> None:
    names = (
        "Record a delivery",
        "Import the members",
        "Grade a delivery",
        "Settle",
        "Send statements",
        "Cold store",
    )
    life_alone.plan(*(f"US-{number:03} {name}" for number, name in enumerate(names, 1)))  # fmt: skip
    for number in range(1, 6):
        life_alone.starts().marks(f"US-{number:03}", passes=True)
    context = life_alone.context
    assert "| US-001 | Record a delivery | ✓ |" in context
    assert context.count("Record a delivery") == 1
    assert context.count("Import the members") == 1


def test_a_heading_of_another_plans_story_is_told_by_its_title_or_not_at_all(life_alone: Life) -> None:
    life_alone.plan("US-001 Quay", "US-002 Mails", "US-003 Berths", name="Harbour")
    life_alone.plan("AU-1 List lots", "AU-2 Bids", "AU-3 Award", path=_AUCTION, name="Auction")
    life_alone.write(
        "progress.md",
        "# Log\n## 2026-09-29 - US-002 (in progress)\n- Mails go through the outbox\n---\n"
        "## 2026-09-30 - US-003: The occupancy of a berth (in progress)\n- Counted by day\n---\n"
        "## 2026-10-02 - AU-1\n- Lots listed\n---\n## 2026-10-03 - AU-2\n- Bids sealed\n---\n"
        "## 2026-10-04 - AU-3\n- Awards given\n",
    )
    life_alone.command("config", "set", "plan", _AUCTION)
    noted = section(life_alone.context, _NOTED)
    assert "- US-002 (prd.json): Mails go through the outbox" in noted
    assert "- US-003 (prd.json): The occupancy of a berth\n" in noted
    assert "2026-09" not in noted


def test_a_log_in_german_says_when_it_was_begun_and_teaches_nothing_by_that(life_alone: Life) -> None:
    life_alone.write(
        "progress.md",
        "# Fortschrittsprotokoll\nBegonnen: 2026-10-01\n\n## Muster im Code\n"
        "- Beträge sind immer ganze Cent (`kasse/geld.py`), niemals float\n\n---\n\n"
        "## 2026-10-01 - VK-01\n- Beiträge werden berechnet\n",
    )
    context = life_alone.context
    assert "- Beträge sind immer ganze Cent (kasse/geld.py), niemals float" in context
    assert "Begonnen" not in context
