"""One finished story is one entry; earlier work, or work that came with a checkout, is none."""

from __future__ import annotations

import json
import time
from pathlib import Path

from progress_plugin.core.lock import FileLock
from tests.hooks.simulated_client import Hooks, Repository


def evidence(hooks: Hooks) -> list[tuple[str, str]]:
    """Return task and commit of each entry that names a commit."""
    return [(entry["task_id"], entry["data"]["commit"]) for entry in hooks.log() if "commit" in entry["data"]]


def done_ids(hooks: Hooks) -> list[str]:
    return [entry["task_id"] for entry in hooks.finished()]


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


def test_a_story_finished_in_the_plan_is_one_entry_with_its_commit(
    repository: Repository, hooks: Hooks
) -> None:
    repository.plan(done=12)
    repository.commit()
    hooks.start()
    hooks.event("TaskCompleted", task_id="1", task_subject="US-013: Story number 13")
    repository.plan(done=13)
    hooks.edited("prd.json")
    commit = repository.commit("US-013")
    hooks.ran("git commit -m US-013")
    hooks.event("Stop")
    hooks.event("SubagentStop")
    (entry,) = hooks.finished()
    assert entry["task_id"] == "US-013"
    added = [each["data"] for each in hooks.log() if each["data"].get("commit")]
    assert [(each["commit"], each["files_modified"]) for each in added] == [(commit, ["prd.json"])]


def test_a_story_that_turns_blocked_is_logged_as_blocked(repository: Repository, hooks: Hooks) -> None:
    repository.plan(done=2)
    hooks.start()
    plan = json.loads((repository.root / "prd.json").read_text())
    plan["userStories"][2] |= {"status": "blocked", "notes": "the glass has not arrived"}
    del plan["userStories"][2]["passes"]
    repository.write("prd.json", json.dumps(plan))
    hooks.edited("prd.json")
    entry = hooks.log()[-1]
    assert (entry["type"], entry["task_id"]) == ("task_blocked", "US-003")
    assert entry["data"]["issue"] == "the glass has not arrived"
    assert "the glass has not arrived" in hooks.start().context


def test_a_session_is_logged_with_its_first_entry_and_ended_once(
    repository: Repository, hooks: Hooks
) -> None:
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


def test_events_during_a_locked_log_are_spooled_and_recorded_later(logged: Repository, hooks: Hooks) -> None:
    logged.plan(done=1)
    hooks.start()
    logged.write("progress.txt", "- " + "words " * 800_000)  # too large for a hook that is waited for
    with FileLock(str(logged.root / ".agent-os/progress/lock"), 5):
        hooks.event("TaskCompleted", task_id="1", task_subject="Mend the lamp")
        hooks.event("SessionEnd", reason="other")
        spooled = sorted(path for path in Path.home().rglob("*.json") if path.parent.name == "spool")
        assert [json.loads(path.read_text())["kind"] for path in spooled] == ["task", "end"]
        assert hooks.log() == []
    while any(path.exists() for path in spooled):
        time.sleep(0.01)
    assert [entry["data"]["description"] for entry in hooks.finished()] == ["Mend the lamp"]
    assert hooks.log()[-1]["type"] == "session_ended"


def test_a_commit_is_evidence_of_the_work_of_its_session_before_it(
    repository: Repository, hooks: Hooks
) -> None:
    repository.commit_nothing()
    hooks.start()
    hooks.command(
        "log", "task_completed", "--task", "US-1", "-m", "Lit", "--data", '{"session_id": "session-1"}'
    )
    hooks.event("Stop")
    assert evidence(hooks) == [], "the commit before the session is no evidence"
    repository.commit_nothing()
    hooks.session = "session-2"
    hooks.ran("git commit -m other")
    assert evidence(hooks) == [], "the commit of another session is no evidence"
    commit = repository.commit_nothing()
    hooks.session = "session-1"
    hooks.ran("git commit -m work")
    assert evidence(hooks) == [("US-1", commit)]


def test_a_plan_that_a_shell_command_has_changed_is_noticed(repository: Repository, hooks: Hooks) -> None:
    repository.plan(done=0)
    hooks.start()
    repository.plan(done=1)
    hooks.ran("git stash pop")
    assert done_ids(hooks) == ["US-001"]
