"""One name for a project, and one progress document that belongs to it alone."""

from __future__ import annotations

import json
from pathlib import Path

from progress_plugin.core.start_cache import cache_path
from tests.journeys.project_life import OURS, Life

_GOAL = {"goal": "Ship the login", "next_steps": ["rate limits"]}


def _names(life: Life) -> dict[str, str]:
    """Return what each way out calls the project."""
    return {
        "status": life.told_as_json("status")["project"],
        "summarize": life.told_as_json("status", "summarize")["project"],
        "report": json.loads(life.report)["project"],
        "context": life.context.partition("# Progress Summary: ")[2].partition("\n")[0],
        "memory": life.command("memory", "progress", "--content", "{}").split()[3].rstrip(":"),
        "log": json.loads((life.main / OURS / "progress.json").read_text())["project"],
    }


def test_a_project_has_one_name_wherever_it_is_told(life: Life) -> None:
    life.plan("US-001 Login page", name="PlanName")
    session = life.starts()
    session.logs("milestone_reached", "Begun")
    assert set(_names(life).values()) == {"PlanName"}
    life.command("config", "set", "project", "MyName")
    session.logs("milestone_reached", "Named")
    assert set(_names(life).values()) == {"MyName"}


def test_a_document_saved_under_the_name_that_is_shown_is_shown(life: Life) -> None:
    life.plan("US-001 Login page", name="PlanName")
    life.command("init")
    life.command("config", "set", "project", "MyName")
    shown = life.told_as_json("status")["project"]
    session = life.starts()
    session.calls("mem_progress", project=shown, content=_GOAL)
    assert "Goal: Ship the login" in life.context


def test_a_document_saved_under_the_plans_name_stays_when_the_project_gets_another(life: Life) -> None:
    life.plan("US-001 Login page", name="PlanName")
    life.starts().calls("mem_progress", project="PlanName", content=_GOAL)
    life.command("config", "set", "project", "MyName")
    assert "Goal: Ship the login" in life.context
    assert "Ship the login" in life.command("memory", "progress")


def test_what_a_start_shows_is_what_memory_progress_reads(life: Life) -> None:
    life.plan("US-001 Login page", name="The Quay")
    session = life.starts()
    directory = life.main.name
    session.calls("mem_progress", project=directory, content=_GOAL)
    assert "Goal: Ship the login" in life.context
    assert "Ship the login" in life.command("memory", "progress")
    assert "Ship the login" in session.calls("mem_progress", project="The Quay")
    assert "revision 1" in life.command("memory", "progress", "--revisions").replace(
        "revision  1", "revision 1"
    )
    again = session.calls("mem_progress", project="The Quay", content={"goal": "Paint"}, base_revision=1)
    assert "revision 2" in again
    assert "Goal: Paint" in life.context
    assert "Ship the login" not in life.context


def test_a_document_saved_in_the_letters_of_the_directory_is_shown_and_found(life: Life) -> None:
    life.plan("US-001 Login page", name="Harbour")
    session = life.starts()
    session.calls("mem_progress", project="harbour", content=_GOAL)
    assert "Goal: Ship the login" in life.context
    assert "Ship the login" in life.command("memory", "progress")
    assert "Ship the login" in session.calls("mem_progress", project="Harbour")


def test_two_projects_of_one_name_keep_a_document_each(life: Life, tmp_path: Path) -> None:
    life.plan("US-001 Login page", name="app")
    life.starts().calls("mem_progress", project="app", content=_GOAL)
    other = Life(tmp_path / "elsewhere" / "app")
    other.plan("US-001 Grind corn", name="app")
    miller = other.starts()
    assert "Ship the login" not in miller.context
    refused = miller.calls("mem_progress", project="app", content={"goal": "Grind"}, base_revision=1)
    assert refused == (
        f"base_revision 1 is one of {life.main}, another project of this name; "
        "this one has no document yet: leave base_revision out"
    )
    said = miller.calls("mem_progress", project="app", content={"goal": "Grind corn"})
    assert said == (
        f"Saved progress of app: revision 1, id 2. {life.main} has a document of this name, too; "
        "each project keeps and is shown its own."
    )
    assert "Goal: Grind corn" in other.context
    assert "Goal: Ship the login" in life.context
    assert "Grind corn" in other.command("memory", "progress")
    assert "Ship the login" in life.command("memory", "progress")
    refused = miller.calls("mem_progress", project="app", content={"goal": "Bake"}, base_revision=7)
    assert "base_revision 7 does not exist, the newest is revision 1" in refused
    assert "revision 2" in miller.calls(
        "mem_progress", project="app", content={"goal": "Bake"}, base_revision=1
    )
    life.starts().calls("mem_progress", project="app", content={"goal": "Ship it all"}, base_revision=1)
    assert "Goal: Bake" in other.context
    assert "Goal: Ship it all" in life.context


def test_a_project_that_moved_takes_its_document_along(tmp_path: Path) -> None:
    life = Life(tmp_path / "old" / "app")
    life.plan("US-001 Login page", name="app")
    life.starts().calls("mem_progress", project="app", content=_GOAL)
    (tmp_path / "new").mkdir()
    life.root = life.main = life.root.rename(tmp_path / "new" / "app")
    said = life.starts().calls("mem_progress", project="app", content={"goal": "Go on"}, base_revision=1)
    assert "revision 2" in said
    assert f"It replaced the document of {tmp_path / 'old' / 'app'}, which is gone" in said
    assert "Goal: Go on" in life.context


def test_another_database_in_one_call_changes_nothing_that_is_kept(life: Life, tmp_path: Path) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    session = life.starts()
    session.calls("mem_progress", project="Harbour", content=_GOAL)
    session.logs("task_completed", "Form posts to /session", task="US-001")
    life.environment["AGENT_PROGRESS_DB"] = str(tmp_path / "another.db")
    session.calls("mem_progress", project="Harbour", content={"goal": "Not for here"})
    session.logs("milestone_reached", "Beta")
    assert "Goal: Not for here" in life.command("context")
    kept = (life.root / OURS / "progress-summary.md").read_text()
    assert "Goal: Ship the login" in kept or "older than log and plan" in kept
    assert "Not for here" not in kept
    del life.environment["AGENT_PROGRESS_DB"]
    assert "Not for here" not in life.context
    assert "Ship the login" in life.context


def test_a_database_that_is_always_named_makes_starts_as_ready_as_the_usual_one(
    life: Life, tmp_path: Path
) -> None:
    life.environment["AGENT_PROGRESS_DB"] = str(tmp_path / "my own.db")
    life.plan("US-001 Login page", "US-002 Cart")
    session = life.starts()
    session.logs("milestone_reached", "Begun")
    session.calls("mem_progress", project="Harbour", content=_GOAL)
    assert "Goal: Ship the login" in life.context
    assert life.command("status", "why").startswith("fresh: ")
    cache = Path(cache_path(str(life.root)))
    before = cache.stat().st_ino
    assert "Goal: Ship the login" in life.context
    assert cache.stat().st_ino == before
    del life.environment["AGENT_PROGRESS_DB"]
    assert life.try_command("status", "why").stdout == "stale: AGENT_PROGRESS_DB names another database\n"
    assert "Ship the login" not in life.context
    assert life.command("status", "why").startswith("fresh: ")


def test_entries_that_an_agent_moved_out_of_its_log_are_proposed_and_read_once_they_are_named(
    life_alone: Life,
) -> None:
    life_alone.plan("US-001 Quay", "US-002 Mails")
    life_alone.write(
        "progress-archive.md", "# Log\n## 2026-09-01 - US-001\n- **Learnings:** Berths have no number 13\n"
    )
    life_alone.write(
        "progress.md",
        "# Progress Log\nEntries before 2026-10-06 are in progress-archive.md\n\n## Codebase Patterns\n"
        "- Weights are grams\n\n---\n## 2026-10-06 - US-002\n- Mails go through the outbox\n",
    )
    proposed = """config set log_files '["progress-archive.md"]'"""
    assert proposed in life_alone.command("init")
    assert (
        "not read, by its name a log of agents: progress-archive.md"
        in life_alone.try_command("doctor").stdout
    )
    assert "- Weights are grams" in life_alone.context
    assert "progress-archive.md" not in life_alone.context
    life_alone.command("config", "set", "log_files", '["progress-archive.md"]')
    assert "Berths have no number 13" in life_alone.context
    assert "by its name a log" not in life_alone.try_command("doctor").stdout
