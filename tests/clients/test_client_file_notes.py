"""In the real clients: what is recorded about a file is in the request after the tool that opens it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.clients.harness.client_run import ClientRun, run_client
from tests.clients.harness.clients import Json
from tests.clients.harness.request_text import strings

ROOT = Path(__file__).resolve().parents[2]
GOTCHA = "Mortar in `src/wall.py` must set for a day before the scaffold goes"

pytestmark = [pytest.mark.client, pytest.mark.slow]

Drive = Callable[..., ClientRun]


@pytest.fixture
def quarry(project: Path) -> Path:
    """Return the project with a gotcha about a file of which its starts do not tell, and two files."""
    log = project / "progress.txt"
    log.write_text(log.read_text("utf-8").replace("  - The quarry", f"  - {GOTCHA}\n  - The quarry"), "utf-8")
    (project / ".agent-os/progress").mkdir(parents=True)
    (project / ".agent-os/progress/config.toml").write_text("max_learnings = 0\n", "utf-8")
    (project / "src").mkdir()
    for name in ("wall.py", "gate.py"):
        (project / "src" / name).write_text("stone = 1\n", "utf-8")
    return project


@pytest.fixture
def drive(any_claude: str, ready_home: Path, plugin: Path, quarry: Path) -> Drive:
    """Return a function that sends one prompt to Claude Code, in a home and a project that stay."""

    def start(
        *turns: Json, prompt: str = "go on", rules: Sequence[Json] = (), resume: str | None = None
    ) -> ClientRun:
        run = run_client(
            "claude",
            prompt=prompt,
            plugin_dir=plugin,
            project_dir=quarry,
            script={"turns": [*turns, {"text": "done"}], "rules": list(rules)},
            client_bin=any_claude,
            home=ready_home,
            args=["--resume", resume] if resume else [],
        )
        assert run.exit_code == 0, run.stderr
        return run

    return start


def read(path: Path) -> Json:
    return {"tool_use": [{"name": "Read", "input": {"file_path": str(path)}}]}


def edit(path: Path, before: str, after: str) -> Json:
    told = {"file_path": str(path), "old_string": before, "new_string": after}
    return {"tool_use": [{"name": "Edit", "input": told}]}


def told_in(run: ClientRun, said: str = GOTCHA) -> list[int]:
    """Return how often the gotcha stands in each request to the model: a start's has no marks of code."""
    return [len([text for _, text in strings(body) if said in text]) for body in run.main_requests]


def test_a_read_and_an_edit_of_the_file_bring_the_gotcha_into_the_next_request_once(
    drive: Drive, quarry: Path
) -> None:
    wall = quarry / "src/wall.py"
    run = drive(read(wall), edit(wall, "stone = 1", "stone = 2"), edit(wall, "stone = 2", "stone = 3"))
    assert told_in(run) == [0, 1, 1, 1]


def test_a_write_of_the_file_brings_it(drive: Drive, quarry: Path) -> None:
    wall = quarry / "src/wall.py"
    wall.unlink()
    run = drive(
        {"tool_use": [{"name": "Write", "input": {"file_path": str(wall), "content": "stone = 1\n"}}]}
    )
    assert told_in(run) == [0, 1]


def test_a_file_that_nobody_names_brings_nothing(drive: Drive, quarry: Path) -> None:
    run = drive(read(quarry / "src/gate.py"))
    assert told_in(run) == [0, 0]
    assert not run.where("recorded in this project about")


def test_what_the_start_context_told_is_not_told_at_the_file(drive: Drive, quarry: Path) -> None:
    (quarry / ".agent-os/progress/config.toml").unlink()
    run = drive(read(quarry / "src/wall.py"))
    assert [told_in(run), told_in(run, GOTCHA.replace("`", ""))] == [[0, 0], [1, 1]]


def test_after_a_resume_it_is_not_told_again_and_after_a_compaction_it_is(drive: Drive, quarry: Path) -> None:
    wall = quarry / "src/wall.py"
    first = drive(read(wall), {"shell": "echo a"})
    again = drive(read(wall), resume=first.session_id)
    assert told_in(again) == [1, 1]
    drive(prompt="/compact", resume=first.session_id)
    after = drive(read(wall), resume=first.session_id)
    assert told_in(after)[1] == told_in(after)[0] + 1


def test_a_sub_agent_is_told_by_itself(drive: Drive, quarry: Path) -> None:
    wall = quarry / "src/wall.py"
    task = {"description": "Look", "prompt": "Inspect the masonry", "subagent_type": "general-purpose"}
    run = drive(
        read(wall),
        {"tool_use": [{"match": "^(Task|Agent)$", "input": task}]},
        rules=[{"match": "Inspect the masonry", "reply": read(wall), "times": 1}],
        prompt="Mind the quarry",
    )
    counts = list(zip(run.main_requests, told_in(run), strict=True))
    main = [count for body, count in counts if "Mind the quarry" in json.dumps(body["messages"])]
    others = [count for body, count in counts if "Mind the quarry" not in json.dumps(body["messages"])]
    assert (main[0], max(main), max(others)) == (0, 1, 1)


def opening(client: str, path: Path) -> Json:
    """Return the turn by which another client's agent looks into a file."""
    told = {"path": str(path), "filePath": str(path), "file_path": str(path)}
    shell = {"shell": f"cat {path.relative_to(path.parents[1])}"}
    return shell if client == "codex" else {"tool_use": [{"match": "^(view|read|read_file)$", "input": told}]}


@pytest.mark.parametrize("client", ["codex", "copilot", "opencode"])
def test_other_clients_bring_it_once(
    client: str, request: pytest.FixtureRequest, plugin: Path, ready_home: Path, quarry: Path
) -> None:
    wall, gate = (opening(client, quarry / "src" / name) for name in ("wall.py", "gate.py"))
    run = run_client(
        client,
        prompt="go on",
        plugin_dir=plugin,
        project_dir=quarry,
        script=[gate, wall, wall, {"text": "done"}],
        client_bin=request.getfixturevalue(client),
        home=ready_home,
    )
    assert run.exit_code == 0, run.stderr
    assert told_in(run) == [0, 0, 1, 1]
