"""Which reader a file goes to."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from progress_plugin.core.errors import BadInput
from progress_plugin.core.known_paths import NESTED, PLANS
from progress_plugin.plans.reader import read_plan

PLACES = (*PLANS, *(f"{folder}/*/{name}" for folder, names in NESTED for name in names))

STORIES = json.dumps([{"id": "A", "status": "done"}])
TAGGED = json.dumps({"master": {"tasks": [{"id": "A", "status": "done"}]}})
ISSUE = '{"id": "A", "status": "closed"}'
PHASE = "## Phase 1: A ✅\n"
BOX = "- [x] A\n"


@pytest.mark.parametrize(
    ("path", "content", "plan_format"),
    [
        ("prd.json", STORIES, "prd"),
        ("any/where/harbour-prd.json", STORIES, "prd"),
        ("notes", STORIES, "prd"),
        ("feature_list.json", STORIES, "feature-list"),
        ("feature_list.old.json", STORIES, "feature-list"),
        ("tasks/tasks.json", STORIES, "task-master"),
        ("export.json", TAGGED, "task-master"),
        (".agent-os/specs/x/tasks.json", STORIES, "agent-os"),
        ("deep/.agent-os/specs/x/tasks.json", STORIES, "agent-os"),
        (".agent-os/specs/x/tasks.md", BOX, "agent-os"),
        ("todo.md", BOX, "agent-os"),
        ("todo.md", PHASE + BOX, "planning-with-files"),
        ("plan.txt", PHASE, "planning-with-files"),
        ("task_plan.md", PHASE, "planning-with-files"),
        ("beads.jsonl", ISSUE, "beads"),
        ("export.jsonl", ISSUE, "beads"),
    ],
)
def test_a_file_is_read_by_its_name_then_by_its_content(
    plan_of: Any, path: str, content: str, plan_format: str
) -> None:
    plan = plan_of(path, content)
    assert (plan.path, plan.format) == (path, plan_format)
    assert [story.status.value for story in plan.stories] == ["done"]


@pytest.mark.parametrize(
    ("path", "content"), [("task_plan.md", BOX), ("progress.json", '{"version": "1.0", "entries": []}')]
)
def test_a_file_of_another_kind_is_no_plan(path: str, content: str) -> None:
    assert read_plan(path, content.encode(), lambda _: None) is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "prd.json: not valid JSON at line 1, column 1 (Expecting value); correct the file there"),
        (b'[\n {"id": 1,}\n]', "prd.json: not valid JSON at line 2, column "),
        (b"[" * 50_000, "prd.json: nested too deeply, or holds a number too long to read; simplify it"),
        (
            b"[" + b"1" * 5_000 + b"]",
            "prd.json: nested too deeply, or holds a number too long to read; simplify it",
        ),
        (b"[\xe9]", "prd.json: not valid UTF-8 text at byte 1 (line 1); save the file as UTF-8"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(content: bytes, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_plan("prd.json", content, lambda _: None)
    assert str(caught.value).startswith(message)


def test_siblings_are_asked_for_only_where_they_matter() -> None:
    asked: list[str] = []

    def read(path: str) -> None:
        asked.append(path)

    for path in PLACES:
        content = ISSUE if path.endswith("l") else STORIES
        read_plan(path, content.encode(), read)
    assert asked == []
    read_plan(".taskmaster/tasks/tasks.json", TAGGED.encode(), read)
    assert asked == [".taskmaster/state.json"]


def test_reading_a_json_plan_loads_neither_the_markdown_readers_nor_anything_third_party() -> None:
    # Without `site`, or the measuring of coverage would load modules of its own.
    program = (
        f"import sys; sys.path.insert(0, {os.getcwd()!r}); from progress_plugin.plans.reader import read_plan;"
        f"read_plan('prd.json', {STORIES!r}.encode(), lambda _: None); print(*sys.modules)"
    )
    loaded = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=True
    ).stdout.split()
    assert {"progress_plugin.plans.prd"} <= set(loaded)
    assert not {"progress_plugin.plans.markdown_plan", "pydantic", "click", "jinja2", "sqlite3"} & set(loaded)
