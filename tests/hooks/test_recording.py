"""A finished story is logged once; earlier work and work that came with a checkout are not logged."""

from __future__ import annotations

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
