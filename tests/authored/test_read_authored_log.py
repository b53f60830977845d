"""Whole logs, read into events."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.authored.reader import AuthoredLog, read_log
from progress_plugin.core.known_paths import LOGS, beside_plan
from progress_plugin.model.status import Status

FIXTURES = Path(__file__).parent / "fixtures"


def rows(text: str, **titles: str) -> list[tuple[tuple[str, ...], str | None, str, int | None]]:
    log = read_log(text, "progress.md", {key.replace("_", "-"): title for key, title in titles.items()})
    return [(event.stories, event.title, event.status.value, event.line) for event in log.events]


def ralph() -> AuthoredLog:
    text = (FIXTURES / "ralph.md").read_text("utf-8")
    return read_log(text, "progress.md", {"MILL-001": "Set up the mill", "MILL-002": "Wheel"})


def test_a_ralph_log_is_read_whole() -> None:
    log = ralph()
    assert log.head == (None, "feature/mill", "2026-02-02")
    assert [(e.stories, e.title, e.status, e.line, e.when, e.position) for e in log.events] == [
        (("MILL-001",), "Set up the mill", Status.DONE, 11, "2026-02-02T09:10", 1),
        (("MILL-002", "MILL-003"), "Wheel and belt", Status.DONE, 21, "2026-02-02T11:40", 2),
        (("MILL-004",), None, Status.BLOCKED, 28, "2026-02-03", 3),
    ]
    assert log.events[0].details == ("Set up the mill in src/mill.py",)
    assert log.events[0].files == ("src/mill.py", "tests/test_mill.py")
    assert {event.source for event in log.events} == {"progress.md"}


def test_a_line_knows_the_story_it_stands_in() -> None:
    log = ralph()
    owners = [log.owner_of_line(line) for line in (1, 6, 11, 18, 25, 30, 35, 99)]
    first, second, third = ("MILL-001", 1), ("MILL-002", 2), ("MILL-004", 3)
    assert owners == [(None, 0), (None, 0), first, first, second, third, (None, 0), (None, 0)]


def test_titles_come_from_heading_then_plan_then_fields() -> None:
    text = "## A-1: own\n## A-2\n- Task: field\n## A-3\n- Task: field\n## A-4\nx\n"
    assert [title for _, title, *_ in rows(text, A_1="plan", A_2="plan")] == ["own", "plan", "field", None]


def test_a_heading_that_is_a_planned_title_has_its_id() -> None:
    assert rows("## Grind the flour\n- done\n\n## A-2\n", A_1="Grind the **flour**")[0][0] == ("A-1",)


def test_a_change_below_a_day_is_an_entry_and_a_section_below_it_is_none() -> None:
    text = (
        "# Progress\n\n## 2026-02-11\n\n### Fix: loading of saves\n\nThe client sends a number.\n\n"
        "### Improvement (cache): read once\n\nThe rules.\n\n"
        "## 2026-02-12\n\n### Change: harbour map\n\nIt shows the pier.\n\n"
        "## 2026-02-13 - Pier\n\n### Fixes\n\n- Oiled the crane\n\n### Changes: 3\n\n- More\n"
    )
    titles = [title for _, title, *_ in rows(text)]
    assert titles == [
        "Fix: loading of saves",
        "Improvement (cache): read once",
        "Change: harbour map",
        "Pier",
    ]


def test_the_id_may_stand_in_a_field_but_a_list_of_ids_names_no_story() -> None:
    text = "## 2026-01-01 - one\n- Ticket ID: A-7\n## 2026-01-02 - two\n- Ticket IDs: A-8, A-9\n"
    assert [ids for ids, *_ in rows(text)] == [("A-7",), ()]


def test_one_story_may_have_several_entries() -> None:
    text = "## 2026-01-01 - A-1\n- try\n- Status: failed\n## 2026-01-02 - A-1\n- again\n"
    assert [(ids, status) for ids, _, status, _ in rows(text)] == [(("A-1",), "failed"), (("A-1",), "done")]


def test_what_sums_up_several_stories_is_none_but_a_story_may_be_called_so() -> None:
    assert rows("## A-1 to A-3: Summary\nx\n## A-4: Summary\ny\n") == [(("A-4",), "Summary", "done", 3)]


def test_a_short_name_before_a_colon_is_an_id_only_with_a_status() -> None:
    assert rows("S3: holds the flour\nEC2: turns the wheel\n") == []
    assert [ids for ids, *_ in rows("A1: DONE — mill\nA2: DONE — wheel\n")] == [("A1",), ("A2",)]


def test_what_a_machine_noted_again_is_merged() -> None:
    text = "## 2026-01-01 - A-1\n- built it\n## 2026-01-01 - A-1\n- Status: complete\n## 2026-01-02 - A-2\n- more\n"
    assert [line for *_, line in rows(text)] == [1, 5]


def test_marks_of_a_run_and_sums_are_no_stories() -> None:
    titles = ["Context Compacted", "Story Analysis", "PROJECT COMPLETE", "PROJECT COMPLETE: the mill", "Session Timeout",
              "PRD Status: COMPLETE", "Epic Summary: mill", "Iteration Complete"]  # fmt: skip
    text = "".join(f"## 2026-01-01 - {title}\ntext\n" for title in titles)
    assert rows(text + "## 2026-01-02 - A-1\nx\n") == [(("A-1",), None, "done", 17)]


def test_runner_marks_are_no_stories_but_what_the_agent_wrote_is() -> None:
    text = "### 2026-01-01 10:00:00\n**Session 1 started** (model: x)\n### 2026-01-01 10:30\n- ground flour\n"
    assert [line for *_, line in rows(text)] == [3]


def test_phases_of_a_plan_are_no_stories() -> None:
    assert rows("## 2026-01-01 — Phase 1 complete\nx\n## 2026-01-02 — Phase 2 complete\ny\n") == []
    assert rows("## Session: 2026-01-01\n### Phase 1: Look\n- x\n### Phase 2: Do\n- y\n") == []


def test_days_are_entries_where_nothing_else_is() -> None:
    text = "# Progress\n## 2026-01-01\n- oiled the wheel\n## 2026-01-02\n- set the stone\n"
    log = read_log(text, "progress.md")
    assert [(event.when, event.line) for event in log.events] == [("2026-01-01", 2), ("2026-01-02", 4)]
    assert rows("# Progress\n## 2026-01-01\n- oiled the wheel\n") == []


def test_phases_that_a_plan_names_are_its_stories() -> None:
    text = "## Session: 2026-01-01\n### Phase 1: Look\n- x\n### Phase 2: Do\n- y\n"
    log = read_log(text, "progress.md", {"Phase 1": "Look", "Phase 2": "Build"})
    assert [(event.stories, event.title) for event in log.events] == [
        (("Phase 1",), "Look"),
        (("Phase 2",), "Do"),
    ]


def test_a_day_that_holds_stories_is_none_itself() -> None:
    text = "## 2026-01-01\n### A-1 - one\n#### Files\n- a.py\n### A-2 - two\n"
    assert [line for *_, line in rows(text)] == [2, 5]


def test_parts_of_an_entry_are_no_entries() -> None:
    text = "## Session 1 - A-1: one\n### Completed: 2026-01-01\n### 2026-01-01 notes\n- x\n"
    assert [line for *_, line in rows(text)] == [1]


def test_a_number_that_refers_to_a_session_is_no_entry() -> None:
    text = (
        "## Session 1: Mill\n- x\n## Lessons Learned\n### Session 1\n- y\n## Evidence\n### Session 1\n- z\n"
    )
    assert [line for *_, line in rows(text)] == [1]


def test_plans_for_later_have_not_happened() -> None:
    assert [line for *_, line in rows("## A-1: one\nx\n## Next Steps\n### A-2: two\n")] == [1]


def test_a_placeholder_task_is_no_title_and_no_finished_work() -> None:
    text = "## Iteration 1 - 2026-01-01 10:00\n**Task**: Partial work (no signal)\n---\n"
    assert rows(text) == [((), None, "active", 1)]


def test_logs_without_headings_are_read_by_dated_lines() -> None:
    text = "[2026-01-05 09:00] START A-1\n[2026-01-05 10:00] COMPLETE A-1 Mill\n[2026-01-05 10:01] LEARNING: oil it\n"
    assert rows(text + "[2026-01-06 10:00] COMPLETE A-2 Wheel\n") == [
        (("A-1",), "Mill", "done", 2),
        (("A-2",), "Wheel", "done", 4),
    ]


def test_logs_without_headings_are_read_by_marked_items() -> None:
    text = "- [x] A-1: Mill\n- [ ] A-2: Wheel\n- see also A-3\n- 2026-01-01: A-4 belt (failed)\n"
    assert [(ids, status) for ids, _, status, _ in rows(text)] == [
        (("A-1",), "done"),
        (("A-2",), "pending"),
        (("A-4",), "failed"),
    ]


def test_logs_without_headings_are_read_by_table_rows() -> None:
    text = "| Date | Story | Status | Notes |\n|--|--|--|--|\n| 2026-01-05 | A-1 | ✅ done | Mill |\n| | A-2 | blocked | - |\n"
    assert [(ids, status) for ids, _, status, _ in rows(text)] == [(("A-1",), "done"), (("A-2",), "blocked")]


def test_logs_without_headings_are_read_by_sections_between_rules() -> None:
    text = "Date: 2026-01-01\nTask: Mill\nStatus: done\n---\n进展补充（水车）：\n- x\n---\nStatus: partial\nTask: Belt\n"
    assert [(title, status, line) for _, title, status, line in rows(text)] == [
        ("Mill", "done", 1),
        ("水车", "done", 5),
        ("Belt", "active", 8),
    ]


def test_times_stand_for_entries_below_a_day() -> None:
    log = read_log("## 2026-01-05\n### 09:30 - Mill\nx\n### 8:00 UTC - A-2: wheel\n- y\n", "x")
    assert [(event.stories, event.title, event.when) for event in log.events] == [
        (("A-2",), "wheel", "2026-01-05T08:00"),
        ((), "Mill", "2026-01-05T09:30"),
    ]


def test_a_paragraph_may_be_the_status_and_a_field_the_story() -> None:
    assert rows(
        "## Task 1: Mill\nIn progress\n## Iteration 2\n**Story**: A-7 - Wheel\n**Result**: failure\n"
    ) == [
        (("1",), "Mill", "active", 1),
        (("A-7",), "Wheel", "failed", 3),
    ]


def test_a_text_that_is_no_log_has_no_stories() -> None:
    assert rows("# Memory\n## What works\n- grinding\n## Open\n- [ ] belt\n") == []
    assert rows("") == []


def test_places_are_relative_and_the_plan_brings_its_own() -> None:
    assert LOGS[0] == "progress.md"
    assert "scripts/ralph/progress.txt" in LOGS
    assert beside_plan("docs/prd.json") == ("docs/progress.md", "docs/progress.txt")
    assert beside_plan("prd.json")[0] == "progress.md"


LINE = st.sampled_from(
    ["# Log", "## 2026-01-02 - A-1", "## 2025-13-40 - A-2", "### Session 3 (2026-01-01)", "## A-1 & A-2: both ✅", "---",
     "## Codebase Patterns", "- **Learnings:**", "  - oil it", "- Status: blocked", "Task: Partial work", "====", "```",
     "| id | status |", "| A-3 | done |", "[2026-01-01] A-4 x", "- [x] A-5: y", "**Files:** `a.py`", "", "## A-1 through A-9"]
) | st.text(max_size=20)  # fmt: skip


@given(st.lists(LINE, max_size=30))
def test_any_text_gives_events_in_order_with_lines_of_the_file(lines: list[str]) -> None:
    text = "\n".join(lines)
    log = read_log(text, "x", {"A-1": "Mill"})
    assert [event.position for event in log.events] == list(range(1, len(log.events) + 1))
    assert all(event.line and 1 <= event.line <= text.count("\n") + 1 for event in log.events)
    for line in range(1, len(lines) + 2):
        assert log.owner_of_line(line)[1] <= len(log.events)


def test_items_with_ids_are_the_stories_where_headings_only_hold_them() -> None:
    text = (
        "# Plan\n## Part 1\n- [x] **T1: Wheel** — turns left now\n- [ ] **T2: Stone** — soft\n"
        "- [x] **T3+T4: Belt and bell** — hung\n## Final check (2026-04-14)\n- [x] **T1:** seen\n"
    )
    assert [row[:3] for row in rows(text)] == [
        (("T1",), "Wheel", "done"),
        (("T2",), "Stone", "pending"),
        (("T3", "T4"), "Belt and bell", "done"),
    ]


def test_an_id_with_pass_or_fail_behind_it_is_a_story() -> None:
    text = '## Feature: mill\n- MILL-001: PASS - turns\n- MILL-002: FAIL - dates like "2006-01-02" are read\n'
    assert [row[:3] for row in rows(text)] == [
        (("MILL-001",), "turns", "done"),
        (("MILL-002",), 'dates like "2006-01-02" are read', "failed"),
    ]


def test_a_session_with_its_time_is_an_entry_even_alone_and_names_what_it_worked_on() -> None:
    assert [row[:2] for row in rows("## Log\n\n[2026-01-19 21:30] SESSION #0 - Set up\n- x\n")] == [
        ((), "Set up")
    ]
    text = "[2026-01-19 21:30] Sesión #1\n- Worked on: MILL-7\n- Next: oil\n"
    assert [row[0] for row in rows(text)] == [("MILL-7",)]


def test_headings_with_status_and_date_below_are_entries_phases_too() -> None:
    part = "## Phase {0}: {1}\n\n**Status**: {2}\n**Date**: 2026-02-15\n\n- x\n\n---\n\n"
    text = (
        "# Log\n\n---\n\n" + part.format(1, "Wheel", "COMPLETE (seen)") + part.format(2, "Stone", "Partial")
    )
    assert [row[1:3] for row in rows(text)] == [("Phase 1: Wheel", "done"), ("Phase 2: Stone", "active")]


def test_a_date_field_at_the_top_begins_an_entry_without_heading_or_rule() -> None:
    text = "【日付】2026-03-30\n【完了した作業】\n水車を直した\n\n【メモ】\n- x\n"
    assert [row[3] for row in rows(text)] == [1]
    assert [row[3] for row in rows(text + "\n【日付】2026-03-31\n【完了した作業】\n石\n")] == [1, 8]


def test_titles_below_a_bare_date_are_the_entries_of_that_day_across_rules() -> None:
    text = "# Log\n## 2026-02-11\n### Mend the wheel\n- x\n---\n### Oil the stone\n- y\n## 2026-02-12\n### Added\n- z\n"
    log = read_log(text, "progress.md")
    assert [(event.title, event.when, event.line) for event in log.events] == [
        ("Mend the wheel", "2026-02-11", 3),
        ("Oil the stone", "2026-02-11", 6),
    ]


def test_dated_remarks_of_a_run_are_no_entries_beside_lines_that_name_ids() -> None:
    text = (
        "[2026-03-09 13:16] Loop set up\n[2026-03-09 13:16] Looked at the mill\n\n"
        "[2026-03-09 13:27] ✅ Task 1 COMPLETE — Cut `<wheel>`\n  Files: a.py\n\n"
        "[2026-03-09 13:59] ✅ Task 2 COMPLETE — Include <stone.h>\n  Files: b.py\n"
    )
    assert [row[:2] for row in rows(text)] == [(("1",), "Cut <wheel>"), (("2",), "Include <stone.h>")]


def test_long_paragraphs_that_begin_with_time_name_and_status_are_entries() -> None:
    long = "The winch was taken apart and greased, then put together again. " * 8
    text = (
        f"2026-01-05T10:30Z — crane-oiling — PASSED. {long}\n\n"
        "2026-01-05T10:40Z — pre-flight stashed the list of cranes\n\n"
        f"2026-01-05T11:30Z — gate-hinges — FAILED (no commit). {long}\n\n"
        f"2026-01-05T12:30Z — keel-paint — PASSED. {long}\n"
    )
    log = read_log(text, "progress.txt")
    assert [(event.stories, event.status) for event in log.events] == [
        (("crane-oiling",), Status.DONE),
        (("gate-hinges",), Status.FAILED),
        (("keel-paint",), Status.DONE),
    ]


def test_an_entry_of_several_stories_may_say_of_one_how_it_stands() -> None:
    text = (
        "# Log\n\n## Session 3 (2026-01-05): Features #63, #65 - Cranes\n\n"
        "Feature #63: COMPLETED ✅\nFeature #65: SKIPPED (the hook is not drawn)\n\n### Feature #63: Paint - PASSING\n"
    )
    (event,) = read_log(text, "progress.txt").events
    assert event.stories == ("63", "65")
    assert [event.status_of(name) for name in event.stories] == [Status.DONE, Status.SKIPPED]


def test_what_stands_behind_the_rule_that_ends_an_entry_is_of_no_story() -> None:
    entry = "## 2026-01-0{0} - US-00{0}\n- Oiled crane {0}\n---\n"
    stray = "\n- The quay floods at spring tide\n\n---\n"
    parts = [entry.format(at) + (stray if at == 2 else "") for at in range(1, 6)]
    text = "# Log\n\n" + "\n".join(parts)
    log = read_log(text, "progress.txt")
    at = text.split("\n").index("- The quay floods at spring tide") + 1
    assert log.owner_of_line(at) == (None, 0)
    assert log.owner_of_line(text.split("\n").index("- Oiled crane 2") + 1)[0] == "US-002"


def test_rules_between_the_parts_of_entries_end_none() -> None:
    entry = "## 2026-01-0{0} - US-00{0}\n- Oiled crane {0}\n---\n- It turns left\n---\n"
    text = "# Log\n\n" + "\n".join(entry.format(at) for at in range(1, 6))
    log = read_log(text, "progress.txt")
    assert log.owner_of_line(text.split("\n").index("- It turns left") + 1)[0] == "US-001"


def test_an_issue_that_came_up_is_no_story() -> None:
    text = "# Part 1\n\n## Issues and solutions\n\n### {}: Key mismatch\n\n- The key must be the topic\n"
    assert not read_log(text.format("Issue 1"), "progress.txt").events
    assert read_log(text.format("Issue 1").replace("mismatch", "mismatch - DONE"), "progress.txt").events


def test_lines_of_a_runner_about_stories_are_none_themselves() -> None:
    lines = [
        "[2026-01-05T10:00:00Z] Set dependencies for feature-2: feature-1",
        "[2026-01-05T10:01:00Z] Started worker for feature-1: Oil the cranes",
        "free: 3 workers",
        "[2026-01-05T10:05:00Z] ✅ Completed: feature-1 - Oil the cranes",
        "[2026-01-05T10:06:00Z] Started worker for feature-2: Paint the hulls",
        "free: 3 workers",
        "[2026-01-05T10:09:00Z] ✅ Completed: feature-2 - Paint the hulls",
        "[2026-01-05T10:10:00Z] All is done",
    ]
    log = read_log("\n\n".join(lines), "progress.txt")
    assert [event.stories for event in log.events] == [("feature-1",), ("feature-2",)]


def test_columns_of_a_table_are_known_in_other_languages_and_task_may_head_the_ids() -> None:
    text = "| Quando | Task | Título | Commit |\n|---|---|---|---|\n| 2026-05-10 10:50 | T001 | Roda | a |\n| 2026-05-10 11:20 | T002 | Pedra | b |\n"
    assert [row[:2] for row in rows(text)] == [(("T001",), "Roda"), (("T002",), "Pedra")]


def test_words_in_parentheses_behind_an_id_are_its_title_one_word_is_a_tag() -> None:
    assert [
        row[1] for row in rows("## MILL-1 (retry)\n- x\n## MILL-2 (Mend the wheel) — COMPLETED\n- y\n")
    ] == [
        None,
        "Mend the wheel",
    ]


def test_a_dated_heading_of_the_current_state_is_no_story_in_any_language() -> None:
    text = "## 現在の状態（2026-02-06 16:45）\n- x\n## 進捗\n| # | タスク | 状態 |\n|---|---|---|\n| 2.1 | 水車 | ✅ |\n| 2.5 | 石 | ❌ 次 |\n"
    assert [row[:3] for row in rows(text)] == [(("2.1",), "水車", "done"), (("2.5",), "石", "failed")]


def test_parts_that_several_days_or_a_session_have_are_no_entries() -> None:
    day = "## 2026-02-1{0}\n### Mood\n- x\n### Cut stone {0}\n- y\n"
    assert [row[1] for row in rows("# Log\n" + day.format(1) + day.format(2))] == [
        "Cut stone 1",
        "Cut stone 2",
    ]
    session = "## Session {0} - 2026-02-1{0}\n### Weather {0}\n- x\n"
    assert [row[3] for row in rows("# Log\n" + session.format(1) + session.format(2))] == [2, 5]


def test_a_log_with_a_day_that_is_in_no_calendar_is_read() -> None:
    text = "## 2026-02-31 - MILL-2: Mend the wheel\n- Mended\n\n## 2026-03-01 - MILL-3: Oil it\n- Oiled\n"
    assert [(event.stories, event.when) for event in read_log(text, "progress.md").events] == [
        (("MILL-2",), "2026-02-28"),
        (("MILL-3",), "2026-03-01"),
    ]


def order(text: str) -> list[int | None]:
    """Return the lines of the entries, oldest first."""
    return [row[3] for row in rows(text)]


def test_a_log_dated_as_the_command_date_prints_is_read() -> None:
    text = (
        "# Log\nStarted: Fri Feb 13 20:55:14 CST 2026\n---\n"
        "## Fri Feb 13 21:29:01 CST 2026 - MILL-1\n- x\n---\n## 2026-02-14 04:10 UTC - MILL-2\n- y\n---\n"
        "## Fri Feb 13 22:20:48 CST 2026 - MILL-3\n- z\n---\n## 2026-02-14 04:30 UTC - MILL-4\n- x\n"
    )
    log = read_log(text, "progress.md")
    assert [event.stories for event in log.events] == [(f"MILL-{n}",) for n in (1, 2, 3, 4)]
    assert (log.events[0].when, log.head.started) == ("2026-02-13T21:29", "2026-02-13")


def test_sessions_of_one_day_stand_by_number_whichever_way_they_were_added() -> None:
    text = "".join(f"### Session {n} - 2026-03-05\n\n- Mended part {n}\n\n" for n in (4, 3, 1, 2))
    assert order("## Mill\n" + text) == [10, 14, 6, 2]


def test_tasks_of_sprints_added_on_top_stand_in_the_order_of_the_sprints() -> None:
    text = (
        "# Log\n## Sprint 10: Polish\n### Task 10.1: Wheel ✓\n- x\n### Task 10.5: Stone ✓\n- y\n"
        "## Sprint 9: Search\n### Task 9.1: Belt ✓\n- x\n### Task 9.2: Rope ✓\n- y\n"
        "## Sprint 8: Export\n### Task 8.1: Sack ✓\n- x\n"
    )
    assert [row[0][0] for row in rows(text)] == ["8.1", "9.1", "9.2", "10.1", "10.5"]


def test_stories_below_reports_of_sessions_stand_in_the_order_of_the_sessions() -> None:
    report = (
        "# Mill Report - Session {0}\n## Checked\n### Feature #{1}: Wheel\n- x\n### Feature #{2}: Belt\n- y\n"
    )
    text = report.format(3, 7, 9) + report.format(2, 8, 30) + report.format(1, 2, 5)
    assert [row[0][0] for row in rows(text)] == ["2", "5", "8", "30", "7", "9"]


def test_a_kind_in_parentheses_behind_several_titles_is_no_story() -> None:
    session = "## Session {0} - 2026-02-1{0}\n### Done\n#### Gear {0} (N5) ✓\n- x\n### Next\n- y\n"
    assert order("# Log\n" + "".join(session.format(n) for n in (1, 2, 3))) == [2, 8, 14]
    assert [row[0] for row in rows("## Wheel (T001)\n- x\n## Stone (T002)\n- y\n## Belt (T001)\n- z\n")] == [
        ("T001",),
        ("T002",),
        ("T001",),
    ]


def test_phases_with_status_and_date_in_the_heading_are_entries() -> None:
    text = "# Log\n## Phase 1 - Wheel ✅ (2026-03-09)\n- x\n## Phase 2 - Stone ✅ (2026-03-09)\n- y\n## Task 1.1 - Oil ✅ (2026-03-10)\n- z\n"
    assert order(text) == [2, 4, 6]


def test_bare_sessions_of_other_numbers_are_entries() -> None:
    text = "## Session 3 - Wheel\n- x\n## Previous Sessions\n### Session 2\n- y\n### Session 1\n- z\n"
    assert order(text) == [6, 4, 1]


def test_items_that_begin_with_a_date_are_the_entries_of_a_log_without_headings() -> None:
    text = (
        "- **[2026-03-17 18:00]** (Iteration 1) feat: T1 — Cut the wheel. Took an hour.\n"
        "- **[2026-03-17 17:42]** (Iteration 4) merge-conflict: T2 — put off. Reason: stone\n"
        "- **[2026-03-17 19:10]** Oiled it\n"
    )
    assert [row[:2] for row in rows(text)] == [
        (("T2",), "put off"),
        (("T1",), "Cut the wheel"),
        ((), "Oiled it"),
    ]
    text = "# 日志\n\n  - 2026-03-06 10:00:00 水车\n  - 2026-03-06 19:16:00 石\n    - x\n"
    assert [row[1] for row in rows(text)] == ["水车", "石"]


def test_dated_items_below_decisions_learnings_or_plans_are_no_entries() -> None:
    for name in ("Decisions", "Learnings", "Next Steps", "Known Issues"):
        assert rows(f"# Mill\n## {name}\n- 2026-01-05: Use oak\n- 2026-01-06: Use iron\n") == []
    assert rows("# Mill\n## Parts\n- oak\n- iron\n- 2026-01-05: stone\n- rope\n- 2026-01-06: belt\n") == []


def test_forms_one_below_the_other_are_entries() -> None:
    form = "Story: {0}\nDate: 2026-01-1{1}\nSummary: Mended {0}\n"
    text = form.format("MILL-1", 4) + form.format("upkeep", 5) + form.format("MILL-2", 6)
    assert [(row[0], row[3]) for row in rows(text)] == [(("MILL-1",), 1), ((), 4), (("MILL-2",), 7)]


def test_the_first_column_of_a_table_with_a_status_may_hold_the_ids_whatever_it_is_called() -> None:
    text = "| PR | Status | Completed | Notes |\n|---|---|---|---|\n| PR1 | ✅ Done | 03:25 | Wheel |\n| PR2 | ✅ Done | 03:32 | Stone |\n"
    assert [row[:2] for row in rows(text)] == [(("PR1",), "Wheel"), (("PR2",), "Stone")]
    assert rows(text.replace("PR1", "M1 wheel").replace("PR2", "M2 stone")) == []


def test_the_name_of_the_log_is_no_entry_even_with_an_id() -> None:
    text = "# MILL-9: Water hub — Progress Log\n\n2026-04-10 — MILL-1 complete: Wheel\n  - x\n2026-04-10 — MILL-2 complete: Stone\n"
    assert [row[0] for row in rows(text)] == [("MILL-1",), ("MILL-2",)]
    assert order("# Progress, session 2\n- x\n# Progress, session 1\n- y\n") == []
    assert order("# MILL-1: Wheel\n- x\n") == [1]


def test_a_log_may_say_above_its_entries_that_the_newest_is_the_first() -> None:
    entries = "## 2026-01-05 - Belt\n- x\n## 2026-01-05 - Wheel\n- y\n"
    for said in ("> Newest first.", "<!-- Add new sessions at the top -->", "请按时间倒序记录"):
        assert order(f"# Log\n{said}\n" + entries) == [5, 3]
    for said in ("The first of all logs.", "Newest at the bottom."):
        assert order(f"# Log\n{said}\n" + entries) == [3, 5]
    assert order("# Log\n\n" + entries + "\n> Newest first.\n") == [3, 5]


def test_a_line_above_the_sections_between_rules_is_none_of_them() -> None:
    rule = "=" * 20
    assert order(f"What was done.\n\n{rule}\nWheel\n- x\n{rule}\nStone\n- y\n{rule}\n") == [4, 7]


def test_an_entry_without_id_and_title_is_called_by_the_line_it_begins_with() -> None:
    log = read_log(
        "## Session 2 - 2026-03-05\n- x\n## Session 3: Wheel\n- y\n## MILL-1\n- z\n", "progress.md"
    )
    assert [(event.title, event.label) for event in log.events] == [
        (None, "Session 2 - 2026-03-05"),
        ("Wheel", ""),
        (None, ""),
    ]


def test_a_heading_that_names_its_session_again_is_a_part_of_it() -> None:
    text = "# Log\n## Session 10 - 2026-03-08\n### Status\n- x\n### Session 10 features (batch 5)\n- y\n"
    assert order(text) == [2]
    assert order(text.replace("10 features", "11")) == [5]


def test_a_line_with_its_date_in_brackets_is_an_entry_even_alone() -> None:
    text = "=== Log ===\nProject: Mill\n\n---\n\n[2026-01-18] - Cut the wheel\nOf oak:\n- x\n\n---\n"
    assert [row[1] for row in rows(text)] == ["Cut the wheel"]
    assert order(text.replace("[2026-01-18]", "2026-01-18")) == []


def test_morning_and_evening_order_the_entries_of_a_day_and_are_no_times() -> None:
    text = "# Log\n### [2026-01-05 Evening] Stone\n- x\n### [2026-01-05 Morning] Wheel\n- y\n"
    told = [(event.title, event.when, event.line) for event in read_log(text, "progress.md").events]
    assert told == [("Wheel", "2026-01-05", 4), ("Stone", "2026-01-05", 2)]


def test_an_iteration_that_names_nothing_has_no_name_where_most_entries_name_stories() -> None:
    text = (
        "## 2026-02-07 - MILL-1\n- x\n## Iteration 1 - 2026-02-07\nLog: a.log\n## 2026-02-07 - MILL-2\n- y\n"
    )
    assert [event.label for event in read_log(text, "progress.md").events] == ["", "", ""]
    text = text.replace("MILL-1", "Wheel")
    assert [event.label for event in read_log(text, "progress.md").events] == [
        "",
        "Iteration 1 - 2026-02-07",
        "",
    ]


def test_a_single_dated_section_of_several_is_no_entry_and_a_session_is() -> None:
    others = "## Berths\nSix of them\n\n## Cranes\nTwo of them\n\n## Tides\nTwice a day\n"
    assert rows(f"# Harbour\n\n## Way of mooring (2026-02-01)\nBow first\n\n{others}") == []
    assert len(rows(f"# Harbour\n\n## 2026-02-01: Built the quay\nOf stone\n\n{others}")) == 1
    assert len(rows(f"# Harbour\n\n## Session 3 (2026-02-01): the quay\nOf stone\n\n{others}")) == 1
    assert len(rows("# Harbour\n\n## Quay built (2026-02-01)\nOf stone\n\n## Berths\nSix\n")) == 1


def test_a_heading_that_dates_the_file_is_no_entry() -> None:
    assert (
        rows("# Harbour\n# Last updated: 2026-02-01 by session 7 (the quay)\n\n## Done\n- the quay\n") == []
    )


def test_one_of_the_newest_entries_may_name_the_branch() -> None:
    entries = "".join(f"## 2026-03-{day:02} - US-{day:03}\n- Oiled wheel {day}\n\n" for day in range(1, 4))
    log = read_log(
        f"# Progress\n\n{entries}## 2026-03-04 - US-004\n**Branch:** mill/wheel (a plan of its own)\n- Oiled\n",
        "p.md",
    )
    assert log.newest_branch() == "mill/wheel"
    assert read_log(f"# Progress\n\n{entries}- Branch: see above\n", "p.md").newest_branch() is None
    older = "".join(f"## 2026-04-{day:02} - US-{day:03}\n- Oiled wheel {day}\n\n" for day in range(1, 7))
    assert (
        read_log(f"# Progress\n\n## 2026-03-04 - US-9\nBranch: mill/wheel\n\n{older}", "p.md").newest_branch()
        is None
    )


def test_two_long_words_in_parentheses_behind_an_id_are_a_title() -> None:
    log = read_log(
        "# Progress\n\n## 2026-03-04 - US-004 (waterwheel-to-millstone PRD)\n- Oiled\n\n## 2026-03-05 - US-005 (second try)\n- x\n",
        "p.md",
    )
    assert [event.title for event in log.events] == ["waterwheel-to-millstone PRD", None]
