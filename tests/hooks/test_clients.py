"""The hooks with the variables, input and working directory of each other client.

Variables and inputs were recorded from the real clients; those of Cursor are from its documentation.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core.clients import END_OF_CONTEXT
from tests import warm_process
from tests.hooks.simulated_client import REPOSITORY, Hooks, Repository

CLIENTS = json.loads(Path(__file__).with_name("clients.json").read_text("utf-8"))


def send(name: str, root: Path, event: str, **more: Any) -> str:
    """Send one event as a client does; return what the hook prints."""
    client = json.loads(json.dumps(CLIENTS[name]).replace("{root}", str(root)))
    done = warm_process.run(
        ["hook", event, *client["arguments"]],
        cwd=REPOSITORY if client["starts_in_plugin"] else root,
        env={"HOME": os.environ["HOME"], "PATH": os.environ["PATH"], **client["variables"]},
        stdin=json.dumps({**client["input"], "hook_event_name": event, **more}).encode(),
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


@pytest.mark.parametrize("name", CLIENTS)
def test_a_session_is_shown_the_summary_and_its_finished_story_recorded(
    name: str, hooks: Hooks, repository: Repository
) -> None:
    repository.plan(3)
    repository.commit()
    text = hooks.start().context
    assert "Lighthouse" in text
    text += f"`agent-progress` is not on the PATH here; call it as `sh {REPOSITORY}/bin/agent-progress`.\n"
    text += f"{END_OF_CONTEXT}\n"
    shape = json.loads(json.dumps(CLIENTS[name]["output"]).replace('"{text}"', json.dumps(text)))
    assert json.loads(send(name, repository.root, "SessionStart", source="startup")) == shape
    repository.plan(4)
    assert send(name, repository.root, "SessionEnd" if name == "gemini" else "Stop") == ""
    send(name, repository.root, "SessionEnd", reason="exit")
    (entry,) = hooks.finished()
    assert (entry["task_id"], entry["data"]["session_id"]) == ("US-004", "5e55-1")
    assert [entry["type"] for entry in hooks.log()] == ["session_started", "task_completed", "session_ended"]
