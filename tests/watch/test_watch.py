"""`watch` renews the summary whatever way a file is changed, says so once, and ends when asked."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from progress_plugin.usecases import watch
from tests.watch.conftest import Watcher, plan

SUMMARY = Path(".agent-os/progress/progress-summary.md")


def _summary(root: Path) -> str:
    return (root / SUMMARY).read_text("utf-8")


def test_an_edit_renews_the_summary_and_is_one_line(root: Path, watcher: Watcher) -> None:
    (root / "prd.json").write_text(plan(2))
    assert watcher.line().startswith("prd.json changed: 2/3 complete (67%), ")
    assert "Stories: 2/3 complete (67%)" in _summary(root)


def test_its_own_writing_is_no_change(root: Path, watcher: Watcher) -> None:
    for done in (2, 3):
        (root / "prd.json").write_text(plan(done))
        assert watcher.line().startswith(f"prd.json changed: {done}/3 ")
    assert watcher.end() == (0, ["Ended."])


def test_an_editor_that_replaces_the_file_is_noticed_each_time(root: Path, watcher: Watcher) -> None:
    for done in (2, 3):
        (root / ".prd.json.swp").write_text(plan(done))
        os.replace(root / ".prd.json.swp", root / "prd.json")
        assert watcher.line().startswith(f"prd.json changed: {done}/3 ")


def test_a_file_may_go_and_come_back(root: Path, watcher: Watcher) -> None:
    os.unlink(root / "prd.json")
    assert watcher.line().startswith("prd.json is gone: no stories, ")
    (root / "prd.json").write_text(plan(3))
    assert watcher.line().startswith("prd.json is new: 3/3 complete (100%), ")


def test_a_plan_in_a_folder_that_was_not_there_is_found(root: Path, watcher: Watcher) -> None:
    other = root / "scripts" / "ralph"
    os.makedirs(other)
    (other / "progress.txt").write_text("## 2026-03-01 - US-2\n- Laid stones\n---\n")
    assert watcher.line().startswith("scripts/ralph/progress.txt is new: ")


def test_a_folder_of_inputs_may_go_and_come_back(root: Path, watcher: Watcher) -> None:
    other = root / "tasks"
    for word in ("one", "two"):
        other.mkdir()
        (other / "progress.md").write_text(f"# Log\n\n## 2026-03-01 - US-2: {word}\n\n- Laid stones\n")
        assert watcher.line().startswith("tasks/progress.md is new: ")
        shutil.rmtree(other)
        assert watcher.line().startswith("tasks/progress.md is gone: ")


def test_the_whole_project_may_go_and_come_back(root: Path, watcher: Watcher) -> None:
    aside = root.parent / "aside"
    os.rename(root, aside)
    (root.parent / "touched").touch()
    root.mkdir()
    (root / "prd.json").write_text(plan(3))
    lines = [watcher.line()]
    while "3/3" not in lines[-1]:
        lines.append(watcher.line())
    (root / "prd.json").write_text(plan(2))
    assert watcher.line().startswith("prd.json changed: 2/3 ")


def test_a_switch_of_the_branch_is_told_by_its_name(tmp_path: Path, home: Path) -> None:
    del home
    root = tmp_path / "repository"
    root.mkdir()

    def git(*arguments: str) -> None:
        user = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *user, *arguments], cwd=root, check=True, capture_output=True)

    git("init", "-b", "main")
    (root / "prd.json").write_text(plan(1))
    git("add", "prd.json")
    git("commit", "-m", "one")
    git("switch", "-c", "next")
    (root / "prd.json").write_text(plan(3))
    git("commit", "-am", "three")
    with Watcher(root) as watcher:
        assert watcher.line().startswith("Watching ")
        assert watcher.line().startswith("3/3 ")
        git("switch", "main")
        told = watcher.line()
        # Git writes the plan before HEAD; on a busy machine that is two bursts, and two lines.
        said = told if "branch is main now" in told else watcher.line()
        assert "branch is main now" in said
        assert ": 1/3 complete (33%), " in said


def test_a_summary_that_is_removed_is_made_again(root: Path, watcher: Watcher) -> None:
    (root / SUMMARY).unlink()
    (root / "progress.md").write_text("# Log\n\n## 2026-03-01 - US-1: Story 1\n\n- Laid stones\n")
    assert watcher.line().startswith("progress.md is new: 1/3 ")
    assert "Laid stones" in _summary(root)


def test_a_file_that_is_only_touched_is_not_told(root: Path, watcher: Watcher) -> None:
    os.utime(root / "prd.json", (0, 0))
    (root / "progress.md").write_text("# Log\n\n## 2026-03-01 - US-1: Story 1\n\n- Laid stones\n")
    assert watcher.line().startswith("progress.md is new: 1/3 ")


def test_a_change_is_told_once_even_if_another_process_renews_the_summary(
    root: Path, watcher: Watcher
) -> None:
    (root / "prd.json").write_text(plan(2))
    watch.first_look(str(root))
    assert watcher.line().startswith("prd.json changed")
    (root / "prd.json").write_text(plan(3))
    lines = [watcher.line()]
    while "3/3" not in lines[-1]:
        lines.append(watcher.line())
    assert len([line for line in lines if "prd.json" in line]) == 1


def test_it_records_no_entry(root: Path, watcher: Watcher) -> None:
    (root / "prd.json").write_text(plan(3))
    watcher.line()
    assert not (root / ".agent-os/progress/progress.json").exists()


def test_a_fault_is_one_line_and_it_goes_on(root: Path, watcher: Watcher) -> None:
    (root / "prd.json").write_text('{"userStories": [')
    assert "1 not read, see: agent-progress status" in watcher.line()
    (root / "prd.json").write_text(plan(3))
    assert watcher.line().startswith("prd.json changed: 3/3 complete (100%), ")


def test_nothing_to_watch_yet_is_no_failure_and_writes_nothing(tmp_path: Path, home: Path) -> None:
    del home
    root = tmp_path / "empty"
    root.mkdir()
    with Watcher(root) as watcher:
        assert [watcher.line()[:8], watcher.line()] == ["Watching", "no log and no plan here"]
        assert os.listdir(root) == []
        (root / "prd.json").write_text(plan(2))
        assert watcher.line().startswith("prd.json is new: 2/3 ")


def test_it_ends_cleanly_on_ctrl_c(watcher: Watcher) -> None:
    assert watcher.end() == (0, ["Ended."])
