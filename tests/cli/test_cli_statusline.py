"""The status line: one line from the last summary, whatever Claude Code sends (B9)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core.environment import PLUGIN_ROOT
from progress_plugin.core.snapshot import cache_path
from progress_plugin.model.status import Status
from progress_plugin.model.work import FoundFile, Item, Source
from progress_plugin.state.inputs import Inputs
from progress_plugin.state.state import State, Work
from progress_plugin.summary.own_log import OwnLog
from progress_plugin.summary.project_facts import Facts
from progress_plugin.summary.user_and_status_line import bar, status_line, user_line

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


def work(name: str, status: Status = Status.PENDING) -> Work:
    """Return an item of a plan as work."""
    source = Source("prd.json")
    return Work("Title", source, Item((name,), "Title", source, name), status)


def facts(state: State, *files: FoundFile) -> Facts:
    """Return facts of a project in this state."""
    return Facts("x", None, files, Inputs((), ()), OwnLog(), state)


def test_the_line_has_story_completion_and_blockers(project: Path, run: Any) -> None:
    run("log", "task_blocked", "--task", "US-003", "-m", "No crane")
    told = {"workspace": {"current_dir": "/", "project_dir": str(project)}, "cwd": "/"}
    assert line(told) == "US-002 1/3 ▓▓░░░░░░ !1\n"


def test_a_directory_inside_the_project_will_do(project: Path, run: Any) -> None:
    run("init")
    (project / "src").mkdir()
    assert line({"cwd": str(project / "src")}) == "US-002 1/3 ▓▓░░░░░░\n"


@pytest.mark.parametrize("told", [b"", b"{", b"\xff\x00", b"[]", {"cwd": 5}, {"cwd": "/nowhere/at/all"}])
def test_without_a_project_the_line_is_empty(told: Any) -> None:
    assert line(told) == ""


def test_a_damaged_cache_makes_an_empty_line(project: Path, run: Any) -> None:
    run("init")
    Path(cache_path(str(project))).write_bytes(b"something else")
    assert line({"cwd": str(project)}) == ""


STATES = {
    "nothing": (State(), "", ""),
    "next": (
        State(done=1, total=2, current=work("US-2"), blocked=(work("US-3"),)),
        "US-2 1/2 ▓▓▓▓░░░░ !1",
        "progress: 1/2, US-2 next, 1 blocker",
    ),
    "active": (
        State(done=0, total=2, current=work("US-2", Status.ACTIVE)),
        "US-2 0/2 ░░░░░░░░",
        "progress: 0/2, US-2 in progress",
    ),
    "step of a document": (
        State(next=Work("Write the readme", Source("progress.md"))),
        "Write the readme",
        "progress: Write the readme next",
    ),
    "finished": (State(done=2, total=2, is_complete=True), "2/2 ▓▓▓▓▓▓▓▓", "progress: 2/2"),
}


@pytest.mark.parametrize("name", STATES)
def test_both_lines_show_the_decided_state(name: str) -> None:
    state, below_the_prompt, at_start = STATES[name]
    assert (status_line(facts(state)), user_line(facts(state))) == (below_the_prompt, at_start)


def test_a_plan_that_cannot_be_read_makes_no_bar() -> None:
    broken = FoundFile("prd.json", "plan", "", "passed over", "not JSON", is_unreadable=True)
    state = State(done=1, total=2, current=work("US-2"))
    assert status_line(facts(state, broken)) == "US-2 1/2 plan not read"
    assert user_line(facts(state, broken)) == "progress: 1/2, US-2 next, plan not read"


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
