"""The same three sessions in every client: what the model is sent, and what is recorded."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.clients.conftest import GOTCHA, LEARNING, STORY, Client, every
from tests.clients.harness.clients import Json
from tests.clients.harness.request_text import request_text, tool_names

pytestmark = [pytest.mark.client, pytest.mark.slow]

GOAL = {"goal": "Roof before the rain", "completed": [], "next_steps": [], "blockers": []}
DONE = {"type": "task_completed", "description": "Whitewashed the hut", "task_id": "HUT-1"}
TEST = "import unittest\nclass T(unittest.TestCase):\n def test_span(self): self.assertEqual(3.3, 3.5)\n"


def call(tool: str, arguments: Json) -> Json:
    """Return the turn that calls one of our tools, as soon as the client offers it."""
    turn = {"tool_use": [{"match": f"{tool}$", "input": arguments}]}
    return {**turn, "meanwhile": {"shell": "sleep 0.2"}}


def finished(project: Path) -> dict[str, Any]:
    """Return the completed tasks of the log by their ids."""
    log = json.loads((project / ".agent-os/progress/progress.json").read_text("utf-8"))
    entries = [entry for entry in log["entries"] if entry["type"] == "task_completed"]
    first = [entry for entry in entries if "supplements" not in entry["data"]]
    assert len({entry["task_id"] for entry in first}) == len(first)
    return {entry["task_id"]: entry for entry in first}


@every()
def test_three_sessions(client: Client) -> None:
    first = client.run("hello")
    start = first.text()
    assert len(first.places(STORY)) == len(first.places(LEARNING)) == 1
    assert "recording-progress" in start
    assert "compacting-memory" in start
    messages = first.main_requests[0].get("messages") or []
    assert sum(message["role"] == "system" for message in messages) <= 1, (
        "many open models refuse a second one"
    )
    own_requests = [request["body"] for request in first.requests if request["kind"] == "side"]
    assert STORY not in "".join(map(request_text, own_requests)), "such as a request for a title"

    named = re.search(r"call it as `(sh [^`]+/bin/agent-progress)`", start)
    command = named[1] if named else "agent-progress"
    assert (named is None) == (client.name == "claude"), "Claude Code puts it on the PATH"
    worked = client.run(
        "Give the harbour a tide table.",
        call("mem_progress", {"project": "Quarry"}),
        call("mem_progress", {"project": "Quarry", "content": GOAL}),
        call("progress_log", DONE),
        {"shell": f"{command} status"},
        {"shell": f"printf '%s' '{TEST}' > test_tides.py"},
        {"shell": "python3 -m unittest test_tides"},
        {"shell": "sed -i s/false/true/ prd.json"},
    )
    assert len([name for name in tool_names(worked.main_requests[-1]) if name.endswith("mem_progress")]) == 1
    answers = worked.text(-1).replace('\\"', '"')
    assert "No progress document found for project Quarry" in answers or '"found":false' in answers
    assert "1/2 complete (50%)" in answers

    last = client.run("hello", {"shell": "git commit -aqm Roof; true"})
    assert "Roof before the rain" in last.text()
    for text in ("Give the harbour a tide table.", "Failing: `unittest test_tides`"):
        assert text in last.text(), "the last session is described from its transcript"
    assert set(finished(client.project)) == {"HUT-1", "US-002"}
    assert first.outside_addresses == [] or client.name != "claude"


@every("claude")
def test_a_project_without_plan_or_log_is_sent_nothing_and_left_alone(client: Client, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    subprocess.run(["git", "init", "-q", str(empty)], check=True)
    run = client.run("hello", project_dir=empty)
    assert "Progress Summary" not in run.text()
    assert [path.name for path in empty.iterdir()] == [".git"]


@every("claude", "codex", "copilot", "opencode")
def test_a_file_that_is_opened_brings_its_gotcha_once(client: Client) -> None:
    (client.project / ".agent-os/progress").mkdir(parents=True)
    (client.project / ".agent-os/progress/config.toml").write_text("max_learnings = 0\n")
    run = client.run(
        "go on", client.read("src/gate.py"), client.read("src/wall.py"), client.read("src/wall.py")
    )
    assert [len(run.places(GOTCHA, number)) for number in range(4)] == [0, 0, 1, 1]


@every("claude", "gemini")
def test_the_slash_command_prints_figures(client: Client, tmp_path: Path) -> None:
    if client.name == "claude":
        run = client.run("/progress:status", args=("--permission-mode", "default"))
        assert "Quarry: 1/2 complete (50%)" in run.text()
    else:  # without a terminal, Gemini takes a prompt for a command only if no hook has put a context before it
        run = client.run("/progress:status why", project_dir=tmp_path / "empty")
        assert "fresh: all " in run.text() or "stale: " in run.text()
