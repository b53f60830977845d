"""Until the environment exists: the last summary, kept events, a server without tools, and one line that says why."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.packaging.conftest import Machine

NO_INDEX = {
    "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
    "PIP_RETRIES": "0",
    "PIP_FIND_LINKS": "",
    "PIP_TIMEOUT": "1",
}
INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}}
LIST = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}


@pytest.fixture
def without(machine: Machine) -> Machine:
    """Return a machine on which nothing may be installed."""
    machine.variables["AGENT_PROGRESS_NO_INSTALL"] = "1"
    return machine


def test_a_command_names_setup(without: Machine) -> None:
    done = without.run("status")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.endswith("packages; run: agent-progress setup\n")


def test_a_start_shows_the_last_written_summary(without: Machine) -> None:
    summary = "# Progress Summary: Quarry\n\npassword = hunter2hunter2\n"
    (without.project / ".agent-os/progress/progress-summary.md").write_text(summary)
    answer = without.hook("SessionStart")
    context = answer["hookSpecificOutput"]["additionalContext"]
    assert "# Progress Summary: Quarry" in context
    assert "hunter2" not in context
    assert "agent-progress setup" in answer["systemMessage"]


def test_a_start_in_a_linked_worktree_shows_the_summary_of_that(without: Machine) -> None:
    git = ["git", "-C", str(without.project), "-c", "user.name=a", "-c", "user.email=a@b.example"]
    tree = without.project.with_name("tree")
    for words in (
        ["init", "-q"],
        ["commit", "-q", "--allow-empty", "-m", "x"],
        ["worktree", "add", "-q", str(tree)],
    ):
        subprocess.run([*git, *words], check=True)
    (tree / ".agent-os/progress").mkdir(parents=True)
    for root in (without.project, tree):
        (root / ".agent-os/progress/progress-summary.md").write_text(f"# Summary of {root.name}\n")
    context = without.hook("SessionStart", {"cwd": str(tree)})["hookSpecificOutput"]["additionalContext"]
    assert "# Summary of tree" in context


def test_without_a_summary_it_shows_the_last_five_entries(without: Machine) -> None:
    entries = [{"id": f"entry-{number}", "data": {"description": f"stone {number}"}} for number in range(8)]
    (without.project / ".agent-os/progress/progress.json").write_text(json.dumps({"entries": entries}))
    context = without.hook("SessionStart")["hookSpecificOutput"]["additionalContext"]
    assert [number for number in range(8) if f"stone {number}" in context] == [3, 4, 5, 6, 7]


def test_the_server_has_no_tools_and_says_why(without: Machine) -> None:
    done = without.run("mcp", stdin=f"{json.dumps(INITIALIZE)}\n{json.dumps(LIST)}\n")
    first, second = (json.loads(line)["result"] for line in done.stdout.splitlines())
    assert "AGENT_PROGRESS_NO_INSTALL" in first["instructions"]
    assert second["tools"] == []


def test_a_finished_task_is_recorded_once_the_environment_exists(without: Machine) -> None:
    task = {"task_id": "1", "task_subject": "US-001: Raise the zinc roof"}
    assert without.hook("TaskCompleted", task) == {}
    without.link_environment()
    without.run("log", "milestone_reached", "-m", "The roof is on")
    log = json.loads((without.project / ".agent-os/progress/progress.json").read_text())
    assert "zinc roof" in json.dumps(log["entries"])


@pytest.mark.slow
def test_a_failed_build_is_reported_with_its_reason_and_not_tried_again_at_once(machine: Machine) -> None:
    machine.variables |= NO_INDEX
    answer = machine.hook("SessionStart")
    assert "could not be installed" in answer["systemMessage"]
    failed = Path(f"{machine.environment}.failed")
    before = failed.stat().st_mtime_ns
    again = machine.run("status")
    assert again.returncode == 3
    assert "tried again after" in again.stderr
    assert failed.stat().st_mtime_ns == before
    assert [path.name for path in machine.environment.parent.iterdir() if path.is_dir()] == []
