"""Which project a call works on, in a server that was started in the plugin's directory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client import Client

from progress_plugin.core.fast.session_directory import keep
from tests.mcp.conftest import Connect

ENTRY = {"type": "task_completed", "description": "Hung the sign", "task_id": "S-1"}
TOLD_NOTHING = {"CLAUDE_PROJECT_DIR": "", "AGENT_PROGRESS_PROJECT_DIR": ""}


def logged(root: Path) -> list[dict[str, Any]]:
    log = root / ".agent-os" / "progress" / "progress.json"
    return list(json.loads(log.read_text("utf-8"))["entries"]) if log.exists() else []


def call(connect: Connect, meta: dict[str, Any] | None, **variables: str) -> tuple[bool, str]:
    """Return whether the call was refused, and what it answered."""

    async def journey() -> tuple[bool, str]:
        async with connect(**variables) as client:
            return await ask(client)

    async def ask(client: Client) -> tuple[bool, str]:
        result = await client.call_tool("progress_log", dict(ENTRY), meta=meta)  # type: ignore[arg-type]
        return bool(result.is_error), str(result.content[0].text)  # type: ignore[union-attr]

    return anyio.run(journey)


def test_the_session_that_a_call_names_tells_the_project_and_is_noted(
    connect: Connect, project: Path
) -> None:
    keep("01a2-7", str(project))
    assert not call(connect, {"sessionId": "01a2-7"}, **TOLD_NOTHING)[0]
    (entry,) = [entry for entry in logged(project) if entry["type"] == "task_completed"]
    assert entry["data"]["session_id"] == "01a2-7"


def test_the_session_of_the_server_tells_the_project(connect: Connect, project: Path) -> None:
    keep("01a2-8", str(project))
    assert not call(connect, None, COPILOT_AGENT_SESSION_ID="01a2-8", **TOLD_NOTHING)[0]
    assert "task_completed" in [entry["type"] for entry in logged(project)]


def test_a_directory_in_the_settings_tells_the_project(connect: Connect, project: Path) -> None:
    variables = {**TOLD_NOTHING, "AGENT_PROGRESS_PROJECT_DIR": str(project)}
    assert not call(connect, None, **variables)[0]
    assert logged(project)


@pytest.mark.parametrize("meta", [None, {"sessionId": "unknown"}, {"sessionId": 7}])
def test_where_nothing_tells_the_project_the_call_asks_for_it_and_writes_nothing(
    connect: Connect, project: Path, meta: dict[str, Any] | None
) -> None:
    refused, told = call(connect, meta, **TOLD_NOTHING)
    assert refused
    assert told == "this client does not tell which project it works in; name its root as project_dir"
    assert not logged(project)
