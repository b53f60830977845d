"""What was left open is told no longer once later work says in ordinary words that it is done."""

from __future__ import annotations

import pytest

from tests.journeys.project_life import Life

LEFT = "- TODO: page break inside the table header; numbers have gaps"
WORK = "- The statement is printed"


def test_steps_that_later_completions_name_are_done(life_alone: Life) -> None:
    session = life_alone.starts()
    session.logs("task_completed", "Parser works", next="Write the CLI")
    session.logs("task_completed", "CLI written, with --json", next="Dashboard for the lab manager")
    session.logs("task_completed", "Dashboard is done")
    assert life_alone.told_as_json("status")["left_open"] == []
    assert "Left open" not in life_alone.context


@pytest.mark.parametrize(
    ("step", "did"),
    [
        ("Test the CLI", "CLI is done"),
        ("Write the CLI", "CLI is not done"),
        ("Write the CLI", "CLI tests"),
        ("Dashboard for the lab manager", "Login of the dashboard works"),
    ],
)
def test_a_step_is_left_open_by_work_on_something_else(life_alone: Life, step: str, did: str) -> None:
    session = life_alone.starts()
    session.logs("task_completed", "Parser works", next=step)
    session.logs("task_completed", did)
    session.logs("task_completed", "Readings are averaged")
    assert life_alone.told_as_json("status")["left_open"] == [step]


def test_what_is_left_open_can_be_muted(life_alone: Life) -> None:
    step = "Write the manual of the parser"
    session = life_alone.starts()
    session.logs("task_completed", "Parser works", next=step)
    for did in ("Readings are averaged", "Readings are sorted"):
        session.logs("task_completed", did)
    assert life_alone.told_as_json("status")["left_open"] == [step]
    life_alone.command("mute", "manual of the parser")
    assert life_alone.told_as_json("status")["left_open"] == []


@pytest.mark.parametrize("later", ["", "## 2026-11-12 - US-004\n- Statements are numbered\n\n"])
def test_what_an_unfinished_story_left_open_is_over_with_it(life_alone: Life, later: str) -> None:
    life_alone.plan("US-004 Print a statement", "US-005 Reserve a tool", "US-006 Export the year")
    begun = f"# Progress Log\n\n## 2026-11-10 - US-004 (in progress)\n{WORK}\n{LEFT}\n\n"
    life_alone.write("progress.md", f"{begun}{later}## 2026-11-14 - US-005\n- Queue of members\n")
    if not later:
        assert "page break" in " ".join(life_alone.told_as_json("status")["left_open"])
        life_alone.story("US-004", passes=True)
    assert life_alone.told_as_json("status")["left_open"] == []


def test_what_is_left_open_is_over_once_newer_work_names_it(life_alone: Life) -> None:
    life_alone.plan("US-004 Print a statement", "US-005 Reserve a tool", "US-006 Export the year")
    life_alone.story("US-004", passes=True)
    log = f"# Progress Log\n\n## 2026-11-10 - US-004\n{WORK}\n- TODO: page break inside the table header\n\n"
    for did, ends in (("Page margin fixed", 1), ("Page break fixed", 0)):
        life_alone.write(
            "progress.md", f"{log}## 2026-11-14 - US-005\n- {did}\n\n## 2026-11-15 - US-005\n- Queue\n"
        )
        assert len(life_alone.told_as_json("status")["left_open"]) == ends


WAS_SO = {
    "en": ("blocked", "Blocked: the wholesaler's list is missing", "Still open: proposal by mail"),
    "de": ("blockiert", "Blockiert: die Liste des Händlers fehlt", "Noch offen: Vorschlag als Mail"),
    "es": ("bloqueado", "Bloqueado: falta la lista del mayorista", "Pendiente: propuesta por correo"),
    "zh": ("阻塞", "阻塞：批发商的清单还没有", "待办：邮件提案"),
}


@pytest.mark.parametrize("language", WAS_SO)
def test_what_was_in_the_way_of_a_story_is_not_told_as_so_once_it_is_finished(
    life_alone: Life, language: str
) -> None:
    status, stuck, left = WAS_SO[language]
    life_alone.plan("US-001 Store stock", "US-002 Propose reorders", "US-003 Print labels")
    stopped = (
        "# Log\n\n## 2026-11-10 - US-002: Propose reorders\n"
        f"**Status:** {status}\n- Threshold of 5\n- {stuck}\n- {left}\n"
    )
    life_alone.write("progress.md", stopped)
    assert stuck.replace("：", ": ").partition(": ")[2] in life_alone.context
    finished = "\n## 2026-11-12 - US-002: Propose reorders\n**Status:** done\n- The proposal goes out\n"
    life_alone.write("progress.md", stopped + finished)
    life_alone.story("US-002", passes=True)
    told = life_alone.context
    assert "Threshold of 5" in told
    assert stuck not in told
    assert left not in told


def test_a_note_of_what_is_open_is_gone_once_it_is_done(life_alone: Life) -> None:
    life_alone.plan("US-001 Store stock", "US-002 Export", "US-003 Print labels")
    session = life_alone.starts()
    open_ = "Still TODO: rate limiting of the export."
    session.logs("milestone_reached", "Export begun", task="US-002", data={"notes": open_})
    session.logs("milestone_reached", "Threshold of 5", task="US-001")
    assert open_ in life_alone.context
    session.logs("task_completed", "Rate limiting of the export is done now", task="US-002")
    assert open_ not in life_alone.context
