"""The same repository in the other agents: each real client against a scripted model (S9.4, S11)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.clients.harness.client_run import ClientRun, run_client
from tests.clients.harness.clients import Json
from tests.clients.harness.request_text import strings, tool_names

NEWEST_STORY = "Lay the first stone"
LEARNING = "quarry gate locks at noon"
FINISH = "sed -i s/false/true/ prd.json"

pytestmark = [pytest.mark.client, pytest.mark.slow]

Drive = Callable[..., ClientRun]


@pytest.fixture(params=["codex", "copilot", "gemini", "opencode"])
def drive(request: pytest.FixtureRequest, plugin: Path, ready_home: Path, project: Path) -> Drive:
    """Return a function that sends one prompt to a client, in a home and a project that stay."""
    binary = request.getfixturevalue(request.param)

    def start(*turns: Json, place: Path = project, **more: Any) -> ClientRun:
        run = run_client(
            request.param,
            prompt="hello",
            plugin_dir=plugin,
            project_dir=place,
            script=list(turns) or [{"text": "done"}],
            client_bin=binary,
            home=ready_home,
            **more,
        )
        assert run.exit_code == 0, run.stderr
        assert [step["exit_code"] for step in run.setup if step["exit_code"]] == [], run.setup
        return run

    return start


def entries(project: Path) -> list[dict[str, Any]]:
    log = project / ".agent-os" / "progress" / "progress.json"
    found = json.loads(log.read_text("utf-8"))["entries"] if log.exists() else []
    return [entry for entry in found if entry["type"] == "task_completed"]


def call(tool: str, arguments: Json) -> Json:
    """Return the turn that calls one of our tools, as soon as the client offers it."""
    turn = {"tool_use": [{"match": f"{tool}$", "input": arguments}]}
    return {**turn, "meanwhile": {"shell": "sleep 0.2"}}


def places(run: ClientRun, text: str) -> list[str]:
    """Return where `text` stands in the first request to the model."""
    return [place for place in run.where(text) if place.startswith("request 0: ")]


def said(run: ClientRun, request: int) -> str:
    """Return everything that one request to the model says."""
    return "\n".join(text for _, text in strings(run.main_requests[request]))


def test_the_first_request_holds_the_newest_story_and_its_learning_once(drive: Drive) -> None:
    run = drive()
    assert len(places(run, NEWEST_STORY)) == 1
    assert len(places(run, LEARNING)) == 1


def test_the_skills_are_listed(drive: Drive) -> None:
    run = drive()
    listed = said(run, 0)
    assert "recording-progress" in listed
    assert "compacting-memory" in listed


def test_the_progress_document_is_offered_written_and_shown_at_the_next_start(drive: Drive) -> None:
    goal = {"goal": "Roof before the rain", "completed": [], "next_steps": [], "blockers": []}
    run = drive(
        call("mem_progress", {"project": "Quarry"}),
        call("mem_progress", {"project": "Quarry", "content": goal}),
        {"text": "done"},
    )
    assert len([name for name in tool_names(run.main_requests[-1]) if name.endswith("mem_progress")]) == 1
    # One of them shows its model the structured answer, the others show the text.
    first_answer = said(run, -2).replace('\\"', '"')
    assert "No progress document found for project Quarry" in first_answer or '"found":false' in first_answer
    assert "Roof before the rain" in said(drive(), 0)


def test_the_server_logs_into_the_project_that_the_client_works_in(drive: Drive, project: Path) -> None:
    told = {"type": "task_completed", "description": "Whitewashed the hut", "task_id": "HUT-1"}
    drive(call("progress_log", told), {"text": "done"})
    (entry,) = entries(project)
    assert entry["task_id"] == "HUT-1"


def test_a_finished_story_is_logged_once(drive: Drive, project: Path) -> None:
    drive()
    drive({"shell": FINISH}, {"text": "done"})
    drive({"shell": "git commit -aqm Roof; true"}, {"text": "done"})
    (entry,) = [entry for entry in entries(project) if "supplements" not in entry["data"]]
    assert entry["task_id"] == "US-002"


def test_a_project_with_nothing_of_ours_is_sent_nothing_and_left_alone(drive: Drive, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    (empty / ".git").mkdir(parents=True)
    run = drive(place=empty)
    assert "Progress Summary" not in said(run, 0)
    assert sorted(path.name for path in empty.iterdir()) == [".git"]


def test_the_slash_command_of_gemini_prints_figures(
    gemini: str, plugin: Path, ready_home: Path, tmp_path: Path
) -> None:
    # Headless, it takes a prompt for a command only where no hook has put a context before it.
    run = run_client(
        "gemini",
        prompt="/progress:status why",
        plugin_dir=plugin,
        project_dir=tmp_path / "empty",
        client_bin=gemini,
        home=ready_home,
    )
    assert run.exit_code == 0, run.stderr
    assert "stale: no summary was made yet" in said(run, 0)


def test_the_shell_of_the_agent_finds_the_command_that_the_start_names(drive: Drive) -> None:
    named = re.search(r"call it as `(sh [^`]+/bin/agent-progress)`", said(drive(), 0))
    assert named is not None, "the start says what stands for `agent-progress` in this shell"
    run = drive({"shell": f"{named[1]} status"}, {"text": "done"})
    assert "1/2 complete (50%)" in said(run, -1)
