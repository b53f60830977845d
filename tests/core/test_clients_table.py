"""The exact JSON each client is sent, and which client we run under."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from progress_plugin.core import clients
from progress_plugin.core.clients import CLIENTS, current_client, session_start_output

NESTED = {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": 'a "quoted" ü'}}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("claude", {**NESTED, "systemMessage": "progress: 1/2"}),
        ("codex", NESTED),
        ("gemini", NESTED),
        ("copilot", {"additionalContext": 'a "quoted" ü'}),
        ("opencode", {"additionalContext": 'a "quoted" ü'}),
        ("cursor", {"additional_context": 'a "quoted" ü'}),
    ],
)
def test_each_client_gets_its_own_shape_and_no_other_key(name: str, expected: dict[str, object]) -> None:
    output = session_start_output(CLIENTS[name], 'a "quoted" ü', "progress: 1/2")
    assert json.loads(output) == expected


def test_nothing_to_say_is_no_output_at_all() -> None:
    assert session_start_output(CLIENTS["claude"], "", "") == b""
    assert session_start_output(CLIENTS["codex"], "", "progress: 1/2") == b""
    assert json.loads(session_start_output(CLIENTS["claude"], "", "x")) == {"systemMessage": "x"}


@pytest.mark.parametrize(
    ("variables", "name"),
    [
        ({"CLAUDECODE", "CLAUDE_PLUGIN_ROOT"}, "claude"),
        ({"CLAUDE_PLUGIN_ROOT", "COPILOT_CLI"}, "copilot"),
        ({"CURSOR_VERSION", "CLAUDECODE"}, "cursor"),
        ({"GEMINI_CLI"}, "gemini"),
        ({"CLAUDE_PLUGIN_ROOT", "PLUGIN_ROOT"}, "codex"),
        ({"PLUGIN_ROOT", "CLAUDECODE"}, "codex"),
        ({"COPILOT_PLUGIN_ROOT", "PLUGIN_ROOT", "CLAUDECODE"}, "copilot"),
        ({"CLAUDECODE", "CLAUDE_PLUGIN_ROOT", "COPILOT_CLI", "GEMINI_CLI"}, "claude"),
        ({"GEMINI_PROJECT_DIR", "CLAUDE_PROJECT_DIR", "CLAUDECODE"}, "gemini"),
        (set(), "another"),
    ],
)
def test_the_environment_tells_the_client(variables: set[str], name: str) -> None:
    assert current_client(None, variables).name == name


def test_an_argument_goes_before_the_environment() -> None:
    assert current_client("gemini", {"CLAUDECODE"}).name == "gemini"
    assert current_client("SomethingElse", {"CLAUDECODE"}).name == "claude"


def test_no_module_but_the_table_names_a_clients_variable() -> None:
    package = Path(clients.__file__).parents[1]
    named = re.compile(r"[\"'](?:(?:CLAUDE|CODEX|COPILOT|GEMINI|CURSOR|OPENCODE)_[A-Z_]+|CLAUDECODE)[\"']")
    paths = [path for path in sorted(package.rglob("*.py")) if named.search(path.read_text("utf-8"))]
    naming = [str(path.relative_to(package)) for path in paths]
    assert naming == ["core/clients.py"]
