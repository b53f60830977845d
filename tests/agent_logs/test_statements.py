"""Statements, learnings, and what a document says about the present."""

from __future__ import annotations

import datetime as dt

import pytest

from progress_plugin.agent_logs.reader import read_agent_log
from tests.agent_logs.tables import document, table


def test_statements_have_the_label_that_gives_them_meaning_and_fields_are_none() -> None:
    statements = read_agent_log("log.md", document("statements")).statements
    read = [[each.source.line, each.form, each.section, each.label, each.text] for each in statements]
    assert read == table("statements.json")
    assert {(each.entry, each.story) for each in statements} == {(1, "MILL-1")}


@pytest.mark.parametrize(("text", "learnings"), [row[1:] for row in table("learnings.json")])
def test_learnings_are_what_a_section_or_label_teaches(text: str, learnings: list[str]) -> None:
    assert [each.text for each in read_agent_log("log.md", text).learnings] == learnings


def test_a_state_document_states_the_present() -> None:
    state = read_agent_log("STATE.md", document("state"))
    assert state.kind == "state"
    assert state.branch == "mill/oak"
    assert state.focus is not None
    assert state.focus.text.startswith("Mending the wheel")
    assert state.focus.source.date == dt.date(2026, 3, 5)
    steps = [each.text for each in state.next_steps]
    assert steps[:3] == ["Order oak: twelve boards", "Oil the crane", "Build a second gate"]
    assert steps[3:] == ["Grease the axle before spring"]
    blockers = [each.text for each in state.blockers]
    assert blockers == ["The race is frozen until spring", "MILL-3: Open the race"]


def test_boxes_list_the_work_and_one_above_others_only_holds_them() -> None:
    boxes = read_agent_log("STATE.md", document("state")).items
    assert [(each.id, each.title, each.reports[0].status) for each in boxes][2:] == [
        ("MILL-1", "Mend the gate", "done"),
        (None, "Cut the spokes", "done"),
        (None, "Drive them in", "pending"),
        ("MILL-3", "Open the race", "blocked"),
    ]
    assert boxes[3].key[-2] == "MILL-2"


def test_the_newest_entry_overrules_the_steps_above_the_log() -> None:
    log = read_agent_log("log.md", document("log_with_stale_plan"))
    assert [(each.text, each.source.line) for each in log.next_steps] == [("Buy oak", 18)]
    assert [each.text for each in log.blockers] == ["no oak in the yard"]
    assert log.entries[0].next_steps == ("mend the wheel",)
    assert log.branch == "mill/oak"


@pytest.mark.parametrize(
    ("path", "text", "kind"),
    [
        ("docs/handoff-notes.md", "# Notes\n- Mind the gate\n", "handoff"),
        ("notes.md", "# Session hand-off\n- Mind the gate\n", "handoff"),
        ("notes.md", "# Mill\n- Mind the gate\n", "notes"),
        ("progress.md", "## 2026-03-01 - MILL-1\n- Mended\n", "log"),
    ],
)
def test_the_kind_of_a_document(path: str, text: str, kind: str) -> None:
    assert read_agent_log(path, text).kind == kind


def test_a_file_that_is_called_like_learnings_teaches() -> None:
    text = "# Signs\n> Read these first.\n## Core\n### Sign: Tides\n- **Trigger**: Before a gate opens\n- **Instruction**: Read the tide\n- **Added after**: Flood\n"
    taught = [each.text for each in read_agent_log(".crew/guardrails.md", text).learnings]
    assert taught == ["**Trigger**: Before a gate opens", "**Instruction**: Read the tide"]
    assert not read_agent_log(".crew/harbour.md", text).learnings
