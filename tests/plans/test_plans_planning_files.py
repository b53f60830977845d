"""task_plan.md of planning-with-files, in several languages."""

from __future__ import annotations

from typing import Any

import pytest

from progress_plugin.plans.reader import read_plan

TEMPLATE = """\
# Task Plan: Paint the boat
<!-- explain: ### Phase 9: not a phase -->

## Goal
- [ ] a goal is no phase

## Phases

### Phase 0: Scrape
- [x] port
- [x] starboard

### Phase 1: Sand
- [x] port
- [ ] starboard

### Phase 2: Prime
- [x] all of it
- [ ] the rudder
- **Status:** complete

### Phase 3: Paint
- [ ] all of it
- **Status:** complete
- **Result:** failed

### Phase 4: Dry
**Status:** in_progress

### Phase 5: Launch

## Success Criteria
- [ ] it floats
"""


def summary(plan: Any) -> list[tuple[str, str, str]]:
    return [(story.id, story.title, story.status.value) for story in plan.stories]


def test_phases_stand_by_status_line_else_by_their_boxes(plan_of: Any) -> None:
    plan = plan_of("task_plan.md", TEMPLATE)
    assert summary(plan) == [
        ("Phase 0", "Scrape", "done"),
        ("Phase 1", "Sand", "active"),
        ("Phase 2", "Prime", "done"),
        ("Phase 3", "Paint", "failed"),
        ("Phase 4", "Dry", "active"),
        ("Phase 5", "Launch", "pending"),
    ]
    assert (plan.format, plan.name) == ("planning-with-files", "Paint the boat")
    assert plan.stories[2].line == 17
    assert plan.drift == ("done, though parts of it are open: Phase 2",)


@pytest.mark.parametrize(
    ("heading", "status", "expected"),
    [
        ("### Fase 1: Lijar", "**Estado:** completado", ("Fase 1", "Lijar", "done")),
        ("### 阶段 1：打磨", "**状态：** 进行中", ("阶段 1", "打磨", "active")),
        ("### 第二阶段：打磨", "- **状态：** complete", ("第二阶段", "打磨", "done")),
        ("### Phase 1：打磨", "- **Status：** pending", ("Phase 1", "打磨", "pending")),
        ("### المرحلة 1: صنفرة", "- **الحالة:** in_progress", ("المرحلة 1", "صنفرة", "active")),
        (
            "### Phase 1: Schleifen - ✅ Fertig",
            "**Status:** gestern, mit Anna",
            ("Phase 1", "Schleifen", "done"),
        ),
        (
            "### Phase 1: Schleifen - 🔄 In Arbeit",
            "**Status:** 20% - Pinsel fehlt",
            ("Phase 1", "Schleifen", "active"),
        ),
        ("### Phase 1: Schleifen 📋 Geplant", "", ("Phase 1", "Schleifen", "pending")),
        ("### Phase 1: Sand [complete]", "", ("Phase 1", "Sand", "done")),
        ("### Phase 1: Sand (in progress)", "", ("Phase 1", "Sand", "active")),
        ("### Phase 1: Sand (both sides)", "", ("Phase 1", "Sand (both sides)", "pending")),
        ("### ✅ Phase 1: Sand", "", ("Phase 1", "Sand", "done")),
        ("## **Phase 1.5:** Sand", "Status: complete", ("Phase 1.5", "Sand", "done")),
        ("#### Phase 2a - Sand", "- **Status**: blocked", ("Phase 2a", "Sand", "blocked")),
    ],
)
def test_a_phase_is_read_in_its_language(plan_of: Any, heading: str, status: str, expected: Any) -> None:
    assert summary(plan_of("task_plan.md", f"# Plan\n\n{heading}\n{status}\n")) == [expected]


def test_a_phase_that_is_listed_and_described_counts_once(plan_of: Any) -> None:
    plan = plan_of(
        "task_plan.md",
        "# Task Plan: Boat\n\n- [x] Phase 1: Sand\n- [x] **Phase 2:** Paint\n  - [x] two coats\n- [ ] buy tea\n- [ ] Phase 3: Launch 🔄 in progress\n\n"
        "## Phase 1 report\nIt went well.\n## Phase 1-2 together\n- [ ] x\n### Phase 2: Paint\n- [ ] coat\n",
    )
    assert summary(plan) == [
        ("Phase 1", "Sand", "done"),
        ("Phase 2", "Paint", "done"),
        ("Phase 3", "Launch", "active"),
    ]
    assert plan.drift == ("listed twice, once as done and once not, the first counts: Phase 2",)


ROADMAP = """\
# Roadmap: Harbour

## Phases
- [x] **Phase 1: Quay** - stones
- [ ] **Phase 2: Crane** - rails and drum
- [ ] **Phase 3: Shed** - roof

## Phase Details

### Phase 2: Crane
Plans:
- [x] 02-01: Rails
- [ ] 02-02: Drum

## Progress

| Phase | Plans Complete | Status | Completed |
|-------|----------------|--------|-----------|
| 1. Quay | 1/1 | Complete | 2026-03-01 |
| 2. Crane | 1/2 | In progress | - |
| 3. Shed | 0/1 | Not started | - |
"""


def test_a_phase_has_the_state_and_the_parts_that_a_roadmap_gives_it_further_down(plan_of: Any) -> None:
    plan = plan_of(".planning/ROADMAP.md", ROADMAP)
    assert [(story.id, story.status.value) for story in plan.stories] == [
        ("Phase 1", "done"), ("Phase 2", "active"), ("Phase 3", "pending"),
    ]  # fmt: skip
    assert [(part.title, part.status.value) for part in plan.stories[1].subtasks] == [
        ("02-01: Rails", "done"), ("02-02: Drum", "pending"),
    ]  # fmt: skip
    assert plan.drift == ()
    told = plan_of(".planning/ROADMAP.md", ROADMAP.replace("| 0/1 | Not started", "| 1/1 | Complete"))
    assert [story.status.value for story in told.stories] == ["done", "active", "pending"]
    assert told.drift == ("listed twice, once as done and once not, the first counts: Phase 3",)


def test_phases_in_a_table_are_read_by_its_status_column(plan_of: Any) -> None:
    plan = plan_of(
        "task_plan.md",
        "# Task Plan\n\n## Phases\n\n| Phase | Status | Notes |\n| --- | --- | --- |\n| 1. Sand | complete | dusty |\n"
        "| 2. Paint | in_progress | |\n| Launch | | |\n\n## Errors\n| Error | Status |\n|---|---|\n| x | done |\n",
    )
    assert summary(plan) == [
        ("Phase 1", "Sand", "done"),
        ("Phase 2", "Paint", "active"),
        ("3", "Launch", "pending"),
    ]


def test_phases_in_a_numbered_list_are_read_by_the_word_at_the_end(plan_of: Any) -> None:
    plan = plan_of(
        "task_plan.md",
        "# Task Plan\n\n## Phases\n1. Sand the hull - completed\n2. Paint - the deck too ✅\n3. Launch\n\n## Notes\n1. a\n",
    )
    assert summary(plan) == [
        ("Phase 1", "Sand the hull", "done"),
        ("Phase 2", "Paint - the deck too", "done"),
        ("Phase 3", "Launch", "pending"),
    ]


@pytest.mark.parametrize(
    ("path", "title", "name"),
    [
        ("task_plan.md", "# Task Plan: Boat", "Boat"),
        ("task_plan.md", "# Task Plan", None),
        (".planning/2026-03-01-boat/task_plan.md", "# Task Plan", "2026-03-01-boat"),
        (".planning/2026-03-01-boat/task_plan.md", "# Boat", "Boat"),
    ],
)
def test_a_plan_is_named_by_its_title_else_by_its_folder(
    plan_of: Any, path: str, title: str, name: Any
) -> None:
    assert plan_of(path, f"{title}\n## Phase 1: Sand\n").name == name


@pytest.mark.parametrize("text", ["", "# Shopping\n- [ ] milk\n", "# Task Plan\n## Goal\nPhase 1 is near.\n"])
def test_a_text_without_phases_is_no_plan(text: str) -> None:
    assert read_plan("task_plan.md", text.encode(), lambda _: None) is None


def test_a_fence_or_comment_that_never_ends_hides_nothing(plan_of: Any) -> None:
    plan = plan_of("task_plan.md", "## Phase 1: A\n```\n## Phase 2: B\n<!-- open\n## Phase 3: C\n")
    assert [story.id for story in plan.stories] == ["Phase 1", "Phase 2", "Phase 3"]
