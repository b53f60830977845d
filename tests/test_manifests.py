"""The manifests of all clients say the same, and name files and events that exist."""

from __future__ import annotations

import hashlib
import json
import os
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from progress_plugin import VERSION
from progress_plugin.core import environment
from progress_plugin.core.clients import CLIENTS, SERVER_VARIABLE
from progress_plugin.hooks.entry import RECORDED_EVENTS
from tests.documents.manifests import MARKETPLACE, PUBLISHER, REGISTERED, VERSIONED

ROOT = Path(__file__).resolve().parent.parent
PLUGINS = tuple(name for name in VERSIONED if name != "server.json")
MANIFESTS = (*PLUGINS, MARKETPLACE, ".mcp.json", "hooks/hooks.json", "hooks/cursor.json")
EVENTS_OF_CURSOR = {
    "sessionStart": "SessionStart",
    "afterFileEdit": "PostToolUse",
    "postToolUse": "PostToolUse",
    "afterShellExecution": "PostToolUse",
    "subagentStop": "SubagentStop",
    "stop": "Stop",
    "preCompact": "PreCompact",
    "sessionEnd": "SessionEnd",
}


def text(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def read(name: str) -> dict[str, Any]:
    content = json.loads(text(name))
    assert isinstance(content, dict)
    return content


def test_name_version_description_and_publisher_are_the_same_in_every_manifest() -> None:
    project = tomllib.loads(text("pyproject.toml"))["project"]
    listed = read(MARKETPLACE)["plugins"][0]
    for name in PLUGINS:
        manifest = read(name)
        assert (manifest["name"], manifest["version"]) == (listed["name"], VERSION) == ("progress", VERSION)
        assert manifest["description"] == project["description"] == listed["description"]
        assert manifest.get("author", {"name": PUBLISHER})["name"] == PUBLISHER
    assert read(MARKETPLACE)["owner"]["name"] == PUBLISHER


def test_the_entry_for_the_registry_of_servers_names_the_package() -> None:
    entry = read("server.json")
    (package,) = entry["packages"]
    assert (entry["name"], entry["version"], package["version"]) == (REGISTERED, VERSION, VERSION)
    assert (package["registryType"], package["identifier"]) == ("pypi", "agent-progress")
    assert all(1 <= len(entry[key]) <= 100 for key in ("title", "description"))
    assert f"<!-- mcp-name: {REGISTERED} -->" in text("README.md"), "the registry looks for it at PyPI"


@pytest.mark.parametrize("name", [*MANIFESTS, "bin/agent-progress", "bin/agent-progress.cmd"])
def test_every_manifest_is_a_regular_file_because_a_link_becomes_text_in_a_zip(name: str) -> None:
    assert (ROOT / name).is_file()
    assert not (ROOT / name).is_symlink()
    assert os.access(ROOT / "bin" / "agent-progress", os.X_OK)


@pytest.mark.parametrize("name", MANIFESTS)
def test_no_manifest_names_a_schema_because_that_switches_hooks_off_in_two_clients(name: str) -> None:
    assert "$schema" not in read(name)


def test_paths_in_the_top_level_manifest_start_with_a_dot_and_exist() -> None:
    manifest = read("plugin.json")
    paths = [manifest[key] for key in ("hooks", "skills", "commands", "mcpServers")]
    assert all(path.startswith("./") and (ROOT / path).exists() for path in paths)
    assert "hooks" not in read(".claude-plugin/plugin.json"), "Claude Code finds hooks/hooks.json by itself"


def test_every_hook_calls_the_launcher_with_its_own_event_in_shell_form() -> None:
    hooks = read("hooks/hooks.json")["hooks"]
    assert set(hooks) <= {"SessionStart", *RECORDED_EVENTS}
    for event, groups in hooks.items():
        tools = [tool for group in groups for tool in group.get("matcher", "*").split("|")]
        assert len(tools) == len(set(tools)), event
        for group in groups:
            (hook,) = group["hooks"]
            wanted = f'sh "${{CLAUDE_PLUGIN_ROOT}}${{extensionPath}}/bin/agent-progress" hook {event}'
            assert (hook["type"], hook["command"]) == ("command", wanted)
    (start,) = hooks["SessionStart"]
    assert "matcher" not in start
    assert "timeout" not in start["hooks"][0], "the first start waits for the packages"


def test_every_client_starts_the_server_by_the_launcher() -> None:
    servers = {name: read(name)["mcpServers"]["progress"] for name in (".mcp.json", "gemini-extension.json")}
    assert servers == {
        ".mcp.json": {
            "command": "sh",
            "args": ["${CLAUDE_PLUGIN_ROOT}/bin/agent-progress", "mcp"],
            "alwaysLoad": True,
        },
        "gemini-extension.json": {"command": "sh", "args": ["${extensionPath}/bin/agent-progress", "mcp"]},
    }
    codex = read(".codex-plugin/plugin.json")["mcpServers"]["progress"]
    assert codex["args"] == ["-S", f"{SERVER_VARIABLE}=${{PWD}} sh ./bin/agent-progress mcp"]
    assert {"PWD", "AGENT_PROGRESS_DB", "AGENT_PROGRESS_NO_INSTALL"} <= set(codex["env_vars"])
    cursor = read(".cursor-plugin/plugin.json")["mcpServers"]["progress"]
    assert cursor["env"] == {SERVER_VARIABLE: "${workspaceFolder}"}


def test_the_commands_of_gemini_are_those_of_claude_code() -> None:
    names = sorted(path.stem for path in (ROOT / "commands").glob("*.md"))
    assert names == sorted(path.stem for path in (ROOT / "commands/progress").glob("*.toml"))
    for name in names:
        command = tomllib.loads(text(f"commands/progress/{name}.toml"))
        assert f"description: {command['description']}\n" in text(f"commands/{name}.md")
        place = '"$HOME/.gemini/extensions/progress/bin/agent-progress"'
        assert f"sh {place} {name}" in command["prompt"]


def test_cursors_hooks_call_the_launcher_with_our_events_and_its_name() -> None:
    assert read(".cursor-plugin/plugin.json")["hooks"] == "./hooks/cursor.json"
    content = read("hooks/cursor.json")
    assert content["version"] == 1
    assert set(content["hooks"]) == set(EVENTS_OF_CURSOR)
    for event, name in EVENTS_OF_CURSOR.items():
        (hook,) = content["hooks"][event]
        assert hook["command"] == f'sh "${{CURSOR_PLUGIN_ROOT}}/bin/agent-progress" hook {name} cursor'


def test_opencodes_file_exports_the_plugin_and_nothing_else() -> None:
    plugin = text(read("package.json")["main"])
    assert re.findall(r"^export .*?(\w+) =", plugin, re.MULTILINE) == ["AgentProgress"]
    assert plugin.count("export") == 1
    assert set(re.findall(r'"hook", event, "(\w+)"', plugin)) == {"opencode"} <= set(CLIENTS)


def test_the_first_line_of_the_lock_file_is_the_hash_of_the_rest() -> None:
    first, rest = (ROOT / "requirements.lock").read_bytes().replace(b"\r\n", b"\n").split(b"\n", 1)
    assert first.decode() == f"# environment: {hashlib.sha256(rest).hexdigest()[:16]}"
    assert environment.lock_hash() in first.decode()


def test_every_package_is_pinned_with_hashes_and_to_one_version_in_all_lock_files() -> None:
    pinned: dict[str, str] = {}
    for name in ("requirements-dev.lock", "requirements-team.lock", "requirements.lock"):
        for line in re.sub(r"\\\n\s*", "", text(name)).splitlines():
            if line and not line.lstrip().startswith("#"):
                found = re.match(r"([a-z0-9._-]+)==(\S+) .*--hash=sha256:[0-9a-f]{64}", line)
                assert found, line
                if name != "requirements-dev.lock":
                    assert pinned.get(found[1], found[2]) == found[2], name
                pinned[found[1]] = found[2]
