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

from progress_plugin.core.start_cache import cache_path, has_start_cache

QUOTES = 'a"\\ '
HEAVY = (
    "json",
    "os",
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


def test_a_plan_alone_is_shown_and_nothing_is_written_into_the_project(
    repository: Repository, hooks: Hooks
) -> None:
    repository.plan(done=12)
    answer = hooks.start()
    assert "Stories: 12/14 complete (86%)" in answer.context
    assert answer.user_line == "progress: 12/14, US-013 next"
    assert sorted(os.listdir(repository.root)) == [".git", "prd.json"]


def test_a_real_log_reaches_the_agent_with_its_newest_story(repository: Repository, hooks: Hooks) -> None:
    _log(repository)
    answer = hooks.start()
    assert "the fog bell rings" in answer.context
    assert answer.context.startswith("agent-progress: recorded progress of the project lighthouse")


def test_our_directory_ignores_itself(repository: Repository, hooks: Hooks) -> None:
    _log(repository)
    repository.commit()
    hooks.start()
    assert repository.git("status", "--porcelain") == ""


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


def test_a_start_without_anything_of_ours_loads_next_to_nothing(hooks: Hooks) -> None:
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


@pytest.mark.parametrize("source", ["startup", "clear", "compact", "fork"])
def test_every_source_gets_the_whole_text(repository: Repository, hooks: Hooks, source: str) -> None:
    _log(repository)
    assert "the fog bell rings" in hooks.start(source).context
    assert "the fog bell rings" in hooks.start(source).context


def test_the_user_is_told_only_when_a_person_sits_down(repository: Repository, hooks: Hooks) -> None:
    repository.plan(done=1)
    lines = {source: hooks.start(source).user_line for source in ("startup", "resume", "compact", "clear")}
    told = "progress: 1/14, US-002 next"
    assert lines == {"startup": told, "resume": told, "compact": None, "clear": None}


def test_a_resume_without_a_change_repeats_nothing(repository: Repository, hooks: Hooks) -> None:
    _log(repository)
    hooks.start()
    assert hooks.start("resume").context == ""


def test_a_resume_brings_only_what_changed(repository: Repository, hooks: Hooks) -> None:
    log = _log(repository)
    hooks.start()
    log.write_text(log.read_text("utf-8") + "\n## 2026-03-29 - US-100: Gulls\n- Counted the gulls\n", "utf-8")
    text = hooks.start("resume").context
    assert "Counted the gulls" in text
    assert "Step 3" not in text
    assert text.startswith("agent-progress: what changed since this session last saw the summary.")
    assert hooks.start("resume").context == ""


def test_a_resume_of_a_session_never_shown_anything_gets_everything(
    repository: Repository, hooks: Hooks
) -> None:
    _log(repository)
    hooks.start()
    hooks.session = "session-2"
    assert "the fog bell rings" in hooks.start("resume").context


def test_the_off_switch_switches_off(repository: Repository, hooks: Hooks) -> None:
    _log(repository)
    hooks.environment = {"AGENT_PROGRESS_DISABLED": "1"}
    assert hooks.start().raw == b""
    assert not (repository.root / ".agent-os").exists()


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


def test_a_summary_that_takes_too_long_is_made_in_the_background_and_ready_for_the_next_start(
    repository: Repository, hooks: Hooks
) -> None:
    _log(repository)
    (repository.root / ".agent-os/progress").mkdir(parents=True)
    hurried = (
        "import time\nfrom progress_plugin.usecases.starting import start\n"
        "start._made = lambda *_: time.sleep(60)\n"
    )
    printed = _printed_with_preamble(hooks, hurried)
    assert printed == {
        "systemMessage": "progress: the summary takes longer than a start may; it is made in the background"
    }
    until = time.monotonic() + 60
    while not has_start_cache(str(repository.root)):
        assert time.monotonic() < until, "the process in the background made nothing"
    summary = (repository.root / ".agent-os/progress/progress-summary.md").stat().st_ino
    assert "the fog bell rings" in hooks.start().context
    assert (repository.root / ".agent-os/progress/progress-summary.md").stat().st_ino == summary


@pytest.mark.parametrize(
    "end",
    ["raise RuntimeError", "raise HookTimeout", "time.sleep(60)"],
)
def test_a_start_that_ends_before_it_has_an_answer_says_so(
    repository: Repository, hooks: Hooks, end: str
) -> None:
    _log(repository)
    unanswering = (
        "import time\nfrom progress_plugin.core.errors import HookTimeout\nfrom progress_plugin.hooks import entry\nfrom progress_plugin.usecases.starting import start\n"
        "entry.START_SECONDS = 0.3\n"
        f"def unanswering(event):\n    {end}\nstart._project = unanswering\n"
    )
    printed = _printed_with_preamble(hooks, unanswering)
    assert printed == {"systemMessage": "progress: no summary could be made; see: agent-progress doctor"}


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


def test_a_damaged_log_is_named_and_costs_no_start(repository: Repository, hooks: Hooks) -> None:
    _log(repository)
    directory = repository.root / ".agent-os/progress"
    directory.mkdir(parents=True)
    (directory / "progress.json").write_bytes(b'{"version": "1.0", "entries": [{"id": "x", ')
    text = hooks.start().context
    assert "the fog bell rings" in text
    assert "Not read:" in text
    assert (directory / "progress.json").read_bytes() == b'{"version": "1.0", "entries": [{"id": "x", '


@pytest.mark.parametrize(
    "told",
    [b"", b"not json", b"[]", b"\xff\xfe", b'{"cwd": 3}', b'{"cwd": "/nowhere/at/all"}', b"{" * 100_000],
)
def test_whatever_a_client_says_the_hook_ends_well(told: bytes, tmp_path: Path) -> None:
    for event in ("SessionStart", "Stop", "Nonsense"):
        done = subprocess.run(
            [sys.executable, MAIN, "hook", event],
            input=told,
            capture_output=True,
            cwd=tmp_path,
            timeout=60,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


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


def test_a_copied_project_looks_at_its_own_files(
    repository: Repository, hooks: Hooks, tmp_path: Path
) -> None:
    _log(repository)
    hooks.start()
    hooks.event("TaskCompleted", task_id="1", task_subject="Mend the lamp")
    hooks.start()
    copy = tmp_path / "copy"
    subprocess.run(["cp", "-a", str(repository.root), str(copy)], check=True)
    there = Hooks(copy)
    there.session = "session-2"
    there.event("TaskCompleted", task_id="2", task_subject="Paint the tower")
    there.event("TaskCompleted", task_id="3", task_subject="Count the gulls")
    assert "Count the gulls" in there.start().context
    cache = Path(cache_path(str(copy))).read_bytes()
    assert os.fsencode(repository.root) + b"/" not in cache


def test_a_configuration_fault_is_named_and_the_rest_counts(repository: Repository, hooks: Hooks) -> None:
    _log(repository)
    directory = repository.root / ".agent-os/progress"
    directory.mkdir(parents=True)
    (directory / "config.toml").write_text('max_learnings = "many"\n')
    text = hooks.start().context
    assert "max_learnings" in text
    assert "the fog bell rings" in text


def test_a_broken_template_falls_back_to_ours_and_is_named(repository: Repository, hooks: Hooks) -> None:
    _log(repository)
    place = repository.root / ".agent-os/progress/templates"
    place.mkdir(parents=True)
    (place / "progress-summary.md.j2").write_text("{{ name }} {% for %}")
    text = hooks.start().context
    assert "the fog bell rings" in text
    assert "the template that comes with the plugin is used" in text


def test_the_projects_own_template_is_used_and_cannot_reach_out(repository: Repository, hooks: Hooks) -> None:
    _log(repository)
    place = repository.root / ".agent-os/progress/templates"
    place.mkdir(parents=True)
    own = place / "progress-summary.md.j2"
    own.write_text("# Progress Summary: {{ name }}\nOwn words for {{ stories }}")
    assert "Own words for 4/4 complete (100%)" in hooks.start().context
    own.write_text("{{ ''.__class__.__mro__[1].__subclasses__() }}")
    assert "SecurityError" in hooks.start().context
