"""Which client started us."""

from __future__ import annotations

import pytest

from progress_plugin.core.clients import current_client


@pytest.mark.parametrize(
    ("variables", "name"),
    [
        ("CLAUDECODE CLAUDE_PLUGIN_ROOT", "claude"),
        ("CLAUDE_PLUGIN_ROOT COPILOT_CLI", "copilot"),
        ("CURSOR_VERSION CLAUDECODE", "cursor"),
        ("GEMINI_CLI", "gemini"),
        ("CLAUDE_PLUGIN_ROOT PLUGIN_ROOT", "codex"),
        ("COPILOT_PLUGIN_ROOT PLUGIN_ROOT CLAUDECODE", "copilot"),
        ("GEMINI_PROJECT_DIR CLAUDE_PROJECT_DIR CLAUDECODE", "gemini"),
        ("", "another"),
    ],
)
def test_variables_identify_the_client(variables: str, name: str) -> None:
    assert current_client(None, set(variables.split())).name == name
    assert current_client("gemini", set(variables.split())).name == "gemini"
