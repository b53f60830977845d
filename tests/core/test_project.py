"""Which directory is the project's root, and where its log is."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from progress_plugin.core.errors import BadInput, NoProject
from progress_plugin.core.project import find_project


def _git(root: Path, *arguments: str) -> str:
    identity = ["-c", "user.email=a@example.org", "-c", "user.name=a"]
    done = subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)
    return done.stdout.decode().strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    root.mkdir()
    _git(root, "init", "-q", "-b", "main")
    _git(root, "commit", "-q", "--allow-empty", "-m", "first")
    return root


def _root(start: Path) -> str:
    return find_project(start=str(start)).root


def test_our_directory_goes_before_a_plan_and_a_plan_before_the_repository(repository: Path) -> None:
    inner = repository / "packages/lamp/src"
    inner.mkdir(parents=True)
    assert _root(inner) == str(repository)
    (repository / "packages/prd.json").write_text("{}")
    assert _root(inner) == str(repository / "packages")
    (repository / ".agent-os/progress").mkdir(parents=True)
    assert _root(inner) == str(repository)


def test_nothing_above_the_repository_is_looked_at(repository: Path) -> None:
    (repository.parent / "prd.json").write_text("{}")
    assert _root(repository) == str(repository)


def test_a_folder_inside_git_belongs_to_the_repository(repository: Path) -> None:
    assert _root(repository / ".git/hooks") == str(repository)


def test_a_home_is_a_project_only_when_named(home: Path) -> None:
    (home / "prd.json").write_text("{}")
    with pytest.raises(NoProject, match="name it with -C DIR"):
        find_project(start=str(home))
    assert find_project(str(home)).root == os.path.realpath(home)
    (home / "work").mkdir()
    assert _root(home / "work") == str(home / "work")


def test_no_search_takes_a_temporary_folder_for_a_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEMP", str(tmp_path))
    (tmp_path / "prd.json").write_text("{}")
    (tmp_path / "work").mkdir()
    for folder in (str(tmp_path), "/"):
        with pytest.raises(NoProject):
            find_project(start=folder)
    assert _root(tmp_path / "work") == str(tmp_path / "work")


def test_a_directory_that_is_none_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such directory"):
        find_project(str(tmp_path / "missing"))


def test_a_linked_worktree_keeps_its_log_in_the_main_one(repository: Path, tmp_path: Path) -> None:
    side = tmp_path / "side"
    _git(repository, "worktree", "add", "-q", str(side), "-b", "feature")
    project = find_project(start=str(side))
    assert (project.root, project.worktree) == (str(side), "side")
    assert project.directory == str(side / ".agent-os/progress")
    assert project.log_directory == str(repository / ".agent-os/progress")
    assert project.repository_name() == "repository"
    assert project.head()[0] == "feature"


def test_a_part_of_a_repository_keeps_its_log_in_the_same_part_of_the_main_one(
    repository: Path, tmp_path: Path
) -> None:
    (repository / "lamp").mkdir()
    (repository / "lamp/readme").write_text("x")
    _git(repository, "add", "-A")
    _git(repository, "commit", "-qm", "lamp")
    (repository / "lamp/.agent-os/progress").mkdir(parents=True)
    _git(repository, "worktree", "add", "-q", str(tmp_path / "side"))
    project = find_project(start=str(tmp_path / "side/lamp"))
    assert project.root == str(tmp_path / "side/lamp")
    assert project.log_directory == str(repository / "lamp/.agent-os/progress")
