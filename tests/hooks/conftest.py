"""Fixtures: a repository with our hooks, and one whose logs say something of its files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from real_doors import Hooks, Repository
from recorded_files import LAMP, command, log, put, settings, started


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Return an empty repository."""
    return Repository(tmp_path / "lighthouse")


@pytest.fixture
def hooks(repository: Repository) -> Hooks:
    """Return the hooks of that repository."""
    return Hooks(repository.root)


@pytest.fixture
def recorded(repository: Repository, hooks: Hooks) -> Hooks:
    """Return the hooks of a project in which a learning names a file; a session has begun."""
    log(repository, LAMP, "Paint never dries in fog")
    put(repository.root, "src/lamp.ts", "src/bell.ts")
    started(hooks)
    return hooks


@pytest.fixture
def own(repository: Repository, hooks: Hooks) -> Hooks:
    """Return the hooks of a project whose own log has a learning, a cause and a blocker about files."""
    settings(repository, "max_learnings = 0")
    put(repository.root, "src/lamp.ts", "src/bell.ts", "src/fog.ts")
    command(hooks, "log", "task_completed", "--task", "US-001", "--description", "Lit", "--learning", LAMP)
    cause = {
        "root_cause": "The clapper was loose",
        "resolution": "tightened",
        "files_modified": ["src/bell.ts"],
    }
    command(hooks, "log", "debug_resolved", "--task", "US-002", "--data", json.dumps(cause))
    blocker = {"issue": "`src/fog.ts` waits for the permit of the horn"}
    command(hooks, "log", "task_blocked", "--task", "US-003", "--data", json.dumps(blocker))
    hooks.start()
    return hooks
