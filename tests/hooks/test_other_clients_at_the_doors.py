"""The doors as each other client opens them: its variables, its input, its working directory.

Variables and inputs are those that the real clients were seen to give; Cursor's are those it documents.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from real_doors import MAIN, REPOSITORY, Hooks, Repository

NESTED = "hookSpecificOutput"


def shape(client: str, text: str) -> dict[str, Any]:
    """Return the exact object that a client wants."""
    if client in ("codex", "gemini"):
        return {NESTED: {"hookEventName": "SessionStart", "additionalContext": text}}
    return {"additional_context" if client == "cursor" else "additionalContext": text}


class Door:
    """Opens the doors the way one client does; a client with a hooks file of its own names itself."""

    def __init__(self, client: str, root: Path) -> None:
        self.client, self.root = client, root
        place = str(root)
        self.arguments = [client] if client in ("cursor", "opencode") else []
        self.directory = REPOSITORY if client in ("copilot", "cursor") else root
        self.variables = {
            "codex": {"PLUGIN_ROOT": "/p", "CLAUDE_PLUGIN_ROOT": "/p"},
            "copilot": {
                "COPILOT_PLUGIN_ROOT": "/p",
                "PLUGIN_ROOT": "/p",
                "CLAUDE_PROJECT_DIR": place,
                "COPILOT_CLI": "1",
            },
            "gemini": {"GEMINI_PROJECT_DIR": place, "CLAUDE_PROJECT_DIR": place},
            "opencode": {},
            "cursor": {"CURSOR_PLUGIN_ROOT": "/p", "CURSOR_VERSION": "3.1"},
        }[client]
        session = "conversation_id" if client == "cursor" else "session_id"
        where = {"workspace_roots": [place]} if client == "cursor" else {"cwd": place}
        self.told: dict[str, Any] = {session: "5e55-1", **where}

    def tell(self, event: str, **more: Any) -> str:
        """Send one event; return what the door prints."""
        done = subprocess.run(
            [sys.executable, MAIN, "hook", event, *self.arguments],
            input=json.dumps({**self.told, "hook_event_name": event, **more}),
            capture_output=True,
            text=True,
            encoding="utf-8",
            env={"HOME": os.environ["HOME"], "PATH": os.environ["PATH"], **self.variables},
            cwd=self.directory,
            timeout=60,
            check=True,
        )
        assert done.stderr == ""
        return done.stdout


@pytest.fixture(params=["codex", "copilot", "gemini", "opencode", "cursor"])
def door(request: pytest.FixtureRequest, repository: Repository) -> Door:
    """Return the doors as each client opens them."""
    repository.plan(3)
    repository.commit()
    return Door(request.param, repository.root)


def test_each_client_is_sent_the_same_text_in_its_own_shape(door: Door, hooks: Hooks) -> None:
    text = hooks.start().context
    assert "Lighthouse" in text
    text += f"`agent-progress` is not on the PATH here; call it as `sh {REPOSITORY}/bin/agent-progress`.\n"
    for source in ("startup", "new"):
        assert json.loads(door.tell("SessionStart", source=source)) == shape(door.client, text)


def test_a_story_finished_in_any_client_is_one_entry_of_its_session(
    door: Door, hooks: Hooks, repository: Repository
) -> None:
    door.tell("SessionStart", source="startup")
    repository.plan(4)
    assert door.tell("SessionEnd" if door.client == "gemini" else "Stop") == ""
    door.tell("SessionEnd", reason="exit")
    (entry,) = hooks.finished()
    assert entry["task_id"] == "US-004"
    assert entry["data"]["session_id"] == "5e55-1"
    assert [entry["type"] for entry in hooks.log()] == ["session_started", "task_completed", "session_ended"]
