"""How plans and stories are called from outside."""

from __future__ import annotations

from typing import Any

import pytest

from progress_plugin.model.status import Status
from progress_plugin.model.story import Plan, Story
from progress_plugin.plans.plan_and_story_identity import names_plan, normalised, story_key, story_named

STORIES = (
    Story(id="US-001", title="Paint the hull", status=Status.PENDING, position=0),
    Story(id="2", title="Launch", status=Status.PENDING, position=1),
    Story(id="3", title="Sail", status=Status.PENDING, position=2, positional=True),
)
PLAN = Plan(path="prd.json", format="prd", stories=STORIES)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("US-001", "US-001"),
        ("us-001", "US-001"),
        ("US-001: paint  it", "US-001"),
        ("[US-001] paint it", "US-001"),
        ("paint the HULL.", "US-001"),
        ("US-001 - Paint the hull", "US-001"),
        ("2", "2"),
        ("2 boats", None),
        ("2. Launch", "2"),
        ("3", None),
        ("sail", "3"),
        ("Paint the hulls", None),
        ("Finish US-001", None),
        ("", None),
        ("---", None),
    ],
)
def test_a_story_is_named_by_id_or_title_and_never_by_likeness(text: str, found: str | None) -> None:
    story = story_named(PLAN, text)
    assert (story and story.id) == found


def test_titles_are_equal_without_case_marks_and_spacing() -> None:
    assert normalised("  **Paint** the   `hull`!") == normalised("paint the hull")
    assert normalised("Paint the hull") != normalised("Paint the hulls")


def test_a_story_without_an_id_is_known_by_its_title() -> None:
    assert [story_key(story) for story in STORIES] == ["US-001", "2", "title:sail"]


@pytest.mark.parametrize(
    ("more", "text", "meant"),
    [
        ({"name": "Hull Works"}, "hull-works", True),
        ({"branch": "ralph/hull"}, "ralph/hull", True),
        ({"branch": "ralph/hull"}, "hull", True),
        ({"path": ".agent-os/specs/2026-03-01-night-watch/tasks.md"}, "night-watch", True),
        ({"path": ".agent-os/specs/2026-03-01-night-watch/tasks.md"}, "2026-03-01-night-watch", True),
        ({"path": "tasks/tasks.json"}, "tasks", False),
        ({"name": "Hull"}, "", False),
        ({}, "", False),
    ],
)
def test_a_plan_is_meant_by_name_branch_path_or_folder(more: Any, text: str, meant: bool) -> None:
    assert names_plan(Plan(**{"path": "prd.json", "format": "prd", "stories": (), **more}), text) is meant
