"""After years of work, archived entries still count, and damage to the archive is reported."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.journeys.project_life import OURS, Life

TWO_YEARS_AGO = datetime(2024, 1, 10, tzinfo=UTC)


def worked(
    life: Life, stories: int, *, since: datetime = TWO_YEARS_AGO, name: str = "T-{}", **fields: Any
) -> None:
    """Put finished stories into the log, one every two hours since a time."""
    entries = [
        {
            "id": f"entry-20240110-000000-{place:06d}",
            "timestamp": (since + timedelta(hours=2 * place)).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "type": "task_completed",
            **({"task_id": name.format(place)} if name else {}),
            "data": {"description": f"Work number {place}"},
            **fields,
        }
        for place in range(stories)
    ]
    path = life.main / OURS / "progress.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    older = json.loads(path.read_text("utf-8"))["entries"] if path.exists() else []
    path.write_text(
        json.dumps({"version": "1.0", "project": "Harbour", "entries": [*older, *entries]}), "utf-8"
    )


def counted(life: Life) -> str:
    """Return how much `status` and the context count; they have to say the same."""
    summary: str = life.told_as_json("status")["summary"]
    assert f"Stories: {summary}\n" in life.context
    return summary


def archived(life: Life) -> None:
    """Move everything to the archive."""
    life.command("archive", "--days", "0", "--at-least", "1")
    assert life.log == []
    time.sleep(
        1 - time.time() % 1
    )  # within one second entries are ordered after those in the log, not the archive


def test_what_an_archived_entry_finished_and_taught_is_known(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart", "US-003 Checkout")
    worked(life, 40)
    agent = life.starts()
    agent.logs("task_completed", "Form posts", task="US-001", learning="Never dredge beside the fuel pier")
    agent.logs("milestone_reached", "Sketches agreed", next="Start US-003 with the tax table")
    archived(life)
    assert counted(life) == "1/3 complete (33%)"
    assert "Never dredge beside the fuel pier" in life.context
    assert "Start US-003 with the tax table" in life.status
    agent.logs("task_blocked", "It leaks", task="US-001")
    assert counted(life) == "0/3 complete (0%)"
    agent.logs("task_completed", "Mended", task="US-001")
    assert counted(life) == "1/3 complete (33%)"


def test_the_report_says_how_many_archived_entries_it_does_not_list(life: Life) -> None:
    worked(life, 540, name="", type="milestone_reached")
    life.command("archive", "--days", "0", "--at-least", "1")
    report = life.told_as_json("report")
    listed = [entry["title"] for entry in report["entries"]]
    assert report["archived"] > 500
    assert report["archived_listed"] == 500
    assert len(listed) == 500 + len(life.log)
    assert "Work number 0" not in listed
    life.command("report")
    page = (life.root / OURS / "report.html").read_text("utf-8")
    assert f"Of {report['archived']} archived entries 500 are listed" in page
    assert "Work number 0\n" in life.command("context", "--whole")


def test_a_month_that_has_lost_entries_is_named_until_the_copy_outside_has_mended_it(life: Life) -> None:
    worked(life, 600)
    agent = life.starts()
    agent.logs("task_completed", "Lamp lit", task="L-1")
    before = counted(life)
    month = min((life.main / OURS / "archive").glob("2024-0*.json"))
    whole = month.read_bytes()
    month.write_bytes(whole[: len(whole) // 2])
    named = f"archive/{month.name} does not parse"
    assert named in life.context
    assert named in life.status
    assert named in life.try_command("verify").stdout
    agent.logs("task_completed", "Mast set", task="L-2")
    assert named in life.status, "an append took the damaged month for the whole"

    life.command("repair")
    assert (before, counted(life)) == ("602 entries logged", "603 entries logged")
    assert named not in life.status
    assert named not in life.context
