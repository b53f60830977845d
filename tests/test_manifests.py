"""The manifests of all clients tell one story, in words the oldest supported client knows."""

from __future__ import annotations

import hashlib
import json
import os
import re
import tomllib
from pathlib import Path
from typing import Any

from progress_plugin.core import environment
from progress_plugin.core.version import VERSION

ROOT = Path(__file__).resolve().parent.parent
MANIFESTS = ("plugin.json", ".claude-plugin/plugin.json", ".claude-plugin/marketplace.json", ".mcp.json")

EVENTS_OF_2_1_197 = set(
    """
    PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit UserPromptExpansion
    SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact PermissionRequest
    PermissionDenied Setup TeammateIdle TaskCreated TaskCompleted Elicitation ElicitationResult ConfigChange
    WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged FileChanged MessageDisplay
    """.split()  # noqa: SIM905 - a table to compare with the facts
)


def read(name: str) -> dict[str, Any]:
    content = json.loads((ROOT / name).read_text("utf-8"))
    assert isinstance(content, dict)
    return content


def hooks() -> dict[str, list[dict[str, Any]]]:
    groups: dict[str, list[dict[str, Any]]] = read("hooks/hooks.json")["hooks"]
    return groups


def test_name_version_and_description_are_the_same_in_every_manifest() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    listed = read(".claude-plugin/marketplace.json")["plugins"][0]
    stated = [
        {key: read(name)[key] for key in ("name", "version", "description")}
        for name in ("plugin.json", ".claude-plugin/plugin.json")
    ]
    assert stated[0] == stated[1]
    assert stated[0]["version"] == project["version"] == VERSION
    assert stated[0]["description"] == project["description"] == listed["description"]
    assert stated[0]["name"] == listed["name"] == "progress"


def test_every_manifest_is_a_regular_file_because_a_link_becomes_text_in_a_zip() -> None:
    for name in (*MANIFESTS, "hooks/hooks.json", "bin/agent-progress"):
        assert (ROOT / name).is_file()
        assert not (ROOT / name).is_symlink()
    assert os.access(ROOT / "bin" / "agent-progress", os.X_OK)


def test_no_manifest_names_a_schema_because_that_switches_hooks_off_in_two_clients() -> None:
    for name in (*MANIFESTS, "hooks/hooks.json"):
        assert "$schema" not in read(name)


def test_the_manifest_of_claude_code_does_not_name_the_default_hooks_file() -> None:
    assert "hooks" not in read(".claude-plugin/plugin.json")


def test_paths_in_the_top_level_manifest_start_with_a_dot_and_exist() -> None:
    manifest = read("plugin.json")
    paths = [manifest[key] for key in ("hooks", "skills", "commands", "mcpServers")]
    assert all(path.startswith("./") and (ROOT / path).exists() for path in paths)


def test_hooks_use_only_events_that_the_oldest_client_knows() -> None:
    assert set(hooks()) <= EVENTS_OF_2_1_197


def test_every_hook_calls_the_launcher_with_its_own_event_in_shell_form() -> None:
    for event, groups in hooks().items():
        for group in groups:
            assert [sorted(set(hook) - {"timeout", "if"}) for hook in group["hooks"]] == [["command", "type"]]
            wanted = f'sh "${{CLAUDE_PLUGIN_ROOT}}${{extensionPath}}/bin/agent-progress" hook {event}'
            assert group["hooks"][0]["command"] == wanted


def test_the_session_start_hook_has_no_matcher_and_no_timeout() -> None:
    (group,) = hooks()["SessionStart"]
    assert "matcher" not in group
    assert "timeout" not in group["hooks"][0]


def test_no_tool_has_two_handlers_for_one_event() -> None:
    for event, groups in hooks().items():
        tools = [tool for group in groups for tool in group.get("matcher", "*").split("|")]
        assert len(tools) == len(set(tools)), event
        assert tools == ["*"] or "*" not in tools


def test_no_hook_runs_where_its_failure_would_forbid_a_tool() -> None:
    assert not {"PreToolUse", "PermissionRequest"} & set(hooks())


def test_the_server_is_started_by_the_launcher_and_its_tools_are_in_the_first_request() -> None:
    assert read(".mcp.json") == {
        "mcpServers": {
            "progress": {
                "command": "sh",
                "args": ["${CLAUDE_PLUGIN_ROOT}/bin/agent-progress", "mcp"],
                "alwaysLoad": True,
            }
        }
    }


def test_the_first_line_of_the_lock_file_states_the_hash_of_the_rest() -> None:
    lines = (ROOT / "requirements.lock").read_bytes().replace(b"\r\n", b"\n")
    stated, rest = lines.split(b"\n", 1)
    assert re.fullmatch(rb"# environment: [0-9a-f]{16} \(.*\)", stated)
    assert hashlib.sha256(rest).hexdigest()[:16] == environment.locked_hash()


def test_every_locked_package_is_pinned_to_one_version_with_hashes() -> None:
    text = re.sub(r"\\\n\s*", "", (ROOT / "requirements.lock").read_text("utf-8"))
    packages = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    assert packages
    assert all(re.match(r"[a-z0-9._-]+==\S+ .*--hash=sha256:[0-9a-f]{64}", line) for line in packages)
