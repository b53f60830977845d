"""A document that is renewed in parts is of the present as far as its newest parts let it be."""

from __future__ import annotations

import pytest

from progress_plugin.authored.reader import read_log
from progress_plugin.passages.reader import read_passages
from progress_plugin.passages.stated_status import StatedStatus, stated_status

HEAD = """---
status: executing
progress:
  total_phases: {total}
  completed_phases: {done}
  total_plans: 8
  completed_plans: 5
---

"""
DOCUMENT = """# Project State

**Current focus:** Phase 3: The crane

## Current Position

Phase: 3 of 4 (The crane)
Plan: 1 of 3 in current phase

## Decisions

**Phase 03-01 Decisions:**
- The rope is of hemp

### Blockers/Concerns

- [Phase 2]: The quay may be too soft
- The owner needs a lease before Phase 3
- The printer is out of ink

## Session Continuity

Stopped at: Completed 03-01-PLAN.md, the rope is up
"""


def read(text: str) -> StatedStatus:
    log = read_log(text, "STATE.md")
    return stated_status(read_passages(log, text), data=text.encode())


def test_a_concern_of_a_phase_that_is_over_blocks_nothing() -> None:
    assert read(DOCUMENT).blockers == ("The owner needs a lease before Phase 3", "The printer is out of ink")
    assert read(HEAD.format(total=4, done=3) + DOCUMENT).blockers == ("The printer is out of ink",)


def test_what_is_called_a_blocker_alone_stays_one() -> None:
    told = read(DOCUMENT.replace("Blockers/Concerns", "Blockers")).blockers
    assert told[0] == "[Phase 2]: The quay may be too soft"


def test_a_focus_of_a_finished_phase_gives_way_to_the_counts_that_the_document_begins_with() -> None:
    stopped = "stopped at: Completed 03-01-PLAN.md, the rope is up"
    assert read(DOCUMENT).focus == f"Phase 3: The crane; {stopped}"
    assert read(HEAD.format(total=4, done=2) + DOCUMENT).focus == f"Phase 3: The crane; {stopped}"
    told = read(HEAD.format(total=4, done=3) + DOCUMENT)
    assert told.focus == f"3/4 phases, 5/8 plans complete; {stopped}"
    assert "Phase 3: The crane" in " ".join(told.texts), "it would be told as if it held"


@pytest.mark.parametrize("counts", ["", "  total_phases: 4\n", "  completed_phases: many\n"])
def test_counts_that_are_not_whole_say_nothing(counts: str) -> None:
    assert read(f"---\nprogress:\n{counts}---\n\n{DOCUMENT}").focus == read(DOCUMENT).focus


def test_where_work_stopped_is_over_once_a_later_plan_is_told_of() -> None:
    later = DOCUMENT.replace(
        "### Blockers", "**Phase 03-02 Decisions:**\n- The hook is of iron\n\n### Blockers"
    )
    told = read(later)
    assert told.focus == "Phase 3: The crane"
    over = " ".join(told.texts)
    assert "Stopped at" in over
    assert "Plan: 1 of 3" in over
