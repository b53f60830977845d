"""However much a history holds of one kind, a summary of it takes no more than so many times as long."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core.project import Project
from progress_plugin.recall.index import index_path
from progress_plugin.usecases.composing import compose_for_this_call
from progress_plugin.usecases.recalling.recall import recall
from tests.hostile.growth import grows_with_its_input

_FIRST = 30
Entries = Callable[[int], Iterator[dict[str, Any]]]


def _entry(number: int, kind: str, task: str | None = None, **data: Any) -> dict[str, Any]:
    when = f"2026-01-{1 + number % 28:02}T{number // 28 % 24:02}:00:00Z"
    named = {"task_id": task} if task else {}
    return {"id": f"entry-{number}", "timestamp": when, "type": kind, **named, "data": data}


SHAPES: dict[str, Entries] = {
    "a blocker on every task": lambda n: (
        _entry(i, "task_blocked", f"US-{i}", issue=f"no crane {i}") for i in range(n)
    ),
    "every blocker on one task": lambda n: (
        _entry(i, "task_blocked", "US-1", issue=f"no crane {i}") for i in range(n)
    ),
    "blockers of no task": lambda n: (_entry(i, "task_blocked", issue=f"no crane {i}") for i in range(n)),
    "blockers that are over": lambda n: (
        _entry(i, ("task_blocked", "task_completed")[i % 2], f"US-{i // 2}", description=f"berth {i}")
        for i in range(n)
    ),
    "every entry on one task": lambda n: (
        _entry(i, "task_completed", "US-1", description=f"berth {i} is mended") for i in range(n)
    ),
    "a task per entry": lambda n: (
        _entry(i, "task_completed", f"US-{i}", description=f"berth {i}", learnings=[f"pile {i} rots"])
        for i in range(n)
    ),
    "the same words every time": lambda n: (
        _entry(
            i, "milestone_reached", description="the pier stands", learnings=["piles rot at the waterline"]
        )
        for i in range(n)
    ),
    "supplements of one entry": lambda n: (
        _entry(
            i, "task_completed", "US-1", description=f"berth {i}", **({"supplements": "entry-0"} if i else {})
        )
        for i in range(n)
    ),
    "each supplements the one before": lambda n: (
        _entry(
            i, "task_completed", "US-1", notes=f"n {i}", **({"supplements": f"entry-{i - 1}"} if i else {})
        )
        for i in range(n)
    ),
    "learnings in supplements of one entry": lambda n: (
        _entry(
            i,
            "task_completed",
            description=f"berth {i}",
            learnings=[f"pile {i} rots at low water"],
            **({"supplements": "entry-0"} if i else {}),
        )
        for i in range(n)
    ),
    "retractions": lambda n: (
        _entry(i, "note", description=f"berth {i}", **({"retracts": f"entry-{i - 1}"} if i % 2 else {}))
        for i in range(n)
    ),
    "mutes": lambda n: (
        _entry(i, "note", **({"mutes": [f"pile {i}"]} if i % 2 else {"learnings": [f"pile {i + 1} rots"]}))
        for i in range(n)
    ),
    "a spec per entry": lambda n: (
        {**_entry(i, "task_completed", "1.1", description=f"berth {i}"), "spec": f"quay-{i}"}
        for i in range(n)
    ),
}


def _made(root: Path, shape: str, size: int) -> Project:
    folder = root / ".agent-os/progress"
    folder.mkdir(parents=True)
    entries = ",\n".join(map(json.dumps, SHAPES[shape](size)))
    (folder / "progress.json").write_text(f'{{"version": "1.0", "entries": [\n{entries}\n]}}', "utf-8")
    return Project(str(root), None)


@pytest.mark.parametrize("planned", [False, True], ids=["without a plan", "with a plan"])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_summary_takes_work_in_proportion_to_the_history(tmp_path: Path, shape: str, planned: bool) -> None:
    numbers = count()

    def made(size: int) -> Project:
        project = _made(tmp_path / str(next(numbers)), shape, size)
        if planned:
            stories = [{"id": f"US-{i}", "title": f"Berth {i}", "passes": not i % 3} for i in range(size)]
            Path(project.root, "prd.json").write_text(json.dumps({"userStories": stories}), "utf-8")
        return project

    assert grows_with_its_input(compose_for_this_call, made, _FIRST) == ""


@pytest.mark.parametrize("shape", SHAPES)
def test_an_index_takes_work_in_proportion_to_the_history(tmp_path: Path, shape: str) -> None:
    numbers = count()

    def made(size: int) -> Project:
        return _made(tmp_path / str(next(numbers)), shape, size)

    def read(project: Project) -> None:
        Path(index_path(project.root) or "").unlink(missing_ok=True)
        recall(project, "gate hinge")

    assert grows_with_its_input(read, made, _FIRST) == ""
