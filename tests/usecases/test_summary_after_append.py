"""What an append makes of what it has read is what reading everything again would make."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from progress_plugin.core.project import Project, find_project
from progress_plugin.core.snapshot import load_fresh_cache
from progress_plugin.usecases.recording.record import log_entry, observe
from progress_plugin.usecases.summary_files import write_summary

NOW = datetime(2026, 3, 14, 15, 9, 26, tzinfo=UTC)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a project with a plan, an agent's log, and a log of ours."""
    root = tmp_path / "lighthouse"
    (root / ".git").mkdir(parents=True)
    (root / ".git/HEAD").write_text("ref: refs/heads/main\n")
    _plan(root, done=1)
    (root / "progress.md").write_text("## 2026-03-01 - US-001: Light the lamp\n- Lit it\n", "utf-8")
    log_entry(_project(root), "milestone_reached", now=NOW, description="The tower stands")
    return root


def _project(root: Path) -> Project:
    return find_project(start=str(root))


def _plan(root: Path, done: int) -> None:
    stories = [
        {"id": f"US-{number:03}", "title": f"Lamp {number}", "passes": number <= done}
        for number in range(1, 5)
    ]
    (root / "prd.json").write_text(json.dumps({"name": "Lamps", "userStories": stories}))


def _kept(root: Path) -> tuple[str, str, dict[str, list[int]]]:
    """Return the summary, the ready output, and the inputs without what the moment of reading decides."""
    cache = load_fresh_cache(str(root))
    assert cache is not None
    summary = (root / ".agent-os/progress/progress-summary.md").read_text("utf-8")
    return summary, cache.context + cache.user_message + cache.status_line, cache.snapshot.files


def _read_again(root: Path) -> tuple[str, str, dict[str, list[int]]]:
    write_summary(_project(root), 5)
    return _kept(root)


def test_an_entry_by_command_leaves_what_a_reading_of_everything_makes(root: Path) -> None:
    log_entry(_project(root), "task_completed", now=NOW, task_id="US-002", learnings=["Lamps need oil"])
    kept = _kept(root)
    assert "Lamps need oil" in kept[0]
    assert kept == _read_again(root)


def test_a_story_finished_in_the_plan_leaves_what_a_reading_of_everything_makes(root: Path) -> None:
    observe(_project(root), now=NOW, session="session-1")
    _plan(root, done=3)
    logged = observe(_project(root), now=NOW, session="session-1")
    assert logged is not None
    assert [entry["task_id"] for entry in logged.entries] == ["US-002", "US-003"]
    kept = _kept(root)
    assert "Stories: 3/4 complete" in kept[0]
    assert kept == _read_again(root)


def test_an_entry_that_has_another_plan_lead_is_summed_up_under_that_plan(root: Path) -> None:
    spec = root / ".agent-os/specs/2026-03-02-harbour"
    spec.mkdir(parents=True)
    (spec / "tasks.md").write_text(
        "# Spec Tasks\n\n- [ ] 1. Dig the basin\n- [ ] 2. Build the quay\n", "utf-8"
    )
    earlier = (root / "prd.json").stat().st_mtime - 60
    os.utime(spec / "tasks.md", (earlier, earlier))
    log_entry(_project(root), "task_completed", now=NOW, spec="lamps", task_id="US-002")
    before = _kept(root)[0]
    log_entry(_project(root), "task_completed", now=NOW, spec="2026-03-02-harbour", task_id="1")
    kept = _kept(root)
    assert kept[0].splitlines()[0] != before.splitlines()[0]
    assert kept == _read_again(root)


def test_an_append_to_a_damaged_log_is_summed_up_without_its_old_faults(root: Path) -> None:
    log = root / ".agent-os/progress/progress.json"
    log.write_bytes(log.read_bytes()[:-40])
    log_entry(_project(root), "task_completed", now=NOW, task_id="US-002")
    kept = _kept(root)
    assert "does not parse" not in kept[0]
    assert kept == _read_again(root)


def test_entries_that_move_to_the_archive_are_summed_up_from_there(root: Path) -> None:
    (root / ".agent-os/progress/config.toml").write_text("archive_entries = 2\narchive_days = 1\n")
    later = datetime(2026, 5, 1, tzinfo=UTC)
    logged = log_entry(
        _project(root), "task_completed", now=later, task_id="US-002", learnings=["Oil is dear"]
    )
    assert any("moved to the archive" in note for note in logged.notes)
    kept = _kept(root)
    assert kept == _read_again(root)
