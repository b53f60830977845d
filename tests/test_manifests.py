"""The manifests of all clients tell one story, in words the oldest supported client knows."""

from __future__ import annotations

import hashlib
import json
import os
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core import environment
from progress_plugin.core.clients import CLIENTS, SERVER_VARIABLE
from progress_plugin.core.version import VERSION
from tests.documents.manifests import MARKETPLACE, PUBLISHER, REGISTERED, VERSIONED

ROOT = Path(__file__).resolve().parent.parent
PLUGINS = tuple(name for name in VERSIONED if name != "server.json")
MANIFESTS = (
    *PLUGINS,
    ".claude-plugin/marketplace.json",
    ".mcp.json",
    "hooks/hooks.json",
    "hooks/cursor.json",
)

FIELDS_OF_CURSOR = set(
    """
    name displayName description version author publisher homepage repository license logo keywords category tags
    commands agents skills rules hooks variables mcpServers
    """.split()  # noqa: SIM905 - a table to compare with the documented schema, which allows no other
)
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
    stated = [{key: read(name)[key] for key in ("name", "version", "description")} for name in PLUGINS]
    assert all(one == stated[0] for one in stated)
    assert stated[0]["version"] == read("server.json")["version"] == VERSION
    assert (
        stated[0]["description"]
        == project["description"]
        == listed["description"]
        == read("server.json")["description"]
    )
    assert stated[0]["name"] == listed["name"] == "progress"


def test_every_manifest_names_the_publisher_of_pyproject() -> None:
    named = [read(name)["author"]["name"] for name in PLUGINS if "author" in read(name)]
    assert len(named) >= 3
    assert {*named, read(MARKETPLACE)["owner"]["name"]} == {PUBLISHER}
    assert read("server.json")["name"] == REGISTERED
    assert f"<!-- mcp-name: {REGISTERED} -->" in (ROOT / "README.md").read_text("utf-8")


def test_every_manifest_is_a_regular_file_because_a_link_becomes_text_in_a_zip() -> None:
    for name in (*MANIFESTS, "bin/agent-progress", "bin/agent-progress.cmd"):
        assert (ROOT / name).is_file()
        assert not (ROOT / name).is_symlink()
    assert os.access(ROOT / "bin" / "agent-progress", os.X_OK)


def test_no_manifest_names_a_schema_because_that_switches_hooks_off_in_two_clients() -> None:
    for name in MANIFESTS:
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


def test_codex_is_told_the_project_and_the_server_what_switches_things_off() -> None:
    manifest = read(".codex-plugin/plugin.json")
    server = manifest["mcpServers"]["progress"]
    assert server["cwd"] == "."
    assert server["args"] == ["-S", f"{SERVER_VARIABLE}=${{PWD}} sh ./bin/agent-progress mcp"]
    switches = {"AGENT_PROGRESS_DB", "AGENT_PROGRESS_DISABLED", "AGENT_PROGRESS_NO_INSTALL"}
    homes = {"XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"}
    assert set(server["env_vars"]) == {"PWD"} | switches | homes
    assert "hooks" not in manifest, "it finds hooks/hooks.json by itself"


def test_gemini_starts_the_server_from_its_copy_and_finds_no_file_it_would_inject() -> None:
    assert read("gemini-extension.json")["mcpServers"] == {
        "progress": {"command": "sh", "args": ["${extensionPath}/bin/agent-progress", "mcp"]}
    }
    assert not (ROOT / "GEMINI.md").exists()


def test_the_command_of_gemini_runs_the_launcher_where_gemini_puts_the_plugin() -> None:
    command = tomllib.loads((ROOT / "commands" / "progress" / "status.toml").read_text("utf-8"))
    assert set(command) == {"description", "prompt"}
    place = '"$HOME/.gemini/extensions/progress/bin/agent-progress"'
    assert f"!{{sh {place} status {{{{args}}}} 2>&1 || true}}" in command["prompt"]


def test_the_commands_of_gemini_are_those_of_claude_code() -> None:
    folder = ROOT / "commands"
    names = sorted(path.stem for path in folder.glob("*.md"))
    assert names == sorted(path.stem for path in (folder / "progress").glob("*.toml")) == ["recall", "status"]
    for name in names:
        told = (folder / f"{name}.md").read_text("utf-8")
        command = tomllib.loads((folder / "progress" / f"{name}.toml").read_text("utf-8"))
        assert f"description: {command['description']}\n" in told
        assert f'agent-progress" {name}' in command["prompt"]


def test_cursors_manifest_has_only_fields_that_its_closed_schema_names() -> None:
    manifest = read(".cursor-plugin/plugin.json")
    assert set(manifest) <= FIELDS_OF_CURSOR
    assert manifest["hooks"] == "./hooks/cursor.json"
    assert (ROOT / manifest["skills"]).is_dir()
    server = manifest["mcpServers"]["progress"]
    assert server["env"] == {SERVER_VARIABLE: "${workspaceFolder}"}


def test_cursors_hooks_call_the_launcher_with_our_events_and_its_name() -> None:
    content = read("hooks/cursor.json")
    assert content["version"] == 1
    assert set(content["hooks"]) == set(EVENTS_OF_CURSOR)
    for theirs, ours in EVENTS_OF_CURSOR.items():
        (hook,) = content["hooks"][theirs]
        wanted = f'sh "${{CURSOR_PLUGIN_ROOT}}/bin/agent-progress" hook {ours} cursor'
        assert hook["command"] == wanted
        assert set(hook) <= {"command", "timeout", "matcher"}


def test_every_client_that_a_hooks_file_names_is_in_the_table() -> None:
    named = {hook["command"].split()[-1] for (hook,) in read("hooks/cursor.json")["hooks"].values()}
    plugin = (ROOT / "opencode" / "plugin.js").read_text("utf-8")
    named |= set(re.findall(r'"hook", event, "(\w+)"', plugin))
    assert named == {"cursor", "opencode"}
    assert named <= set(CLIENTS)


def test_opencodes_file_exports_the_plugin_and_nothing_else() -> None:
    main = read("package.json")["main"]
    text = (ROOT / main).read_text("utf-8")
    assert re.findall(r"^export .*?(\w+) =", text, re.MULTILINE) == ["AgentProgress"]
    assert text.count("export") == 1


def test_the_first_line_of_the_lock_file_is_the_hash_of_the_rest() -> None:
    first, rest = (ROOT / "requirements.lock").read_bytes().replace(b"\r\n", b"\n").split(b"\n", 1)
    assert first.decode() == f"# environment: {hashlib.sha256(rest).hexdigest()[:16]}"
    assert environment.lock_hash() in first.decode()


def test_no_two_lock_files_pin_one_package_to_two_versions() -> None:
    pinned: dict[str, set[str]] = {}
    for name in ("requirements.lock", "requirements-team.lock", "requirements-dev.lock"):
        for package, version in re.findall(
            r"^([a-z0-9._-]+)==(\S+)", (ROOT / name).read_text("utf-8"), re.MULTILINE
        ):
            pinned.setdefault(package, set()).add(version)
    ours = {
        package
        for name in ("requirements.lock", "requirements-team.lock")
        for package in re.findall(r"^([a-z0-9._-]+)==", (ROOT / name).read_text("utf-8"), re.MULTILINE)
    }
    assert {"psycopg", "typing-extensions"} <= ours
    assert {package: pinned[package] for package in ours if len(pinned[package]) > 1} == {}


def test_the_entry_for_the_registry_of_servers_keeps_to_its_schema() -> None:
    # The schema of 2025-12-11, as far as it is about a server that comes as a package of PyPI.
    entry = read("server.json")
    assert entry["$schema"] == "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", entry["name"])
    assert set(entry) == {"$schema", "name", "title", "description", "version", "packages"}
    assert all(1 <= len(entry[key]) <= 100 for key in ("title", "description"))
    (package,) = entry["packages"]
    assert (package["registryType"], package["identifier"]) == ("pypi", "agent-progress")
    assert package["registryBaseUrl"] == "https://pypi.org"
    assert package["version"] == entry["version"]
    assert package["transport"] == {"type": "stdio"}
    assert (package["runtimeHint"], package["packageArguments"]) == (
        "uvx",
        [{"type": "positional", "value": "mcp"}],
    )
    variables = package["environmentVariables"]
    assert [variable["name"] for variable in variables] == [SERVER_VARIABLE, "AGENT_PROGRESS_DB"]
    assert all(set(variable) == {"name", "description", "format", "isRequired"} for variable in variables)
    assert {variable["format"] for variable in variables} <= {"string", "number", "boolean", "filepath"}
    # The registry looks for this name in what PyPI shows of the package.
    assert f"<!-- mcp-name: {entry['name']} -->" in (ROOT / "README.md").read_text("utf-8")


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-team.lock"])
def test_every_locked_package_is_pinned_to_one_version_with_hashes(name: str) -> None:
    text = re.sub(r"\\\n\s*", "", (ROOT / name).read_text("utf-8"))
    packages = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    assert packages
    assert all(re.match(r"[a-z0-9._-]+==\S+ .*--hash=sha256:[0-9a-f]{64}", line) for line in packages)
