"""Years of work: what has left the log for the archive still counts, and damage to it is told."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.journeys.project_life import OURS, Life, section

TWO_YEARS_AGO = datetime(2024, 1, 10, tzinfo=UTC)


def worked(
    life: Life, stories: int, *, since: datetime = TWO_YEARS_AGO, name: str = "T-{}", **fields: Any
) -> None:
    """Put into the log what an agent has finished since then: so many stories, one every two hours."""
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


def percent(life: Life) -> str:
    """Return what every place that counts says; they have to say the same."""
    told = life.told_as_json("status")
    standing: str = told["summary"]
    assert f"Stories: {standing}" in life.context
    done, counted = standing.split(maxsplit=1)[0].split("/")
    assert told["counts"]["done"] == int(done)
    assert life.user_line.startswith(f"progress: {done}/{counted}")
    return standing


def test_of_602_finished_stories_all_602_are_counted_after_the_archive_took_most_of_them(life: Life) -> None:
    worked(life, 600)
    agent = life.starts()
    agent.logs("task_completed", "The ferry docks", task="F-1")
    agent.logs("task_completed", "The ferry leaves", task="F-2")
    assert len(life.log) < 600, "the archive has taken none"
    assert percent(life).startswith("602/602 complete (100%)")


def test_a_story_blocked_among_thousands_of_archived_ones_is_counted_and_named(life: Life) -> None:
    worked(life, 700)
    early = life.starts()
    early.logs("task_blocked", "No crane", task="B-1", data={"issue": "the crane is out of order"})
    worked(life, 4400, since=TWO_YEARS_AGO + timedelta(days=90), name="U-{}")
    life.command("archive", "--days", "0", "--at-least", "1")
    agent = life.starts()
    agent.logs("task_completed", "Lamp lit", task="L-1")
    assert percent(life).startswith("5101/5102 complete (99%)")
    assert "the crane is out of order" in section(life.context, "## Completion Status")
    assert [story["id"] for story in life.told_as_json("status")["blocked"]] == ["B-1"]


def test_an_archived_story_that_is_taken_up_again_counts_once_and_its_last_word_counts(life: Life) -> None:
    worked(life, 1000)
    agent = life.starts()
    agent.logs("task_completed", "Lamp lit", task="L-1")
    assert percent(life).startswith("1001/1001")
    agent.logs("task_blocked", "It leaks again", task="T-3", data={"issue": "the hull is thin"})
    assert percent(life).startswith("1000/1001 complete (99%)")
    agent.logs("task_completed", "Hull mended", task="T-3")
    assert percent(life).startswith("1001/1001 complete (100%)")


def test_the_report_says_how_many_archived_entries_it_does_not_list(life: Life) -> None:
    worked(life, 40, name="", type="milestone_reached")
    life.command("archive", "--days", "0", "--at-least", "1")
    report = life.told_as_json("report")
    listed = [entry["title"] for entry in report["entries"]]
    assert report["archived"] > 30
    assert report["archived_listed"] == 30
    assert len(listed) == 30 + len(life.log)
    assert "Work number 0" not in listed
    life.command("report")
    page = (life.root / OURS / "report.html").read_text("utf-8")
    assert f"Of {report['archived']} archived entries 30 are listed" in page
    assert "Work number 0\n" in life.command("context", "--whole")


def test_a_month_that_is_damaged_changes_no_figure_and_is_named_until_it_is_mended(life: Life) -> None:
    worked(life, 800)
    agent = life.starts()
    agent.logs("task_completed", "Lamp lit", task="L-1")
    before = percent(life)
    month = min((life.main / OURS / "archive").glob("2024-0*.json"))
    whole = month.read_bytes()
    month.write_bytes(whole[: len(whole) // 2])

    assert percent(life) == before
    named = f"archive/{month.name} does not parse"
    assert named in life.context
    assert named in life.status
    assert named in life.try_command("verify").stdout
    agent.logs("task_completed", "Mast set", task="L-2")
    assert percent(life).startswith("802/802"), "an append took the damaged month for the whole"
    assert named in life.status

    assert f"archive/{month.name}" in life.command("repair")
    assert percent(life).startswith("802/802"), "the copy outside the project was not used"
    assert "does not parse" not in life.status
    assert "does not parse" not in life.context


def test_entries_that_vanish_from_a_month_are_missed(life: Life) -> None:
    worked(life, 800)
    agent = life.starts()
    agent.logs("task_completed", "Lamp lit", task="L-1")
    before = percent(life)
    month = min((life.main / OURS / "archive").glob("2024-0*.json"))
    entries = json.loads(month.read_text("utf-8"))["entries"]
    month.write_text(json.dumps({"entries": entries[10:]}), "utf-8")

    assert percent(life) == before
    named = f"archive/{month.name} holds {len(entries) - 10} of {len(entries)} entries"
    assert named in life.context
    assert named in life.status
    assert named in life.try_command("verify").stdout
    life.command("repair")
    assert percent(life) == before
    assert named not in life.status


def test_a_next_step_is_told_until_it_is_taken_also_when_all_was_archived(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart", "US-003 Checkout")
    agent = life.starts()
    agent.logs(
        "task_completed", "Form posts to /session", task="US-001", next="Start US-003 with the tax table"
    )
    assert "Next: Start US-003 with the tax table\n" in life.context
    life.command("archive", "--days", "0", "--at-least", "1")
    assert life.log == []
    assert "Next: Start US-003 with the tax table\n" in life.context
    assert "Next: Start US-003 with the tax table." in life.recent
    agent.logs("task_completed", "Tax is looked up by canton", task="US-003")
    assert "Start US-003" not in life.context


def noted(life: Life, milestones: int, *, days_ago: int = 80) -> None:
    """Put milestones into the log after which nobody has anything to do; all of the log begins so many days ago."""
    path = life.main / OURS / "progress.json"
    document = json.loads(path.read_text("utf-8")) if path.exists() else {"version": "1.0", "entries": []}
    begin = datetime.now(UTC) - timedelta(days=days_ago)
    document["entries"] += [
        {
            "id": f"note-{days_ago}-{place}",
            "type": "milestone_reached",
            "data": {"description": f"Mark {days_ago}.{place} is passed"},
        }
        for place in range(milestones)
    ]
    for place, entry in enumerate(document["entries"]):
        entry["timestamp"] = (begin + timedelta(hours=3 * place)).strftime("%Y-%m-%dT%H:%M:%SZ")
    path.write_text(json.dumps(document), "utf-8")


def standing(life: Life) -> str:
    """Return what `status` says of the work."""
    return life.status.partition("\n\nSummary:")[0].replace(
        "the log, its archive not counted, but", "the log, but"
    )


def archived(life: Life) -> None:
    """Move everything to the archive."""
    life.command("archive", "--days", "0", "--at-least", "1")
    assert life.log == []


def test_a_story_that_is_logged_again_after_its_entry_was_archived_counts_once(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    agent = life.starts()
    agent.logs("task_completed", "The form posts to /session", task="US-001")
    archived(life)
    agent.logs("task_completed", "The session ends after an hour", task="US-001")
    late = life.entries("task_completed")[-1]["data"]
    assert "supplements" in late
    assert "1 task completed" in life.recent
    for told in (life.recent, life.report):
        assert "The form posts to /session" in told
        assert "The session ends after an hour" in told
    assert len([entry for entry in life.told_as_json("report")["entries"] if entry["story"] == "US-001"]) == 1


def test_old_work_moves_to_the_archive_together_with_what_was_said_of_it_since(life_alone: Life) -> None:
    agent = life_alone.starts()
    agent.logs("task_completed", "The form posts to /session", task="T-1")
    noted(life_alone, 600)
    agent.logs("task_completed", "The session ends after an hour", task="T-1")
    before = life_alone.command("recent", "-n", "700").partition("\n")[0]
    assert "Last 602 entries: 1 task completed" in before
    life_alone.command("archive", "--days", "30", "--at-least", "1")
    assert len(life_alone.log) < 602
    assert life_alone.command("recent", "-n", "700").partition("\n")[0] == before
