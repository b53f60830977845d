"""If others write while a process reads its sources, nothing older replaces what they wrote."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from progress_plugin.core.snapshot import load_fresh_cache
from tests.conftest import REPOSITORY
from tests.journeys.project_life import OURS, Life

MAIN = str(REPOSITORY / "progress_plugin/__main__.py")
MEANWHILE = """
import json, os, sys
trigger, times, words, *sys.argv = sys.argv[1:]
left = int(times)
import subprocess
def watch(event, arguments):
    global left
    if event == "open" and str(arguments[0]).endswith(trigger) and left:
        left -= 1
        subprocess.run(json.loads(words), check=True, stdout=subprocess.DEVNULL)
program = compile(open(sys.argv[0]).read(), sys.argv[0], "exec")
sys.addaudithook(watch)
exec(program, {"__file__": sys.argv[0], "__name__": "__main__"})
"""
"""Runs a program, and another command each time, so often, when it opens a file of this name."""
READ_LAST = "CLAUDE.md"
"""Read while the summary is composed: plans and logs have been read by then."""


@pytest.fixture
def life(tmp_path: Path) -> Life:
    life = Life(tmp_path / "harbour")
    life.plan("US-001 Login page", "US-002 Cart", "US-003 Receipts")
    life.write("progress.md", "# Progress\n\n## 2026-03-01 - Begin\n- Drew the quay\n")
    life.write(READ_LAST, "# For agents\n")
    life.starts().logs("milestone_reached", "The keel is laid")
    return life


def meanwhile(
    life: Life, trigger: str, does: Sequence[str], *words: str, times: int = 1, told: str = ""
) -> str:
    """Run our program, and another action while it opens a file; return what the program printed."""
    done = subprocess.run(
        [sys.executable, "-I", "-X", "utf8", "-c", MEANWHILE, trigger, str(times), json.dumps(does), *words],
        input=told,
        capture_output=True,
        cwd=life.root,
        env=life._variables(),
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def ours(life: Life, *words: str) -> list[str]:
    return [sys.executable, "-I", "-X", "utf8", MAIN, "-C", str(life.root), *words]


def summary(life: Life) -> str:
    return (life.main / OURS / "progress-summary.md").read_text("utf-8")


def is_fresh(life: Life) -> bool:
    return load_fresh_cache(str(life.root)) is not None


def test_a_start_during_which_an_entry_is_logged_leaves_no_older_summary(life: Life) -> None:
    does = ours(life, "log", "milestone_reached", "-m", "The mast is set")
    life.write("progress.md", "# Progress\n\n## 2026-03-02 - Go on\n- Dug the basin\n")
    told = json.dumps({"session_id": "s-2", "cwd": str(life.root), "source": "startup"})
    shown = meanwhile(life, READ_LAST, does, MAIN, "hook", "SessionStart", told=told)
    assert "The mast is set" in shown
    assert "The mast is set" in summary(life)
    assert is_fresh(life)


def test_a_story_finished_while_an_entry_is_prepared_is_recorded_once_and_not_undone(life: Life) -> None:
    life.story("US-001", passes=True)
    ended = json.loads((life.root / "prd.json").read_text())
    ended["userStories"][1]["passes"] = True
    (life.root / "later.json").write_text(json.dumps(ended), "utf-8")
    edit = {"tool_name": "Edit", "tool_input": {"file_path": str(life.root / "prd.json")}}
    told = json.dumps({"session_id": "s-1", "cwd": str(life.root), **edit})
    does = ["mv", str(life.root / "later.json"), str(life.root / "prd.json")]
    meanwhile(life, "progress.md", does, MAIN, "hook", "PostToolUse", told=told)
    life.session().stops()
    assert [entry["task_id"] for entry in life.entries("task_completed")] == ["US-001", "US-002"]


def test_what_is_erased_while_a_summary_is_composed_does_not_come_back_in_it(life: Life) -> None:
    life.starts().logs("milestone_reached", "The pilot boat is the swordfish")
    life.write("progress.md", "# Progress\n\n## 2026-03-02 - Go on\n- Dug the basin\n")
    meanwhile(life, READ_LAST, ours(life, "erase", "swordfish", "--yes"), MAIN, "status", "summarize")
    held = [
        path for path in (life.main / OURS).rglob("*") if path.is_file() and b"swordfish" in path.read_bytes()
    ]
    assert held == []
