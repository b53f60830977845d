"""What only Claude Code has: compaction, resumed sessions, sub-agents, a task list, and a validator of plugins."""

from __future__ import annotations

import json
import subprocess

import pytest

from tests.clients.conftest import GOTCHA, LEARNING, STORY, Client, every
from tests.clients.test_sessions import TEST, finished
from tests.conftest import REPOSITORY

pytestmark = [pytest.mark.client, pytest.mark.slow]


@every("claude")
def test_the_summary_is_in_a_resumed_session_once_and_again_after_a_compaction(client: Client) -> None:
    first = client.run(
        "Give the quarry a crane.",
        {"shell": "echo a"},
        client.write("src/crane.py"),
        {"shell": f"printf '%s' '{TEST}' > test_crane.py"},
        {"shell": "python3 -m unittest test_crane"},
    )
    resume = ("--resume", str(first.session_id))
    again = client.run("and now", {"shell": "echo c"}, args=resume)
    assert len(again.places(STORY)) == 1
    client.run("/compact", args=resume)
    after = client.run("go on", args=resume)
    assert "echo a" not in json.dumps(after.main_requests[0]["messages"])
    assert len(after.places(STORY)) == 1
    section = after.text().partition("This Session So Far")[2]
    for text in ("Give the quarry a crane.", "src/crane.py (new)", "Failing: `unittest test_crane`"):
        assert text in section
    assert LEARNING in after.text()


@every("claude")
def test_a_sub_agent_is_shown_the_gotcha_of_a_file_too(client: Client) -> None:
    (client.project / ".agent-os/progress").mkdir(parents=True)
    (client.project / ".agent-os/progress/config.toml").write_text("max_learnings = 0\n")
    read = client.read("src/wall.py")
    task = {"description": "Look", "prompt": "Inspect the masonry", "subagent_type": "general-purpose"}
    rules = [{"match": "Inspect the masonry", "reply": read}]
    delegate = {"tool_use": [{"match": "^(Task|Agent)$", "input": task}]}
    run = client.run("Mind the quarry", read, delegate, rules=rules)
    counts: dict[bool, list[int]] = {True: [], False: []}
    for number, body in enumerate(run.main_requests):
        counts["Mind the quarry" in json.dumps(body["messages"])].append(len(run.places(GOTCHA, number)))
    assert (max(counts[True]), max(counts[False])) == (1, 1)


@every("claude")
def test_a_finished_task_becomes_one_entry(client: Client) -> None:
    create = {"subject": "Raise the zinc roof", "description": "Zinc"}
    client.run(
        "go on",
        {"tool_use": [{"match": "^TaskCreate$", "input": create}]},
        {"tool_use": [{"match": "^TaskUpdate$", "input": {"taskId": "1", "status": "completed"}}]},
        env={"CLAUDE_CODE_ENABLE_TODO_TOOLS": "1"},
    )
    (entry,) = finished(client.project).values()
    assert "Raise the zinc roof" in json.dumps(entry)


@every("claude")
def test_the_manifests_are_valid_without_a_warning(client: Client) -> None:
    for name in ("plugin.json", "marketplace.json"):
        command = [
            client.program,
            "plugin",
            "validate",
            "--strict",
            str(REPOSITORY / ".claude-plugin" / name),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        assert "Validation passed" in done.stdout, done.stdout + done.stderr
        assert "unknown" not in done.stdout.lower()
