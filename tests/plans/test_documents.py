"""Plans of every shape, as the reader of plans returns them. The inputs and results are in `documents.txt`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from json import dumps
from pathlib import Path

import pytest

from progress_plugin.core.errors import BadInput
from progress_plugin.model.work import Item, PlanDocument
from progress_plugin.plans.documents import read_plans
from progress_plugin.plans.task_files import TaskFile, read_task_files

_CASES = re.split(
    r"^=== (?=\S+\.\w+: )",
    Path(__file__).with_name("documents.txt").read_text(encoding="utf-8"),
    flags=re.MULTILINE,
)


def _described(item: Item, indent: str = "") -> Iterator[str]:
    parts = [indent + item.reports[0].status, item.id or "-", item.title]
    parts += ["needs", *item.depends_on] if item.depends_on else []
    parts += ["steps", *item.criteria] if item.criteria else []
    parts += ["files", *item.files] if item.files else []
    parts += ["not before", str(item.deferred_until)] if item.deferred_until else []
    parts += ["not offered"] if not item.is_offered else []
    yield " ".join(parts)
    for child in item.children:
        yield from _described(child, indent + "  ")


def _lines(plans: list[PlanDocument]) -> Iterator[str]:
    for number, plan in enumerate(plans):
        yield from ["plan"] if number else []
        for item in plan.items:
            yield from _described(item)
        yield from (f"beside {item.title}" for item in plan.other_boxes)
        yield from (f"unknown {phrase} {count}" for phrase, count in plan.unknown_statuses)
        yield from (f"problem {problem}" for problem in plan.problems)


@pytest.mark.parametrize("case", [pytest.param(case, id=case.partition("\n")[0]) for case in _CASES[1:]])
def test_a_plan_is_read_by_its_structure(case: str) -> None:
    heading, _, body = case.partition("\n")
    text, _, expected = body.strip().rpartition("\n---\n")
    tag = re.search(r"\ntag: (\w+)$", text)
    plans = read_plans(
        heading.partition(":")[0], text[: tag.start()] if tag else text, active_tag=tag[1] if tag else None
    )
    assert "\n".join(_lines(plans) if plans else ["no plan"]) == expected


def test_a_plan_that_is_not_json_names_the_file_and_the_line() -> None:
    with pytest.raises(BadInput, match=r"prd\.json: not valid JSON \(line 2"):
        read_plans("prd.json", '{"userStories": [\n{"id": US-1}]}')


def test_a_number_with_too_many_digits_is_named_as_the_cause() -> None:
    with pytest.raises(BadInput, match=r"prd\.json: not valid JSON \(.*a number is too long"):
        read_plans("prd.json", f'{{"tasks": [{{"id": {"1" * 5_000}}}]}}')


def test_a_long_title_with_quotes_has_its_line() -> None:
    titles = [f'The "Lark" {"x" * 90}', "Oil it"]
    text = dumps({"tasks": [{"title": title, "status": "open"} for title in titles]}, indent=1)
    assert [item.source.line for item in read_plans("prd.json", text)[0].items] == [4, 8]


def test_an_item_of_front_matter_has_its_line() -> None:
    text = '---\ntodos:\n  - content: "Oil it"\n    status: completed\n---\n# Ferry\n'
    assert [item.source.line for item in read_plans("ferry.plan.md", text)[0].items] == [3]


def test_items_of_one_name_have_keys_of_their_own() -> None:
    items = read_plans("p.md", "- [ ] Oil it\n- [ ] Turn it\n- [ ] Oil it\n")[0].items
    assert [item.key for item in items] == [("p.md", "Oil it"), ("p.md", "Turn it"), ("p.md", "Oil it", "2")]


def test_an_item_knows_its_line_and_its_whole_path() -> None:
    text = "# P\n### M1 — A\n- [x] Phase 1 — B\n### M2 — C\n- [ ] Phase 1 — D\n"
    items = [item for milestone in read_plans("plans/p.md", text)[0].items for item in milestone.children]
    assert [(item.key[0], item.key[-2:], item.source.line) for item in items] == [
        ("plans/p.md", ("M1 — A", "Phase 1"), 3),
        ("plans/p.md", ("M2 — C", "Phase 1"), 5),
    ]


@pytest.mark.parametrize(
    ("optimization", "settings"), [({"maxContextTokens": 900}, {"maxContextTokens": 900}), ("fast", {})]
)
def test_a_json_plan_may_carry_settings(optimization: object, settings: object) -> None:
    text = dumps({"optimization": optimization, "userStories": [{"id": "US-1", "passes": False}]})
    plan = read_plans("prd.json", text)[0]
    assert (plan.settings, [item.id for item in plan.items]) == (settings, ["US-1"])


def test_the_task_files_of_a_folder_are_one_plan() -> None:
    task = "---\nid: T-%d\ntitle: >-\n  Sew the\n  sail\nstatus: %s\ndependencies: [%s]\n---\n- [x] Cut\n- [ ] Hem\n"
    files = [
        TaskFile("todos/10 - b.md", task % (10, "To Do", "T-9")),
        TaskFile("todos/9 - a.md", task % (9, "Done", "")),
        TaskFile("todos/notes.md", "# Notes\n- [ ] Sweep\n"),
    ]
    plan = read_task_files("todos", files)
    assert plan
    assert [(item.id, item.title, item.reports[0].status, item.source.path) for item in plan.items] == [
        ("T-9", "Sew the sail", "done", "todos/9 - a.md"),
        ("T-10", "Sew the sail", "pending", "todos/10 - b.md"),
    ]
    assert (plan.items[1].depends_on, plan.items[1].criteria) == (("T-9",), ("Hem",))


def test_a_task_may_be_a_json_object_in_a_folder_of_its_own() -> None:
    task = '{"id": "sail", "title": "Sew the sail", "status": "in_progress", "priority": "P2"}'
    files = [TaskFile("tasks/10-b/task.json", "broken"), TaskFile("tasks/9-a/task.json", task)]
    plan = read_task_files("tasks", files)
    assert plan
    assert [(item.id, item.title, item.reports[0].status, item.source.path) for item in plan.items] == [
        ("sail", "Sew the sail", "active", "tasks/9-a/task.json")
    ]


def test_a_story_file_has_its_status_below_a_heading() -> None:
    story = "# Story 1.%d: Sew the sail\n\n## Status\n\n%s\n\n## Tasks\n- [ ] Hem\n"
    files = [
        TaskFile(f"stories/1.{n}.story.md", story % (n, status)) for n, status in ((1, "Done"), (2, "Draft"))
    ]
    plan = read_task_files("stories", files)
    assert plan
    assert [(item.id, item.title, item.reports[0].status) for item in plan.items] == [
        ("Story 1.1", "Sew the sail", "done"),
        ("Story 1.2", "Sew the sail", "pending"),
    ]
