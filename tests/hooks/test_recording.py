"""One finished story is one entry; what happened before, or came with a checkout, is none."""

from __future__ import annotations

import json
import time
from pathlib import Path

from real_doors import Hooks, Repository

from progress_plugin.core.clients import CLIENTS, HookEvent
from progress_plugin.core.lock import FileLock
from progress_plugin.core.paths import state_file
from progress_plugin.hooks.recording import may_bring_news


def test_a_plan_seen_for_the_first_time_logs_nothing(repository: Repository, hooks: Hooks) -> None:
    repository.plan(done=12)
    repository.commit()
    hooks.start()
    hooks.event("Stop")
    hooks.edited("prd.json")
    assert hooks.log() == []
    assert not (repository.root / ".agent-os").exists()


def test_a_checkout_of_another_branch_logs_nothing(repository: Repository, hooks: Hooks) -> None:
    repository.plan(done=2)
    repository.commit()
    repository.git("checkout", "-q", "-b", "further")
    repository.plan(done=12)
    repository.commit()
    repository.git("checkout", "-q", "main")
    hooks.start()
    repository.git("checkout", "-q", "further")
    hooks.event("Stop")
    hooks.ran("git checkout further && git commit --allow-empty")
    assert hooks.log() == []


def test_the_story_finished_while_the_hooks_run_is_one_entry_with_the_commit(
    repository: Repository, hooks: Hooks
) -> None:
    repository.plan(done=12)
    repository.commit()
    hooks.start()
    repository.plan(done=13)
    hooks.edited("prd.json")
    commit = repository.commit("US-013")
    hooks.ran("git commit -m US-013")
    hooks.event("Stop")
    hooks.event("SubagentStop")
    (entry,) = hooks.finished()
    assert (entry["task_id"], entry["data"]["description"]) == ("US-013", "Story number 13")
    added = [each["data"] for each in hooks.log() if each["data"].get("supplements") == entry["id"]]
    assert [(each["commit"], each["files_modified"]) for each in added] == [(commit, ["prd.json"])]


def test_the_clients_task_list_and_the_plan_tell_of_the_same_story_once(
    repository: Repository, hooks: Hooks
) -> None:
    repository.plan(done=12)
    hooks.start()
    hooks.event("TaskCompleted", task_id="1", task_subject="US-013: Story number 13")
    repository.plan(done=13)
    hooks.edited("prd.json")
    hooks.event("Stop")
    assert [entry["task_id"] for entry in hooks.finished()] == ["US-013"]


def test_without_a_plan_a_task_is_logged_once_and_again_in_the_next_session(
    repository: Repository, hooks: Hooks
) -> None:
    (repository.root / ".agent-os/progress").mkdir(parents=True)
    hooks.event("TaskCompleted", task_id="1", task_subject="Mend the lamp")
    hooks.event("TaskCompleted", task_id="1", task_subject="Mend the lamp")
    hooks.session = "session-2"
    hooks.event("TaskCompleted", task_id="1", task_subject="Mend the lamp")
    assert [entry["data"]["session_id"] for entry in hooks.finished()] == ["session-1", "session-2"]


def test_an_entry_added_to_the_agents_own_log_finishes_the_plans_story(
    repository: Repository, hooks: Hooks
) -> None:
    repository.plan(done=1)
    log = repository.root / "progress.md"
    log.write_text("# Progress Log\n\n## 2026-03-01 - US-001: Story number 1\n- Built it\n", "utf-8")
    hooks.start()
    with log.open("a", encoding="utf-8") as file:
        file.write("\n---\n\n## 2026-03-02 - US-002: Story number 2\n- Built it, too\n")
    hooks.edited("progress.md")
    repository.plan(done=2)
    hooks.edited("prd.json")
    assert [entry["task_id"] for entry in hooks.finished()] == ["US-002"]


def test_a_story_that_turns_blocked_is_logged_as_blocked(repository: Repository, hooks: Hooks) -> None:
    repository.plan(done=2)
    hooks.start()
    plan = json.loads((repository.root / "prd.json").read_text())
    plan["userStories"][2] |= {"status": "blocked", "notes": "the glass has not arrived"}
    del plan["userStories"][2]["passes"]
    (repository.root / "prd.json").write_text(json.dumps(plan))
    hooks.edited("prd.json")
    entry = hooks.log()[-1]
    assert (entry["type"], entry["task_id"]) == ("task_blocked", "US-003")
    assert entry["data"]["issue"] == "the glass has not arrived"
    assert "the glass has not arrived" in hooks.start().context


def test_a_story_reopened_and_finished_again_is_a_second_entry(repository: Repository, hooks: Hooks) -> None:
    repository.plan(done=1)
    hooks.start()
    for done in (2, 1, 2):
        repository.plan(done=done)
        hooks.edited("prd.json")
    keys = [entry["data"]["key"] for entry in hooks.finished()]
    assert keys == ["prd.json|US-002|done|1", "prd.json|US-002|done|2"]


def test_a_session_is_begun_with_its_first_entry_and_ended_once(repository: Repository, hooks: Hooks) -> None:
    repository.plan(done=1)
    hooks.start()
    hooks.event("SessionEnd", reason="other")
    assert hooks.log() == []
    repository.plan(done=2)
    hooks.edited("prd.json")
    hooks.event("SessionEnd", reason="other")
    hooks.event("SessionEnd", reason="other")
    assert [entry["type"] for entry in hooks.log()] == ["session_started", "task_completed", "session_ended"]
    assert hooks.log()[-1]["data"]["tasks_completed"] == 1


def test_a_start_beside_a_working_session_takes_nothing_from_it(repository: Repository, hooks: Hooks) -> None:
    repository.plan(done=1)
    (repository.root / "progress.md").write_text("# Progress\n\n## 2026-03-01 - US-001\n- Built\n", "utf-8")
    hooks.start()
    repository.plan(done=2)
    beside = Hooks(repository.root)
    beside.session = "session-2"
    assert "Stories: 2/14 complete" in beside.start().context
    hooks.event("Stop")
    assert [entry["task_id"] for entry in hooks.finished()] == ["US-002"]


def test_the_end_of_a_turn_without_news_is_a_glance(repository: Repository, hooks: Hooks) -> None:
    repository.plan(done=1)
    (repository.root / "progress.md").write_text("# Progress\n\n## 2026-03-01 - US-001\n- Built\n", "utf-8")
    hooks.start()
    hooks.event("Stop")
    stop = HookEvent("Stop", CLIENTS["claude"], {"cwd": str(repository.root), "session_id": "session-1"})
    assert not may_bring_news(stop)
    repository.plan(done=2)
    assert may_bring_news(stop)
    hooks.event("Stop")
    assert not may_bring_news(stop)


def test_entries_carry_the_branch_and_the_linked_worktree(repository: Repository, tmp_path: Path) -> None:
    repository.plan(done=1)
    repository.commit()
    Hooks(repository.root).start()
    (repository.root / ".agent-os/progress").mkdir(parents=True)
    repository.git("worktree", "add", "-q", str(tmp_path / "annexe"), "-b", "side")
    annexe = Hooks(tmp_path / "annexe")
    annexe.start()
    Repository.plan(_at(tmp_path / "annexe"), done=2)
    annexe.edited("prd.json")
    entries = Hooks(repository.root).log()
    assert [(e["branch"], e["worktree"]) for e in entries if e["type"] == "task_completed"] == [
        ("side", "annexe")
    ]
    assert not (tmp_path / "annexe/.agent-os/progress/progress.json").exists()


def _at(root: Path) -> Repository:
    repository = object.__new__(Repository)
    repository.root = root
    return repository


def test_a_task_and_the_end_beside_a_large_log_are_on_the_disk_before_it_is_read(
    repository: Repository, hooks: Hooks
) -> None:
    repository.plan(done=1)
    (repository.root / "progress.md").write_text("# Progress\n\n## 2026-03-01 - US-001\n- Built\n", "utf-8")
    hooks.start()
    (repository.root / "progress.txt").write_bytes(b"- " + b"words " * 800_000)
    lock = FileLock(str(repository.root / ".agent-os/progress/lock"), 5)
    with lock:
        hooks.event("TaskCompleted", task_id="1", task_subject="Mend the lamp")
        hooks.event("SessionEnd", reason="other")
        waiting = sorted(Path(state_file(str(repository.root), "spool")).glob("*.json"))
        assert [json.loads(path.read_text())["kind"] for path in waiting] == ["task", "end"]
        assert hooks.log() == []
    while any(path.exists() for path in waiting):
        time.sleep(0.01)
    assert [entry["data"]["description"] for entry in hooks.finished()] == ["Mend the lamp"]
    assert hooks.log()[-1]["type"] == "session_ended"


def test_a_task_that_is_reported_while_the_log_may_not_be_written_is_recorded_once_it_may(
    repository: Repository, hooks: Hooks
) -> None:
    repository.plan(done=2)
    hooks.start()
    hooks.event("TaskCompleted", task_id="1", task_subject="Mend the lamp")
    log = repository.root / ".agent-os/progress/progress.json"
    good = log.read_text("utf-8")
    log.write_text(f"<<<<<<< HEAD\n{good}=======\n{good}>>>>>>> other\n", "utf-8")
    hooks.event("TaskCompleted", task_id="2", task_subject="Oil the hinges")
    hooks.event("SessionEnd", reason="exit")
    log.write_text(good, "utf-8")
    hooks.event("Stop")
    assert [entry["data"]["description"] for entry in hooks.finished()] == ["Mend the lamp", "Oil the hinges"]
