"""A machine with an empty home that has the program installed in some way, and what is tried on it."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from progress_plugin.core.version import VERSION
from tests.stdio_server import started

ASKED = (
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},'
    '"clientInfo":{"name":"a test","version":"1"}}}\n'
    '{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
    '{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n'
    '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"mem_progress",'
    '"arguments":{"project":"Quarry"}}}\n'
)
TOOLS = {"mem_progress", "mem_compact", "mem_save", "mem_search", "progress_log"}


@dataclass
class Machine:
    """An empty home, an empty directory beside it, and the command that was installed."""

    place: Path
    command: list[str]

    @property
    def home(self) -> Path:
        return self.place / "home"

    @property
    def empty(self) -> Path:
        return self.place / "empty"

    @property
    def variables(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "UV_", "SSL_"))}
        return {"HOME": str(self.home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", **kept}

    def run(self, *words: str, told: str = "", cwd: Path | None = None) -> str:
        """Run the installed command and return what it prints; it must succeed without a word of trouble."""
        done = self.start([*self.command, *words], told, cwd)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def start(
        self, command: list[str], told: str = "", cwd: Path | None = None
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=cwd or self.empty,
            env=self.variables,
            input=told,
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )

    def install(self, *command: str | Path) -> None:
        done = self.start([str(word) for word in command])
        assert done.returncode == 0, done.stdout + done.stderr


def machine(place: Path, command: list[str]) -> Machine:
    for name in ("home", "empty"):
        (place / name).mkdir(parents=True, exist_ok=True)
    return Machine(place, command)


def project(place: Path) -> Path:
    """Make a project with a plan of two stories and an agent's log of the first."""
    root = place / "quarry"
    (root / ".git").mkdir(parents=True)
    (root / "prd.json").write_text(
        '{"project": "Quarry", "userStories": [\n'
        ' {"id": "US-001", "title": "Lay the first stone", "passes": true},\n'
        ' {"id": "US-002", "title": "Raise the zinc roof", "passes": false}]}\n'
    )
    return root


def works(ours: Machine) -> None:
    """Look at what everybody comes for: the demonstration, a session start, the tools."""
    assert ours.run("--version") == f"agent-progress, version {VERSION}\n"
    assert "# Progress Summary: Harbour berth booking" in ours.run("demo")
    root = project(ours.place)
    told = json.dumps({"session_id": "s", "cwd": str(root), "hook_event_name": "SessionStart"})
    context = json.loads(ours.run("hook", "SessionStart", told=told))["hookSpecificOutput"][
        "additionalContext"
    ]
    assert "Raise the zinc roof" in context
    answered = conversation(ours, root)
    assert answered[1]["serverInfo"]["version"] == VERSION
    assert {tool["name"] for tool in answered[2]["tools"]} == TOOLS
    assert "No progress document found for project Quarry" in answered[3]["content"][0]["text"]


def conversation(ours: Machine, root: Path) -> dict[int, dict[str, Any]]:
    """Return the server's results by the number of the request; it is left when it has answered all three."""
    with started([*ours.command, "mcp"], cwd=root, env=ours.variables) as server:
        answers = server.answers(ASKED.splitlines())
        assert server.end()[0] == 0
    return {number: answer["result"] for number, answer in answers.items()}
