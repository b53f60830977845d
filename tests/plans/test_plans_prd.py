"""prd.json and feature_list.json in their dialects."""

from __future__ import annotations

import json
from typing import Any

import pytest

from progress_plugin.model.status import Status
from progress_plugin.model.story import Plan, Story, count
from progress_plugin.plans.reader import read_plan


def statuses(plan: Plan) -> dict[str, str]:
    return {story.id: story.status.value for story in plan.stories}


def test_a_whole_prd_is_read_with_everything_it_says(plan_of: Any) -> None:
    plan = plan_of(
        "scripts/ralph/prd.json",
        {
            "project": "Tidepool",
            "branchName": "ralph/harbour",
            "createdAt": "2026-02-01T08:00:00Z",
            "optimization": {"maxContextTokens": 900},
            "userStories": [
                {
                    "id": "US-001",
                    "title": "Moor  the\nboat",
                    "description": "As a skipper I moor.",
                    "passes": True,
                    "notes": "Done at dusk.",
                    "completionNotes": ["two lines", "used"],
                    "completedAt": "2026-02-02T09:00:00Z",
                    "delegatedTo": "deckhand",
                    "attempts": 2,
                },
                {
                    "id": "US-002",
                    "title": "Raise the flag",
                    "passes": False,
                    "dependsOn": ["US-001"],
                    "priority": None,
                },
                {"id": "US-003", "title": "Leave", "passes": False, "dependsOn": ["US-002"], "attempts": 0},
            ],
        },
    )
    assert plan == Plan(
        path="scripts/ralph/prd.json",
        format="prd",
        name="Tidepool",
        branch="ralph/harbour",
        started="2026-02-01T08:00:00Z",
        settings={"maxContextTokens": 900},
        stories=(
            Story(
                id="US-001",
                title="Moor the boat",
                status=Status.DONE,
                position=0,
                attempts=2,
                agent="deckhand",
                completed_at="2026-02-02T09:00:00Z",
                description="As a skipper I moor.",
                notes="Done at dusk.\ntwo lines\nused",
            ),
            Story(
                id="US-002", title="Raise the flag", status=Status.PENDING, position=1, depends_on=("US-001",)
            ),
            Story(
                id="US-003",
                title="Leave",
                status=Status.PENDING,
                position=2,
                depends_on=("US-002",),
                waits_for=("US-002",),
            ),
        ),
    )


@pytest.mark.parametrize("key", ["userStories", "stories", "items", "features", "tasks"])
def test_the_list_may_stand_under_any_of_its_names(plan_of: Any, key: str) -> None:
    assert statuses(plan_of("prd.json", {key: [{"id": "A", "passes": True}]})) == {"A": "done"}


def test_a_bare_list_is_a_plan(plan_of: Any) -> None:
    assert statuses(plan_of("prd.json", [{"id": 7, "passes": True}, {"id": 8.0, "passes": False}])) == {
        "7": "done",
        "8": "pending",
    }


def test_tasks_inside_phases_are_the_stories_and_milestones_are_not(plan_of: Any) -> None:
    plan = plan_of(
        "prd.json",
        {
            "phases": [
                {"id": "1", "name": "Hull", "tasks": [{"id": "1.1", "title": "Plank", "status": "complete"}]},
                {"id": "2", "name": "Rig", "tasks": [{"id": "2.1", "title": "Mast", "status": "pending"}]},
            ],
            "milestones": [{"id": "M1", "tasks": ["1.1"]}],
        },
    )
    assert statuses(plan) == {"1.1": "done", "2.1": "pending"}


def test_phases_without_tasks_are_the_stories_themselves(plan_of: Any) -> None:
    plan = plan_of("prd.json", {"phases": [{"id": "1", "name": "Hull", "status": "done"}]})
    assert [(story.id, story.title) for story in plan.stories] == [("1", "Hull")]


def test_stories_keyed_by_id_are_a_list_too(plan_of: Any) -> None:
    assert statuses(
        plan_of("feature_list.json", {"features": {"F1": {"passes": True}, "F2": {"passes": False}}})
    ) == {
        "F1": "done",
        "F2": "pending",
    }


def test_stories_without_id_and_title_get_their_position_and_description(plan_of: Any) -> None:
    plan = plan_of(
        "prd.json",
        [
            {"description": "Weigh the anchor.\nThen leave.", "passed": True},
            {"service": "Winch", "method": "haul", "status": "TODO"},
        ],
    )
    assert [(story.id, story.title, story.positional) for story in plan.stories] == [
        ("1", "Weigh the anchor.", True),
        ("2", "Winch, haul", True),
    ]


def test_a_repeated_id_is_numbered_and_reported(plan_of: Any) -> None:
    plan = plan_of(
        "prd.json",
        [{"id": "A", "passes": True}, {"id": "A", "passes": False}, {"id": "A (2)", "passes": True}],
    )
    assert statuses(plan) == {"A": "done", "A (2)": "pending", "A (2) (2)": "done"}
    assert plan.problems == ("the same id stands more than once, later ones are numbered: A, A (2)",)


def test_the_words_of_the_file_s_own_legend_win(plan_of: Any) -> None:
    plan = plan_of(
        "feature_list.json",
        {
            "status_legend": {
                "green": "Done; evidence is attached",
                "review": "Done, waits for the release",
                "amber": "Somebody is on it and it is in progress now",
                "red": "not started and not done",
                "pass": "Verified enough for now",
            },
            "features": [
                {"id": word, "status": word} for word in ("green", "review", "amber", "red", "pass", "plaid")
            ],
        },
    )
    assert statuses(plan) == {
        "green": "done",
        "review": "done",
        "amber": "active",
        "red": "pending",
        "pass": "done",
        "plaid": "pending",
    }
    assert plan.problems == ("status word not known, taken as pending: plaid (plaid)",)


def test_a_word_that_a_legend_does_not_explain_means_what_it_always_means(plan_of: Any) -> None:
    plan = plan_of(
        "prd.json", {"legend": {"done": "", "shipped": ""}, "tasks": [{"id": 1, "status": "done"}]}
    )
    assert [story.status for story in plan.stories] == [Status.DONE]


def test_a_legend_may_list_the_words_of_a_status(plan_of: Any) -> None:
    plan = plan_of("prd.json", {"legend": {"done": ["shipped"]}, "tasks": [{"id": 1, "status": "Shipped"}]})
    assert statuses(plan) == {"1": "done"}


def test_entries_that_are_no_objects_are_left_out_and_named(plan_of: Any) -> None:
    plan = plan_of("prd.json", {"tasks": ["sweep", {"id": "A", "passes": True}, None]})
    assert statuses(plan) == {"A": "done"}
    assert plan.problems == ("not an object, left out: entry: 1, 3",)


@pytest.mark.parametrize(
    "document",
    [
        {"name": "Product", "version": 2, "sections": ["goals"]},
        {"features": {"darkMode": True}},
        {"features": {"darkMode": {"enabled": True}}},
        {"features": [{"id": "F1", "name": "Dark mode", "enabled": False}]},
        {"tasks": ["wash", "dry"]},
        {"userStories": "see the wiki"},
        "a text",
        42,
        None,
    ],
)
@pytest.mark.parametrize("path", ["prd.json", "feature_list.json", "tasks/tasks.json"])
def test_a_foreign_file_of_the_same_name_is_no_plan(path: str, document: Any) -> None:
    assert read_plan(path, json.dumps(document).encode(), lambda _: None) is None


@pytest.mark.parametrize(
    "document",
    [
        {"tasks": [{"id": "build", "title": "Build", "command": "make"}]},
        {"tasks": [{"id": "build", "title": "Build"}, {"label": "Test"}]},
        {"items": [{"id": 1, "title": "Requirement"}]},
        {"userStories": ["As a user I want"]},
        {"userStories": [{"id": "US-1"}]},
        [{"id": 1, "title": "Anything"}],
    ],
)
def test_what_no_name_and_no_state_calls_a_story_is_none(document: Any) -> None:
    assert read_plan("prd.json", json.dumps(document).encode(), lambda _: None) is None


@pytest.mark.parametrize(
    "document",
    [
        {"userStories": [{"id": "US-1", "title": "Login"}, {"id": "US-2", "title": "Cart"}]},
        {"user_stories": [{"id": "US-1", "story": "As a guest I log in"}, {"id": "US-2", "title": "Cart"}]},
        {"stories": [{"id": "US-1", "title": "Login", "priority": 1}, {"id": "US-2", "title": "Cart"}]},
        {"tasks": [{"id": "US-1", "title": "Login"}, {"id": "US-2", "title": "Cart"}]},
        {"phases": [{"name": "One", "tasks": [{"id": "US-1", "title": "Login"}]},
                    {"name": "Two", "tasks": [{"id": "US-2", "title": "Cart"}]}]},
        {"stories": {"US-1": {"title": "Login"}, "US-2": {"title": "Cart"}}},
    ],
)  # fmt: skip
def test_stories_that_only_have_a_name_are_all_to_do(plan_of: Any, document: Any) -> None:
    assert statuses(plan_of("prd.json", document)) == {"US-1": "pending", "US-2": "pending"}


@pytest.mark.parametrize("document", [[], {"userStories": []}, {"features": []}])
def test_an_empty_list_is_a_plan_without_stories(plan_of: Any, document: Any) -> None:
    plan = plan_of("prd.json", document)
    assert plan.stories == ()
    assert sum(count(plan.stories).values()) == 0


def test_fields_of_unexpected_types_do_not_lose_the_story(plan_of: Any) -> None:
    (story,) = plan_of(
        "prd.json",
        '[{"id": {"a": 1}, "title": [], "passes": "true", "attempts": NaN, "dependsOn": 3, "notes": 5, "steps": "x",'
        ' "description": "lone \\ud800 half", "delegatedTo": null, "completedAt": 20260101}]',
    ).stories
    assert story == Story(
        id="1",
        title="lone ? half",
        status=Status.DONE,
        position=0,
        depends_on=("3",),
        description="lone ? half",
        completed_at="20260101",
        positional=True,
    )


@pytest.mark.parametrize(
    ("categories", "titles"),
    [
        (["Moor", "Sail"], ["Moor", "Sail"]),
        (["functional", "functional"], ["Tie the rope", "Set the sail"]),
        (["Moor", ""], ["Tie the rope", "Set the sail"]),
    ],
)
def test_a_category_is_a_title_where_each_story_has_another(
    plan_of: Any, categories: Any, titles: Any
) -> None:
    told = ("Tie the rope", "Set the sail")
    records = [
        {"category": category, "description": text, "complete": False}
        for category, text in zip(categories, told, strict=True)
    ]
    plan = plan_of("prd.json", records)
    assert [story.title for story in plan.stories] == titles
    assert [story.description for story in plan.stories] == list(told)
