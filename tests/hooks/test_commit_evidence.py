"""A commit is the evidence of what its session had finished before it, and of nothing else."""

from __future__ import annotations

import json

from real_doors import Hooks, Repository
from recorded_files import command


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
