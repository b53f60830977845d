"""The table of known places: whoever looks for plans and logs agrees with it, and asks no more than it must."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from progress_plugin.core import known_paths
from progress_plugin.core.clients import CLIENTS, HookEvent
from progress_plugin.core.known_paths import has_sources, is_unused
from progress_plugin.core.project import Project, find_project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.hooks.recording import may_bring_news
from progress_plugin.usecases.summarizing.sources import read_sources
from progress_plugin.watch import folders_of

DOCUMENT = Path(__file__).resolve().parents[2] / "docs/formats-plans.md"
LOG = "# Log\n\n## 2026-03-01 - US-1: Light the lamp\n- Lit it\n"
PLAN = {
    "prd.json": '{"userStories": [{"id": "A", "passes": true}]}',
    "feature_list.json": '[{"id": "A", "passes": true}]',
    "tasks.json": '{"tasks": [{"id": 1, "title": "A", "status": "done"}]}',
    "issues.jsonl": '{"id": "A", "status": "closed"}',
    "beads.jsonl": '{"id": "A", "status": "closed"}',
    "task_plan.md": "## Phase 1: A ✅\n",
    "ROADMAP.md": "- [x] **Phase 1: A** - it\n",
}
EVERYTHING = (*known_paths.LOGS, *known_paths.PLANS)


@pytest.fixture
def root(tmp_path: Path, home: Path) -> Path:
    """Return an empty repository."""
    del home
    (tmp_path / "harbour/.git").mkdir(parents=True)
    return tmp_path / "harbour"


def put(root: Path, path: str) -> Path:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(PLAN.get(file.name, LOG), "utf-8")
    return file


@pytest.mark.parametrize("path", EVERYTHING)
def test_what_stands_at_a_known_place_is_found_by_all_who_look(root: Path, path: str) -> None:
    assert (is_unused(str(root)), has_sources(str(root))) == (True, False)
    put(root, path)
    assert (is_unused(str(root)), has_sources(str(root))) == (False, True)
    (root / "deep").mkdir()
    assert find_project(start=str(root / "deep")).root == str(root)
    project = Project(str(root), None)
    sources = read_sources(project, InputSnapshot(project.root))
    assert path in [*(log.source for log in sources.logs), *(plan.path for plan in sources.plans)]
    edit = {"tool_name": "Edit", "tool_input": {"file_path": f"{root}/{path}"}}
    assert may_bring_news(HookEvent("PostToolUse", CLIENTS["claude"], edit))


@pytest.mark.parametrize("path", EVERYTHING)
def test_a_file_that_appears_is_noticed_by_the_next_start_and_watched_for(root: Path, path: str) -> None:
    inputs = InputSnapshot(str(root))
    read_sources(Project(str(root), None), inputs)
    assert inputs.changes() == []
    watched = folders_of(inputs)
    file = put(root, path)
    assert inputs.changes()
    folder = file.parent
    while not {os.path.realpath(folder)} & watched:
        folder = folder.parent
    assert root in (folder, *folder.parents)


def test_the_document_lists_every_place_and_no_other() -> None:
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \| [^|]+ \|$", _section("Where logs are found"), re.MULTILINE)
    listed = [
        f"{folder}/{name}" if (folder := place.strip().strip("`").rstrip("/")) != "root" else name
        for place, names in rows
        for name in re.findall(r"`([^`]+)`", names)
    ]
    assert sorted(listed) == sorted(known_paths.LOGS)


def test_a_directory_or_a_pipe_in_the_place_of_a_log_is_no_log(root: Path) -> None:
    (root / "PROGRESS.md").mkdir()
    (root / "memory-bank").mkdir()
    os.mkfifo(root / "memory-bank/activeContext.md")
    sources = read_sources(Project(str(root), None), InputSnapshot(str(root)))
    assert sources.logs == ()
    assert not has_sources(str(root))


def test_a_folder_that_is_a_link_out_of_the_project_is_named_and_not_read(root: Path, tmp_path: Path) -> None:
    put(tmp_path / "elsewhere", "activeContext.md")
    (root / "memory-bank").symlink_to(tmp_path / "elsewhere")
    sources = read_sources(Project(str(root), None), InputSnapshot(str(root)))
    assert sources.logs == ()
    assert "memory-bank is a link out of the project; not read" in sources.problems


def _section(name: str) -> str:
    text = DOCUMENT.read_text("utf-8")
    return text.split(f"## {name}\n", 1)[1].split("\n## ", 1)[0]
