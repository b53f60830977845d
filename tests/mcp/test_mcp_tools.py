"""What the tools do: arguments, structured content, texts and refusals."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core.session_state import SessionState, begin_session
from progress_plugin.mcp.calls import call
from progress_plugin.mcp.protocol import ToolError
from progress_plugin.mcp.tools import list_tools
from progress_plugin.usecases.server_instructions import describe_server, instructions
from tests.conftest import REPOSITORY

OLD = "2020-01-01 00:00:00"
LOCATION_VARIABLES = (
    "AGENT_PROGRESS_PROJECT_DIR", "CODEX_SESSION_ID", "COPILOT_AGENT_SESSION_ID", "CLAUDE_CODE_SESSION_ID",
)  # fmt: skip


class Tools:
    """The tools as a client calls them."""

    def __init__(self) -> None:
        self.meta: dict[str, Any] = {}

    def call(self, tool: str, /, **arguments: Any) -> tuple[dict[str, Any], str]:
        """Return structured content, as it is sent, and text of a call."""
        data, text = call(tool, arguments, self.meta)
        return json.loads(json.dumps(data)), text

    def refused(self, tool: str, /, **arguments: Any) -> str:
        """Return the message of a call that must be refused."""
        with pytest.raises(ToolError) as refusal:
            call(tool, arguments, self.meta)
        return str(refusal.value)


@pytest.fixture
def tools(variables: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Tools:
    """Return the tools in a process that serves the project."""
    for name in LOCATION_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(REPOSITORY)
    return Tools()


def age(database: Path, *ids: int) -> None:
    with sqlite3.connect(database) as connection:
        for number in ids:
            connection.execute(
                "UPDATE observations SET created_at = ?, updated_at = ?, last_seen_at = NULL WHERE id = ?",
                (OLD, OLD, number),
            )
    connection.close()


def logical_dump(database: Path) -> list[str]:
    connection = sqlite3.connect(database)
    try:
        return list(connection.iterdump())
    finally:
        connection.close()


def test_a_document_is_read_as_text_and_as_data(tools: Tools) -> None:
    tools.call("mem_progress", project="shop", content='{"goal": "sell"}')
    data, text = tools.call("mem_progress", project="shop")

    assert text.startswith('# Progress: shop\n\n{"goal": "sell"}\n')
    assert (data["content"], data["id"], data["revision"]) == ({"goal": "sell"}, 1, 1)


def test_content_omitted_null_or_blank_is_a_read(tools: Tools, database: Path) -> None:
    for nothing in ({}, {"content": None}, {"content": ""}, {"content": "  "}):
        _, text = tools.call("mem_progress", project="shop", **nothing)
        assert text == "No progress document found for project shop"
    assert not database.exists()


def test_the_answer_of_a_write_has_id_and_revision_and_counts_what_was_left_out(tools: Tools) -> None:
    data, text = tools.call("mem_progress", project="shop", content={"goal": "a <private>b</private>"})
    assert (data["id"], data["revision"], data["removed_parts"]) == (1, 1, 1)
    assert text == "Saved progress of shop: revision 1, id 1. 1 private or secret part left out."


def test_a_missing_project_and_invalid_json_are_errors_that_change_nothing(
    tools: Tools, database: Path
) -> None:
    tools.call("mem_progress", project="shop", content="{}")
    before = logical_dump(database)
    message = tools.refused("mem_progress", content="{}")
    assert message == "project: Field required; nothing was changed"
    assert "project is required" in tools.refused("mem_progress", project=" ", content="{}")
    assert "no valid JSON" in tools.refused("mem_progress", project="shop", content="{bad")
    assert "NaN" in tools.refused("mem_progress", project="shop", content='{"a": NaN}')
    assert logical_dump(database) == before


def test_a_document_can_be_written_for_another_root(
    tools: Tools, project: Path, database: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()

    data, _ = tools.call("mem_progress", project="other", content="{}", project_dir=str(other))
    assert data["shown_at_start"]
    assert "no such directory" in tools.refused(
        "mem_progress", project="o", content="{}", project_dir=str(project / "none")
    )

    assert f"mem_progress {other}" in "\n".join(logical_dump(database))


def test_compacting_goes_in_two_phases(tools: Tools, database: Path) -> None:
    for number in range(3):
        tools.call("mem_save", title=f"t{number}", content=f"finding {number}", type="decision")
    age(database, 1, 2)
    data, text = tools.call("mem_compact", older_than_days=30)
    assert [one["id"] for one in data["observations"]] == [1, 2]
    assert data["observations"][0]["snippet"] == "finding 0"
    assert "2 of 2 observations not touched for 30 days (2 over a year)" in text
    done, _ = tools.call(
        "mem_compact",
        older_than_days=30,
        compact_ids=[1, 2],
        summary_title="Old",
        summary_content="All",
    )
    assert (done["deleted"], done["before"], done["after"]) == (2, 3, 2)
    found, _ = tools.call("mem_search", query="All", type="compaction_summary")
    assert [one["id"] for one in found["observations"]] == [done["summary_id"]]


def test_saving_and_searching(tools: Tools) -> None:
    saved, text = tools.call("mem_save", title="Cache", content="Warm the cache", type="pattern")
    assert text == "Saved observation 1, revision 1."
    data, text = tools.call("mem_search", query='cache AND "')
    assert data["count"] == 0
    data, text = tools.call("mem_search", query="cache", project="*", limit=5)
    assert [one["id"] for one in data["observations"]] == [saved["id"]]
    assert text.endswith("\nWarm the cache")


def test_an_unknown_argument_is_named(tools: Tools) -> None:
    assert "day: Extra inputs" in tools.refused("mem_compact", older_than_days=3, day=1)
    assert "project_dir: " in tools.refused("mem_progress", project="shop", project_dir=1)


@pytest.mark.usefixtures("tools")
def test_the_instructions_name_the_project_exactly() -> None:
    text = describe_server().instructions
    assert text == instructions("shop", None)
    assert "'shop'" in text


def test_what_the_tools_add_to_a_first_request_stays_small() -> None:
    prefix = "mcp__plugin_progress_progress__"
    listed = [
        json.dumps([prefix + tool["name"], tool["description"], tool["inputSchema"]], separators=(",", ":"))
        for tool in list_tools()
    ]
    # Two public tokenizers count 600 and 620 tokens for 2,700 characters of this text.
    assert len("".join(listed)) + len(instructions("a-project-name", None)) <= 2700


def test_progress_log_appends_what_the_command_line_would(tools: Tools, project: Path) -> None:
    data, text = tools.call("progress_log", type="task_completed", description="Add a basket", task_id="US-001", spec="cart",
        learnings=["Baskets live in src/cart.py"], data={"duration_minutes": 0},
    )  # fmt: skip
    [entry] = data["entries"]
    assert text.splitlines()[0] == f"Logged task_completed: {entry['id']}"
    assert (entry["type"], entry["task_id"], entry["spec"]) == ("task_completed", "US-001", "cart")
    assert entry.keys() == {"id", "timestamp", "type", "task_id", "spec"}
    tools.call(
        "progress_log",
        type="milestone_reached",
        description="d",
        learnings='["One", "Two"]',
        data='{"notes": "n"}',
    )
    blocked, _ = tools.call("progress_log", type="task_blocked", description="No key", task_id="US-002")
    tools.call(
        "progress_log",
        type="debug_resolved",
        description="Found",
        resolves=blocked["entries"][0]["id"],
    )
    assert "type" in tools.refused("progress_log", type="nonsense", description="d")
    assert "description: " in tools.refused("progress_log", type="task_completed")

    log = json.loads((project / ".agent-os" / "progress" / "progress.json").read_text(encoding="utf-8"))
    assert [entry["type"] for entry in log["entries"]] == [
        "task_completed", "milestone_reached", "task_blocked", "debug_resolved",
    ]  # fmt: skip
    said = [entry["data"] for entry in log["entries"]]
    assert said[0]["learnings"] == ["Baskets live in src/cart.py"]
    assert (said[1]["learnings"], said[1]["notes"]) == (["One", "Two"], "n")


def test_progress_log_repeats_neither_what_it_was_told_nor_what_only_our_readers_need(
    tools: Tools, project: Path
) -> None:
    stories = [
        {"id": f"US-00{number}", "title": f"Story {number}", "passes": False} for number in range(1, 4)
    ]
    (project / "prd.json").write_text(json.dumps({"project": "Shop", "userStories": stories}), "utf-8")

    first, _ = tools.call("progress_log", type="task_completed", description="Add a basket", task_id="US-001")
    again, text = tools.call("progress_log", type="task_completed", description="It rolls", task_id="US-001")
    [entry] = again["entries"]
    assert entry["supplements"] == first["entries"][0]["id"]
    assert not {"near", "plan_id", "key", "It rolls"} & set(re.findall(r"[\w ]+", json.dumps(again) + text))


ENTRY = {"type": "task_completed", "description": "Hung the sign", "task_id": "S-1"}


def logged(root: Path) -> list[dict[str, Any]]:
    log = root / ".agent-os" / "progress" / "progress.json"
    entries = json.loads(log.read_text("utf-8"))["entries"] if log.exists() else []
    return [entry for entry in entries if entry["type"] == "task_completed"]


def test_the_session_that_a_call_names_decides_the_project_and_is_noted(
    tools: Tools, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CLAUDE_PROJECT_DIR")
    begin_session("01a2-7", SessionState({"directory": str(project)}))
    tools.meta = {"sessionId": "01a2-7"}
    tools.call("progress_log", **ENTRY)
    assert logged(project)[0]["data"]["session_id"] == "01a2-7"


@pytest.mark.parametrize("variable", ["COPILOT_AGENT_SESSION_ID", "AGENT_PROGRESS_PROJECT_DIR"])
def test_the_session_or_a_directory_in_the_environment_decides_the_project(
    tools: Tools, project: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.delenv("CLAUDE_PROJECT_DIR")
    begin_session("01a2-8", SessionState({"directory": str(project)}))
    monkeypatch.setenv(variable, "01a2-8" if variable.endswith("ID") else str(project))
    tools.call("progress_log", **ENTRY)
    assert logged(project)


@pytest.mark.parametrize("meta", [{}, {"sessionId": "unknown"}, {"sessionId": 7}])
def test_if_nothing_names_the_project_the_call_asks_for_it_and_writes_nothing(
    tools: Tools, project: Path, monkeypatch: pytest.MonkeyPatch, meta: dict[str, Any]
) -> None:
    monkeypatch.delenv("CLAUDE_PROJECT_DIR")
    monkeypatch.setenv("AGENT_PROGRESS_PROJECT_DIR", "")
    tools.meta = meta
    message = "this client does not tell which project it works in; name its root as project_dir"
    assert tools.refused("progress_log", **ENTRY) == message
    assert not logged(project)
