"""Clones that share their history through git: what each knows, whose it is, and what becomes of it."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.team.clones import CONFIG, OURS, SHARED, Clone, begun, cloned


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
    [name] = {path.name for path in (ours.root / SHARED).iterdir()} - {ours_writer(ours)}
    context, _ = ours.start()
    assert f"US-002 (✓ by {name})" in context
    assert "US-001 (✓)" in context
    assert ours.said() == {"Berths are listed": None, "Bookings are refused": name}
    assert f"(by {name})" in ours.run("recent")
    assert f"- **By**: {name}" in (ours.root / OURS / "progress.md").read_text("utf-8")
    assert "all" in ours.run("status", "why")


def ours_writer(clone: Clone) -> str:
    """Return the writer that this clone is, by what its machine keeps."""
    return clone.private("writer").read_text("ascii").strip()


def test_the_work_of_others_is_neither_logged_here_nor_put_into_files_of_ours(
    ours: Clone, theirs: Clone
) -> None:
    ours.git("merge", "-q", "--no-ff", "--no-edit", "theirs")
    before = ours.files()
    ours.start()
    ours.run("status", "summarize")
    assert ours.files() == before
    assert ours.git("status", "--porcelain") == ""
    assert sorted(ours.said()) == ["Berths are listed", "Bookings are refused"]  # both of one second, perhaps
    assert theirs.said()["Berths are listed"] == ours_writer(ours)


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
    assert done == [ours_writer(theirs)]


@pytest.mark.usefixtures("theirs")
def test_who_says_here_that_it_is_done_has_an_entry_of_ones_own(ours: Clone) -> None:
    ours.git("merge", "-q", "--no-edit", "theirs")
    mine = ours.log("Bookings are refused, and say why", task="US-002")
    assert ours.entries()[mine] is None


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
    told = ours.run("recent")
    assert "Open blockers" not in told
    assert "Berths are listed" not in told


def test_a_shallow_clone_has_everything(theirs: Clone, tmp_path: Path) -> None:
    third = cloned(theirs, tmp_path, "third", "--depth", "1")
    third.start()
    assert sorted(third.said()) == ["Berths are listed", "Bookings are refused"]
    third.log("Tides are shown")
    assert third.run("verify") == "Log and archive are in order.\n"


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
    told = ours.said()
    assert told["Written in the first"] is None
    assert told["Written in the copy"] is not None
    assert copy.run("verify") == ours.run("verify") == "Log and archive are in order.\n"


def test_what_a_branch_holds_is_not_published_again_on_another(ours: Clone) -> None:
    ours.git("checkout", "-q", "-b", "side")
    ours.log("On the side")
    ours.commit()
    ours.git("checkout", "-q", "main")
    ours.log("On main")
    ours.commit()
    assert len(ours.files()) == 2
    ours.git("merge", "-q", "--no-edit", "side")
    assert len(ours.files()) == 3
    assert len(ours.entries()) == 3


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


def test_what_is_erased_leaves_the_files_of_linked_worktrees_too(ours: Clone, tmp_path: Path) -> None:
    ours.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "annexe"))
    annexe = Clone(tmp_path / "annexe", ours.home)
    whole, part = annexe.log("The password is hush"), annexe.log("Somebody said psst")
    annexe.commit()
    file = next((annexe.root / SHARED).glob(f"*/*/{whole}.*"))
    assert f"{file}: 1 entry erased" in ours.run("erase", whole, "--yes")
    assert not file.exists()
    ours.run("verify")
    assert "git keeps what was committed" in ours.run("erase", "psst", "--yes")
    [changed] = (annexe.root / SHARED).glob(f"*/*/{part}.*")
    assert "Somebody said [erased]" in changed.read_text("utf-8")
    annexe.start()
    assert len(ours.entries()) == len(annexe.files()) == 2
    # A branch can bring a file again: it is named until it is gone, too.
    annexe.git("checkout", "-q", "--", str(file))
    told = ours.run("verify", status=1)
    assert f"1 entry that was erased, for git to publish: {whole}" in told
    assert f"`agent-progress -C {annexe.root} erase {whole} --yes`" in told
    annexe.run("erase", whole, "--yes")
    assert not file.exists()
    ours.run("verify")


def test_entries_of_a_deleted_branch_stay_and_get_their_files_again(ours: Clone) -> None:
    ours.git("checkout", "-q", "-b", "side")
    ours.log("On the side")
    ours.commit()
    ours.git("checkout", "-q", "main")
    ours.git("branch", "-q", "-D", "side")
    assert "On the side" in ours.said()
    assert "1 entry of ours is in no file of shared/ and in no commit" in ours.run("verify", status=1)
    ours.run("repair")
    assert len(ours.files()) == 2
    assert ours.run("verify") == "Log and archive are in order.\n"


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


def test_after_git_clean_what_was_in_no_commit_comes_back_from_the_copies(ours: Clone) -> None:
    ours.log("In no commit")
    ours.git("clean", "-q", "-f", "-d", "-x")
    _, line = ours.start()
    assert "a history of 1 entry is gone from here" in line
    ours.run("repair")
    assert ours.said() == {"Berths are listed": None, "In no commit": None}
    assert "gone from here" not in ours.start()[1]
    ours.run("repair")
    assert len(ours.files()) == 2


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


def test_a_stash_takes_files_and_brings_them_back(ours: Clone) -> None:
    ours.log("Not committed yet")
    ours.git("stash", "-q", "-u")
    ours.log("While it is stashed")
    ours.run("repair")
    assert len(ours.files()) == 2
    ours.git("stash", "pop", "-q")
    assert len(ours.files()) == len(ours.entries()) == 3


def test_a_history_that_was_forced_over_loses_nothing(ours: Clone, theirs: Clone) -> None:
    ours.git("merge", "-q", "--no-edit", "theirs")
    ours.start()
    ours.git("reset", "-q", "--hard", "HEAD~1")
    ours.git("update-ref", "-d", "refs/heads/theirs")
    ours.start()
    assert sorted(ours.said()) == ["Berths are listed", "Bookings are refused"]  # both of one second, perhaps
    theirs.git("fetch", "-q")
    theirs.git("merge", "-q", "--no-edit", "origin/main")


@pytest.mark.usefixtures("theirs")
def test_archived_entries_are_not_taken_in_again(ours: Clone) -> None:
    ours.git("merge", "-q", "--no-edit", "theirs")
    ours.start()
    ours.run("archive", "--days", "0", "--at-least", "0")
    assert ours.entries() == {}
    ours.private("shared.json").unlink()
    ours.start()
    assert ours.entries() == {}
    assert "Bookings are refused" in ours.run("recent")


@pytest.mark.usefixtures("theirs")
def test_an_entry_that_was_erased_does_not_come_again(ours: Clone) -> None:
    ours.git("merge", "-q", "--no-edit", "theirs")
    ours.start()
    [name] = [name for name, writer in ours.entries().items() if writer]
    told = ours.run("erase", name, "--yes", status=1)
    assert "another writer's" in told
    ours.private("shared.json").unlink()
    ours.start()
    assert list(ours.said()) == ["Berths are listed"]


def test_an_erased_text_gets_a_file_of_another_name(ours: Clone) -> None:
    [before] = ours.files()
    told = ours.run("erase", "Berths", "--yes")
    assert "git keeps what was committed" in told
    [after] = ours.files()
    assert after != before
    assert after.split(".")[0] == before.split(".")[0]
    assert list(ours.said()) == ["[erased] are listed"]


def test_sharing_moves_a_log_over_that_git_tracked_and_says_what_to_tell_git(tmp_path: Path) -> None:
    ours = begun(tmp_path, "ours")
    (ours.root / OURS / "config.toml").write_text("", "utf-8")
    ours.log("Logged the old way")
    ours.git("add", "-f", ".agent-os/progress/progress.json")
    ours.commit()
    told = ours.run("config", "set", "share", "true")
    assert "1 entry of ours shared in shared/" in told
    assert "`git rm -r -q --cached .agent-os/progress/progress.json`" in told
    ours.git("rm", "-r", "-q", "--cached", ".agent-os/progress/progress.json")
    ours.commit()
    assert "progress.json" not in ours.git("ls-files")
    assert len(ours.files()) == 1
    assert "shared in" not in ours.run("config", "set", "share", "true")


def test_a_rule_of_the_repository_that_hides_the_files_is_named(tmp_path: Path) -> None:
    ours = begun(tmp_path, "ours")
    (ours.root / ".gitignore").write_text(".agent-os/\n", "utf-8")
    ours.log("An entry that git is not shown")
    assert "leaves .agent-os/progress/shared/ out" in ours.run("config", "set", "share", "true")


def test_a_person_chooses_what_their_clones_are_called(tmp_path: Path) -> None:
    clone = begun(tmp_path, "ours")
    (clone.root / OURS / "config.toml").write_text(CONFIG + '[team]\nname = "of the repository"\n', "utf-8")
    clone.run("config", "set", "--user", "team.name", "Anna M")
    clone.log("Berths are listed")
    assert re.fullmatch("anna-m-[0-9a-z]{6}", clone.writer())
    clone.run("config", "set", "--user", "team.name", "ben")
    clone.log("Bookings are refused")
    assert re.fullmatch("anna-m-[0-9a-z]{6}", clone.writer())
