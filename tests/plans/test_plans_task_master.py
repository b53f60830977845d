"""Task Master's tasks.json, plain and tagged."""

from __future__ import annotations

from typing import Any

from progress_plugin.model.status import Status

TAGGED = {
    "master": {
        "tasks": [{"id": 1, "title": "Old", "status": "pending"}],
        "metadata": {"created": "2026-01-01"},
    },
    "night": {
        "tasks": [
            {
                "id": 12,
                "title": "Light the lamp",
                "description": "With oil.",
                "status": "done",
                "dependencies": [],
                "subtasks": [
                    {"id": 1, "title": "Fill", "status": "done", "dependencies": []},
                    {"id": 2, "title": "Strike", "status": "pending", "dependencies": [1]},
                ],
            },
            {"id": "13", "title": "Watch", "status": "in-progress", "dependencies": [12, "12.2"]},
            {"id": 14, "title": "Sleep", "status": "pending", "dependencies": [13, "12.2", "12.1"]},
            {"id": 15, "title": "Dream", "status": "cancelled"},
        ],
        "metadata": {"created": "2026-01-05T00:00:00Z"},
    },
}
PATH = ".taskmaster/tasks/tasks.json"
STATE = ".taskmaster__state.json"


def test_the_tag_of_the_state_file_is_the_plan(plan_of: Any) -> None:
    plan = plan_of(PATH, TAGGED, **{STATE: {"currentTag": "night", "branchTagMapping": {"dark": "night"}}})
    assert (plan.format, plan.name, plan.branch, plan.started) == (
        "task-master",
        "night",
        "dark",
        "2026-01-05T00:00:00Z",
    )
    assert [(story.id, story.title, story.status.value, story.waits_for) for story in plan.stories] == [
        ("12", "Light the lamp", "done", ()),
        ("13", "Watch", "active", ()),
        ("14", "Sleep", "pending", ("13", "12.2")),
        ("15", "Dream", "skipped", ()),
    ]
    assert plan.problems == ()


def test_subtasks_stand_below_their_parent_and_disagreement_with_it_is_told(plan_of: Any) -> None:
    plan = plan_of(PATH, TAGGED, **{STATE: {"currentTag": "night"}})
    parts = plan.stories[0].subtasks
    assert [(part.id, part.title, part.status) for part in parts] == [
        ("12.1", "Fill", Status.DONE),
        ("12.2", "Strike", Status.PENDING),
    ]
    assert plan.drift == ("done, though parts of it are open: 12",)


def test_without_a_state_file_the_master_tag_counts_and_that_is_said(plan_of: Any) -> None:
    plan = plan_of(PATH, TAGGED)
    assert ([story.title for story in plan.stories], plan.name) == (["Old"], None)
    assert plan.problems == ('state.json does not say which tag is active; "master" counts',)


def test_an_unreadable_state_file_hides_no_task(plan_of: Any) -> None:
    plan = plan_of(PATH, TAGGED, **{STATE: b"{"})
    assert [story.title for story in plan.stories] == ["Old"]


def test_a_tag_that_is_not_there_is_named(plan_of: Any) -> None:
    plan = plan_of(PATH, TAGGED, **{STATE: {"currentTag": "dusk"}})
    assert plan.problems == (
        'state.json names the tag "dusk", which tasks.json does not have; "master" counts',
    )


def test_one_tag_of_any_name_needs_no_state_file(plan_of: Any) -> None:
    plan = plan_of(PATH, {"night": TAGGED["night"]})
    assert (len(plan.stories), plan.problems) == (4, ())


def test_the_older_plain_file_is_read_with_its_words(plan_of: Any) -> None:
    plan = plan_of(
        "tasks/tasks.json",
        {
            "tasks": [
                {"id": "TASK-001", "title": "A", "status": "completed", "completed": True},
                {"id": "TASK-002", "title": "B", "status": "todo", "completed": False},
                {"id": "TASK-003", "title": "C", "status": "review"},
                {"id": "TASK-004", "title": "D", "status": "deferred"},
            ],
            "metadata": {"projectName": "Lantern"},
        },
    )
    assert [story.status.value for story in plan.stories] == ["done", "pending", "active", "skipped"]
    assert plan.name == "Lantern"
