"""`watch` renews the summary however a file is changed, says so once, and ends when asked."""

from __future__ import annotations

import os
import shutil
from contextlib import closing
from pathlib import Path

from progress_plugin.usecases.watch import write_current_summary
from tests.watch.conftest import Watcher, plan

SUMMARY = Path(".agent-os/progress/progress-summary.md")


def _summary(root: Path) -> str:
    return (root / SUMMARY).read_text("utf-8")


def test_each_change_renews_the_summary_and_is_one_line(root: Path, watcher: Watcher) -> None:
    (root / "prd.json").write_text(plan(2))
    assert watcher.line().startswith("prd.json changed: 2/3 complete (67%), ")
    assert "Stories: 2/3 complete (67%)" in _summary(root)
    assert not (root / ".agent-os/progress/progress.json").exists(), "entries come from sessions"
    (root / ".prd.json.swp").write_text(plan(3))
    os.replace(root / ".prd.json.swp", root / "prd.json")
    assert watcher.line().startswith("prd.json changed: 3/3 "), "its own writing is no change"
    (root / "prd.json").write_text('{"userStories": [')
    assert "1 problem, see: agent-progress status" in watcher.line()
    (root / "prd.json").write_text(plan(1))
    assert watcher.line().startswith("prd.json changed: 1/3 ")


def test_a_folder_of_inputs_may_go_and_come_back(root: Path, watcher: Watcher) -> None:
    other = root / "tasks"
    for word in ("one", "two"):
        other.mkdir()
        (other / "progress.md").write_text(f"# Log\n\n## 2026-03-01 - US-2: {word}\n\n- Laid stones\n")
        assert watcher.line().startswith("tasks/progress.md is new: ")
        shutil.rmtree(other)
        assert watcher.line().startswith("tasks/progress.md is gone: ")


def test_a_change_is_shown_once_if_another_process_renews_too(root: Path, watcher: Watcher) -> None:
    (root / "prd.json").write_text(plan(2))
    write_current_summary(str(root))
    assert watcher.line().startswith("prd.json changed")
    (root / "prd.json").write_text(plan(3))
    lines = [watcher.line()]
    while "3/3" not in lines[-1]:
        lines.append(watcher.line())
    assert len([line for line in lines if "prd.json" in line]) == 1


def test_nothing_to_watch_yet_is_no_failure_and_writes_nothing(tmp_path: Path, home: Path) -> None:
    del home
    root = tmp_path / "empty"
    root.mkdir()
    with closing(Watcher(root)) as watcher:
        assert [watcher.line()[:8], watcher.line()] == ["Watching", "no log and no plan here"]
        assert os.listdir(root) == []
        (root / "prd.json").write_text(plan(2))
        assert watcher.line().startswith("prd.json is new: 2/3 ")
