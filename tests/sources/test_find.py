"""Which file of a project is the leading plan, which files are read, and which are skipped."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.config.settings import Settings
from progress_plugin.core.git import find_repository
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.model.work import FoundFile
from progress_plugin.sources.find import Sources, find_sources

PROJECTS = json.loads(Path(__file__).with_name("projects.json").read_text("utf-8"))
NOW = int(time.time())
DAY = 86_400
BOXES = "- [x] Bell\n- [ ] Rope\n"


def git(directory: Path, *words: str, at: int = NOW) -> None:
    names = {"GIT_AUTHOR_DATE": f"{at} +0000", "GIT_COMMITTER_DATE": f"{at} +0000"}
    identity = ["-c", "user.email=a@example.org", "-c", "user.name=a", "-c", "protocol.file.allow=always"]
    subprocess.run(
        ["git", *identity, *words], cwd=directory, check=True, capture_output=True, env=os.environ | names
    )


def write(root: Path, path: str, text: str = BOXES, days_old: int = 0) -> Path:
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, "utf-8")
    os.utime(place, (NOW - days_old * DAY,) * 2)
    return place


def find(root: Path, **options: Any) -> Sources:
    return find_sources(InputSnapshot(str(root)), find_repository(str(root)), **options)


def by_path(sources: Sources) -> dict[str, FoundFile]:
    return {file.path: file for file in sources.files}


def paths(sources: Sources, role: str) -> list[str]:
    return [file.path for file in sources.files if file.role == role]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    place = tmp_path / "harbour"
    place.mkdir()
    git(place, "init", "-q", "-b", "main")
    return place


@pytest.mark.parametrize("project", PROJECTS, ids=[project["about"] for project in PROJECTS])
def test_roles(project: dict[str, Any], tmp_path: Path) -> None:
    for path, (days_old, text) in project["files"].items():
        write(tmp_path, path, text, days_old)
    sources = find(tmp_path, branch=project["branch"])
    assert paths(sources, "leads") == project["leads"]
    assert sorted(paths(sources, "read")) == sorted(project["read"])
    assert sorted(paths(sources, "passed over")) == sorted(project["passed_over"])


def test_only_the_plan_that_is_set_leads(tmp_path: Path) -> None:
    for path in ("prd.json", "notes/oak.md"):
        write(tmp_path, path, '[{"id": 1, "done": false}]' if path.endswith("json") else BOXES)
    sources = find(tmp_path, settings=Settings(plan="notes/oak.md"))
    assert (paths(sources, "leads"), paths(sources, "read")) == (["notes/oak.md"], ["prd.json"])


def test_reason_names_the_problem_and_the_remedy(tmp_path: Path) -> None:
    write(tmp_path, "prd.json", '{"userStories": [')
    write(tmp_path, "progress.txt", "\0\1\2")
    with write(tmp_path, "claude-progress.txt").open("ab") as large:
        large.truncate((64 << 20) + 1)
    (tmp_path / "progress.md").symlink_to(os.devnull)
    found = by_path(find(tmp_path))
    assert found["prd.json"].reason == "not valid JSON (line 1: Expecting value); repair the file"
    assert found["progress.txt"].reason == "binary, not text; save it as UTF-8"
    assert found["claude-progress.txt"].reason.startswith("larger than 64 MiB; move old entries")
    assert found["progress.md"].reason.startswith("a link out of the project; copy the file")
    assert all(file.is_unreadable for file in found.values())


def test_commit_dates_a_clean_file_and_modification_a_changed_one(root: Path) -> None:
    write(root, "prds/clean.json", '[{"id": 1, "done": false}]', days_old=1)
    write(root, "prds/changed.json", '[{"id": 1, "done": false}]', days_old=1)
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Plans", at=NOW - 70 * DAY)
    write(root, "prds/changed.json", '[{"id": 1, "done": false}, {"id": 2, "done": false}]', days_old=3)
    write(root, "prds/new.json", '[{"id": 1, "done": false}]', days_old=2)
    found = by_path(find(root))
    ages = {path: (NOW - file.changed_s) // DAY for path, file in found.items()}
    assert ages == {"prds/clean.json": 70, "prds/changed.json": 3, "prds/new.json": 2}


def test_line_ends_that_git_changed_are_no_change(root: Path) -> None:
    write(root, ".gitattributes", "* text eol=crlf\n", days_old=1)
    write(root, "prds/bell.json", '[\n{"id": 1, "done": false}]', days_old=1)
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Plan", at=NOW - 5 * DAY)
    (root / "prds/bell.json").write_bytes(b'[\r\n{"id": 1, "done": false}]')
    assert by_path(find(root))["prds/bell.json"].changed_s == NOW - 5 * DAY


def test_ignored_files_count_in_the_usual_folders_only(root: Path) -> None:
    write(root, ".gitignore", "progress.md\n.ralph-tui/\nout-of-sight/\n")
    for path in ("progress.md", ".ralph-tui/progress.md", "out-of-sight/progress.md"):
        write(root, path)
    assert sorted(by_path(find(root))) == [".ralph-tui/progress.md", "progress.md"]


def test_without_git_vendored_folders_and_other_repositories_are_left_out(tmp_path: Path) -> None:
    write(tmp_path, "docs/work/progress.md")
    write(tmp_path, "node_modules/pkg/progress.md")
    write(tmp_path, "other/progress.md")
    git(tmp_path / "other", "init", "-q")
    assert list(by_path(find(tmp_path))) == ["docs/work/progress.md"]


def test_of_many_documents_the_newest_are_read(tmp_path: Path) -> None:
    for number in range(40):
        write(tmp_path, f"docs/plans/{number}.md", days_old=number)
    sources = find(tmp_path)
    assert paths(sources, "leads") == ["docs/plans/0.md"]
    assert paths(sources, "read") == [f"docs/plans/{number}.md" for number in range(1, 25)]
    assert by_path(sources)["docs/plans/39.md"].reason.startswith("25 files of this kind")


@pytest.mark.parametrize("path", ["PLAN.md", "backlog/tasks/task-1.md"])
def test_private_parts_of_a_plan_are_not_read(root: Path, path: str) -> None:
    text = "# Task 1: Ring\n\nStatus: open\n\n- [x] Bell\n- [ ] Rope\n<private>\n- [ ] Debt\n</private>\n"
    write(root, path, text)
    (file,) = (file for file in find(root).files if file.plans)
    assert "Rope" in repr(file.plans)
    assert "Debt" not in repr(file.plans)
