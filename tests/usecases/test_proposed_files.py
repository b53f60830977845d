"""`init` proposes plans and logs that stand at no known place, by a bounded look that opens nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from progress_plugin.usecases.proposed_files import Elsewhere, found_elsewhere


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a repository."""
    (tmp_path / "harbour/.git").mkdir(parents=True)
    return tmp_path / "harbour"


def put(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("# Log\n", "utf-8")


def test_logs_and_plans_in_other_folders_are_found_the_nearest_first(root: Path) -> None:
    put(root, "notes/Progress.md", "a/b/c/STATE.md", "specs/prd.json", "progress.md", "notes/other.md")
    found = found_elsewhere(str(root), frozenset({"progress.md"}))
    assert found == Elsewhere(("notes/Progress.md", "a/b/c/STATE.md"), ("specs/prd.json",))


@pytest.mark.parametrize(
    "path", ["a/b/c/d/STATE.md", "node_modules/x/progress.md", ".cache/progress.md", "vendor/prd.json"]
)
def test_nothing_deep_hidden_or_foreign_is_proposed(root: Path, path: str) -> None:
    put(root, path)
    assert found_elsewhere(str(root), frozenset()) == Elsewhere()


def test_another_repository_inside_is_not_entered(root: Path) -> None:
    put(root, "module/progress.md")
    (root / "module/.git").write_text("gitdir: ../.git/modules/module\n")
    assert found_elsewhere(str(root), frozenset()) == Elsewhere()


def test_no_link_is_followed_and_nothing_but_files_is_proposed(root: Path, tmp_path: Path) -> None:
    put(tmp_path, "elsewhere/progress.md")
    (root / "linked").symlink_to(tmp_path / "elsewhere")
    (root / "notes").mkdir()
    (root / "notes/progress.md").symlink_to(tmp_path / "elsewhere/progress.md")
    (root / "notes/STATE.md").mkdir()
    os.mkfifo(root / "notes/handoff.md")
    assert found_elsewhere(str(root), frozenset()) == Elsewhere()


def test_a_huge_tree_is_looked_at_in_part(root: Path) -> None:
    for number in range(700):
        (root / f"package-{number:04}").mkdir()
    put(root, "package-0000/progress.md", "package-0699/progress.md")
    assert found_elsewhere(str(root), frozenset()).logs == ("package-0000/progress.md",)


def test_a_name_that_people_use_as_well_is_proposed(root: Path) -> None:
    (root / "DEVLOG.md").write_text("# Devlog\n", "utf-8")
    assert found_elsewhere(str(root), frozenset()).logs == ("DEVLOG.md",)


def test_what_was_moved_out_of_a_log_is_found_and_nothing_else_that_is_old(root: Path) -> None:
    archived = (
        "progress-archive.md",
        "old_worklog.md",
        "archive/progress-2026-09.md",
        "docs/archive/progress.md",
    )
    others = ("archive/prd.json", "archive/2026-01-02-quay/progress.txt", "archive/notes.md", "progress-bar.md",
              "history.md", "archive.md", "src/progress-archive.py")  # fmt: skip
    put(root, *archived, *others)
    assert set(found_elsewhere(str(root), frozenset()).logs) == set(archived)
    assert found_elsewhere(str(root), frozenset()).plans == ()
