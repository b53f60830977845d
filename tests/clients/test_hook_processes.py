"""How many processes the hooks start in each client, counted by a launcher that only counts."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.clients.conftest import Client, every
from tests.clients.harness.clients import Json

pytestmark = [pytest.mark.client, pytest.mark.slow]

EVENTS = {
    "claude": "SessionStart PostToolUse PostToolUse PostToolUse Stop SessionEnd",
    "codex": "SessionStart PostToolUse PostToolUse PostToolUse PostToolUse Stop SessionEnd",
    "copilot": "SessionStart PostToolUse PostToolUse PostToolUse PostToolUse Stop SessionEnd",
    "gemini": "SessionStart SessionEnd",
    "opencode": "SessionStart PostToolUse PostToolUse PostToolUse Stop",
}
"""For a shell command, a commit, and a file that is written and read."""


@every()
def test_each_event_and_each_tool_call_starts_at_most_one_process(client: Client, tmp_path: Path) -> None:
    calls = tmp_path / "calls"
    client.plugin = Path(shutil.copytree(client.plugin, tmp_path / "counting"))
    launcher = f'#!/bin/sh\n[ "$1" = hook ] || exit 1\ncat >/dev/null\necho "$2" >>"{calls}"\n'
    (client.plugin / "bin/agent-progress").write_text(launcher)
    commands: list[Json] = [{"shell": "echo prd.json"}, {"shell": "git commit -q --allow-empty -m x; true"}]
    client.run("go on", *commands, client.write("new.txt"), client.read("new.txt"))
    assert calls.read_text().split() == EVENTS[client.name].split()
