"""A project whose only record is a log the agent keeps in its own words: what that says is what is told."""

from __future__ import annotations

import json

import pytest

from tests.journeys.project_life import Life, section

KEPT_IN_SECTIONS = """# Harbour app

## Current focus
Rewriting the berth search so that closed berths are left out.

## Blockers
- The payment provider has not opened the test account; asked on 2026-03-27
- Waiting for the harbour office's list of closed berths

## Session 2026-03-28
- Moved the search into `search/berths.py`

## Session 2026-03-30
- Closed berths are left out; `test_reopen` still fails

## Next steps
1. Change the ETag when a berth is closed
2. Yearly report
"""
STANDING = [
    "Stories: none named, 2 entries",
    "Blocked:",
    "- The payment provider has not opened the test account; asked on 2026-03-27",
    "- Waiting for the harbour office's list of closed berths",
    "Next: Change the ETag when a berth is closed; Yearly report",
    "Focus: Rewriting the berth search so that closed berths are left out (progress.md)",
]


PRIVATE = """# Log

## 2026-03-28 - US-001: Search
- The search lives in `search/berths.py`
<private>
- The harbour master drinks rum in `search/berths.py`
</private>
- **Learnings:** an ETag changes when a berth is closed
- The staging password is
  q7!Rz4LmT9v
"""


def test_what_an_agent_marks_private_in_its_own_log_is_told_nowhere(life: Life) -> None:
    life.write("progress.md", PRIVATE)
    life.write("search/berths.py", "")
    agent = life.starts()
    told = [agent.starts(), life.context, life.recent, life.report, life.command("recall", "harbour master password account"),
            agent.calls("mem_search", query="harbour master rum password"), life.command("status", "summarize"),
            json.dumps(life.hook("PostToolUse", "else", {"tool_name": "Read", "tool_input": {"file_path": str(life.root / "search/berths.py")}}))]  # fmt: skip
    assert "an ETag changes when a berth is closed" in life.context
    assert not [text for text in told if "rum in" in text or "q7!Rz" in text]


def standing(life: Life) -> list[str]:
    """Return the lines that say where the work stands."""
    return section(life.context, "## Completion Status").split("\n")


def test_sections_that_an_agent_renews_say_what_is_current_blocked_and_next(life: Life) -> None:
    life.write("progress.md", KEPT_IN_SECTIONS)
    life.starts()
    assert standing(life) == STANDING
    assert life.status_line == "!2"
    assert "2 blockers" in life.user_line
    assert "Focus:   Rewriting the berth search" in life.status
    assert life.told_as_json("status", "--json")["blocking"] == 2


def test_each_of_these_is_told_once(life: Life) -> None:
    life.write("progress.md", KEPT_IN_SECTIONS)
    life.starts()
    for words in ("payment provider", "list of closed berths", "Rewriting the berth", "Change the ETag"):
        assert life.context.count(words) == 1, words


@pytest.mark.parametrize("name", ["HANDOFF.md", "handoff.md", "SESSION_LOG.md"])
def test_a_heading_that_only_announces_is_no_statement_but_one_with_a_finding_is(
    life: Life, name: str
) -> None:
    life.write(
        name,
        "# Handoff\n\n## Where the trees are\n- The main tree lies in `~/harbour`, the second one beside it\n\n"
        "## Things found in this session (they will bite again)\n- Locks of `berths.db` outlive a crash of the crane\n\n"
        "## The finding: closing a berth never reaches the cache\n- It is read from `/berths` with an old ETag\n",
    )
    life.starts()
    assert "main tree lies in" in life.context
    assert "outlive a crash" in life.context
    assert life.context.count("closing a berth never reaches the cache") == 1
    assert "- Where the trees are" not in life.context
    assert "- Things found" not in life.context


def test_a_session_is_no_story_but_what_was_done_in_it_is_recent(life: Life) -> None:
    life.write("progress.md", KEPT_IN_SECTIONS)
    life.starts()
    assert "## Story Status" not in life.context
    assert "complete" not in life.user_line
    assert "### Session 2026-03-30" in life.context
    assert "test_reopen still fails" in life.context


def test_a_blocker_is_gone_once_the_log_says_so(life: Life) -> None:
    life.write("progress.md", KEPT_IN_SECTIONS)
    life.starts()
    solved = KEPT_IN_SECTIONS.replace("- The payment provider", "- ~~The payment provider").replace(
        "2026-03-27\n", "2026-03-27~~\n"
    )
    life.write("progress.md", solved)
    life.starts()
    assert "payment provider" not in section(life.context, "## Completion Status")
    assert life.status_line == "!1"
    life.write(
        "progress.md", KEPT_IN_SECTIONS.replace(solved_lines(KEPT_IN_SECTIONS), "None at the moment.\n")
    )
    life.starts()
    assert "Blocked: None" in standing(life)


def solved_lines(text: str) -> str:
    """Return the lines of the section of blockers."""
    return text.partition("## Blockers\n")[2].partition("\n## ")[0]


def test_of_entries_only_the_newest_says_what_is_in_the_way(life: Life) -> None:
    life.write(
        "progress.md",
        "## 2026-03-28 - T-1: Berth search\n- Done\n- **Blockers:** the tide API was down\n"
        "- **Next:** ask the tide office\n\n"
        "## 2026-03-29 - T-2: Day list\n- Done\n- **Blockers:** no printer in the office\n"
        "- **Next:** T-3, the yearly report\n",
    )
    life.starts()
    assert standing(life) == [
        "Stories: 2/2 complete so far, no plan",
        "Blocked:",
        "- no printer in the office",
        "Next: T-3, the yearly report",
    ]


def test_a_next_step_among_short_items_of_an_entry_is_what_comes_next(life: Life) -> None:
    life.write(
        "progress.md",
        "## 2026-03-28 - T-1: Berth search\n- Done\n- **Next:** ask the tide office\n\n"
        "## 2026-03-29 - T-2: Day list\n- Done\n- Tests pass\n- **Next:** T-3, the yearly report\n",
    )
    life.starts()
    assert standing(life)[-1] == "Next: T-3, the yearly report"


def test_what_our_own_log_says_is_blocked_is_not_told_a_second_time(life: Life) -> None:
    life.write("progress.md", "## Blockers\n- No printer in the office\n")
    agent = life.starts()
    agent.logs("task_blocked", "No printer in the office")
    assert "1 blocker" in life.user_line


def test_a_plan_says_what_comes_next_and_the_log_what_is_in_the_way(life: Life) -> None:
    life.plan("US-001 Berth search", "US-002 Day list")
    life.write("progress.md", "## Blockers\n- No printer in the office\n\n## Next steps\n- Buy a printer\n")
    life.starts()
    told = standing(life)
    assert "- No printer in the office" in told
    assert "Next: US-002: Day list" in told


def test_every_line_names_the_lines_of_the_log_that_say_it(life: Life) -> None:
    life.write("progress.md", KEPT_IN_SECTIONS)
    life.starts()
    told = {
        line["text"]: [(source["path"], source["line"]) for source in line["sources"]]
        for line in life.told_as_json("context", "--sources", "--json")
    }
    assert told["Focus: Rewriting the berth search so that closed berths are left out (progress.md)"] == [
        ("progress.md", 4)
    ]
    assert told["- Waiting for the harbour office's list of closed berths"] == [("progress.md", 8)]
    assert told["Next: Change the ETag when a berth is closed; Yearly report"] == [
        ("progress.md", 17),
        ("progress.md", 18),
    ]


def test_a_session_in_progress_is_what_is_current(life: Life) -> None:
    life.write(
        "progress.md",
        "## Session 1 (2026-11-19)\n**Status:** Complete\n- Login page\n\n"
        "## Session 2 (2026-11-20)\n**Status:** In progress\n- Reset form\n",
    )
    life.starts()
    assert "Current: Session 2 (2026-11-20) (attempt 1)" in standing(life)
    assert "### Session 2 (2026-11-20) (→)\n\n- Reset form\n" in life.context


def test_a_document_of_the_present_has_no_percentage_whatever_dates_stand_in_it(life: Life) -> None:
    life.write("HANDOFF.md", "# Handoff 2026-11-20\n\n## Where things stand\nThe move is half done.\n")
    life.write(
        "activeContext.md",
        "# Active Context\n\n## Current Focus\nInvoices by mail\n\n"
        "## Recent Changes\n- 2026-11-20: Added mail.py\n- 2026-11-19: PDF layout reworked\n",
    )
    life.starts()
    assert standing(life)[0] == "Stories: no stories"
    assert "100" not in life.status_line


def test_the_place_of_a_plan_is_no_next_step(life: Life) -> None:
    life.write(
        ".planning/STATE.md",
        "# Project State\n\n## Current Position\nPhase: 2 of 4 (Payments)\nPlan: 2 of 3 in current phase\n",
    )
    life.starts()
    told = standing(life)
    assert [line for line in told if line.startswith("Next:")] == []
    assert [line for line in told if line.startswith("Focus: phase: 2 of 4 (Payments)")]


def test_what_is_checked_off_is_not_told_as_to_do(life: Life) -> None:
    life.write(
        "progress.md", "# Progress\n\n## What is left to build\n- [ ] Mail to every guest\n- [x] VAT\n"
    )
    life.starts()
    assert "Next: [x]" not in life.context


def test_below_a_recent_story_its_own_heading_is_not_said_again_and_that_of_a_part_is(life: Life) -> None:
    life.write(
        "progress.md",
        "# Log\n\n## 2026-03-28 14:00 - Session 5: T-1 Berth search\n- The search goes over all berths of the old harbour\n\n"
        "### Crane table\n- Rows are sorted by the metres that a crane reaches\n\n"
        "## 2026-03-29 - T-2\n- Moorings are listed by the depth of the water\n",
    )
    life.starts()
    told = life.context.splitlines()
    assert "- The search goes over all berths of the old harbour" in told
    assert "- Moorings are listed by the depth of the water" in told
    assert "- Crane table: Rows are sorted by the metres that a crane reaches" in told


def test_a_log_with_the_dates_of_another_language_is_read_like_any(life_alone: Life) -> None:
    life_alone.write(
        "progress.txt",
        "# Progress Log\nStarted: Чт 5 мар 2026 07:30:37 EET\n---\n\n"
        "## Чт 5 мар 2026 07:50:37 EET - US-005\n- Login page in web/login.py\n---\n\n"
        "## jeu. 05 mars 2026 08:10:37 EET - US-006\n- Cart table in web/cart.sql\n---\n\n"
        "## Do 5. Mär 09:10:37 EET 2026 - US-007\n- Mail by SES\n---\n",
    )
    assert life_alone.told_as_json("status")["summary"].startswith("3/3 complete")
    told = section(life_alone.context, "## Recent Context")
    assert [told.index(name) for name in ("US-007", "US-006", "US-005")] == sorted(
        map(told.index, ("US-005", "US-006", "US-007"))
    )
    assert "мар" not in life_alone.context


def test_of_states_that_were_noted_one_after_the_other_the_newest_alone_is_told(life: Life) -> None:
    entry = "=====\nFeature #{0}: Berth {0}\nDate: 2026-03-0{0}\n=====\nMapped berth {0} with its crane and its lamp\n\nStatus: {0}/9 features mapped\n\n"
    between = "=====\nSurvey of the quay\n=====\nStatus: the survey waits for the owner\nNext: the survey of the second quay\n\n"
    life.write("progress.txt", "".join((entry.format(1), between, entry.format(2), entry.format(3))))
    assert standing(life)[-1] == "Focus: 3/9 features mapped (progress.txt)"
    assert "the survey" not in life.context
    assert [number for number in "123" if f"{number}/9 features" in life.context] == ["3"]


def test_a_concern_is_called_no_blocker_and_an_answer_is_told_nowhere(life: Life) -> None:
    life.write(
        ".planning/STATE.md",
        "# Project State\n\n## Current Position\n\nPhase: 3 of 4 (The crane)\n\n### Blockers/Concerns\n\n"
        "- [Phase 2]: The quay may be too soft for the crane, ask the builder of `quay.py`\n\n"
        "**Known deviations:**\n- None - all long files have been split\n",
    )
    context = life.context
    assert "Blocked: None" in context
    assert "Concern: [Phase 2]: The quay may be too soft" in context
    assert "None - all" not in context


def test_the_status_of_an_entry_in_another_language_is_its_mark_and_no_statement(life_alone: Life) -> None:
    entry = "### {}\n\n**问题描述**：\n{}\n\n**状态**：✅ 已完成\n\n---\n\n"
    log = entry.format("修复：存档", "前端发送数字。") + entry.format("Fix: 码头", "起重机缺少机油。")
    life_alone.write("progress.md", f"# 进度\n\n## 2026-02-11\n\n{log}")
    context = life_alone.context
    assert "### 修复：存档 (✓)" in context
    assert "### Fix: 码头 (✓)" in context
    assert "起重机缺少机油" in context
    assert "状态" not in context
