"""What a session start puts in front of the agent."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core.snapshot import FAILURE
from tests.hooks.simulated_client import MAIN, REPOSITORY, Hooks, Repository

DATA = ".agent-os/progress"
LARGE_MODULES = {
    "json",
    "re",
    "pydantic",
    "jinja2",
    "click",
    "rich",
    "mcp",
    "sqlite3",
    "pathlib",
    "dataclasses",
}
QUOTES = 'a"\\ '


def save_document(root: Path, **content: Any) -> None:
    """Write the progress document of the project as an agent does."""
    Hooks(root).command("memory", "progress", root.name, "--content", json.dumps(content))


def test_a_project_without_plan_or_log_is_shown_nothing_and_left_alone(
    repository: Repository, hooks: Hooks
) -> None:
    assert hooks.start().raw == b""
    assert os.listdir(repository.root) == [".git"]


def test_a_second_start_prints_the_same_bytes_writes_no_file_and_loads_next_to_nothing(
    logged: Repository, hooks: Hooks
) -> None:
    first = hooks.start().raw
    hooks.start()
    before = {path: path.stat().st_mtime_ns for path in logged.root.rglob("*") if path.is_file()}
    assert hooks.start().raw == first
    assert {path: path.stat().st_mtime_ns for path in logged.root.rglob("*") if path.is_file()} == before
    message = {"session_id": "session-1", "cwd": str(logged.root), "source": "startup"}
    done = subprocess.run(
        [
            getattr(sys, "_base_executable", sys.executable),
            "-I",
            "-S",
            "-X",
            "importtime",
            MAIN,
            "hook",
            "SessionStart",
        ],
        input=json.dumps(message).encode(),
        capture_output=True,
        env={**os.environ, "CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": str(logged.root)},
    )
    assert done.stdout == first
    modules = {line.rsplit("|", 1)[-1].strip() for line in done.stderr.decode().splitlines()}
    assert len(modules) <= 46
    assert not LARGE_MODULES & modules


def test_a_line_for_the_user_is_printed_when_a_session_begins(repository: Repository, hooks: Hooks) -> None:
    repository.plan(done=1)
    lines = {source: hooks.start(source).user_line for source in ("startup", "compact")}
    assert lines == {"startup": "progress: 1/14, US-002 next", "compact": None}


def test_a_resume_shows_only_what_changed(logged: Repository, hooks: Hooks) -> None:
    hooks.start()
    text = (logged.root / "progress.md").read_text("utf-8")
    logged.write("progress.md", text + "\n## 2026-03-29 - US-100: Gulls\n- Counted the gulls\n")
    text = hooks.start("resume").context
    assert text.startswith("agent-progress: what changed since this session last saw the summary.")
    assert "Counted the gulls" in text
    assert "Lit the lamp" not in text
    assert hooks.start("resume").context == ""


def test_inject_false_switches_off_one_project(logged: Repository, hooks: Hooks) -> None:
    logged.write(f"{DATA}/config.toml", "inject = false\n")
    assert hooks.start().raw == b""


def test_without_a_summary_the_last_entries_are_shown(logged: Repository, hooks: Hooks) -> None:
    logged.write(
        "prd.json",
        '{"optimization": {"progressSummary": {"enabled": false}}, "userStories": [{"id": "US-9", "title": "Paint", "passes": false}]}',
    )
    assert "Lit the lamp" in hooks.start().context
    assert not (logged.root / DATA / "progress-summary.md").exists()


def start_with(hooks: Hooks, code: str) -> dict[str, Any]:
    """Run a start after code that makes a part of the plugin fail; return its answer."""
    program = f"import sys, time\n{code}\nfrom progress_plugin.hooks.events import run_event\nrun_event(['SessionStart'])\n"
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps({"session_id": "session-9", "cwd": str(hooks.root), "source": "startup"}).encode(),
        capture_output=True,
        env={
            **os.environ,
            "CLAUDECODE": "1",
            "CLAUDE_PROJECT_DIR": str(hooks.root),
            "PYTHONPATH": str(REPOSITORY),
        },
    )
    assert done.returncode == 0
    return dict(json.loads(done.stdout))


def test_a_summary_that_cannot_be_renewed_is_replaced_by_the_last_one_marked_as_old(
    logged: Repository, hooks: Hooks
) -> None:
    hooks.start()
    logged.write("progress.md", (logged.root / "progress.md").read_text("utf-8") + "\nmore\n")
    answer = start_with(hooks, "sys.modules['progress_plugin.usecases.composing'] = None")
    text = answer["hookSpecificOutput"]["additionalContext"]
    assert "could not be renewed" in text
    assert "fog bell rings" in text


def test_a_start_that_takes_too_long_says_so_and_goes_on_in_the_background(
    logged: Repository, hooks: Hooks
) -> None:
    logged.plan(done=1)
    slow = (
        "from progress_plugin.hooks import events\nfrom progress_plugin.usecases import starting\n"
        "events.START_SECONDS = 0.3\ndef find(**_):\n    time.sleep(60)\nstarting.find_project = find"
    )
    assert start_with(hooks, slow) == {"systemMessage": FAILURE}
    until = time.monotonic() + 60
    while not list(Path.home().rglob("last-seen.json")):
        assert time.monotonic() < until, "the background process wrote nothing"
        time.sleep(0.01)
    logged.plan(done=2)
    hooks.edited("prd.json")
    assert [entry["task_id"] for entry in hooks.finished()] == ["US-002"]


def test_the_output_fits_the_clients_limit(repository: Repository, hooks: Hooks) -> None:
    text = "# Progress Log\n\n"
    for number in range(1, 400):
        text += f"## 2026-03-01 - US-{number:03}: {'😀 long title ' * 30}\n- {QUOTES * 400}\n"
        text += f"- **Learnings for future iterations:**\n  - Never {QUOTES * 60} {number} in `a{number}.py`\n---\n"
    repository.write("progress.md", text)
    repository.write(f"{DATA}/config.toml", "max_context_tokens = 100000\n")
    output = hooks.start().raw.decode()
    assert 2000 < len(output.encode("utf-16-le")) // 2 <= 9000


@pytest.mark.parametrize("enabled", ["true", "false"])
def test_a_secret_in_an_agents_log_or_plan_is_not_shown(
    logged: Repository, hooks: Hooks, enabled: str
) -> None:
    key, token = "AKIA" + "IOSFODNN7EXAMPLQ", "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    logged.write(
        "progress.md",
        f"# Log\n\n## 2026-03-01 - A\n- logged in with {key} <private>in the vault</private> and went on\n",
    )
    story = {"id": "US-001", "title": f"Use {token}", "passes": False, "status": "blocked", "notes": token}
    logged.write("prd.json", json.dumps([story]))
    logged.write(f"{DATA}/config.toml", f"summary_enabled = {enabled}\n")
    output = hooks.start().raw.decode()
    assert "and went on" in output
    assert "REDACTED" in output
    written = b"".join(
        path.read_bytes() for path in (logged.root / DATA).rglob("*") if path.is_file()
    ).decode()
    assert not [secret for secret in (key, token, "in the vault") if secret in output + written]


def test_the_progress_document_is_shown_and_is_enough_for_a_start(
    repository: Repository, hooks: Hooks
) -> None:
    assert hooks.start().raw == b""
    save_document(repository.root, goal="light the lamp", next_steps=["buy oil"])
    context = hooks.start().context
    assert "- Goal: light the lamp" in context
    assert "buy oil" in context
    save_document(repository.root, goal="paint the tower")
    assert "Goal: paint the tower" in hooks.start().context
