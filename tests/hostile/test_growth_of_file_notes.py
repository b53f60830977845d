"""However many files a history names, the index of them takes work in proportion to it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core.project import Project
from progress_plugin.usecases.file_notes import ProjectFiles, file_notes, index_of, shown_ids
from progress_plugin.usecases.reading import Reading, read_project
from tests.hostile.growth import grows_with_its_input

_FIRST = 30
Entries = Callable[[int], Iterator[dict[str, Any]]]


def _entry(number: int, kind: str = "task_completed", **data: Any) -> dict[str, Any]:
    when = f"2026-01-{1 + number % 28:02}T{number // 28 % 24:02}:00:00Z"
    named = {"task_id": f"US-{number}"}
    return {"id": f"entry-{number}", "timestamp": when, "type": kind, **named, "data": data}


def _learnt(number: int, text: str) -> dict[str, Any]:
    return _entry(number, learnings=[f"{text} at {number} knots of wind {number * 7919}"])


SHAPES: dict[str, Entries] = {
    "a file for each learning": lambda n: (_learnt(i, f"`src/lamp{i}.ts` rattles") for i in range(n)),
    "one file for all learnings": lambda n: (_learnt(i, "`src/lamp0.ts` rattles") for i in range(n)),
    "one learning about all files": lambda n: iter(
        [_entry(0, learnings=[" ".join(f"`src/lamp{i}.ts`" for i in range(n))])]
    ),
    "statements about files": lambda n: (
        _entry(i, description=f"Mended the hinge of `src/lamp0.ts` once more {i}") for i in range(n)
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_an_index_takes_work_in_proportion_to_the_history(tmp_path: Path, shape: str) -> None:
    numbers = count()

    def made(size: int) -> Reading:
        root = tmp_path / str(next(numbers))
        folder = root / ".agent-os/progress"
        folder.mkdir(parents=True)
        log = {"version": "1.0", "entries": list(SHAPES[shape](size))}
        (folder / "progress.json").write_text(json.dumps(log), "utf-8")
        return read_project(Project(str(root), None))

    def indexed(reading: Reading) -> None:
        files = ProjectFiles(f"src/lamp{i}.ts" for i in range(len(reading.facts.own.log.entries)))
        notes = file_notes(reading.facts, files)
        assert notes
        shown_ids(reading.facts, notes, notes[0].shown)
        index_of(notes)

    assert grows_with_its_input(indexed, made, _FIRST) == ""
