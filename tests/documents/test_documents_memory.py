"""The documents about memory agree with the tools."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.mcp.server import list_tools

REPOSITORY = Path(__file__).resolve().parents[2]
DOCS = REPOSITORY / "docs"


def document(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def section(tool: str) -> str:
    return document("tool-reference.md").split(f"\n## {tool}\n")[1].split("\n## ")[0]


def agent_progress(arguments: list[str], project: Path, **variables: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "progress_plugin", "-C", str(project), *arguments],
        cwd=REPOSITORY, capture_output=True, text=True, check=False, encoding="utf-8", env={**os.environ, **variables},
    )  # fmt: skip
    return done.stdout + done.stderr


def test_the_reference_lists_every_tool() -> None:
    text = document("tool-reference.md")
    assert re.findall(r"^## (\w+)$", text, re.MULTILINE) == [tool["name"] for tool in list_tools()]


@pytest.mark.parametrize("tool", list_tools(), ids=lambda tool: tool["name"])
def test_the_reference_lists_every_parameter_with_its_type(tool: dict[str, Any]) -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \| (yes)? ?\|", section(tool["name"]), re.MULTILINE)

    def kind(schema: dict[str, object]) -> str:
        value = schema.get("type", "string")
        return " or ".join(value) if isinstance(value, list) else str(value)

    expected = [
        (name, kind(schema), "yes" if name in tool["inputSchema"].get("required", ()) else "")
        for name, schema in tool["inputSchema"]["properties"].items()
    ]
    assert rows == expected


@pytest.mark.slow
def test_every_line_of_the_session_by_hand_answers_as_shown(tmp_path: Path) -> None:
    project = tmp_path / "harbour"
    project.mkdir()
    [session] = re.findall(r"```console\n(.*?)```", document("memory.md"), re.DOTALL)
    steps = re.split(r"^\$ agent-progress ", session, flags=re.MULTILINE)[1:]
    assert len(steps) == 9

    for step in steps:
        line, shown = step.split("\n", 1)
        assert agent_progress(shlex.split(line), project, AGENT_PROGRESS_DB=str(tmp_path / "m.db")) == shown
