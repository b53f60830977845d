"""The documents about memory, held against the code."""

from __future__ import annotations

import importlib
import os
import re
import shlex
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.mcp.tools import list_tools
from progress_plugin.usecases.server_instructions import instructions

REPOSITORY = Path(__file__).resolve().parents[2]
DOCS = REPOSITORY / "docs"


def document(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def section(tool: str) -> str:
    return document("tool-reference.md").split(f"\n## {tool}\n")[1].split("\n## ")[0]


def agent_progress(arguments: list[str], project: Path, **variables: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "progress_plugin.cli.main", "-C", str(project), *arguments],
        cwd=REPOSITORY, capture_output=True, text=True, check=False, encoding="utf-8", env={**os.environ, **variables},
    )  # fmt: skip
    return done.stdout + done.stderr


def test_the_reference_lists_every_tool_and_their_number() -> None:
    text = document("tool-reference.md")

    assert re.findall(r"^## (\w+)$", text, re.MULTILINE) == [tool["name"] for tool in list_tools()]
    assert f"lists {len(list_tools())} tools" in text


@pytest.mark.parametrize("tool", list_tools(), ids=lambda tool: tool["name"])
def test_the_reference_lists_every_parameter_with_its_type(tool: dict[str, Any]) -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \| (yes)? ?\|", section(tool["name"]), re.MULTILINE)

    def kind(schema: dict[str, object]) -> str:
        value = schema.get("type", "string")
        return " or ".join(value) if isinstance(value, list) else str(value)

    expected = [
        (name, kind(schema), "yes" if name in tool["inputSchema"]["required"] else "")
        for name, schema in tool["inputSchema"]["properties"].items()
    ]
    assert rows == expected


def test_every_line_of_the_session_by_hand_answers_as_shown(tmp_path: Path) -> None:
    project = tmp_path / "harbour"
    project.mkdir()
    [session] = re.findall(r"```console\n(.*?)```", document("memory.md"), re.DOTALL)
    steps = re.split(r"^\$ agent-progress ", session, flags=re.MULTILINE)[1:]
    assert len(steps) == 9

    for step in steps:
        line, shown = step.split("\n", 1)
        assert agent_progress(shlex.split(line), project, AGENT_PROGRESS_DB=str(tmp_path / "m.db")) == shown


def test_every_place_that_the_foundations_name_exists() -> None:
    places = re.findall(r"`(progress_plugin[\w.]+)`", document("research-foundations.md"))
    assert len(places) > 10

    for place in places:
        module, name = place.rsplit(".", 1)
        assert hasattr(importlib.import_module(module), name), place


def test_the_foundations_map_both_tools_to_their_articles() -> None:
    text = document("research-foundations.md")

    assert '## mem_progress: "Effective Harnesses for Long-Running Agents"' in text
    assert '## mem_compact: "Effective Context Engineering for AI Agents"' in text
    size = sum(len(str(tool["inputSchema"])) for tool in list_tools()) + len(instructions("name", None))
    assert 500 < size / 4 < 700, "about 600 tokens"


def skill() -> str:
    return (REPOSITORY / "skills" / "compacting-memory" / "SKILL.md").read_text(encoding="utf-8")


def test_every_command_of_the_skill_does_what_it_says(tmp_path: Path) -> None:
    project = tmp_path / "harbour"
    project.mkdir()
    variables = {"AGENT_PROGRESS_DB": str(tmp_path / "m.db")}
    for title in ("Cache one", "Cache two"):
        saving_ = ["memory", "save", "--title", title, "--type", "decision", "--content", f"{title}: text"]
        agent_progress(saving_, project, **variables)
    with sqlite3.connect(tmp_path / "m.db") as connection:
        connection.execute(
            "UPDATE observations SET created_at = '2020-01-01', updated_at = '2020-01-01', last_seen_at = NULL"
        )
    connection.close()
    commands = [shlex.split(line)[1:] for line in re.findall(r"^agent-progress .*$", skill(), re.MULTILINE)]
    listed, taken, restored = [agent_progress(command, project, **variables) for command in commands]

    assert listed.startswith(
        "2 of 2 observations not touched for 90 days (2 over a year)\n- 1 | decision | Cache one"
    )
    assert taken == "Compacted 2 observations, left summary 3: 2 -> 1 row.\n"
    assert restored == "Restored 2 observations of compaction 1.\n"
