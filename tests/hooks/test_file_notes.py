"""What an agent is told when it reads or edits a file that is recorded, by the real doors."""

from __future__ import annotations

import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from real_doors import Hooks, Repository
from recorded_files import DATA, LAMP, WARDS, command, log, put, settings, started, used

from progress_plugin.summary.tokens import estimate


@pytest.mark.parametrize("tool", ["Read", "Edit", "Write", "MultiEdit"])
def test_a_tool_on_a_file_that_a_learning_names_brings_the_learning_once(recorded: Hooks, tool: str) -> None:
    told = used(recorded, "src/lamp.ts", tool)
    assert told.splitlines() == [
        "agent-progress: recorded in this project about src/lamp.ts:",
        f"- {LAMP} (progress.md:6)",
    ]
    assert used(recorded, "src/lamp.ts", tool) == ""


@pytest.mark.parametrize("own", [True, False], ids=["its own words", "those of another session"])
def test_a_session_is_not_told_what_it_has_logged_itself(
    repository: Repository, hooks: Hooks, *, own: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings(repository, "max_learnings = 0")
    put(repository.root, "src/lamp.ts")
    hooks.start()
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", hooks.session if own else "another")
    command(
        hooks, "log", "milestone_reached", "-m", "Cooled the lamp of src/lamp.ts down", "--learning", LAMP
    )
    told = used(hooks, "src/lamp.ts")
    assert ("must cool" not in told) is own
    assert (told == "") is own
    hooks.start()
    if own:
        assert "must cool" in used(hooks, "src/lamp.ts")


def test_a_file_that_nobody_names_brings_nothing(recorded: Hooks) -> None:
    answer = recorded.event(
        "PostToolUse", tool_name="Read", tool_input={"file_path": str(recorded.root / "src/bell.ts")}
    )
    assert answer.raw == b""


def test_a_notebook_is_a_file_too(repository: Repository, hooks: Hooks) -> None:
    log(repository, "Restart the kernel of `tides.ipynb` after a change of units")
    put(repository.root, "tides.ipynb")
    hooks.start()
    place = {"notebook_path": str(repository.root / "tides.ipynb")}
    assert (
        "Restart the kernel" in hooks.event("PostToolUse", tool_name="NotebookEdit", tool_input=place).context
    )


def test_what_the_start_context_told_is_not_told_again(repository: Repository, hooks: Hooks) -> None:
    log(repository, LAMP)
    settings(repository, "max_learnings = 5")
    put(repository.root, "src/lamp.ts")
    assert "must cool before a restart" in hooks.start().context
    assert used(hooks, "src/lamp.ts") == ""


def test_a_session_is_compared_with_what_it_was_shown_not_with_what_the_next_will_be(
    repository: Repository, hooks: Hooks
) -> None:
    log(repository, LAMP)
    put(repository.root, "src/lamp.ts")
    hooks.start()
    settings(repository, "max_learnings = 5")
    hooks.session = "session-2"
    assert "must cool before a restart" in hooks.start().context
    assert used(hooks, "src/lamp.ts") == ""
    hooks.session = "session-1"
    assert "must cool before a restart" in used(hooks, "src/lamp.ts")


def test_two_sessions_do_not_mix(recorded: Hooks) -> None:
    assert LAMP in used(recorded, "src/lamp.ts")
    recorded.session = "session-2"
    recorded.start()
    assert LAMP in used(recorded, "src/lamp.ts")
    assert used(recorded, "src/lamp.ts") == ""


def test_a_sub_agent_is_told_by_itself(recorded: Hooks) -> None:
    assert LAMP in used(recorded, "src/lamp.ts")
    assert LAMP in used(recorded, "src/lamp.ts", agent_id="agent-7")
    assert used(recorded, "src/lamp.ts", agent_id="agent-7") == ""


def test_a_sub_agent_has_not_seen_the_start_context(repository: Repository, hooks: Hooks) -> None:
    log(repository, LAMP)
    settings(repository, "max_learnings = 5")
    put(repository.root, "src/lamp.ts")
    hooks.start()
    assert LAMP in used(hooks, "src/lamp.ts", agent_id="agent-7")


@pytest.mark.parametrize("source", ["compact", "clear", "startup"])
def test_after_a_start_that_forgets_the_session_is_told_again(recorded: Hooks, source: str) -> None:
    used(recorded, "src/lamp.ts")
    recorded.start(source)
    assert LAMP in used(recorded, "src/lamp.ts")


def test_after_a_resume_nothing_is_told_again(recorded: Hooks) -> None:
    used(recorded, "src/lamp.ts")
    recorded.start("resume")
    assert used(recorded, "src/lamp.ts") == ""


def test_after_a_compaction_what_its_start_context_told_counts(repository: Repository, hooks: Hooks) -> None:
    log(repository, LAMP)
    settings(repository, "max_learnings = 5")
    put(repository.root, "src/lamp.ts")
    hooks.start()
    hooks.start("compact")
    assert used(hooks, "src/lamp.ts") == ""


def test_what_an_earlier_start_of_a_resumed_session_told_counts(repository: Repository, hooks: Hooks) -> None:
    log(repository, LAMP)
    settings(repository, "max_learnings = 5")
    put(repository.root, "src/lamp.ts")
    hooks.start()
    settings(repository, "max_learnings = 0")
    hooks.start("resume")
    assert used(hooks, "src/lamp.ts") == ""


def test_many_reads_at_once_tell_it_once(recorded: Hooks) -> None:
    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(lambda _: used(recorded, "src/lamp.ts"), range(16)))
    assert sorted(filter(None, told)) == [told[at] for at in range(16) if told[at]][:1]


def test_many_reads_of_two_sessions_at_once_tell_each_session_once(recorded: Hooks) -> None:
    others = [Hooks(recorded.root) for _ in range(12)]
    for number, each in enumerate(others):
        each.session = f"session-{number % 2}"
    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(lambda hooks: (hooks.session, used(hooks, "src/lamp.ts")), others))
    assert sorted(session for session, text in told if LAMP in text) == ["session-0", "session-1"]


def test_at_most_300_tokens_are_told_at_once_and_the_rest_at_the_next_use(
    repository: Repository, hooks: Hooks
) -> None:
    log(repository, *(f"`src/lamp.ts`: {ward}" for ward in WARDS))
    put(repository.root, "src/lamp.ts")
    hooks.start()
    told = [used(hooks, "src/lamp.ts") for _ in range(8)]
    assert max(map(estimate, told)) in range(150, 301)
    notes = [line for text in told for line in text.splitlines() if line.startswith("- ")]
    assert len(notes) == len(set(notes)) == 8
    assert told[-1] == ""


def test_reading_a_plan_records_nothing(repository: Repository, hooks: Hooks) -> None:
    repository.plan(done=1)
    hooks.start()
    repository.plan(done=2)
    used(hooks, "prd.json")
    assert hooks.finished() == []


def test_a_note_that_costs_much_is_cut_so_that_it_can_be_told(repository: Repository, hooks: Hooks) -> None:
    log(repository, "`src/lamp.ts` " + "灯塔必须冷却。" * 200)
    put(repository.root, "src/lamp.ts")
    hooks.start()
    assert 50 < estimate(used(hooks, "src/lamp.ts")) <= 300


def test_a_session_is_told_a_bounded_number_of_notes(repository: Repository, hooks: Hooks) -> None:
    log(repository, LAMP)
    put(repository.root, "src/lamp.ts")
    hooks.start()
    record = hooks.root / DATA / "sessions/session-1.told"
    record.write_bytes(b"".join(b"%012x\n" % number for number in range(256)))
    assert used(hooks, "src/lamp.ts") == ""


def test_other_statements_come_after_the_learnings_and_lists_of_files_never(
    repository: Repository, hooks: Hooks
) -> None:
    settings(repository, "max_learnings = 0\nrecent_stories_count = 0\nmax_context_tokens = 100")
    text = (
        "## 2026-03-01 - US-001: Lamp\n- Moved the burner of `src/lamp.ts` below the gallery\n"
        "- Files changed: src/lamp.ts, src/bell.ts\n- **Learnings:**\n"
        f"  - {LAMP}\n\n## 2026-03-02 - US-002: Fog\n- Bought a horn\n"
    )
    (repository.root / "progress.md").write_text(text, "utf-8")
    put(repository.root, "src/lamp.ts", "src/bell.ts")
    hooks.start()
    notes = used(hooks, "src/lamp.ts").splitlines()[1:]
    assert [LAMP in notes[0], "Moved the burner" in notes[1]] == [True, True]
    assert used(hooks, "src/bell.ts") == ""


@pytest.mark.parametrize(
    "line",
    [
        "Success: true; Files: src/lamp.ts, src/bell.ts",
        "**Files changed:**\n  - src/bell.ts (added the globals import); src/horn.ts (removed an unused import)",
        "src/bell.ts, src/lamp.ts",
    ],
)
def test_a_list_of_files_is_not_told_however_it_is_written(
    repository: Repository, hooks: Hooks, line: str
) -> None:
    settings(repository, "max_learnings = 0\nrecent_stories_count = 0\nmax_context_tokens = 100")
    text = (
        f"## 2026-03-01 - US-001: Lamp\n- Lit it\n- {line}\n\n## 2026-03-02 - US-002: Fog\n- Bought a horn\n"
    )
    (repository.root / "progress.md").write_text(text, "utf-8")
    put(repository.root, "src/lamp.ts", "src/bell.ts")
    hooks.start()
    assert used(hooks, "src/bell.ts") == ""


def test_what_the_client_loads_itself_is_not_told(repository: Repository, hooks: Hooks) -> None:
    log(repository, LAMP, "The fuse of `src/lamp.ts` is short")
    (repository.root / "CLAUDE.md").write_text(f"# Harbour\n\n- {LAMP}\n", "utf-8")
    put(repository.root, "src/lamp.ts")
    hooks.start()
    told = used(hooks, "src/lamp.ts")
    assert ("fuse" in told, LAMP in told) == (True, False)


def report(hooks: Hooks) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(command(hooks, "report", "--json").stdout)
    return value


def test_the_report_counts_what_was_shown_at_starts_and_at_files(
    repository: Repository, hooks: Hooks
) -> None:
    log(repository, LAMP, "Paint never dries in fog")
    put(repository.root, "src/lamp.ts")
    for name in ("one", "two"):
        hooks.session = name
        hooks.start()
        used(hooks, "src/lamp.ts")
    assert shown(hooks) == {LAMP: 2, "Paint never dries in fog": 0}
    assert [each["text"] for each in report(hooks)["never_shown"]] == ["Paint never dries in fog"]
    settings(repository, "max_learnings = 5")
    hooks.start()
    assert not (hooks.root / DATA / "told.log").exists()
    assert shown(hooks) == {LAMP: 3, "Paint never dries in fog": 1}
    hooks.session = "three"
    hooks.start()
    settings(repository, "max_learnings = 0")
    hooks.start()
    assert shown(hooks) == {LAMP: 4, "Paint never dries in fog": 2}


@pytest.mark.parametrize(("days", "listed"), [(1, []), (-1, ["Rope swells in rain"])])
def test_what_was_recorded_after_the_last_summary_that_was_shown_is_not_called_never_shown(
    repository: Repository, hooks: Hooks, days: int, listed: list[str]
) -> None:
    log(repository, LAMP)
    put(repository.root, "src/lamp.ts")
    hooks.start()
    used(hooks, "src/lamp.ts")
    command(hooks, "log", "milestone_reached", "-m", "Ropes", "--learning", "Rope swells in rain")
    made = time.time() - days * 86_400
    for name in (hooks.root / DATA / "sessions").iterdir():
        os.utime(name, (made, made))
    assert [each["text"] for each in report(hooks)["never_shown"]] == listed


def shown(hooks: Hooks) -> dict[str, int]:
    """Return how often the report says that each learning was shown."""
    return {each["text"]: each["shown"] for topic in report(hooks)["topics"] for each in topic["statements"]}


def test_a_blocker_is_told_as_one_while_it_is_open_and_not_at_all_when_it_is_over(hooks: Hooks) -> None:
    put(hooks.root, "src/lamp.ts")
    command(hooks, "log", "task_blocked", "--task", "US-010", "-m", "src/lamp.ts waits for the glass")
    hooks.start()
    assert "Blocked: US-010: src/lamp.ts waits for the glass" in used(
        hooks, "src/lamp.ts", agent_id="agent-1"
    )
    command(hooks, "log", "task_completed", "--task", "US-010", "-m", "The glass is here")
    hooks.session = "session-2"
    hooks.start()
    assert "waits for the glass" not in used(hooks, "src/lamp.ts", agent_id="agent-2")


def test_a_statement_of_our_own_log_is_told_with_its_story_and_no_line(hooks: Hooks) -> None:
    put(hooks.root, "src/lamp.ts")
    command(
        hooks, "log", "task_completed", "--task", "US-010", "-m", "Turned the wick in src/lamp.ts by half"
    )
    hooks.start()
    told = used(hooks, "src/lamp.ts", agent_id="agent-1")
    assert "(US-010)" in told
    assert "progress.json:" not in told


@pytest.mark.parametrize(
    "learning", ["\033[31mred in src/a.ts", "r\u202eed in src/a.ts", "src/a.ts " + "red " * 4500]
)
def test_a_learning_that_is_told_otherwise_than_it_was_written_is_told_once(
    hooks: Hooks, learning: str
) -> None:
    put(hooks.root, "src/a.ts")
    settings(Repository(hooks.root), "max_learnings = 0")
    command(hooks, "log", "task_completed", "--task", "US-1", "--description", "x", "--learning", learning)
    started(hooks)
    assert used(hooks, "src/a.ts").count("\n- ") == 1
