"""What git says about a repository, for every layout of one."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from progress_plugin.core.git import Repository, find_repository


def git(directory: Path, *words: str) -> str:
    identity = ["-c", "user.email=a@example.org", "-c", "user.name=a", "-c", "protocol.file.allow=always"]
    done = subprocess.run(
        ["git", *identity, *words], cwd=directory, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def repository(top: Path) -> Repository:
    found = find_repository(str(top))
    assert found is not None
    assert found.top == str(top)
    return found


@pytest.fixture
def harbour(tmp_path: Path) -> Path:
    """Return a repository with one commit."""
    top = tmp_path / "harbour"
    top.mkdir()
    git(top, "init", "-q", "-b", "main")
    git(top, "commit", "-q", "--allow-empty", "-m", "first")
    return top


def commit(top: Path, subject: str, *words: str) -> str:
    git(top, "commit", "-q", "--allow-empty", "-m", subject, *words)
    return git(top, "rev-parse", "HEAD")


def supports_reftable() -> bool:
    return (
        subprocess.run(["git", "init", "-h", "--ref-format"], capture_output=True, text=True).stdout.find(
            "ref-format"
        )
        > 0
    )


def test_branch_and_commit_before_the_first_commit_packed_and_detached(tmp_path: Path, harbour: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "trunk", "new")
    assert repository(tmp_path / "new").head() == ("trunk", None)
    first = git(harbour, "rev-parse", "HEAD")
    git(harbour, "pack-refs", "--all")
    assert repository(harbour).head() == ("main", first)
    git(harbour, "checkout", "-q", "--detach")
    assert repository(harbour).head() == (None, first)


@pytest.mark.skipif(not supports_reftable(), reason="this git has no reftable")
def test_a_repository_with_reftable_is_read_like_any_other(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main", "--ref-format=reftable", "new")
    top = tmp_path / "new"
    first = commit(top, "first")
    before = [os.stat(path).st_mtime_ns for path in repository(top).state_files()]
    second = commit(top, "second")
    assert repository(top).head() == ("main", second)
    assert first in repository(top).earlier_heads()
    assert [os.stat(path).st_mtime_ns for path in repository(top).state_files()] != before


def test_a_linked_worktree_is_known_to_its_repository_until_it_is_gone(tmp_path: Path, harbour: Path) -> None:
    git(harbour, "worktree", "add", "-q", str(tmp_path / "side"), "-b", "feature")
    side = repository(tmp_path / "side")
    assert (side.worktree, side.main_top, side.head()[0]) == ("side", str(harbour), "feature")
    assert repository(harbour).worktrees() == {"side": str(tmp_path / "side")}
    (tmp_path / "side").rename(tmp_path / "moved")
    assert repository(harbour).worktrees() == {}
    assert repository(harbour).missing_worktrees() == [str(tmp_path / "side")]


@pytest.mark.parametrize("name", ["harbour.git", "project/.bare", "project/.git"])
def test_a_bare_repository_has_worktrees_and_no_main_one(tmp_path: Path, harbour: Path, name: str) -> None:
    bare, side = tmp_path / name, tmp_path / "project/side"
    (tmp_path / "project").mkdir()
    git(tmp_path, "clone", "-q", "--bare", str(harbour), str(bare))
    if name == "project/.bare":
        (tmp_path / "project/.git").write_text("gitdir: ./.bare\n")
    git(bare, "worktree", "add", "-q", str(side), "-b", "feature")
    found = repository(side)
    assert (found.worktree, found.main_top, found.head()[0]) == ("side", None, "feature")
    assert found.worktrees() == {"side": str(side)}


def test_a_submodule_is_a_repository_of_its_own_in_linked_worktrees_too(
    tmp_path: Path, harbour: Path
) -> None:
    crane = tmp_path / "crane"
    git(tmp_path, "clone", "-q", str(harbour), str(crane))
    git(harbour, "submodule", "add", "-q", str(crane), "parts/crane")
    git(harbour, "commit", "-qm", "add the crane")
    git(harbour, "worktree", "add", "-q", str(tmp_path / "side"))
    git(tmp_path / "side", "submodule", "update", "-q", "--init")
    for top in (harbour / "parts/crane", tmp_path / "side/parts/crane"):
        found = repository(top)
        assert (found.top, found.worktree, found.main_top) == (str(top), None, str(top))
        assert found.head()[1] == git(crane, "rev-parse", "HEAD")


@pytest.mark.parametrize("into", [".git", ".git/worktrees/side"])
def test_a_git_file_that_its_repository_does_not_acknowledge_is_no_repository(
    tmp_path: Path, harbour: Path, into: str
) -> None:
    git(harbour, "worktree", "add", "-q", str(tmp_path / "side"))
    (tmp_path / "forged/inner").mkdir(parents=True)
    (tmp_path / "forged/.git").write_text(f"gitdir: ../harbour/{into}\n")
    assert find_repository(str(tmp_path / "forged/inner")) is None


def test_only_commits_made_here_count(harbour: Path) -> None:
    here = repository(harbour)
    assert None in here.earlier_heads()
    first = here.head()[1]
    assert first not in here.earlier_heads()
    commit(harbour, "second")
    second = commit(harbour, "second, amended", "--amend")
    assert first in here.earlier_heads()
    git(harbour, "checkout", "-q", "-b", "other", "HEAD~1")
    assert second not in here.earlier_heads()
    assert here.last_local_commit() is None
    commit(harbour, "on the other branch")
    assert second not in here.earlier_heads()
    git(harbour, "reset", "-q", "--hard", second)
    assert first not in here.earlier_heads()
    assert here.has_been_at({second})
    assert not here.has_been_at({"0" * 40})


def test_commits_of_a_span_of_time_with_what_they_amended(
    harbour: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = {}
    for time, subject in ((1_700_000_000, "early"), (1_700_000_100, "lamp"), (1_700_000_200, "late")):
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"{time} +0000")
        ids[subject] = commit(harbour, subject)
    monkeypatch.setenv("GIT_COMMITTER_DATE", "1700000300 +0000")
    ids["amended"] = commit(harbour, "amended", "--amend")
    found = repository(harbour).local_commits(1_700_000_050, 1_700_000_400)
    assert [(each.id, each.subject) for each in found] == [(ids["lamp"], "lamp"), (ids["amended"], "amended")]
    assert found[1].amended is not None
    assert (found[1].amended.id, found[1].amended.time) == (ids["late"], 1_700_000_200)
    assert repository(harbour).last_local_commit() == type(found[0])(ids["amended"], "amended", 1_700_000_300)


def test_branches_that_were_merged_here(harbour: Path) -> None:
    for branch in ("lamp", "rope"):
        git(harbour, "checkout", "-q", "-b", branch, "main")
        commit(harbour, f"on {branch}")
        git(harbour, "checkout", "-q", "main")
    git(harbour, "merge", "-q", "lamp")
    git(harbour, "merge", "-q", "--no-ff", "rope", "-m", "Merge branch 'rope'")
    assert set(repository(harbour).merged_branches("main")) == {"lamp", "rope"}
    git(harbour, "reset", "-q", "--hard", "HEAD~1")
    assert repository(harbour).merged_branches("main") == {}


def test_the_files_of_commits_without_our_own(harbour: Path) -> None:
    for name in ("lamp/wick.py", "rope.py", ".agent-os/progress/progress.md", "lamp/__pycache__/wick.pyc"):
        (harbour / name).parent.mkdir(parents=True, exist_ok=True)
        (harbour / name).write_text("x")
    git(harbour, "add", "-Af")
    last = commit(harbour, "light the lamp")
    assert repository(harbour).files_of(last) == ["lamp/wick.py", "rope.py"]
    first = git(harbour, "rev-parse", "HEAD~1")
    below = repository(harbour).files_of_each([first, last], str(harbour / "lamp"))
    assert below == {first: set(), last: {"wick.py", "__pycache__/wick.pyc"}}


def test_git_that_is_missing_slow_or_prints_too_much_is_no_answer(
    tmp_path: Path, harbour: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls, program = tmp_path / "calls", tmp_path / "bin/git"
    program.parent.mkdir()
    program.write_text(
        f"#!/bin/sh\necho called >>{calls}\ncase $* in *endless*) exec cat /dev/zero;; *) sleep 600 & wait;; esac\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    assert repository(harbour).run(["endless"], max_bytes=100_000) is None
    slow = repository(harbour)
    assert [slow.run(["hanging"], timeout=0.2) for _ in range(3)] == [None] * 3
    assert calls.read_text() == "called\n" * 2
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    assert repository(harbour).head() == (None, None)
    assert repository(harbour).worktrees() == {}
