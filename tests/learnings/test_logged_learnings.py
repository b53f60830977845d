"""Learnings from our own entries and from the plan."""

from __future__ import annotations

from progress_plugin.learnings.logged_learnings import from_entries, from_plan
from progress_plugin.model.learning import LearningKind


def test_learnings_causes_and_cures_of_our_entries_are_read() -> None:
    entries = [
        {
            "task_id": "A-1",
            "data": {
                "learnings": ["Oil `src/wheel.py`", "None", {"text": "Wet flour", "kind": "warning"}, 7]
            },
        },
        {"data": {"root_cause": "Belt too long.", "resolution": "Cut it", "files_modified": ["belt.py", 3]}},
        {"data": "odd"},
        {"task_id": 4, "data": {"learnings": "Mill stands\nstill", "resolution": "no cause"}},
    ]
    assert [
        (f.kind.value, f.text, f.story, f.position, f.files) for f in from_entries(entries, first_position=5)
    ] == [
        ("pattern", "Oil `src/wheel.py`", "A-1", 5, ("src/wheel.py",)),
        ("gotcha", "Wet flour", "A-1", 5, ()),
        ("gotcha", "Belt too long – fixed by: Cut it", None, 6, ("belt.py",)),
        ("pattern", "Mill stands still", None, 8, ()),
    ]


def test_dependencies_of_the_plan_say_what_they_need() -> None:
    found = from_plan([("A-2", "A-1"), ("A-3", "B-9")], {"A-1": "Mill"}, "prd.json")
    assert [(f.kind, f.text, f.story, f.source) for f in found] == [
        (LearningKind.DEPENDENCY, "A-2 → A-1: Mill", "A-2", "prd.json"),
        (LearningKind.DEPENDENCY, "A-3 → B-9", "A-3", "prd.json"),
    ]
