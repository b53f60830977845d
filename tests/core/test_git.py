"""Repositories of every layout: head, worktrees, commits made here."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from progress_plugin.core.git import ALREADY_MERGED, Repository, find_repository
from tests.hooks import simulated_client


def found(top: Path) -> Repository:
    repository = find_repository(str(top))
    assert repository is not None
    assert repository.top == str(top)
    return repository


@pytest.fixture
def harbour(tmp_path: Path) -> simulated_client.Repository:
    """Return a repository with one commit."""
    repository = simulated_client.Repository(tmp_path / "harbour")
    repository.commit_nothing()
    return repository


def test_the_branch_and_commit_of_a_new_a_packed_and_a_detached_head(
    tmp_path: Path, harbour: simulated_client.Repository
) -> None:
    assert found(simulated_client.Repository(tmp_path / "new").root).head() == ("main", None)
    first = harbour.git("rev-parse", "HEAD")
    harbour.git("pack-refs", "--all")
    assert found(harbour.root).head() == ("main", first)
    harbour.git("checkout", "-q", "--detach")
    assert found(harbour.root).head() == (None, first)


def test_a_linked_worktree_is_known_to_its_repository_until_it_is_gone(
    tmp_path: Path, harbour: simulated_client.Repository
) -> None:
    harbour.git("worktree", "add", "-q", str(tmp_path / "side"), "-b", "feature")
    side = found(tmp_path / "side")
    assert (side.worktree, side.main_top, side.head()[0]) == ("side", str(harbour.root), "feature")
    assert found(harbour.root).worktrees() == {"side": str(tmp_path / "side")}
    (tmp_path / "side").rename(tmp_path / "moved")
    assert found(harbour.root).worktrees() == {}


@pytest.mark.parametrize("into", [".git", ".git/worktrees/side"])
def test_a_git_file_that_its_repository_does_not_acknowledge_is_no_repository(
    tmp_path: Path, harbour: simulated_client.Repository, into: str
) -> None:
    harbour.git("worktree", "add", "-q", str(tmp_path / "side"))
    (tmp_path / "forged/inner").mkdir(parents=True)
    (tmp_path / "forged/.git").write_text(f"gitdir: ../harbour/{into}\n")
    assert find_repository(str(tmp_path / "forged/inner")) is None


def test_only_commits_made_here_count(harbour: simulated_client.Repository) -> None:
    here = found(harbour.root)
    assert None in here.earlier_heads()
    first = here.head()[1]
    assert first not in here.earlier_heads()
    harbour.commit_nothing()
    harbour.git("commit", "-q", "--amend", "--allow-empty", "-m", "second, amended")
    second = harbour.git("rev-parse", "HEAD")
    assert first in here.earlier_heads()
    harbour.git("checkout", "-q", "-b", "other", "HEAD~1")
    assert second not in here.earlier_heads()
    assert here.last_local_commit() is None
    harbour.commit_nothing()
    assert second not in here.earlier_heads()
    harbour.git("reset", "-q", "--hard", second)
    assert first not in here.earlier_heads()


def test_branches_that_were_merged_here(harbour: simulated_client.Repository) -> None:
    for branch in ("lamp", "rope"):
        harbour.git("checkout", "-q", "-b", branch, "main")
        harbour.git("commit", "-q", "--allow-empty", "-m", f"on {branch}")
        harbour.git("checkout", "-q", "main")
    harbour.git("merge", "-q", "lamp")
    harbour.git("merge", "-q", "--no-ff", "rope", "-m", "Merge branch 'rope'")
    assert found(harbour.root).merge_times(["a\0b"]) == {}  # as an entry of a stranger may name it
    assert found(harbour.root).merge_times(["lamp", "rope", "gone"]) == {
        "lamp": ALREADY_MERGED,
        "rope": ALREADY_MERGED,
    }
    harbour.git("reset", "-q", "--hard", "HEAD~1")
    start = int(harbour.git("show", "-s", "--format=%ct", "HEAD~1"))
    assert found(harbour.root).merge_times(["lamp", "rope"]) == {"lamp": ALREADY_MERGED, "rope": start}


def test_the_files_of_commits_without_our_own(harbour: simulated_client.Repository) -> None:
    for name in ("lamp/wick.py", "rope.py", ".agent-os/progress/progress.md", "lamp/__pycache__/wick.pyc"):
        harbour.write(name, "x")
    harbour.git("add", "-Af")
    last = harbour.commit()
    assert found(harbour.root).files_of(last) == ["lamp/wick.py", "rope.py"]


def test_git_that_is_missing_slow_or_prints_too_much_is_no_answer(
    tmp_path: Path, harbour: simulated_client.Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls, program = tmp_path / "calls", tmp_path / "bin/git"
    program.parent.mkdir()
    program.write_text(
        f"#!/bin/sh\necho called >>{calls}\ncase $* in *endless*) exec cat /dev/zero;; *) sleep 600 & wait;; esac\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    assert found(harbour.root).run(["endless"], max_bytes=100_000) is None
    slow = found(harbour.root)
    assert [slow.run(["hanging"], timeout=0.2) for _ in range(3)] == [None] * 3
    assert calls.read_text() == "called\n" * 2
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    assert found(harbour.root).head() == (None, None)
    assert found(harbour.root).worktrees() == {}
