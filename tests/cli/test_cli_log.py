"""`log`: entries that a person or an agent logs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import TABLES


def _entries(project: Path) -> list[dict[str, Any]]:
    return list(json.loads((project / ".agent-os/progress/progress.json").read_text())["entries"])


def test_every_field_finds_its_place(project: Path, answer: Any) -> None:
    (entry,) = answer(
        "log", "debug_resolved", "--spec", "lamp", "--task", "7", "--description", "mended", "--duration", "0",
        "--notes", "n", "--next", "polish", "--learning", "one", "--learning", "two",
        "--data", '{"id": "mine", "type": "coffee_break", "root_cause": "rust", "files_modified": ["lamp.py"]}',
    )["entries"]  # fmt: skip
    assert (entry["type"], entry["spec"], entry["task_id"]) == ("debug_resolved", "lamp", "7")
    assert entry["id"].startswith("entry-")
    assert {name: value for name, value in entry["data"].items() if name not in {"id", "type"}} == {
        "root_cause": "rust", "files_modified": ["lamp.py"], "duration_minutes": 0, "notes": "n",
        "next_steps": "polish", "description": "mended", "learnings": ["one", "two"],
    }  # fmt: skip
    assert _entries(project) == [entry]


def test_what_was_recorded_already_is_not_written_again(project: Path, run: Any) -> None:
    run("log", "task_completed", "--task", "US-002")
    code, out, err = run("log", "task_completed", "--task", "US-002")
    assert (code, out, err) == (0, "", "note: this was recorded already; nothing new to add\n")
    run("log", "task_completed", "--task", "US-002", "--notes", "took longer than thought")
    first, second = _entries(project)
    assert second["data"]["supplements"] == first["id"]


@pytest.mark.parametrize(("arguments", "fault"), TABLES["log: refused"])
def test_bad_input_is_one_line_and_exit_2_and_nothing_is_written(
    project: Path, run: Any, arguments: tuple[str, ...], fault: str
) -> None:
    code, out, err = run("log", *arguments)
    assert (code, out, err.count("\n"), fault in err) == (2, "", 1, True)
    assert not (project / ".agent-os/progress/progress.json").exists()


@pytest.mark.parametrize(("words", "notes"), TABLES["log: notes"])
def test_an_unknown_task_is_written_and_named(
    project: Path, answer: Any, words: str, notes: list[str]
) -> None:
    assert answer("log", *words.split())["notes"] == notes
    assert len(_entries(project)) == 1
