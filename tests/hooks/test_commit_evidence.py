"""A commit is the evidence of what its session had finished before it, and of nothing else."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from real_doors import Hooks, Repository
from recorded_files import command, settings

from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import find_project
from progress_plugin.usecases.recording.commit_evidence import MOST_AT_ONCE
from progress_plugin.usecases.recording.entries_from_signals import Task, record_changes, tasks_completed


def proofs(hooks: Hooks) -> list[tuple[str, str]]:
    """Return task and commit of each entry that names a commit."""
    return [(entry["task_id"], entry["data"]["commit"]) for entry in hooks.log() if "commit" in entry["data"]]


def finish(hooks: Hooks, task: str, session: str | None = "session-1") -> None:
    """Log a task as an agent does in its shell."""
    facts = {"session_id": session} if session else {}
    command(
        hooks, "log", "task_completed", "--task", task, "--description", task, "--data", json.dumps(facts)
    )


def write(repository: Repository, name: str, text: str = "") -> None:
    """Change a file."""
    (repository.root / name).write_text(text, "utf-8")


def test_a_commit_made_before_the_session_proves_nothing(repository: Repository, hooks: Hooks) -> None:
    write(repository, "a.txt")
    repository.commit()
    command(hooks, "init")
    write(repository, "b.txt")
    repository.commit("by hand")
    hooks.start()
    for session in ("session-1", None):
        finish(hooks, f"US-{session}", session)
    hooks.event("Stop")
    hooks.event("PreCompact", trigger="auto")
    assert proofs(hooks) == []
    write(repository, "c.txt")
    commit = repository.commit("the work")
    hooks.ran("git commit -m work")
    assert proofs(hooks) == [("US-session-1", commit), ("US-None", commit)]


def test_what_was_finished_earlier_gets_no_commit_of_a_later_session(
    repository: Repository, hooks: Hooks
) -> None:
    repository.commit_nothing()
    finish(hooks, "US-0", "session-0")
    finish(hooks, "US-1", None)
    repository.commit_nothing()
    hooks.start()
    hooks.event("Stop")
    assert proofs(hooks) == []


def test_a_session_gets_its_commit_though_another_committed_before(
    repository: Repository, hooks: Hooks
) -> None:
    repository.commit_nothing()
    finish(hooks, "US-1")
    repository.commit_nothing()
    hooks.session = "session-2"
    hooks.ran("git commit -m other")
    commit = repository.commit_nothing()
    hooks.session = "session-1"
    hooks.ran("git commit -m work")
    assert proofs(hooks) == [("US-1", commit)]


def test_a_checkout_ends_the_wait_for_a_commit(repository: Repository, hooks: Hooks) -> None:
    repository.commit_nothing()
    finish(hooks, "US-1")
    repository.git("checkout", "-q", "-b", "side")
    repository.commit_nothing()
    repository.git("checkout", "-q", "main")
    repository.git("merge", "-q", "side")
    repository.commit_nothing()
    hooks.ran("git commit -m work")
    assert proofs(hooks) == []


def test_a_story_that_the_plan_finishes_after_a_commit_is_not_proven_by_it(
    repository: Repository, hooks: Hooks
) -> None:
    repository.plan(done=1)
    repository.commit()
    hooks.start()
    write(repository, "b.txt")
    repository.git("add", "b.txt")
    day_before = {"GIT_COMMITTER_DATE": "2020-01-01T00:00:00Z"}
    repository.git("commit", "-q", "-m", "by hand", variables=day_before)
    repository.plan(done=2)
    hooks.edited("prd.json")
    assert [entry["task_id"] for entry in hooks.finished()] == ["US-002"]
    assert proofs(hooks) == []
    commit = repository.commit()
    hooks.ran("git commit -am US-002")
    assert proofs(hooks) == [("US-002", commit)]


def test_a_commit_that_names_a_story_is_evidence_of_that_one_alone(
    repository: Repository, hooks: Hooks
) -> None:
    repository.plan(done=0)
    repository.commit()
    hooks.start()
    for done in (1, 0, 1):
        repository.plan(done=done)
        hooks.edited("prd.json")
    write(repository, "b.txt")
    named = repository.commit("feat: two (US-002)")
    hooks.ran("git commit -m two")
    assert proofs(hooks) == []
    repository.plan(done=2)
    hooks.edited("prd.json")
    assert proofs(hooks) == [("US-002", named)]
    assert [entry["data"]["files_modified"] for entry in hooks.log() if "commit" in entry["data"]] == [
        ["b.txt", "prd.json"]
    ]
    write(repository, "c.txt")
    rest = repository.commit("the rest of it")
    hooks.ran("git commit -m rest")
    first, last = [entry["id"] for entry in hooks.finished() if entry["task_id"] == "US-001"][:2]
    noted = [entry for entry in hooks.log() if entry["data"].get("commit") == rest]
    assert [(each["task_id"], each["data"]["supplements"]) for each in noted] == [("US-001", last)]
    assert first != last


def test_one_commit_is_noted_for_the_newest_tasks_alone(repository: Repository, hooks: Hooks) -> None:
    repository.commit_nothing()
    settings(repository, "")
    project, now = find_project(str(repository.root)), datetime.now(UTC)
    tasks = [Task(f"Mend lamp {number}", str(number), now, "session-1") for number in range(MOST_AT_ONCE + 2)]
    tasks_completed(project, tasks, DEFAULT_TIMEOUT_S)
    repository.commit_nothing()
    record_changes(project, now=now, session="session-1", timeout=DEFAULT_TIMEOUT_S)
    noted = [entry for entry in hooks.log() if "commit" in entry["data"]]
    assert len(noted) == MOST_AT_ONCE
    known = [entry["id"] for entry in hooks.finished()]
    assert [entry["data"]["supplements"] for entry in noted] == known[-MOST_AT_ONCE:]
