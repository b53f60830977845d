"""Which directory is the project's root, and where its log is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from progress_plugin.core.errors import NoProject
from progress_plugin.core.project import find_project
from tests.hooks.simulated_client import Repository


def root_of(start: Path) -> str:
    return find_project(start=str(start)).root


def test_the_root_has_our_directory_or_else_a_plan_or_else_git(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "repository")
    inner = repository.root / "packages/lamp/src"
    inner.mkdir(parents=True)
    (tmp_path / "prd.json").write_text("{}")
    assert root_of(inner) == str(repository.root), "no folder above the repository is searched"
    repository.write("packages/prd.json", "{}")
    assert root_of(inner) == str(repository.root / "packages")
    (repository.root / ".agent-os/progress").mkdir(parents=True)
    assert root_of(inner) == str(repository.root)


def test_a_home_is_a_project_only_if_named(home: Path) -> None:
    (home / "prd.json").write_text("{}")
    with pytest.raises(NoProject, match="name one with -C DIR"):
        find_project(start=str(home))
    assert find_project(str(home)).root == os.path.realpath(home)
    (home / "work").mkdir()
    assert root_of(home / "work") == str(home / "work")


def test_a_linked_worktree_keeps_the_log_of_each_project_in_the_main_one(tmp_path: Path) -> None:
    repository, side = Repository(tmp_path / "repository"), tmp_path / "side"
    repository.write("lamp/readme")
    repository.commit()
    repository.git("worktree", "add", "-q", str(side), "-b", "feature")
    project = find_project(start=str(side))
    assert (project.root, project.worktree, project.head()[0]) == (str(side), "side", "feature")
    assert project.log_directory == str(repository.root / ".agent-os/progress")
    (repository.root / "lamp/.agent-os/progress").mkdir(parents=True)
    part = find_project(start=str(side / "lamp"))
    assert (part.root, part.log_directory) == (
        str(side / "lamp"),
        str(repository.root / "lamp/.agent-os/progress"),
    )
