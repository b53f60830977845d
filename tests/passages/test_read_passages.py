"""Any text becomes passages: a statement, where it stands, and nothing that a machine left."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.authored.reader import read_log
from progress_plugin.learnings.extract import extract
from progress_plugin.model.status import Status
from progress_plugin.model.story import Plan, Story
from progress_plugin.passages.entry_passages import read_entries
from progress_plugin.passages.noise import is_noise
from progress_plugin.passages.passage import Form, Passage, Reading
from progress_plugin.passages.plan_passages import read_stories
from progress_plugin.passages.reader import read_passages
from progress_plugin.passages.sentences import LONGEST, statements
from progress_plugin.text.section_names import SectionKind


def read(text: str) -> Reading:
    return read_passages(read_log(text, "progress.md"), text)


def passages(text: str) -> tuple[Passage, ...]:
    return read(text).passages


def shown(text: str) -> list[str]:
    return [passage.shown for passage in passages(text)]


def test_a_passage_knows_its_line_entry_story_time_and_section() -> None:
    text = (
        "## 2026-03-01 - US-001: Build the quay\n- Built the quay from the stones of the old mill\n"
        "## 2026-03-02 - US-002: Oil the crane\n- **Learnings:**\n"
        "  - The crane must be oiled before `crane.py` is started, or its chain tears at the first load\n"
    )
    found = passages(text)[-1]
    assert (found.line, found.entry, found.story, found.when) == (5, 2, "US-002", "2026-03-02")
    assert (found.section, found.label, found.form) == (SectionKind.LEARNED, "Learnings", Form.ITEM)


def test_what_stands_above_the_entries_belongs_to_none() -> None:
    text = (
        "## Codebase Patterns\n- Berths are numbered from the sea, never from the land, in every table\n---\n"
        "## 2026-03-01 - US-001\n- Built the quay from the stones of the old mill beside the harbour\n"
    )
    assert [(p.entry, p.section) for p in passages(text)] == [(0, SectionKind.PATTERN), (1, None)]


def test_in_a_log_without_entries_its_sections_are_counted_as_such() -> None:
    text = "# Notes\n## Cranes\nThe third crane is broken.\n## Ships\nTwo ships are waiting outside.\n"
    assert [p.entry for p in passages(text)] == [1, 2]
    assert read(text).entries == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The crane is broken and nobody has a part for it.\n", Form.TEXT),
        ("- The crane is broken\n", Form.ITEM),
        ("3. The crane is broken\n", Form.ITEM),
        ("# The crane cannot lift stones\n", Form.HEADING),
        ("**Crane:** broken since Monday\n", Form.LABEL),
        ("Status: the crane is broken\n", Form.LABEL),
        ("- [ ] mend the crane\n", Form.OPEN),
        ("- [x] mend the crane\n", Form.DONE),
        ("> The crane is broken\n", Form.QUOTE),
        ("```\nmake crane\n```\n", Form.CODE),
    ],
)
def test_every_way_of_writing_gives_a_passage(text: str, expected: Form) -> None:
    forms = {passage.form for passage in passages(text)}
    assert forms == {expected}


def test_a_row_of_a_table_is_told_under_the_names_of_its_columns() -> None:
    text = "| Berth | State | Why |\n|---|---|---|\n| 7 | closed | the sluice leaks |\n"
    assert shown(text) == ["7 — State: closed, Why: the sluice leaks"]


def test_two_columns_explain_each_other() -> None:
    assert shown("| Error | Cure |\n|---|---|\n| Ebb | wait for the tide |\n") == ["Ebb — wait for the tide"]


def test_the_small_items_of_one_list_are_one_passage() -> None:
    text = "**Done:**\n- 66 ropes pass\n- 24 chains pass\n- 31 hooks pass\n"
    (found,) = passages(text)
    assert found.text == "66 ropes pass; 24 chains pass; 31 hooks pass"
    assert (found.line, found.last) == (2, 4)


def test_a_short_statement_is_shown_with_what_it_completes() -> None:
    text = "- Crane emitter:\n  - names hooks `h{n}` and skips the first of them\n"
    assert shown(text) == ["Crane emitter: names hooks `h{n}` and skips the first of them"]


def test_items_that_are_files_are_a_list_of_files_whatever_stands_above() -> None:
    text = "**Plan 06-02:**\n- src/quay/crane.py (created)\n- src/quay/rope.py (created)\n- the crane turns\n"
    assert [(p.section, p.text) for p in passages(text)] == [
        (SectionKind.FILES, "src/quay/crane.py (created); src/quay/rope.py (created)"),
        (None, "the crane turns"),
    ]


def test_a_plan_of_a_name_does_not_announce_what_comes_next() -> None:
    assert [p.section for p in passages("## Plan 06-02\n- The crane turns about the mast now\n")] == [None]
    assert [p.section for p in passages("## Next steps\n- Turn the crane about the mast\n")] == [
        SectionKind.NEXT
    ]


def test_what_is_below_the_name_of_a_step_is_still_to_be_done() -> None:
    text = (
        "## Next steps\n1. **Fix the crane**:\n   - Oil its hook\n2. **Quality checks**: weigh the anchor\n"
    )
    assert {p.section for p in passages(text)} == {SectionKind.NEXT}


def test_marks_of_emphasis_are_not_shown() -> None:
    assert shown("- **Never** open the sluice at ebb\n") == ["Never open the sluice at ebb"]


@pytest.mark.parametrize(
    "text",
    [
        "[2026-01-05 10:22:33]",
        "**Session 11 ended** - Agent finished naturally (50 criteria remaining)",
        "Iteration 3 started",
        "Thread: https://example.org/threads/T-12",
        "All quality checks pass",
        "✅ Tests pass",
        "No new learnings",
        "Resume file: None",
        "[Add your learnings here]",
        "✓ complete, → in progress, ○ pending, ✗ failed",
        r"{\"type\": \"text\", \"text\": \"first\n\nsecond\"}",
        "---",
        "**Spec:** SPEC.md",
        "Project: harbour-app",
        "Total Files Changed: 9",
        "~981 lines",
        "Started: Wed 25 Feb 2026 12:39:50 GMT",
        "Started: Wed Mar  4 09:37:11 Universal 2026",
        "Started: Ср 25 фев 2026 12:39:50 MSK",
        "**Last updated:** 2026-03-01 10:00",
        "Begonnen: 2026-10-01",
        "Entries before 2026-10-06 are in progress-archive.md",
        "Older entries: see `archive/progress-2026-09.md`.",
        "Ältere Einträge stehen in docs/archive/progress.md",
        "progress-archive.md holds what is older",
        "Zuletzt aktualisiert: 12.10.2026",
        "Commencé : 2026-10-01",
        "Última actualización: 2026-10-01 09:30",
        "Rozpoczęto: 2026-10-01",
        "Начато: 2026-10-01",
        "开始时间：2026-10-01",
        "開始日: 2026-10-01",
        "What have I learned? — See findings.md",
        "Where am I going? — Phase 3, upload page",
        "**Duration**: ~30 minutes (tide: 5 min, crane: 25 min)",
        "Actual duration — 55 minutes",
        "**Project Duration:** ~2 hours (07:30 - 09:25)",
        "Complexity: Level 1 - Quick",
        "Progress is tracked in THIS FILE. When context is rotated, the next agent reads it from its first line to the last.",
        "Quay test — Input: ebb.csv, Expected: 4 rows, Actual: 4 rows, Status: ✓",
        "PLAN_COMPLETE",
        "Success: true",
        "For every crew: append new entries below, change no older ones.",
        "Run: 20260307-001840-72835 (iteration 7)",
        "Thread: Run: 20260307-001840-72835 (iteration 7)",
        "Run log: /home/ada/quay/.loop/runs/run-7.log",
        "Guardrails reviewed: yes",
        "No-commit run: false",
        "(add reusable patterns here)",
        "Started: 2026년 3월 6일 금요일 16시 00분 02초 KST",
        "What was implemented",
        "Patterns discovered",
        "Gotchas encountered",
    ],
)
def test_what_a_machine_left_is_noise(text: str) -> None:
    assert is_noise(text)


@pytest.mark.parametrize(
    "text",
    [
        "All 56 tests pass but the sluice test needs `--tide`",
        "Session tokens end at midnight UTC",
        "Write `\\n` between rows, `\\n\\n` between tables and `\\n#` before titles",
        "未完成",
        "12 of 14 stories are open",
        "Project files lie in `src/`",
        "Owner: must sign each lease",
        "Total: 9 of 12 pass",
        "Agent runs need a terminal",
        "Complexity: O(n log n), so sort the berths first",
        "Time: all clocks of the harbour show UTC",
        "Started: 3 of 9 berths, the others wait for the crane",
        "Begonnen: 3 von 9 Liegeplätzen, der Kran fehlt",
        "Stand: die Schleuse steht seit 2026-10-01 offen",
        "Deadline: 2026-12-01",
        "Never edit progress-archive.md",
        "The nightly job writes logs/archive.md",
        "Weights are read in progress.md",
        "Where am I? — Complete but for the crane, which nobody has tried at ebb",
        "Quay test — Input: ebb.csv, Expected: 4 rows, Actual: 3 rows, Status: ✗",
        "MAX_BERTHS",
        "Success: true only where both locks are shut",
        "Append new entries to the queue, never to the list.",
        "Implemented WharfCollection",
        "Patterns discovered in the log are compiled once",
        "Run: `make tide` before each merge",
        "(add the key to both locks)",
        "Guardrails stand at the quay",
        "Started: 2026-03-06 with the crane at berth 7",
    ],
)
def test_what_tells_something_is_no_noise(text: str) -> None:
    assert not is_noise(text)


def test_a_long_paragraph_becomes_groups_of_whole_sentences() -> None:
    text = " ".join(
        f"Sentence {number} says that berth {number} is closed at ebb, as ever." for number in range(20)
    )
    pieces = statements(text)
    assert " ".join(pieces) == text
    assert all(len(piece) <= LONGEST and piece.endswith(".") for piece in pieces)


def test_code_is_never_cut() -> None:
    text = (
        "Use this. " * 12 + "`run. it. now. " + "and. then. " * 20 + "stop.` at the end of the long day. " * 1
    )
    assert all(piece.count("`") % 2 == 0 for piece in statements(text))


def test_a_statement_of_chinese_is_cut_by_what_it_says() -> None:
    text = "起重机在退潮时不能使用，因为链条会断裂。" * 12
    assert len(statements(text)) > 1


def test_our_own_entries_give_passages_of_the_same_kind() -> None:
    entry = {
        "timestamp": "2026-03-01T10:00:00Z",
        "type": "debug_resolved",
        "task_id": "US-007",
        "data": {
            "description": "The crane stood still at noon",
            "root_cause": "its clock is set by the sun",
            "learnings": ["Set clocks by the tide table, not by the sun"],
            "files_modified": ["crane.py"],
            "duration_minutes": 5,
        },
    }
    reading = read_entries([entry], "progress.json")
    assert [(p.section, p.shown) for p in reading.passages] == [
        (SectionKind.GOTCHA, "Root cause: its clock is set by the sun"),
        (SectionKind.LEARNED, "Set clocks by the tide table, not by the sun"),
        (SectionKind.WORK, "The crane stood still at noon"),
        (SectionKind.FILES, "Files: crane.py"),
    ]
    assert {(p.story, p.entry) for p in reading.passages} == {("US-007", 1)}


def test_open_stories_of_a_plan_give_passages_finished_ones_none() -> None:
    stories = (
        Story("A", "Quay", Status.DONE, 0, notes="built of stone"),
        Story("B", "Crane", Status.PENDING, 1, description="The crane lifts what two ships bring."),
    )
    reading = read_stories(Plan("prd.json", "prd", stories))
    assert [(p.story, p.text) for p in reading.passages] == [("B", "The crane lifts what two ships bring.")]


@given(st.text(alphabet=st.sampled_from("#-*` |>[]x:.。1a\n\tü未 _\\n"), max_size=300))
def test_no_text_makes_it_fail_and_none_with_words_is_silent(text: str) -> None:
    found = passages(text)
    assert all(passage.text.strip() for passage in found)
    if any(map(str.isalnum, text)):
        assert found


@given(st.text(alphabet=st.sampled_from("ab `(.;,)*。— "), max_size=1500))
def test_no_letter_is_lost_by_cutting(text: str) -> None:
    clean = " ".join(text.split())
    assert "".join(statements(clean)).replace(" ", "") == clean.replace(" ", "")


def _calls(of: Any) -> int:
    count = 0

    def tell(_frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(tell)
    try:
        of()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize(
    "piece",
    [
        "## 2026-01-01 - US-{n}\n- **Done:** mended berth {n}. It leaked. `a.b` was the cause of it all.\n",
        "- small {n}\n",
        "A sentence that says {n}. ",
        "(`{n}. ",
        "| a {n} | b | c |\n",
    ],
)
def test_the_work_grows_as_the_text_does(piece: str) -> None:
    texts = ("".join(piece.format(n=n) for n in numbers) for numbers in (range(200), range(1000, 1400)))
    logs = [read_log(text, "progress.md") for text in texts]
    for log in logs:
        read_passages(log)  # both with the labels of their lines known: others may have asked for some
    small, large = (_calls(lambda log=log: read_passages(log)) for log in logs)
    assert large <= 2.2 * small + 200


@pytest.mark.parametrize(
    "noise",
    [
        "# Ralph Auto Progress Log\n",
        "# This file tracks autonomous task completions\n",
        "# The Mill - Project Handoff\n",
        "Welcome. This document captures the state of the mill, from the miller before to you.\n",
        "Updated by the agent after significant work.\n",
        "- Completed by agent\n",
        "*Updated after each plan completion*\n",
        "Each entry is written by an agent after a phase, done or failed. This file is what the next one reads first.\n",
        "Progress is tracked in THIS FILE, not in anybody's head. A new agent reads it, and so nothing is lost in between.\n",
        "This file tracks the progress of all runs. Agents add to it when they end, and it is given to whoever comes next.\n",
        "Last session: 2026-03-01\n",
        "## Iteration 3 - 2026-01-18 16:15\n",
    ],
)
def test_what_a_file_says_of_itself_is_no_passage(noise: str) -> None:
    text = f"{noise}\n- The crane at berth 4 must not lift more than two tons\n"
    assert [each.text for each in passages(text)] == ["The crane at berth 4 must not lift more than two tons"]


def test_a_trouble_and_its_cure_are_one_passage_wherever_the_labels_stand() -> None:
    found = passages(
        "## 2026-01-01 - US-1\n- Bug: the crane stalls at ebb tide\n- **Fix**: grease it before the tide turns\n"
        "- Problem: mail is late\n\n## 2026-01-02 - US-2\n- Fix: another story's\n"
    )
    assert [each.text for each in found] == [
        "Bug: the crane stalls at ebb tide; Fix: grease it before the tide turns",
        "Problem: mail is late",
        "another story's",
    ]
    assert (found[0].line, found[0].last) == (2, 3)


def test_small_items_of_one_list_are_told_as_one_only_where_they_are_of_one_kind() -> None:
    text = (
        "## 2026-03-01 - US-1: Lamp\n\n### Learnings\n"
        "- Lamps are numbered from the pier\n- Masts are painted white\n"
        "- Never light two lamps at once, the fuse burns out\n- The registry crashes on empty names\n"
    )
    told = [each.text for each in passages(text) if each.section is SectionKind.LEARNED]
    assert told == [
        "Lamps are numbered from the pier; Masts are painted white",
        "Never light two lamps at once, the fuse burns out; The registry crashes on empty names",
    ]


def test_what_is_listed_below_completed_is_work_and_no_date() -> None:
    for name in ("### Completed", "**Completed:**", "- Finished:"):
        text = f"## Session 1\n{name}\n  - Built the quay of the stones of the old mill\n"
        assert [(p.shown, p.section) for p in passages(text)][-1] == (
            "Built the quay of the stones of the old mill",
            SectionKind.WORK,
        ), name


def test_what_was_done_in_a_file_is_work_and_a_bare_file_is_none() -> None:
    text = (
        "## 2026-03-01 - US-1: Lamp\nFiles changed:\n"
        "- src/harbour/lamp.py — Added `wick_length`, read from the keeper's table\n"
        "- `src/harbour/mast.py` (new)\n- src/harbour/oil.py, src/harbour/rope.py\n- Method: twist the rope to the left\n"
    )
    told = [(each.text.partition(" ")[0], each.section) for each in passages(text)]
    assert told == [
        ("src/harbour/lamp.py", SectionKind.WORK),
        ("`src/harbour/mast.py`", SectionKind.FILES),
        ("Method:", SectionKind.WORK),
    ]


@pytest.mark.parametrize(
    "file",
    [
        "`CLAUDE.md`",
        "docs/plans/todo.md",
        "**`README.md`**",
        "tests/lamp_cases.py",
        "src/test_lamp.py",
        "`web/lamp.spec.ts`",
    ],
)
def test_what_was_done_in_documents_and_tests_stays_with_the_files(file: str) -> None:
    text = "## 2026-01-01 - US-1\n### Files Modified\n- {} — says how the lamp is lit before it is mended\n"
    sections = [passages(text.format(name))[-1].section for name in (file, "`src/latest/lamp.py`")]
    assert sections == [SectionKind.FILES, SectionKind.WORK]


def test_the_later_parts_of_a_paragraph_say_what_it_is_about() -> None:
    long = (
        "It counts the boats of each berth from the sea, in the order of their masts, and writes them down. "
        * 3
    )
    text = f"## 2026-03-01 - US-1: Lamp\n- src/harbour/berth.py (new) — {long}At most 30 boats count.\n"
    *_, last = passages(text)
    assert last.lead == "berth.py"


@pytest.mark.parametrize(
    ("headings", "places"),
    [
        (("Completed 0.6.8 patch", "Completed 0.6 slice", "Completed 0.5 slice"), [3, 2, 1]),
        (("v1.0", "v1.1", "v1.10"), [1, 2, 3]),
        (("2026-03-03", "2026-03-02", "2026-03-01"), [3, 2, 1]),
        (("Cranes", "Ships", "Ropes"), [1, 2, 3]),
    ],
)
def test_sections_that_name_falling_versions_or_days_begin_with_the_newest(
    headings: tuple[str, ...], places: list[int]
) -> None:
    text = "# Quay\n\n" + "\n".join(f"## {each}\n\nThe crane has a new hook of oak.\n" for each in headings)
    found = [each.entry for each in passages(text) if each.form is Form.TEXT]
    assert found == places


def test_an_item_with_a_label_of_files_belongs_to_the_files_whatever_it_stands_in() -> None:
    text = "## 2026-03-01 - US-001: Quay\n- Built it of stone from the old mill\n- Files changed: quay.py, crane.py\n"
    assert [each.section for each in passages(text)[-2:]] == [None, SectionKind.FILES]


def test_the_title_of_a_file_opens_no_section_of_what_comes_next() -> None:
    text = "# Next agent's handoff\n\n## The quay is built of stone now\nIt holds two tons of fish and more\n"
    assert {each.section for each in passages(text)} == {None}


@pytest.mark.parametrize(
    "text",
    [
        "prd.json - Marked US-004 as passes: true",
        "Files changed: prd.json - marked US-004 done",
        "Updated plan.md: set story 4 to done",
    ],
)
def test_what_was_marked_in_the_plan_is_noise(text: str) -> None:
    assert is_noise(text)
    assert not is_noise("Updated plan.py: it keeps the order of berths now")


def test_a_sign_in_code_ends_no_sentence() -> None:
    half = "The crane is turned left first, with its hook empty and its lamp lit, as every keeper here was taught"
    text = (
        f"{half}, since the gate treats `.` as open, and so does the lock; {half}. Then `lock.` Then {half}."
    )
    pieces = statements(text, 200)
    assert not any(piece.startswith("as open") for piece in pieces)
    assert " ".join(pieces) == text


def test_the_short_rows_of_a_table_are_told_as_one() -> None:
    table = "| Metric | Value |\n|---|---|\n| Cranes that turn | 154 |\n| Cranes in repair | 12 |\n| Share | 92% |\n"
    assert "Cranes that turn — 154; Cranes in repair — 12; Share — 92%" in shown(
        f"# Quay\n\n## State\n\n{table}"
    )


def test_the_stamp_that_a_program_put_before_its_words_is_not_told() -> None:
    log = "# Run\n\n## Log (last 2)\n[2026-01-13T16:59:21.672Z] The wheel was oiled with tallow\n[2026-01-13T17:17:49.627Z] The sluice stays shut\n"
    assert shown(log)[-2:] == ["The wheel was oiled with tallow", "The sluice stays shut"]
    assert "2026-01-13 is the day of the flood" in shown("# Run\n\n- 2026-01-13 is the day of the flood\n")


@pytest.mark.parametrize(
    "heading", ["7 — Tides of the old harbour", "10. A note on roles", "3.2) Cranes of the long quay"]
)
def test_the_number_of_a_section_says_nothing(heading: str) -> None:
    text = f"# Log\n\n### {heading}\n\nIt is so.\n"
    found = read_passages(read_log(text, "progress.md"), text).passages
    assert [each.only_announces for each in found if each.form is Form.HEADING] == [True]


def test_commands_of_a_shell_are_a_statement_and_no_learning() -> None:
    text = "# Log\n\n## Patterns\n\n- Cranes need oil\n\n```bash\nmake crane\n```\n"
    log = read_log(text, "progress.md")
    assert "`make crane`" in [each.text for each in read_passages(log, text).passages]
    known = extract(log.document, log.owner_of_line, "progress.md")
    assert [each.text for each in known] == ["Cranes need oil"]
