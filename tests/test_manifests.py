"""The manifests of all clients agree, and name files and events that exist."""

from __future__ import annotations

import hashlib
import json
import os
import re
import tomllib
from pathlib import Path
from typing import Any

from progress_plugin import VERSION
from progress_plugin.core import environment
from progress_plugin.core.clients import SERVER_VARIABLE
from progress_plugin.hooks.events import RECORDED_EVENTS
from tests.documents.manifests import MARKETPLACE, PUBLISHER, REGISTERED, VERSIONED

ROOT = Path(__file__).resolve().parent.parent
PLUGINS = tuple(name for name in VERSIONED if name != "server.json")
MANIFESTS = (*PLUGINS, MARKETPLACE, ".mcp.json", "hooks/hooks.json", "hooks/cursor.json")


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


def test_every_manifest_is_a_regular_file_without_a_schema() -> None:
    for name in (*MANIFESTS, "bin/agent-progress", "bin/agent-progress.cmd"):
        assert (ROOT / name).is_file()
        assert not (ROOT / name).is_symlink(), "a link becomes text in a zip"
    for name in MANIFESTS:
        assert "$schema" not in read(name), "a schema switches hooks off in two clients"
    assert os.access(ROOT / "bin" / "agent-progress", os.X_OK)


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


def test_codex_and_cursor_pass_the_project_to_the_server() -> None:
    codex = read(".codex-plugin/plugin.json")["mcpServers"]["progress"]
    assert codex["args"] == ["-S", f"{SERVER_VARIABLE}=${{PWD}} sh ./bin/agent-progress mcp"]
    cursor = read(".cursor-plugin/plugin.json")["mcpServers"]["progress"]
    assert cursor["env"] == {SERVER_VARIABLE: "${workspaceFolder}"}


def test_the_hooks_of_cursor_call_the_launcher_with_the_name_of_the_client() -> None:
    assert read(".cursor-plugin/plugin.json")["hooks"] == "./hooks/cursor.json"
    content = read("hooks/cursor.json")
    assert content["version"] == 1
    events = {}
    for event, (hook,) in content["hooks"].items():
        call = re.fullmatch(
            r'sh "\$\{CURSOR_PLUGIN_ROOT\}/bin/agent-progress" hook (\w+) cursor', hook["command"]
        )
        assert call
        events[event] = call[1]
    assert events["sessionStart"] == "SessionStart"
    assert events["afterFileEdit"] == events["afterShellExecution"] == "PostToolUse"
    assert set(events.values()) <= {"SessionStart", *RECORDED_EVENTS}


def test_the_first_line_of_the_lock_file_is_the_hash_of_the_rest() -> None:
    first, rest = (ROOT / "requirements.lock").read_bytes().replace(b"\r\n", b"\n").split(b"\n", 1)
    assert first.decode() == f"# environment: {hashlib.sha256(rest).hexdigest()[:16]}"
    assert os.path.basename(environment.directory()) in first.decode()


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
