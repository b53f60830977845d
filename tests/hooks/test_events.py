"""Which events are passed to recording: edits of plans and logs, and commands that commit."""

from __future__ import annotations

from typing import Any

import pytest

from progress_plugin.core.clients import CLIENTS, HookEvent
from progress_plugin.hooks.recording import is_commit, may_bring_news


def tool_use(client: str = "claude", **fields: Any) -> HookEvent:
    return HookEvent("PostToolUse", CLIENTS[client], fields)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("git commit -m x", True),
        ("cd quay && git -c a=b commit", True),
        ("git log --grep digit", False),
        ("echo digit committed", False),
        ("legit commit", False),
        ("commit git", False),
    ],
)
def test_only_a_command_that_commits_counts(command: str, expected: bool) -> None:
    assert is_commit(tool_use(tool_input={"command": command})) is expected


@pytest.mark.parametrize(
    ("tool", "path", "expected"),
    [
        ("Write", "/quay/prd.json", True),
        ("Edit", "C:\\quay\\progress.md", True),
        ("Read", "/quay/prd.json", False),
        ("Edit", "/quay/src/lamp.ts", False),
    ],
)
def test_an_edit_of_a_plan_or_log_brings_news(tool: str, path: str, expected: bool) -> None:
    assert may_bring_news(tool_use(tool_name=tool, tool_input={"file_path": path})) is expected
