"""The same repository in the other agents: each real client against a scripted model."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.clients.conftest import quarry, used_before
from tests.clients.harness.client_run import ClientRun, run_client
from tests.clients.harness.clients import Json
from tests.clients.harness.request_text import strings, tool_names

NEWEST_STORY = "Lay the first stone"
LEARNING = "quarry gate locks at noon"
GOAL = {"goal": "Roof before the rain", "completed": [], "next_steps": [], "blockers": []}
TOLD = {"type": "task_completed", "description": "Whitewashed the hut", "task_id": "HUT-1"}

pytestmark = [pytest.mark.client, pytest.mark.slow]


class Lived(NamedTuple):
    """What happened in one client in three sessions of one project, and in one where nothing of ours is."""

    project: Path
    first: ClientRun
    worked: ClientRun
    next: ClientRun
    empty: Path
    elsewhere: ClientRun


@pytest.fixture(scope="module", params=["codex", "copilot", "gemini", "opencode"])
def lived(
    request: pytest.FixtureRequest, plugin: Path, compiled: Path, tmp_path_factory: pytest.TempPathFactory
) -> Lived:
    """Return the sessions of a client, in one home: to start a client takes seconds, and tests only look at them."""
    client, binary = request.param, request.getfixturevalue(request.param)
    place = tmp_path_factory.mktemp(client)
    project, empty = quarry(place / "quarry"), place / "empty"
    (empty / ".git").mkdir(parents=True)
    (place / "home").mkdir()
    home = used_before(place / "home", compiled)

    def session(*turns: Json, root: Path = project) -> ClientRun:
        run = run_client(
            client,
            prompt="hello",
            plugin_dir=plugin,
            project_dir=root,
            script=[*turns, {"text": "done"}],
            client_bin=binary,
            home=home,
        )
        assert run.exit_code == 0, run.stderr
        assert [step["exit_code"] for step in run.setup if step["exit_code"]] == [], run.setup
        return run

    elsewhere = session(root=empty)
    first = session()
    named = re.search(r"call it as `(sh [^`]+/bin/agent-progress)`", said(first, 0))
    assert named is not None, "the start says what stands for `agent-progress` in this shell"
    worked = session(
        call("mem_progress", {"project": "Quarry"}),
        call("mem_progress", {"project": "Quarry", "content": GOAL}),
        call("progress_log", TOLD),
        {"shell": f"{named[1]} status"},
        {"shell": "sed -i s/false/true/ prd.json"},
    )
    last = session({"shell": "git commit -aqm Roof; true"})
    return Lived(project, first, worked, last, empty, elsewhere)


def entries(project: Path) -> dict[str, dict[str, Any]]:
    """Return what was finished, without what was added to it later, by its id."""
    log = project / ".agent-os" / "progress" / "progress.json"
    found = [
        each for each in json.loads(log.read_text("utf-8"))["entries"] if each["type"] == "task_completed"
    ]
    finished = [each for each in found if "supplements" not in each["data"]]
    assert len({each["task_id"] for each in finished}) == len(finished)
    return {each["task_id"]: each for each in finished}


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


def test_the_first_request_holds_the_newest_story_and_its_learning_once(lived: Lived) -> None:
    assert len(places(lived.first, NEWEST_STORY)) == 1
    assert len(places(lived.first, LEARNING)) == 1


def test_what_a_client_asks_of_the_model_for_itself_holds_no_summary(lived: Lived) -> None:
    """A title of the session, for instance."""
    asked = [request["body"] for request in lived.first.requests if request["kind"] == "side"]
    assert not [text for body in asked for _, text in strings(body) if NEWEST_STORY in text]


def test_the_summary_adds_no_second_system_message(lived: Lived) -> None:
    """Servers of many open models refuse a second one."""
    messages = lived.first.main_requests[0].get("messages") or []
    assert sum(message.get("role") == "system" for message in messages) <= 1


def test_the_skills_are_listed(lived: Lived) -> None:
    listed = said(lived.first, 0)
    assert "recording-progress" in listed
    assert "compacting-memory" in listed


def test_the_progress_document_is_offered_written_and_shown_at_the_next_start(lived: Lived) -> None:
    offered = tool_names(lived.worked.main_requests[-1])
    assert len([name for name in offered if name.endswith("mem_progress")]) == 1
    # One of them shows its model the structured answer, the others show the text.
    answers = said(lived.worked, -1).replace('\\"', '"')
    assert "No progress document found for project Quarry" in answers or '"found":false' in answers
    assert "Roof before the rain" in said(lived.next, 0)


def test_the_server_logs_into_the_project_that_the_client_works_in(lived: Lived) -> None:
    assert "Whitewashed the hut" in json.dumps(entries(lived.project)["HUT-1"])


def test_the_shell_of_the_agent_finds_the_command_that_the_start_names(lived: Lived) -> None:
    assert "1/2 complete (50%)" in said(lived.worked, -1)


def test_a_finished_story_is_logged_once(lived: Lived) -> None:
    assert set(entries(lived.project)) == {"HUT-1", "US-002"}


def test_a_project_with_nothing_of_ours_is_sent_nothing_and_left_alone(lived: Lived) -> None:
    assert "Progress Summary" not in said(lived.elsewhere, 0)
    assert sorted(path.name for path in lived.empty.iterdir()) == [".git"]


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
