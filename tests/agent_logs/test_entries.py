"""A log can mark its entries in four ways; all of them are read."""

from __future__ import annotations

import pytest

from progress_plugin.agent_logs.reader import read_agent_log
from tests.agent_logs.tables import document, table


@pytest.mark.parametrize("name", table("entries.json"))
def test_entries_are_found_oldest_first(name: str) -> None:
    entries = read_agent_log("log.md", document(name)).entries
    read = [
        [each.source.line, list(each.ids), each.title, each.date and each.date.isoformat(), each.status]
        for each in entries
    ]
    assert read == table("entries.json")[name]
    assert [each.number for each in entries] == list(range(1, len(entries) + 1))


def test_ids_of_the_plan_have_any_shape() -> None:
    log = read_agent_log("log.md", "## wheel.mend\n- a\n## crane.oil\n- b\n", ["wheel.mend", "crane.oil"])
    assert [each.ids for each in log.entries] == [("wheel.mend",), ("crane.oil",)]


def test_the_first_sentence_of_a_run_may_name_a_story_of_the_plan() -> None:
    text = "## Iteration 2 - 2026-03-01\nTool: codex\n---\n**MILL-1 complete.** Next is the crane.\n"
    titles = {
        ids: [(each.ids, each.title, each.status) for each in read_agent_log("log.md", text, ids).entries]
        for ids in ((), ("MILL-1",))
    }
    assert titles == {(): [((), "MILL-1 complete", None)], ("MILL-1",): [(("MILL-1",), "", "done")]}


def test_an_entry_ends_where_the_next_section_begins() -> None:
    log = read_agent_log("log.md", "## 2026-03-01 - MILL-1\n- a\n### Notes\n- b\n## Rules\n- Oak swells\n")
    assert (log.entries[0].source.line, log.entries[0].source.last) == (1, 4)
    assert log.statements[-1].entry == 0
