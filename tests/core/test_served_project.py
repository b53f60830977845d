"""Which project an MCP server serves, in clients that start it in the plugin's own directory."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from progress_plugin.core.environment import PLUGIN_ROOT
from progress_plugin.core.errors import NoProject
from progress_plugin.core.session_state import SessionState, begin_session
from progress_plugin.usecases.served_project import served_directory, session_directory


def keep(session: str, directory: str) -> None:
    begin_session(session, SessionState({"directory": directory}))


@pytest.fixture(autouse=True)
def told_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away what the agent that runs these tests may have told."""
    for name in ("COPILOT_AGENT_SESSION_ID", "CODEX_SESSION_ID"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def project(tmp_path: Path) -> str:
    """Return a directory with a name that is none of ASCII's."""
    place = tmp_path / "Röst rig's"
    place.mkdir()
    return str(place)


def test_what_a_session_start_kept_is_found_by_the_sessions_id(project: str) -> None:
    keep("0f9e-11", project)
    assert session_directory("0f9e-11") == project
    assert session_directory("0f9e-12") is None
    assert session_directory(None) is None


def test_a_session_started_again_elsewhere_belongs_there(project: str, tmp_path: Path) -> None:
    keep("0f9e-11", project)
    keep("0f9e-11", str(tmp_path))
    assert session_directory("0f9e-11") == str(tmp_path)


def test_a_project_that_is_gone_is_no_answer(project: str) -> None:
    keep("0f9e-11", project)
    os.rmdir(project)
    assert session_directory("0f9e-11") is None


@pytest.mark.parametrize("session", ["../escape", "a/b", "", "x" * 81, "."])
def test_an_id_that_is_no_file_name_is_kept_nowhere(session: str, project: str, home: Path) -> None:
    keep(session, project)
    assert session_directory(session) is None
    assert not list(home.rglob("*escape*"))


def test_without_a_home_nothing_is_kept_and_nothing_fails(
    project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HOME")
    keep("0f9e-11", project)
    assert session_directory("0f9e-11") is None


def test_the_session_of_a_call_goes_before_what_the_server_was_started_with(
    project: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENT_PROGRESS_PROJECT_DIR", str(tmp_path))
    assert served_directory() == str(tmp_path)
    keep("0f9e-11", project)
    assert served_directory("0f9e-11") == project
    assert served_directory("another") == str(tmp_path)


def test_the_session_of_the_server_tells_its_project(project: str, monkeypatch: pytest.MonkeyPatch) -> None:
    keep("0f9e-11", project)
    monkeypatch.setenv("COPILOT_AGENT_SESSION_ID", "0f9e-11")
    monkeypatch.chdir(PLUGIN_ROOT)
    assert served_directory() == project


def test_a_variable_that_holds_no_absolute_path_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_PROGRESS_PROJECT_DIR", "")
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", "relative")
    monkeypatch.chdir("/")
    assert served_directory() is None


def test_the_plugins_own_directory_is_never_taken_for_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PLUGIN_ROOT)
    assert served_directory() is None, "a client that starts servers in the project may work on the plugin"
    monkeypatch.setenv("COPILOT_AGENT_SESSION_ID", "unknown")
    with pytest.raises(NoProject, match="project_dir"):
        served_directory()
