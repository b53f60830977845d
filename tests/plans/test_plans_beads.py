"""The issue files of beads."""

from __future__ import annotations

import json
from typing import Any

import pytest

from progress_plugin.core.errors import BadInput
from progress_plugin.plans.reader import read_plan

ISSUES = [
    {"id": "lamp-1", "title": "Epic", "status": "open", "issue_type": "epic"},
    {
        "id": "lamp-1.1",
        "title": "Oil",
        "status": "closed",
        "closed_at": "2026-01-02T00:00:00Z",
        "close_reason": "Filled.",
        "assignee": "keeper",
        "dependencies": [{"issue_id": "lamp-1.1", "depends_on_id": "lamp-1", "type": "parent-child"}],
    },
    {
        "id": "lamp-2",
        "title": "Wick",
        "status": "open",
        "priority": 0,
        "dependencies": [
            {"issue_id": "lamp-2", "depends_on_id": "lamp-1", "type": "blocks"},
            {"issue_id": "lamp-2", "depends_on_id": "lamp-3", "type": "related"},
            {"issue_id": "lamp-2", "depends_on_id": "lamp-9", "type": "blocks"},
        ],
    },
    {"id": "lamp-3", "title": "Glass", "status": "blocked"},
    {"id": "lamp-4", "title": "Light", "status": "open", "dependencies": [{"depends_on_id": "lamp-3"}]},
    {"id": "lamp-5", "title": "Hook", "status": "hooked"},
    {"id": "lamp-9", "title": "Gone", "status": "tombstone"},
]
LINES = "\n".join(json.dumps(issue) for issue in ISSUES) + "\n"


def test_every_issue_counts_and_only_blocking_dependencies_hold_up(plan_of: Any) -> None:
    plan = plan_of(".beads/issues.jsonl", LINES)
    assert [(story.id, story.status.value, story.depends_on, story.waits_for) for story in plan.stories] == [
        ("lamp-1", "pending", (), ()),
        ("lamp-1.1", "done", (), ()),
        ("lamp-2", "pending", ("lamp-1", "lamp-9"), ("lamp-1",)),
        ("lamp-3", "blocked", (), ()),
        ("lamp-4", "blocked", ("lamp-3",), ("lamp-3",)),
        ("lamp-5", "active", (), ()),
    ]
    oil = plan.stories[1]
    assert (oil.agent, oil.completed_at, oil.notes) == ("keeper", "2026-01-02T00:00:00Z", "Filled.")
    assert (plan.format, plan.problems) == ("beads", ())


def test_a_broken_line_is_named_and_the_rest_counts(plan_of: Any) -> None:
    plan = plan_of(".beads/beads.jsonl", LINES.replace("\n", "\r\n") + "<<<<<<< HEAD\r\n[1]\r\n")
    assert len(plan.stories) == 6
    assert plan.problems == ("not a JSON object, left out: line: 8, 9",)


def test_of_a_repeated_id_the_last_line_counts(plan_of: Any) -> None:
    plan = plan_of(
        ".beads/issues.jsonl", LINES + json.dumps({"id": "lamp-3", "title": "Glass", "status": "closed"})
    )
    assert {story.id: story.status.value for story in plan.stories}["lamp-3"] == "done"
    assert plan.problems == ("an id stands more than once or is missing, the last line of each id counts",)


def test_an_empty_file_is_a_plan_without_issues(plan_of: Any) -> None:
    assert plan_of(".beads/issues.jsonl", "\n").stories == ()


def test_a_file_of_broken_lines_is_named_once() -> None:
    with pytest.raises(BadInput) as caught:
        read_plan(".beads/issues.jsonl", b"\nnot json\nnor this", lambda _: None)
    assert (
        str(caught.value)
        == ".beads/issues.jsonl: line 2 is not a JSON object, nor is any other; restore the file"
    )


@pytest.mark.parametrize("lines", ['{"event": "start", "at": 1}', '{"id": "x", "value": 2}'])
def test_other_json_lines_are_no_plan(lines: str) -> None:
    assert read_plan(".beads/issues.jsonl", lines.encode(), lambda _: None) is None
