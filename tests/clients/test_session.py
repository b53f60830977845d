"""Whole sessions of the real client with the plugin itself: what its model is sent, and what is kept."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.clients.harness.client_run import ClientRun, run_client
from tests.clients.harness.clients import Json
from tests.clients.harness.request_text import strings

ROOT = Path(__file__).resolve().parents[2]
NEWEST_STORY = "Lay the first stone"
LEARNING = "quarry gate locks at noon"

pytestmark = [pytest.mark.client, pytest.mark.slow]

Drive = Callable[..., ClientRun]


@pytest.fixture
def drive(any_claude: str, ready_home: Path, project: Path) -> Drive:
    """Return a function that sends one prompt, in a home and a project that stay from call to call."""

    def start(
        prompt: str, *turns: Json, resume: str | None = None, args: Sequence[str] = (), **more: Any
    ) -> ClientRun:
        run = run_client(
            "claude",
            prompt=prompt,
            project_dir=project,
            script=list(turns) or [{"text": "done"}],
            client_bin=any_claude,
            home=ready_home,
            args=[*args, *(["--resume", resume] if resume else [])],
            **{"plugin_dir": ROOT, **more},
        )
        assert run.exit_code == 0, run.stderr
        return run

    return start


def places(run: ClientRun, text: str, request: int = 0) -> list[str]:
    """Return where `text` stands in one request to the model."""
    return [place for place in run.where(text) if place.startswith(f"request {request}: ")]


def entries(project: Path, kind: str) -> list[dict[str, Any]]:
    log = project / ".agent-os" / "progress" / "progress.json"
    content = json.loads(log.read_text("utf-8")) if log.exists() else {"entries": []}
    return [entry for entry in content["entries"] if entry["type"] == kind]


def test_the_first_request_holds_the_newest_story_and_its_learning(drive: Drive) -> None:
    run = drive("hello")
    assert len(places(run, NEWEST_STORY)) == 1
    assert len(places(run, LEARNING)) == 1
    assert run.strays == []


def test_a_resumed_session_holds_the_summary_once(drive: Drive) -> None:
    first = drive("hello")
    again = drive("and now", resume=first.session_id)
    assert len(places(again, NEWEST_STORY)) == 1


def test_after_compaction_the_summary_is_there_again(drive: Drive) -> None:
    first = drive("hello", {"shell": "echo a"}, {"shell": "echo b"}, {"text": "one"})
    drive("more", {"shell": "echo c"}, {"text": "two"}, resume=first.session_id)
    drive("/compact", resume=first.session_id)
    after = drive("go on", resume=first.session_id)
    assert "echo a" not in json.dumps(after.main_requests[0]["messages"])
    assert len(places(after, NEWEST_STORY)) == 1


def test_an_installed_plugin_does_what_one_named_on_the_command_line_does(drive: Drive, plugin: Path) -> None:
    run = drive("hello", install=True, plugin_dir=plugin)
    assert [step["exit_code"] for step in run.setup] == [0, 0], run.setup
    assert len(places(run, NEWEST_STORY)) == 1


def test_a_project_with_nothing_of_ours_is_sent_nothing_and_left_alone(
    any_claude: str, ready_home: Path, tmp_path: Path
) -> None:
    empty = tmp_path / "empty"
    (empty / ".git").mkdir(parents=True)
    run = run_client(
        "claude", prompt="hello", plugin_dir=ROOT, project_dir=empty, client_bin=any_claude, home=ready_home
    )
    assert run.exit_code == 0
    started = [event for event in run.hook_events or [] if event.get("subtype") == "hook_response"]
    assert [event["output"] for event in started if event["hook_event"] == "SessionStart"] == [""]
    assert sorted(path.name for path in empty.iterdir()) == [".git"]


def test_a_finished_task_becomes_one_entry(drive: Drive, project: Path) -> None:
    create = {"name": "TaskCreate", "input": {"subject": "Raise the zinc roof", "description": "Zinc"}}
    update = {"name": "TaskUpdate", "input": {"taskId": r"{{LAST:Task #(\d+)}}", "status": "completed"}}
    drive(
        "go on",
        {"tool_use": [create]},
        {"tool_use": [update]},
        {"text": "done"},
        env={"CLAUDE_CODE_ENABLE_TODO_TOOLS": "1"},
    )
    (entry,) = entries(project, "task_completed")
    assert "Raise the zinc roof" in json.dumps(entry)


def test_a_story_turned_done_in_the_plan_becomes_one_entry(drive: Drive, project: Path) -> None:
    drive("hello")
    read = {"name": "Read", "input": {"file_path": str(project / "prd.json")}}
    edit = {
        "name": "Edit",
        "input": {
            "file_path": str(project / "prd.json"),
            "old_string": '"Raise the zinc roof", "passes": false',
            "new_string": '"Raise the zinc roof", "passes": true',
        },
    }
    drive("go on", {"tool_use": [read]}, {"tool_use": [edit]}, {"text": "done"})
    (entry,) = entries(project, "task_completed")
    assert entry["task_id"] == "US-002"


def test_a_story_turned_done_by_a_shell_command_is_found_when_the_turn_ends(
    drive: Drive, project: Path
) -> None:
    drive("hello")
    drive("go on", {"shell": "sed -i s/false/true/ prd.json"}, {"text": "done"})
    (entry,) = entries(project, "task_completed")
    assert entry["task_id"] == "US-002"


def test_nothing_is_added_when_a_turn_ends(drive: Drive) -> None:
    run = drive("hello", {"text": "one"}, {"text": "two"})
    assert len(run.main_requests) == 1


@pytest.mark.parametrize(
    ("word", "figures"),
    [
        ("summarize", ["Stories:   2 (1 done, 1 pending)", "progress-summary.md"]),
        ("", ["Quarry: 1/2 complete (50%)", "Current: US-002"]),
    ],
)
def test_the_slash_command_prints_figures_without_a_question(
    drive: Drive, word: str, figures: list[str]
) -> None:
    run = drive(f"/progress:status {word}".strip(), args=["--permission-mode", "default"])
    asked = [message for message in run.main_requests[0]["messages"] if message["role"] == "user"]
    said = [text for message in asked for _, text in strings(message)]
    for figure in figures:
        assert any(figure in text for text in said), figure


def test_the_progress_document_is_offered_at_once_written_and_shown_at_the_next_start(drive: Drive) -> None:
    goal = {"goal": "Roof before the rain", "completed": [], "next_steps": ["order slates"], "blockers": []}
    content = {"project": "Quarry", "content": goal}
    run = drive(
        "plan the roof",
        {"tool_use": [{"name": "mcp__plugin_progress_progress__mem_progress", "input": content}]},
        {"text": "done"},
    )
    assert places(run, '"saved":true', request=1)
    later = drive("hello again")
    assert len(places(later, "Roof before the rain")) == 1
    assert len(places(later, "order slates")) == 1


@pytest.mark.corpus
def test_of_a_log_of_349_kb_the_request_holds_the_last_story_and_its_newest_learning(
    drive: Drive, project: Path, corpus: Path
) -> None:
    text = (corpus / "logs/secure-exec-root/progress.txt").read_text("utf-8")
    for path in (project / "prd.json", project / "progress.md"):
        path.unlink(missing_ok=True)
    (project / "progress.txt").write_text(text, "utf-8")
    run = drive("hello")
    last_entry = text[text.rindex("**Learnings") :]
    newest = [line.strip(" -")[:40] for line in last_entry.splitlines() if line.startswith("  - ")]
    (place,) = places(run, "# Progress Summary:")
    assert places(run, "### US-108") == [place]
    assert [place] in [places(run, learning) for learning in newest]
    block = next(body for path, body in strings(run.main_requests[0]) if path in place)
    injected = block[block.index("agent-progress:") : block.index("Full history preserved in it.")]
    assert 1_000 < len(injected.encode("utf-16-le")) // 2 < 9_000
