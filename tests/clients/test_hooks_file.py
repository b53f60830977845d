"""Which processes our hooks file makes real clients start, counted by a launcher that does nothing else."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.clients.harness.client_run import ClientRun, run_client
from tests.clients.harness.clients import Json

ROOT = Path(__file__).resolve().parents[2]

pytestmark = [pytest.mark.client, pytest.mark.slow]

Drive = Callable[..., list[str]]


@pytest.fixture
def calls_of(any_claude: str, tmp_path: Path, home: Path, project: Path) -> Drive:
    """Return a function that drives one session and returns the launcher's calls, in order."""
    plugin = tmp_path / "plugin"
    shutil.copytree(ROOT / ".claude-plugin", plugin / ".claude-plugin")
    (plugin / "hooks").mkdir()
    shutil.copy(ROOT / "hooks" / "hooks.json", plugin / "hooks")
    (plugin / "bin").mkdir()
    calls = tmp_path / "calls"
    (plugin / "bin" / "agent-progress").write_text(f'#!/bin/sh\ncat >/dev/null\necho "$*" >>"{calls}"\n')

    def drive(*turns: Json, **more: object) -> list[str]:
        run: ClientRun = run_client(
            "claude",
            prompt="go on",
            plugin_dir=plugin,
            project_dir=project,
            script=list(turns),
            client_bin=any_claude,
            home=home,
            **more,  # type: ignore[arg-type]
        )
        assert run.exit_code == 0, run.stderr
        return calls.read_text().splitlines()

    return drive


def test_a_session_without_work_starts_one_process_at_its_start_its_stop_and_its_end(calls_of: Drive) -> None:
    assert calls_of({"text": "done"}) == ["hook SessionStart", "hook Stop", "hook SessionEnd"]


def test_a_shell_command_that_is_not_git_starts_no_process(calls_of: Drive) -> None:
    assert "hook PostToolUse" not in calls_of(
        {"shell": "echo prd.json"}, {"shell": "echo git commit"}, {"text": "done"}
    )


@pytest.mark.parametrize(
    "command",
    [
        "git commit -q --allow-empty -m x",
        "cd . && git -c user.name=A -c user.email=a@example.org commit -q --allow-empty -m x",
    ],
)
def test_a_git_command_starts_one_process_however_it_is_written(calls_of: Drive, command: str) -> None:
    variables = {
        f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    called = calls_of({"shell": command}, {"text": "done"}, env=variables)
    assert called.count("hook PostToolUse") == 1


def test_writing_and_editing_a_file_start_one_process_each(calls_of: Drive, project: Path) -> None:
    path = str(project / "new.txt")
    write = {"name": "Write", "input": {"file_path": path, "content": "old\n"}}
    edit = {"name": "Edit", "input": {"file_path": path, "old_string": "old", "new_string": "new"}}
    called = calls_of({"tool_use": [write]}, {"tool_use": [edit]}, {"text": "done"})
    assert called.count("hook PostToolUse") == 2


def test_reading_a_file_starts_one_process(calls_of: Drive, project: Path) -> None:
    read = {"name": "Read", "input": {"file_path": str(project / "prd.json")}}
    assert calls_of({"tool_use": [read]}, {"text": "done"}).count("hook PostToolUse") == 1


def test_a_finished_task_starts_one_process(calls_of: Drive) -> None:
    create = {"name": "TaskCreate", "input": {"subject": "Raise the roof", "description": "Zinc"}}
    update = {"name": "TaskUpdate", "input": {"taskId": r"{{LAST:Task #(\d+)}}", "status": "completed"}}
    called = calls_of(
        {"tool_use": [create]},
        {"tool_use": [update]},
        {"text": "done"},
        env={"CLAUDE_CODE_ENABLE_TODO_TOOLS": "1"},
    )
    assert called.count("hook TaskCompleted") == 1
