"""A new plan format is one module and one row of the table: everything else derives from them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from progress_plugin.core.known_paths import FORMATS
from progress_plugin.plans.reader import module_of
from tests.conftest import REPOSITORY

_MODULE = '''
"""Lines of `done:` and `open:` (a format made up for a test)."""

from progress_plugin.model.status import Status
from progress_plugin.model.story import Plan, Story

RECOGNISED_BY = "lines that begin with `done:` or `open:`"


def recognises(file):
    return file.name == "harbour.todo"


def read(file):
    lines = [line.partition(":") for line in file.text.splitlines()]
    status = {"done": Status.DONE, "open": Status.PENDING}
    stories = tuple(
        Story(id=f"T{place}", title=title.strip(), status=status[word], position=place, positional=True)
        for place, (word, _, title) in enumerate(lines)
    )
    return Plan(path=file.path, format="harbour-todo", stories=stories)
'''
_ROW = """    PlanFormat("harbour-todo", "harbour_todo", {"harbour.todo": ("", "berths/*")}),\n"""
_FIRST = "FORMATS = (\n"
_ASKED = """
import json, sys
from progress_plugin.core.clients import CLIENTS
from progress_plugin.core.clients import HookEvent
from progress_plugin.hooks.recording import may_bring_news
from progress_plugin.core.known_paths import is_unused
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.core.project import find_project
from progress_plugin.usecases.summarizing.sources import read_sources
from tests.documents.remake import with_formats

start = sys.argv[1]
project = find_project(start=start)
inputs = InputSnapshot(project.root)
sources = read_sources(project, inputs)
edit = {"tool_name": "Edit", "tool_input": {"file_path": f"{start}/harbour.todo"}}
print(json.dumps({
    "root": project.root,
    "nothing": is_unused(start),
    "edit": may_bring_news(HookEvent("PostToolUse", CLIENTS["claude"], edit)),
    "plans": {plan.path: [story.status.value for story in plan.stories] for plan in sources.plans},
    "records": [record.line().decode() for record in inputs.records()],
    "page": with_formats("<!-- formats -->\\n<!-- /formats -->"),
}))
"""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """Return a copy of the package, with the tests' tools, to which a format has been added."""
    for folder in ("progress_plugin", "tests/documents", "tests/torture"):
        shutil.copytree(REPOSITORY / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(REPOSITORY / "pyproject.toml", tmp_path)
    for file in ("compiled.py", "conftest.py", "openings.py", "sampling.py", "tracing.py"):
        shutil.copy(REPOSITORY / "tests" / file, tmp_path / "tests" / file)
    (tmp_path / "progress_plugin/plans/harbour_todo.py").write_text(_MODULE, "utf-8")
    table = tmp_path / "progress_plugin/core/known_paths.py"
    before = table.read_text("utf-8")
    assert before.count(_FIRST) == 1
    table.write_text(before.replace(_FIRST, _FIRST + _ROW), "utf-8")
    return tmp_path


def test_one_module_and_one_row_make_a_format_that_all_who_look_for_plans_know(
    house: Path, tmp_path: Path, home: Path
) -> None:
    root = tmp_path / "project"
    for folder in (".git", "deep", "berths/north"):
        (root / folder).mkdir(parents=True)
    (root / "harbour.todo").write_text("done: Light the lamp\nopen: Count the boats\n", "utf-8")
    (root / "berths/north/harbour.todo").write_text("open: Sweep\n", "utf-8")
    answer = subprocess.run(
        [sys.executable, "-c", _ASKED, str(root / "deep")],
        cwd=house,
        env={**os.environ, "HOME": str(home), "PYTHONPATH": str(house)},
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(answer.stdout)
    assert (found["root"], found["nothing"], found["edit"]) == (str(root), False, True)
    assert found["plans"] == {"harbour.todo": ["done", "pending"], "berths/north/harbour.todo": ["pending"]}
    assert {"harbour.todo", "berths"} <= {line.rpartition(" ")[2] for line in found["records"]}
    row = "| harbour-todo | `harbour.todo` in the root, `berths/*/` | lines that begin with `done:` or `open:` |"
    assert row in found["page"]


def test_every_row_names_a_module_with_what_the_reader_asks_of_it() -> None:
    for row in FORMATS:
        module = module_of(row)
        assert module.RECOGNISED_BY
        assert callable(module.recognises)
        assert callable(module.read)
