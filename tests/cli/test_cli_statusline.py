"""The status line: one line from the last summary, whatever Claude Code sends."""

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


def line(sent: Any) -> str:
    """Start the program as Claude Code does; return what it prints."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-X", "utf8", "-B", str(MAIN), "statusline"],
        input=sent if isinstance(sent, bytes) else json.dumps(sent).encode(),
        capture_output=True,
        env={"HOME": os.environ["HOME"]},
        cwd="/",
        check=True,
        timeout=60,
    )
    assert done.stderr == b""
    return done.stdout.decode()


def test_it_has_story_completion_and_blockers_until_the_cache_is_damaged(project: Path, run: Any) -> None:
    run("log", "task_blocked", "--task", "US-003", "-m", "No crane")
    (project / "src").mkdir()
    in_project = {"workspace": {"current_dir": "/", "project_dir": str(project)}, "cwd": "/"}
    for sent in (in_project, {"cwd": str(project / "src")}):
        assert line(sent) == "US-002 1/3 ▓▓░░░░░░ !1\n"
    Path(cache_path(str(project))).write_bytes(b"something else")
    assert line(in_project) == ""


@pytest.mark.parametrize("sent", [b"", b"{", b"\xff\x00", b"[]", {"cwd": 5}, {"cwd": "/nowhere/at/all"}])
def test_without_a_project_it_is_empty(sent: Any) -> None:
    assert line(sent) == ""


def work(name: str, status: Status = Status.PENDING) -> Work:
    """Return an item of a plan as work."""
    source = Source("prd.json")
    return Work("Title", source, Item((name,), "Title", source, name), status)


UNREAD = FoundFile("prd.json", "plan", "", "passed over", "not JSON", is_unreadable=True)
STEP = Work("Write the readme", Source("progress.md"))
NEXT, ACTIVE = work("US-2"), work("US-2", Status.ACTIVE)


@pytest.mark.parametrize(
    ("state", "files", "shown", "at_start"),
    [
        (State(), (), "", ""),
        (State(done=1, total=2, current=NEXT, blocked=(work("US-3"),)), (),
         "US-2 1/2 ▓▓▓▓░░░░ !1", "progress: 1/2, US-2 next, 1 blocker"),
        (State(done=0, total=2, current=ACTIVE), (), "US-2 0/2 ░░░░░░░░", "progress: 0/2, US-2 in progress"),
        (State(next=STEP), (), "Write the readme", "progress: Write the readme next"),
        (State(done=2, total=2, is_complete=True), (), "2/2 ▓▓▓▓▓▓▓▓", "progress: 2/2"),
        (State(done=1, total=2, current=NEXT), (UNREAD,),
         "US-2 1/2 plan not read", "progress: 1/2, US-2 next, plan not read"),
    ],
)  # fmt: skip
def test_both_lines_show_the_state(
    state: State, files: tuple[FoundFile, ...], shown: str, at_start: str
) -> None:
    facts = Facts("x", None, files, Inputs((), ()), OwnLog(), state)
    assert (status_line(facts), user_line(facts)) == (shown, at_start)


def test_a_bar_is_full_only_when_all_is_done_and_empty_only_when_nothing_is() -> None:
    assert (bar(99, 100, 8), bar(1, 100, 8)) == ("▓▓▓▓▓▓▓░", "▓░░░░░░░")
    assert (bar(8, 8, 8), bar(0, 8, 8), bar(0, 0, 8)) == ("▓▓▓▓▓▓▓▓", "░░░░░░░░", "░░░░░░░░")
