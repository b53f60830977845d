"""What a session start puts in front of the agent, by the real door."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from real_doors import MAIN, Hooks, Repository

from progress_plugin.core.paths import state_file
from progress_plugin.core.start_cache import FAILED, TOO_LONG, cache_path

QUOTES = 'a"\\ '
HEAVY = (
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
)


def _log(repository: Repository, stories: int = 3, marker: str = "the fog bell rings") -> Path:
    text = "# Progress Log\n\n"
    for number in range(1, stories + 1):
        text += f"## 2026-03-{number:02} - US-{number:03}: Story number {number}\n- Step {number}\n---\n\n"
    path = repository.root / "progress.md"
    path.write_text(text + f"## 2026-03-28 - US-099: Last\n- {marker}\n", "utf-8")
    return path


def test_a_project_with_nothing_of_ours_gets_nothing_and_keeps_nothing(
    repository: Repository, hooks: Hooks, home: Path
) -> None:
    assert hooks.start().raw == b""
    assert sorted(os.listdir(repository.root)) == [".git"]
    assert not (home / ".cache/agent-progress/baselines").exists()


def test_two_starts_give_the_same_bytes(repository: Repository, hooks: Hooks) -> None:
    _log(repository)
    first = hooks.start().raw
    assert hooks.start().raw == first
    Path(cache_path(str(repository.root))).unlink()
    assert hooks.start().raw == first


def test_a_fresh_start_loads_next_to_nothing(repository: Repository, hooks: Hooks) -> None:
    _log(repository)
    hooks.start()
    modules = _modules_loaded(hooks)
    assert len(modules) <= 45
    assert not set(HEAVY) & modules


def _modules_loaded(hooks: Hooks, event: str = "SessionStart", **fields: object) -> set[str]:
    told = {"session_id": hooks.session, "cwd": str(hooks.root), "source": "startup", **fields}
    base = getattr(sys, "_base_executable", sys.executable)
    done = subprocess.run(
        [base, "-I", "-S", "-X", "importtime", MAIN, "hook", event],
        input=json.dumps(told).encode(),
        capture_output=True,
        env={**os.environ, "CLAUDE_PROJECT_DIR": str(hooks.root)},
    )
    lines = done.stderr.decode().splitlines()
    assert done.returncode == 0
    return {line.rsplit("|", 1)[1].strip() for line in lines if line.startswith("import time:")} - {
        "imported package"
    }


def test_a_fresh_start_writes_no_file_and_syncs_nothing(repository: Repository, hooks: Hooks) -> None:
    _log(repository)
    hooks.start()
    hooks.start()
    before = {path: path.stat().st_mtime_ns for path in repository.root.rglob("*") if path.is_file()}
    hooks.start()
    assert {path: path.stat().st_mtime_ns for path in repository.root.rglob("*") if path.is_file()} == before


def test_the_user_is_told_only_when_a_person_sits_down(repository: Repository, hooks: Hooks) -> None:
    repository.plan(done=1)
    lines = {source: hooks.start(source).user_line for source in ("startup", "resume", "compact", "clear")}
    told = "progress: 1/14, US-002 next"
    assert lines == {"startup": told, "resume": told, "compact": None, "clear": None}


def test_a_resume_brings_only_what_changed(repository: Repository, hooks: Hooks) -> None:
    log = _log(repository)
    hooks.start()
    log.write_text(log.read_text("utf-8") + "\n## 2026-03-29 - US-100: Gulls\n- Counted the gulls\n", "utf-8")
    text = hooks.start("resume").context
    assert "Counted the gulls" in text
    assert "Step 3" not in text
    assert text.startswith("agent-progress: what changed since this session last saw the summary.")
    assert hooks.start("resume").context == ""


def test_inject_false_switches_off_one_project(repository: Repository, hooks: Hooks) -> None:
    _log(repository)
    directory = repository.root / ".agent-os/progress"
    directory.mkdir(parents=True)
    (directory / "config.toml").write_text("inject = false\n")
    assert hooks.start().raw == b""
    assert hooks.start().raw == b""


def test_without_a_summary_the_log_itself_is_injected_newest_first(
    repository: Repository, hooks: Hooks
) -> None:
    _log(repository)
    repository.plan(done=1)
    plan = json.loads((repository.root / "prd.json").read_text())
    plan["optimization"] = {"progressSummary": {"enabled": False}}
    (repository.root / "prd.json").write_text(json.dumps(plan))
    text = hooks.start().context
    assert text.index("the fog bell rings") < text.index("Step 3") < text.index("Step 1")
    assert not (repository.root / ".agent-os/progress/progress-summary.md").exists()


def test_a_summary_that_cannot_be_renewed_is_replaced_by_the_last_one_marked_as_such(
    repository: Repository, hooks: Hooks
) -> None:
    log = _log(repository)
    hooks.start()
    log.write_text(log.read_text("utf-8") + "\nmore\n", "utf-8")
    broken = "import sys\nsys.modules['progress_plugin.usecases.summarizing.gather'] = None\n"
    text = _start_with_preamble(hooks, broken)
    assert "could not be renewed" in text
    assert "the fog bell rings" in text


def test_a_start_that_has_no_time_leaves_summary_and_baseline_to_the_background(
    repository: Repository, hooks: Hooks
) -> None:
    _log(repository)
    assert _printed_with_preamble(hooks, _unanswering("time.sleep(60)", 0.3)) == {"systemMessage": TOO_LONG}
    _wait_for(state_file(str(repository.root), "baseline.json"))
    summary = (repository.root / ".agent-os/progress/progress-summary.md").stat().st_ino
    assert "the fog bell rings" in hooks.start().context
    assert (repository.root / ".agent-os/progress/progress-summary.md").stat().st_ino == summary


def test_what_is_finished_after_a_start_that_had_no_time_is_recorded(
    repository: Repository, hooks: Hooks
) -> None:
    repository.plan(done=1)
    _printed_with_preamble(hooks, _unanswering("time.sleep(60)", 0.3))
    _wait_for(state_file(str(repository.root), "baseline.json"))
    repository.plan(done=2)
    hooks.edited("prd.json")
    assert [entry["task_id"] for entry in hooks.finished()] == ["US-002"]


def test_a_start_that_fails_before_it_has_an_answer_says_so(repository: Repository, hooks: Hooks) -> None:
    _log(repository)
    assert _printed_with_preamble(hooks, _unanswering("raise RuntimeError", 60)) == {"systemMessage": FAILED}


def _unanswering(end: str, seconds: float) -> str:
    """Return code after which a start ends this way before it has looked at anything."""
    return (
        "import time\nfrom progress_plugin.hooks import entry\n"
        "from progress_plugin.usecases.starting import start\n"
        f"entry.START_SECONDS = {seconds}\n"
        f"def unanswering(**_):\n    {end}\nstart.find_project = unanswering\n"
    )


def _wait_for(path: str) -> None:
    until = time.monotonic() + 60
    while not os.path.exists(path):
        assert time.monotonic() < until, "the process in the background made nothing"
        time.sleep(0.01)


def _start_with_preamble(hooks: Hooks, preamble: str) -> str:
    return str(_printed_with_preamble(hooks, preamble)["hookSpecificOutput"]["additionalContext"])


def _printed_with_preamble(hooks: Hooks, preamble: str) -> dict[str, Any]:
    """Start the door after a line that makes a part of the plugin fail to load."""
    code = (
        f"{preamble}import sys\nfrom progress_plugin.hooks import entry\nentry.run_event(['SessionStart'])\n"
    )
    told = {"session_id": "session-9", "cwd": str(hooks.root), "source": "startup"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(told).encode(),
        capture_output=True,
        env={**os.environ, "CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": str(hooks.root)},
    )
    assert done.returncode == 0
    return dict(json.loads(done.stdout))


def test_the_output_stays_under_the_clients_cap_whatever_the_log_holds(
    repository: Repository, hooks: Hooks
) -> None:
    text = "# Progress Log\n\n"
    for number in range(1, 400):
        text += f"## 2026-03-01 - US-{number:03}: {'😀 long title ' * 30}\n- {QUOTES * 400}\n"
        text += f"- **Learnings for future iterations:**\n  - Never {QUOTES * 60} {number} in `a{number}.py`\n---\n"
    (repository.root / "progress.md").write_text(text, "utf-8")
    for enabled in ("true", "false"):
        directory = repository.root / ".agent-os/progress"
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "config.toml").write_text(f"summary_enabled = {enabled}\nmax_context_tokens = 100000\n")
        output = hooks.start().raw.decode()
        assert 2000 < len(output.encode("utf-16-le")) // 2 <= 9000


@pytest.mark.parametrize("enabled", ["true", "false"])
def test_a_secret_in_an_agents_own_log_or_plan_is_not_injected(
    repository: Repository, hooks: Hooks, enabled: str
) -> None:
    key, token = "AKIA" + "IOSFODNN7EXAMPLQ", "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    _log(repository, marker=f"logged in with {key} <private>in the vault</private> and went on")
    story = {"id": "US-001", "title": f"Use {token}", "passes": False, "status": "blocked", "notes": token}
    (repository.root / "prd.json").write_text(json.dumps([story]))
    place = repository.root / ".agent-os/progress"
    place.mkdir(parents=True)
    (place / "config.toml").write_text(f"summary_enabled = {enabled}\n")
    output = hooks.start().raw.decode()
    assert "and went on" in output
    assert "REDACTED" in output
    written = b"".join(path.read_bytes() for path in place.rglob("*") if path.is_file()).decode()
    assert not [secret for secret in (key, token, "in the vault") if secret in output + written]
