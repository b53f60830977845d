"""The status line: one line from the last summary, whatever Claude Code sends (B9)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core.data_directory import prepare
from progress_plugin.core.environment import PLUGIN_ROOT
from progress_plugin.core.start_cache import cache_path
from progress_plugin.model.status import Status
from progress_plugin.summary.merged_story_status import StoryHistory, StoryState
from progress_plugin.summary.summary_input import Facts, OpenBlocker
from progress_plugin.summary.user_and_status_line import bar, status_line

MAIN = Path(PLUGIN_ROOT) / "progress_plugin/__main__.py"


def line(told: Any, **variables: str) -> str:
    """Run the door as Claude Code does; return what it prints."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-X", "utf8", "-B", str(MAIN), "statusline"],
        input=told if isinstance(told, bytes) else json.dumps(told).encode(),
        capture_output=True,
        env={"HOME": os.environ["HOME"], **variables},
        cwd="/",
        check=True,
        timeout=60,
    )
    assert done.stderr == b""
    return done.stdout.decode()


def history(*statuses: Status) -> StoryHistory:
    """Return a history of stories that stand so."""
    stories = [
        StoryState(id=f"US-{number}", title="", status=status) for number, status in enumerate(statuses, 1)
    ]
    return StoryHistory(stories=tuple(stories), other=(), order=())


def test_the_line_has_story_completion_and_blockers(project: Path, run: Any) -> None:
    run("log", "task_blocked", "--task", "US-003", "-m", "No crane")
    told = {"workspace": {"current_dir": "/", "project_dir": str(project)}, "cwd": "/"}
    assert line(told) == "US-002 1/3 ▓▓░░░░░░ !1\n"


def test_a_directory_inside_the_project_will_do(project: Path, run: Any) -> None:
    run("init")
    (project / "src").mkdir()
    assert line({"cwd": str(project / "src")}) == "US-002 1/3 ▓▓░░░░░░\n"


def test_sharing_takes_neither_the_line_nor_the_summary(project: Path, run: Any) -> None:
    run("init")
    assert run("config", "set", "share", "true")[0] == 0
    assert line({"cwd": str(project)}) == "US-002 1/3 ▓▓░░░░░░\n"
    assert run("status", "why")[0] == 0
    run("config", "unset", "share")
    assert line({"cwd": str(project)}) == "US-002 1/3 ▓▓░░░░░░\n"


def test_a_summary_that_waits_for_sharing_says_which_setting_changed(project: Path, run: Any) -> None:
    run("init")
    place = project / ".agent-os" / "progress"
    (place / "config.toml").write_text("share = true\n")
    prepare(str(place), share=True)
    assert line({"cwd": str(project)}) == "US-002 1/3 ▓▓░░░░░░\n"
    assert run("status", "why")[:2] == (1, "stale: .agent-os/progress/config.toml is new\n")


def test_an_older_line_is_better_than_a_slow_one(project: Path, run: Any) -> None:
    run("init")
    (project / "prd.json").write_text("[]")
    assert line({"cwd": str(project)}) == "US-002 1/3 ▓▓░░░░░░\n"


@pytest.mark.parametrize("told", [b"", b"{", b"\xff\x00", b"[]", {"cwd": 5}, {"cwd": "/nowhere/at/all"}])
def test_without_a_project_the_line_is_empty(told: Any) -> None:
    assert line(told) == ""


def test_a_damaged_cache_makes_an_empty_line(project: Path, run: Any) -> None:
    run("init")
    Path(cache_path(str(project))).write_bytes(b"something else")
    assert line({"cwd": str(project)}) == ""


def test_nothing_to_say_is_an_empty_line() -> None:
    assert status_line(Facts(name="x"), history()) == ""


def test_skipped_stories_are_no_part_of_it_and_a_blocker_counts_once() -> None:
    facts = Facts(name="x", blockers=(OpenBlocker(id="1", label="US-2", issue="i", story="US-2"),))
    told = status_line(facts, history(Status.DONE, Status.BLOCKED, Status.SKIPPED))
    assert told == "1/2 ▓▓▓▓░░░░ !1"


def test_a_bar_is_full_only_when_all_is_done_and_empty_only_when_nothing_is() -> None:
    assert (bar(99, 100, 8), bar(1, 100, 8)) == ("▓▓▓▓▓▓▓░", "▓░░░░░░░")
    assert (bar(8, 8, 8), bar(0, 8, 8), bar(0, 0, 8)) == ("▓▓▓▓▓▓▓▓", "░░░░░░░░", "░░░░░░░░")


def test_init_shows_the_settings_entry_and_edits_nothing(project: Path, run: Any, home: Path) -> None:
    code, out, err = run("init", "--statusline")
    entry = json.loads(out)["statusLine"]
    assert (code, entry["type"]) == (0, "command")
    assert entry["command"].endswith("/bin/agent-progress statusline")
    assert "settings.json" in err
    assert not (project / ".agent-os").exists()
    assert not (home / ".claude").exists()
    done = subprocess.run(["sh", "-n", "-c", entry["command"]], check=False)
    assert done.returncode == 0
