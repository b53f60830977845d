"""Task lists of Agent OS specs, in JSON and in Markdown."""

from __future__ import annotations

from typing import Any

import pytest

from progress_plugin.plans.reader import read_plan, without_copies

FOLDER = ".agent-os/specs/2026-03-01-night-watch/"
BOXES = """\
# Spec Tasks

- [x] 1. **Light the lamp** ✅ COMPLETED
  - [x] 1.1 Fill it
  - [x] 1.2 Strike a match
- [ ] 2. Watch the sea
  - [x] 2.1 Climb up
  - [ ] 2.2 Look
    ⚠️ Blocking issue: fog since noon
 - [ ] **Sleep** - at last
    - [ ] lie down
- [~] Dream
- [ ] Repair the stair
  ⚠️ Blocking issue: no wood
- [x] Lock up
  - [ ] 7.1 Find the key
"""


def test_the_outermost_boxes_are_the_tasks(plan_of: Any) -> None:
    plan = plan_of(FOLDER + "tasks.md", BOXES)
    assert [
        (story.id, story.title, story.status.value, story.line, len(story.subtasks)) for story in plan.stories
    ] == [
        ("1", "Light the lamp", "done", 3, 2),
        ("2", "Watch the sea", "active", 6, 2),
        ("3", "Sleep - at last", "pending", 10, 1),
        ("4", "Dream", "active", 12, 0),
        ("5", "Repair the stair", "blocked", 13, 0),
        ("6", "Lock up", "done", 15, 1),
    ]
    assert plan.stories[4].issue == "no wood"
    assert [story.positional for story in plan.stories] == [False, False, True, True, True, True]
    assert (plan.name, plan.format) == ("night-watch", "agent-os")
    assert plan.drift == ("done, though parts of it are open: 6",)


def test_a_warning_in_the_box_itself_blocks_it(plan_of: Any) -> None:
    plan = plan_of(
        FOLDER + "tasks.md", "- [ ] 1. Mast ⚠️ Blocked by: the crane\n- [x] 2. Sail ⚠️ Blocked: once\n"
    )
    assert [(story.title, story.status.value, story.issue) for story in plan.stories] == [
        ("Mast", "blocked", "the crane"),
        ("Sail", "done", None),
    ]


def test_a_tool_s_own_numbers_name_parts_once(plan_of: Any) -> None:
    plan = plan_of(FOLDER + "tasks.md", BOXES)
    assert [part.id for part in plan.stories[0].subtasks] == ["1.1", "1.2"]
    assert [part.id for part in plan.stories[2].subtasks] == ["3.1"]


HEADINGS = """\
# Tasks: Night watch

**Created**: 2026-03-01
**Status**: Ready

- [ ] not a task

## Task 1: Lamp
**Status:** Completed
### Subtasks
- [x] 1.1 Fill
- [ ] 1.2 Trim

```
## Task 9: an example
- [x] in a fence
```

## Task 2: Sea
- **Status**: [x] Completed
## Task 3: Stairs ✅ COMPLETED
- **Priority:** High | **Effort:** 2 hours | **Dependencies:** None yet
## Task 4: Rest - DONE
**Status:** In Progress
## Task 5: Code - Review
- **Depends on:** Task 4, the weather
- [x] one
- [ ] two
## Task 6: All ticked
- [x] one
- [x] two
## Task 7: Nothing said
## Notes
- [ ] not of task 7
"""


def test_headings_are_the_tasks_where_there_are_any(plan_of: Any) -> None:
    plan = plan_of(FOLDER + "tasks.md", HEADINGS)
    assert [(story.id, story.title, story.status.value, story.line) for story in plan.stories] == [
        ("1", "Lamp", "done", 8),
        ("2", "Sea", "done", 19),
        ("3", "Stairs", "done", 21),
        ("4", "Rest", "active", 23),
        ("5", "Code - Review", "active", 25),
        ("6", "All ticked", "done", 29),
        ("7", "Nothing said", "pending", 32),
    ]
    assert plan.stories[4].depends_on == ("4",)
    assert plan.started == "2026-03-01"
    assert plan.drift == (
        "heading and status line disagree, the status line counts: 4",
        "done, though parts of it are open: 1",
    )
    assert plan.problems == ()


def test_headings_inside_a_task_are_its_parts(plan_of: Any) -> None:
    plan = plan_of(
        FOLDER + "tasks.md",
        "## Task 1: Lamp\n### Task 1.1: Oil ✅\n### Task 1.2: Wick\n- [x] cut\n## Task 2: Sea\n#### T2.1: Look\n",
    )
    assert [
        (story.id, story.status.value, [(part.id, part.status.value) for part in story.subtasks])
        for story in plan.stories
    ] == [
        ("1", "done", [("1.1", "done"), ("1.2", "done")]),
        ("2", "pending", [("2.T2.1", "pending")]),
    ]


def test_a_text_without_tasks_is_no_plan() -> None:
    assert read_plan(FOLDER + "tasks.md", b"# Notes\n\nTask 1 was hard.\n", lambda _: None) is None


JSON = {
    "version": "3.0",
    "spec": "night-watch",
    "created": "2026-03-01T10:00:00Z",
    "tasks": [
        {"id": "1", "type": "parent", "description": "Lamp", "status": "pass", "subtasks": ["1.1"]},
        {
            "id": "2",
            "type": "parent",
            "description": "Sea",
            "status": "pending",
            "subtasks": ["2.1"],
            "parallelization": {"blocked_by": ["1", "3"]},
        },
        {"id": "3", "type": "parent", "description": "Stair", "status": "blocked", "blocker": "no wood"},
        {
            "id": "1.1",
            "type": "subtask",
            "parent": "1",
            "description": "Oil",
            "status": "pass",
            "attempts": 1,
        },
        {"id": "2.1", "type": "subtask", "parent": "2", "description": "Climb", "status": "in_progress"},
        {"id": "9.1", "type": "subtask", "parent": "9", "description": "Lost", "status": "pass"},
    ],
}


def test_the_flat_json_list_is_nested_by_parent(plan_of: Any) -> None:
    plan = plan_of(FOLDER + "tasks.json", JSON)
    assert [
        (
            story.id,
            story.title,
            story.status.value,
            story.issue,
            story.waits_for,
            [part.id for part in story.subtasks],
        )
        for story in plan.stories
    ] == [
        ("1", "Lamp", "done", None, (), ["1.1"]),
        ("2", "Sea", "blocked", None, ("3",), ["2.1"]),
        ("3", "Stair", "blocked", "no wood", (), []),
        ("9.1", "Lost", "done", None, (), []),
    ]
    assert (plan.format, plan.name, plan.started) == ("agent-os", "night-watch", "2026-03-01T10:00:00Z")
    assert plan.drift == ("pending, though parts of it are begun: 2",)


@pytest.mark.parametrize(
    ("paths", "kept"),
    [
        ([FOLDER + "tasks.md", FOLDER + "tasks.json"], (FOLDER + "tasks.json",)),
        (
            [FOLDER + "tasks.md", ".agent-os/specs/other/tasks.json"],
            (FOLDER + "tasks.md", ".agent-os/specs/other/tasks.json"),
        ),
        ([".beads/beads.jsonl", ".beads/issues.jsonl", "prd.json"], (".beads/issues.jsonl", "prd.json")),
    ],
)
def test_of_two_files_with_one_plan_the_newer_format_is_taken(
    paths: list[str], kept: tuple[str, ...]
) -> None:
    assert without_copies(paths) == kept


@pytest.mark.parametrize(
    ("heading", "number", "title"),
    [
        ("## Task 1: Lamp", "1", "Lamp"),
        ("### Task #2 - Lamp", "2", "Lamp"),
        ("#### T3.1: Lamp", "T3.1", "Lamp"),
        ("## ✅ Task 4. Lamp", "4", "Lamp"),
        ("## 任务1打磨", "1", "打磨"),
        ("## Aufgabe 12", "12", "12"),
    ],
)
def test_a_task_heading_is_read_however_it_is_numbered(
    plan_of: Any, heading: str, number: str, title: str
) -> None:
    (story,) = plan_of(FOLDER + "tasks.md", f"# Tasks\n{heading}\n").stories
    assert (story.id, story.title) == (number, title)


@pytest.mark.parametrize("heading", ["## Tasks", "## Task list", "## T1abc", "## Task 10th", "## Tests 1"])
def test_other_headings_are_no_tasks(heading: str) -> None:
    assert read_plan(FOLDER + "tasks.md", heading.encode(), lambda _: None) is None
