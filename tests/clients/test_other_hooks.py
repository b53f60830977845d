"""How many processes the hooks start in each other agent, counted by a launcher that does nothing else."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.clients.harness.client_run import run_client
from tests.clients.harness.clients import Json

pytestmark = [pytest.mark.client, pytest.mark.slow]

SHELL: Json = {"shell": "echo prd.json"}
COMMIT: Json = {"shell": "git commit -q --allow-empty -m x; true"}
BEGIN, TOOL, STOP, END = (f"hook {event}" for event in ("SessionStart", "PostToolUse", "Stop", "SessionEnd"))


def writing(path: Path) -> Json:
    """Return the turn that writes a file, as each client's tool wants to be told."""
    told = {
        "path": str(path),
        "file_path": str(path),
        "filePath": str(path),
        "file_text": "x",
        "content": "x",
    }
    return {"tool_use": [{"match": "^(create|write|write_file)$", "input": told}]}


@pytest.fixture
def counting(plugin: Path, tmp_path: Path) -> tuple[Path, Path]:
    """Return a copy of the plugin with a launcher that only counts, and the file it writes to."""
    place, calls = tmp_path / "counting", tmp_path / "calls"
    shutil.copytree(plugin, place)
    counter = f'#!/bin/sh\n[ "$1" = hook ] || exit 1\ncat >/dev/null\necho "$*" >>"{calls}"\n'
    (place / "bin" / "agent-progress").write_text(counter)
    return place, calls


@pytest.mark.parametrize(
    ("client", "turns", "expected"),
    [
        ("codex", [], [BEGIN, STOP, END]),
        ("codex", [SHELL, SHELL], [BEGIN, TOOL, TOOL, STOP, END]),
        ("copilot", [], [BEGIN, STOP, END]),
        ("copilot", [SHELL, "write"], [BEGIN, TOOL, TOOL, STOP, END]),
        ("gemini", [SHELL, "write"], [BEGIN, END]),
        ("opencode", [], [BEGIN, STOP]),
        ("opencode", [SHELL, COMMIT, "write"], [BEGIN, TOOL, TOOL, STOP]),
    ],
)
def test_each_event_and_each_tool_call_starts_at_most_one_process(
    client: str,
    turns: list[Json | str],
    expected: list[str],
    counting: tuple[Path, Path],
    project: Path,
    home: Path,
    request: pytest.FixtureRequest,
) -> None:
    place, calls = counting
    script = [writing(project / "new.txt") if isinstance(turn, str) else turn for turn in turns]
    run = run_client(
        client,
        prompt="go on",
        plugin_dir=place,
        project_dir=project,
        script=[*script, {"text": "done"}],
        client_bin=request.getfixturevalue(client),
        home=home,
    )
    assert run.exit_code == 0, run.stderr
    # A client with a hooks file of its own names itself.
    assert [call.removesuffix(f" {client}") for call in calls.read_text().splitlines()] == expected


def test_opencode_starts_the_server_when_a_turn_begins_not_when_it_needs_the_tools(
    counting: tuple[Path, Path], project: Path, home: Path, tmp_path: Path, opencode: str
) -> None:
    """It would wait for it, then: so the server is there before the title, the first that it asks of the model."""
    place, started = counting[0], tmp_path / "started"
    (place / "bin" / "agent-progress").write_text(f'#!/bin/sh\n[ "$1" = mcp ] && : >"{started}"\nexit 1\n')
    run_client(
        "opencode",
        prompt="go on",
        plugin_dir=place,
        project_dir=project,
        script=[{"text": "done"}],
        client_bin=opencode,
        home=home,
        log=tmp_path / "requests",
    )
    asked = [json.loads(line) for line in (tmp_path / "requests").read_text("utf-8").splitlines()]
    titled = next(request["time"] for request in asked if request["kind"] == "side")
    assert started.stat().st_mtime < titled
