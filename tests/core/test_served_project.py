"""Which project an MCP server serves, in clients that start it in the plugin's own directory."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from progress_plugin.core.environment import PLUGIN_ROOT
from progress_plugin.core.session_state import SessionState, save_session
from progress_plugin.usecases.served_project import served_directory


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the project directory of the session `0f9e-11`."""
    for name in ("COPILOT_AGENT_SESSION_ID", "CODEX_SESSION_ID"):
        monkeypatch.delenv(name, raising=False)
    place = tmp_path / "Röst rig's"
    place.mkdir()
    save_session("0f9e-11", SessionState({"project": str(place)}))
    return str(place)


def test_the_session_of_a_call_takes_precedence_over_the_servers_variables(
    project: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENT_PROGRESS_PROJECT_DIR", str(tmp_path))
    assert served_directory("0f9e-11") == project
    assert served_directory("unknown") == served_directory("../escape") == str(tmp_path)
    os.rmdir(project)
    assert served_directory("0f9e-11") == str(tmp_path)


def test_a_session_id_in_the_environment_identifies_the_project(
    project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COPILOT_AGENT_SESSION_ID", "0f9e-11")
    monkeypatch.chdir(PLUGIN_ROOT)
    assert served_directory() == project
