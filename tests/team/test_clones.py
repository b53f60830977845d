"""Clones that share their history through git: what each clone knows, and from whom."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.team.clones import OURS, SHARED, Clone, begun, cloned


@pytest.fixture
def ours(tmp_path: Path) -> Clone:
    """Return a clone with one entry, committed."""
    clone = begun(tmp_path, "ours")
    clone.log("Berths are listed", task="US-001")
    clone.commit()
    return clone


@pytest.fixture
def theirs(ours: Clone, tmp_path: Path) -> Clone:
    """Return a colleague's clone with an entry more, pushed as the branch `theirs`."""
    clone = cloned(ours, tmp_path, "theirs")
    clone.log("Bookings are refused", task="US-002")
    clone.commit()
    clone.git("push", "-q", "origin", "HEAD:theirs")
    return clone


@pytest.mark.usefixtures("theirs")
def test_after_a_pull_the_next_start_shows_the_work_of_others_with_their_name(ours: Clone) -> None:
    ours.start()
    assert "all" in ours.run("status", "why")
    ours.git("merge", "-q", "--no-edit", "theirs")
    assert ours.run("status", "why", status=1).startswith("stale: ")
    [name] = {path.name for path in (ours.root / SHARED).iterdir()} - {ours.name()}
    context, _ = ours.start()
    assert f"US-002 (✓ by {name})" in context
    assert "US-001 (✓)" in context
    assert ours.said() == {"Berths are listed": None, "Bookings are refused": name}
    assert f"(by {name})" in ours.run("recent")
    assert f"- **By**: {name}" in (ours.root / OURS / "progress.md").read_text("utf-8")
    assert "all" in ours.run("status", "why")


def test_a_story_that_a_merge_brings_as_done_is_not_logged_as_done_here(ours: Clone, tmp_path: Path) -> None:
    plan = {"name": "Harbour", "userStories": [{"id": "US-009", "title": "Close a berth", "passes": False}]}
    (ours.root / "prd.json").write_text(json.dumps(plan), "utf-8")
    ours.commit()
    ours.run("status", "summarize")
    theirs = cloned(ours, tmp_path, "theirs")
    theirs.start()
    plan["userStories"][0]["passes"] = True  # type: ignore[index]
    (theirs.root / "prd.json").write_text(json.dumps(plan), "utf-8")
    theirs.run("status", "summarize")
    theirs.commit()
    theirs.git("push", "-q", "origin", "HEAD:theirs")
    ours.log("Something else")
    ours.commit()
    ours.git("merge", "-q", "--no-ff", "--no-edit", "theirs")
    ours.run("status", "summarize")
    done = [writer for text, writer in ours.said().items() if text == "Close a berth"]
    assert done == [theirs.name()]


def test_retractions_and_resolutions_by_others_count(ours: Clone, tmp_path: Path) -> None:
    blocker = ours.log("No chart of the harbour", "task_blocked", task="US-003")
    [first] = [name for name in ours.entries() if name != blocker]
    ours.commit()
    theirs = cloned(ours, tmp_path, "theirs")
    theirs.run("recent")
    theirs.log("The chart is here", resolves=blocker)
    theirs.run("retract", first)
    theirs.commit()
    theirs.git("push", "-q", "origin", "HEAD:theirs")
    assert "Open blockers" in ours.run("recent")
    ours.git("merge", "-q", "--no-edit", "theirs")
    shown = ours.run("recent")
    assert "Open blockers" not in shown
    assert "Berths are listed" not in shown


def test_a_copied_working_directory_is_a_writer_of_its_own_and_publishes_nothing_again(ours: Clone) -> None:
    copy = Clone(ours.root.parent / "copy", ours.home)
    shutil.copytree(ours.root, copy.root, symlinks=True)
    before = ours.files()
    copy.log("Written in the copy")
    assert len(copy.files() - before) == 1
    assert len(list((copy.root / SHARED).iterdir())) == 2
    ours.log("Written in the first")
    copy.commit()
    ours.commit()
    ours.git("pull", "-q", "--no-rebase", "--no-edit", str(copy.root), "main")
    ours.start()
    shown = ours.said()
    assert shown["Written in the first"] is None
    assert shown["Written in the copy"] is not None
    assert copy.run("verify") == ours.run("verify") == "Log and archive are in order.\n"


def test_worktrees_share_the_log_and_each_branch_carries_what_was_done_on_it(
    ours: Clone, tmp_path: Path
) -> None:
    ours.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "annexe"))
    annexe = Clone(tmp_path / "annexe", ours.home)
    annexe.log("In the annexe")
    assert ours.said() == {"Berths are listed": None, "In the annexe": None}
    assert (len(annexe.files()), len(ours.files())) == (2, 1)
    annexe.commit()
    ours.log("In the main worktree")
    ours.commit()
    ours.git("merge", "-q", "--no-edit", "side")
    ours.start()
    assert set(ours.entries().values()) == {None}
    assert len(ours.entries()) == len(ours.files()) == 3
    assert len(list((ours.root / SHARED).iterdir())) == 1


@pytest.mark.usefixtures("theirs")
def test_after_git_clean_our_own_history_comes_back_as_our_own(ours: Clone) -> None:
    ours.git("merge", "-q", "--no-edit", "theirs")
    ours.start()
    before = ours.said()
    ours.git("clean", "-q", "-f", "-d", "-x")
    assert not (ours.root / OURS / "progress.json").exists()
    ours.start()
    assert ours.said() == before
    mine = ours.log("After the cleaning")
    assert ours.entries()[mine] is None
    assert len(list((ours.root / SHARED).iterdir())) == 2


def test_what_was_logged_while_the_setting_said_no_is_published_by_nothing(ours: Clone) -> None:
    config = ours.root / OURS / "config.toml"
    shared = ours.files()
    config.write_text("share = false\n", "utf-8")
    ours.log("For this machine alone")
    config.write_text("share = true\n", "utf-8")
    ours.run("verify")
    ours.run("repair")
    ours.run("config", "set", "share", "true")
    assert ours.files() == shared
    ours.log("For all")
    assert len(ours.files()) == len(shared) + 1
    # A branch from before anything was shared says neither: what is logged there is for all, too.
    config.write_text("", "utf-8")
    ours.log("On an old branch")
    config.write_text("share = true\n", "utf-8")
    ours.run("repair")
    assert len(ours.files()) == len(shared) + 2


@pytest.mark.usefixtures("theirs")
def test_an_entry_that_was_erased_does_not_come_again(ours: Clone) -> None:
    ours.git("merge", "-q", "--no-edit", "theirs")
    ours.start()
    [name] = [name for name, writer in ours.entries().items() if writer]
    shown = ours.run("erase", name, "--yes", status=1)
    assert "another writer's" in shown
    ours.private("shared").unlink()
    ours.start()
    assert list(ours.said()) == ["Berths are listed"]


def test_sharing_moves_a_log_over_that_git_tracked_and_says_what_to_tell_git(tmp_path: Path) -> None:
    ours = begun(tmp_path, "ours")
    (ours.root / OURS / "config.toml").write_text("", "utf-8")
    ours.log("Logged the old way")
    ours.git("add", "-f", ".agent-os/progress/progress.json")
    ours.commit()
    shown = ours.run("config", "set", "share", "true")
    assert "1 entry of ours shared in shared/" in shown
    assert "`git rm -r -q --cached .agent-os/progress/progress.json`" in shown
    ours.git("rm", "-r", "-q", "--cached", ".agent-os/progress/progress.json")
    ours.commit()
    assert "progress.json" not in ours.git("ls-files")
    assert len(ours.files()) == 1
    assert "shared in" not in ours.run("config", "set", "share", "true")


def test_an_entry_whose_process_was_killed_before_it_had_a_file_gets_it_by_repair(tmp_path: Path) -> None:
    ours = begun(tmp_path, "ours")
    name = ours.log("Killed after this was in the log")
    for path in (ours.root / SHARED).rglob("*.json"):
        path.unlink()
    other = ours.log("The next write")
    assert "1 entry of ours is in no file of shared/" in ours.run("verify", status=1)
    ours.run("repair")
    assert {file.split(".")[0] for file in ours.files()} == {name, other}
