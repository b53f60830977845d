"""A plan or log at every path of the table is found by starts, hooks and the project search."""

from __future__ import annotations

from pathlib import Path

import pytest

from progress_plugin.core import known_paths
from progress_plugin.core.known_paths import is_unused
from progress_plugin.core.project import Project, find_project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.usecases.summarizing.sources import read_sources

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


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "harbour/.git").mkdir(parents=True)
    return tmp_path / "harbour"


@pytest.mark.parametrize("path", [*known_paths.LOGS, *known_paths.PLANS])
def test_a_file_at_a_known_path_is_found_by_every_search_and_its_appearance_noticed(
    root: Path, path: str
) -> None:
    project = Project(str(root), None)
    inputs = InputSnapshot(project.root)
    read_sources(project, inputs)
    assert (is_unused(str(root)), inputs.changes()) == (True, [])
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(PLAN.get(file.name, LOG), "utf-8")
    assert not is_unused(str(root))
    assert inputs.changes()
    (root / "deep").mkdir()
    assert find_project(start=str(root / "deep")).root == str(root)
    sources = read_sources(project, InputSnapshot(project.root))
    assert path in [*(log.source for log in sources.logs), *(plan.path for plan in sources.plans)]
